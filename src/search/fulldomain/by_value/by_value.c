/* The engine that searches by sensitive values: sets up the measure, the columns, what records must
 * carry for the models, and the first tables, and runs the search.
 *
 * What coarse nodes say of finer ones:
 *
 * Nearly every model here is closed under union. Take a class C of a coarse node, and a finer node:
 * the rows of C that it does not suppress are a union of holding classes, hence hold themselves, or
 * there are none. So at least |C| - |K| rows of C are suppressed, K being the largest set of rows
 * of C that holds. For upward closed models K is C or nothing. The others bound the share of
 * values: with caps c_v, m of its rows have at most min(n_v, c_v m) of value v, so that sum of
 * min(n_v, c_v m) >= m; for t-closeness, 1/2 sum |p-q| <= t says that sum of min(n_v, q_v m) >=
 * (1-t) m. The left side minus the right is concave in m and 0 at 0, so Newton's steps from |C|
 * never pass below the largest such m (judge_records.c). For other distances: D(C) <= D(K) |K|/|C|
 * + farthest (1 - |K|/|C|), as D is convex. A model on the population that is not closed under
 * union says itself how many rows of C can be kept (most_kept), models of the whole table whether
 * they can hold at all (table_may_hold). */
#include "search/fulldomain/by_value/records.h"

enum { MOST_LANES = 1024, MOST_WORDS = 64, MOST_LOGS = 1 << 17 };

/* Lanes of all tuples together. A search holds several tables of this size, so models that need
 * more (half a gigabyte each) are left to the plain evaluation. */
static const size_t MOST_COUNTS = (size_t)1 << 26;

/* Rounding must never make a bound too high: models are taken to be this much weaker. */
static const double SLACK = 1e-9;

/* Where the bits of each variety lie. Those that need too many are left to the plain evaluation. */
static mgl_status lay_out_bits(mgl_by_value *search, mgl_error *err)
{
    const mgl_demand *demand = &search->frame.demand;
    search->sets =
        mgl_arena_alloc(search->frame.arena, (demand->n_varieties + 1) * sizeof *search->sets);
    MGL_TRY(mgl_check_memory(search->sets != NULL, err));
    for (size_t i = 0; i < demand->n_varieties; i++) {
        size_t words = (demand->varieties[i].n_bits + 63) / 64;
        if (search->n_or + words > MOST_WORDS) {
            search->plain = true;
            continue;
        }
        search->sets[search->n_sets++] =
            (mgl_by_value_set){&demand->varieties[i], search->n_or, words};
        search->n_or += words;
    }
    search->n_or += search->households; /* behind all others */
    return MGL_OK;
}

static mgl_status make_lanes(mgl_by_value *search, const mgl_sensitive *s, uint32_t attribute,
                             mgl_error *err)
{
    size_t n = search->n_lanes + s->n_present;
    if (search->lane_of_code[attribute] != NULL || n > MOST_LANES ||
        n > MOST_COUNTS / search->frame.problem->list->n_tuples)
        return MGL_OK;
    uint32_t *lanes = mgl_arena_alloc(search->frame.arena, s->n_values * sizeof *lanes);
    MGL_TRY(mgl_check_memory(lanes != NULL, err));
    for (uint32_t code = 0; code < s->n_values; code++)
        lanes[code] = s->counts[code] > 0 ? (uint32_t)search->n_lanes++ : MGL_NOT_FOUND;
    search->lane_of_code[attribute] = lanes;
    return MGL_OK;
}

/* The distance of a class with one value only is the largest, where that value is the
 * farthest: distances are convex. */
static mgl_status farthest_value(const mgl_model *model, const mgl_by_value_counter *counter,
                                 mgl_error *err, double *out)
{
    double most = 0;
    mgl_histogram *histograms;
    MGL_TRY(mgl_new_zeroed(model->attribute + 1, sizeof *histograms, err, &histograms));
    for (size_t v = 0; v < counter->n_lanes; v++) {
        uint64_t one = 1;
        histograms[model->attribute] =
            (mgl_histogram){.values = &counter->codes[v], .counts = &one, .size = 1};
        mgl_group group = {
            .size = 1, .rows = 1, .sensitive = histograms, .n_sensitive = model->attribute + 1};
        most = fmax(most, model->type->measure(model, &group));
    }
    mgl_free(histograms);
    *out = most * (1 + SLACK);
    return MGL_OK;
}

static mgl_status rank_lanes(mgl_by_value *search, mgl_by_value_counter *counter,
                             const mgl_sensitive *s, mgl_error *err)
{
    size_t n = counter->n_lanes;
    counter->by_rank = mgl_arena_alloc(search->frame.arena, n * sizeof *counter->by_rank);
    counter->cumulative = mgl_arena_alloc(search->frame.arena, n * sizeof *counter->cumulative);
    MGL_TRY(mgl_check_memory(counter->by_rank != NULL && counter->cumulative != NULL, err));
    for (size_t v = 0; v < n; v++) {
        counter->by_rank[s->rank[counter->codes[v]]] = (uint32_t)(counter->first_lane + v);
        counter->cumulative[v] = (double)s->cumulative[v] / (double)s->n;
    }
    return MGL_OK;
}

static mgl_status make_logs(mgl_by_value *search, mgl_error *err)
{
    size_t n = search->frame.n_rows;
    if (n > MOST_LOGS || search->logs != NULL)
        return MGL_OK;
    search->logs = mgl_arena_alloc(search->frame.arena, (n + 1) * sizeof *search->logs);
    MGL_TRY(mgl_check_memory(search->logs != NULL, err));
    search->logs[0] = 0;
    for (size_t x = 1; x <= n; x++)
        search->logs[x] = (double)x * log((double)x);
    return MGL_OK;
}

/* What the terms say of each value that occurs. */
static void take_shares(mgl_by_value_counter *counter, const mgl_value_terms *terms,
                        const mgl_sensitive *s, const uint32_t *lanes, uint32_t *codes)
{
    const mgl_model *model = counter->model;
    for (size_t v = 0; v < s->n_present + 4; v++)
        counter->quick_caps[v] = counter->rule == MGL_VALUES_OVERLAP ? 0 : 1e30F;
    counter->codes = codes;
    for (uint32_t code = 0; code < s->n_values; code++) {
        if (lanes[code] == MGL_NOT_FOUND)
            continue;
        if (counter->n_lanes == 0)
            counter->first_lane = lanes[code];
        double q = (double)s->counts[code] / (double)s->n;
        bool any = terms->most == NULL || mgl_model_skips(model, code);
        double most = any ? 1 : terms->most(model, q);
        counter->caps[counter->n_lanes] = fmin(most, 2) * (1 + SLACK);
        counter->quick_caps[counter->n_lanes] = (float)counter->caps[counter->n_lanes];
        if (counter->floors != NULL)
            counter->floors[counter->n_lanes] = terms->least(model, q) * (1 - SLACK);
        codes[counter->n_lanes++] = code;
    }
}

static mgl_status add_counter(mgl_by_value *search, const mgl_model *model,
                              const mgl_value_terms *terms, mgl_error *err)
{
    const mgl_sensitive *s = mgl_model_sensitive(model);
    mgl_by_value_counter counter = {.model = model,
                                    .rule = terms->rule,
                                    .kernel = terms->kernel,
                                    .decides = terms->decides,
                                    .whole =
                                        terms->rule == MGL_VALUES_OVERLAP ? terms->overlap : 1};
    MGL_TRY(make_lanes(search, s, model->attribute, err));
    const uint32_t *lanes = search->lane_of_code[model->attribute];
    if (lanes == NULL) {
        search->plain = true;
        return MGL_OK;
    }
    mgl_arena *arena = search->frame.arena;
    uint32_t *codes = mgl_arena_alloc(arena, s->n_present * sizeof *codes);
    counter.caps = mgl_arena_alloc(arena, (s->n_present + 8) * sizeof *counter.caps);
    if (terms->least != NULL)
        counter.floors = mgl_arena_alloc(arena, s->n_present * sizeof *counter.floors);
    counter.quick_caps = mgl_arena_alloc(arena, (s->n_present + 4) * sizeof *counter.quick_caps);
    if (codes == NULL || counter.caps == NULL || counter.quick_caps == NULL ||
        (counter.floors == NULL && terms->least != NULL))
        return mgl_fail_memory(err);
    take_shares(&counter, terms, s, lanes, codes);
    counter.whole *= 1 - SLACK;
    if (counter.rule == MGL_VALUES_DISTANCE)
        MGL_TRY(farthest_value(model, &counter, err, &counter.farthest));
    if (counter.kernel == MGL_KERNEL_RANKS && s->n_present > 1)
        MGL_TRY(rank_lanes(search, &counter, s, err));
    if (counter.kernel == MGL_KERNEL_ENTROPY)
        MGL_TRY(make_logs(search, err));
    if (counter.kernel == MGL_KERNEL_LARGEST && model->parameters[1] > MGL_BY_VALUE_LARGEST)
        counter.kernel = MGL_KERNEL_NONE;
    search->counters[search->n_counters++] = counter;
    return MGL_OK;
}

static bool households_are_small(const mgl_frequency_list *list)
{
    const mgl_sparse *sizes = &list->sensitive[list->household_sizes - 1];
    for (size_t i = 0; i < sizes->start[list->n_tuples]; i++)
        if (sizes->values[i] > MGL_BY_VALUE_MEMBERS)
            return false;
    return true;
}

/* Models of which nothing is known here are left to the plain evaluation. Those on histories say of
 * records, which have one history each, what the others do. */
static mgl_status add_model(mgl_by_value *search, const mgl_model *model, mgl_error *err)
{
    if (model->joint != NULL)
        return MGL_OK;
    if (model->type->by_household && !search->persons) {
        search->suppressible = search->frame.limit;
        search->group_models[search->n_group_models++] = model;
        search->households = households_are_small(search->frame.problem->list);
        search->plain = search->plain || !search->households;
        return MGL_OK;
    }
    if (search->persons &&
        (model->type->scope == MGL_SCOPE_TABLE || model->type->needs_population ||
         model->type->weighs || model->type->by_household)) {
        search->plain =
            true; /* it wants to know how many persons there are, not just whether enough */
        return MGL_OK;
    }
    if (model->type->scope == MGL_SCOPE_TABLE) {
        search->table_models[search->n_table_models++] = model;
        return MGL_OK;
    }
    search->suppressible = search->frame.limit;
    search->closed = search->closed && model->type->union_closed;
    if (model->type->needs_population || model->type->weighs) {
        search->group_models[search->n_group_models++] = model;
        return MGL_OK;
    }
    if (mgl_demand_is_whole(model->type))
        return MGL_OK;
    mgl_value_terms terms = mgl_model_terms(model);
    if (terms.rule == MGL_VALUES_UNKNOWN) {
        search->plain = true;
        return MGL_OK;
    }
    double need = terms.distinct * (1 - SLACK);
    bool missing = !model->type->known_values && mgl_model_sensitive(model)->unknown != 0;
    need -=
        missing; /* varieties are of known values: missing cells may be one of those asked for */
    if (need > 1)
        MGL_TRY(mgl_demand_variety(&search->frame.demand, model->facts, model->attribute, false,
                                   need, search->frame.arena, err));
    if (search->persons) { /* a union of classes that hold need not: some count once in it */
        search->plain = true;
        return MGL_OK;
    }
    return add_counter(search, model, &terms, err);
}

/* Histories that tuples have, or that models look at. */
static void find_histories(mgl_by_value *search)
{
    const mgl_problem *p = search->frame.problem;
    const mgl_frequency_list *list = p->list;
    const uint32_t *histories = p->histories;
    size_t n = list->n_tuples;
    for (size_t i = 0; i < p->sets[0].n_models; i++)
        if (p->sets[0].models[i].joint != NULL)
            search->joint = p->sets[0].models[i].joint;
    if (histories == NULL && search->joint != NULL) {
        histories = list->sensitive[search->joint->histories].values;
        n = list->sensitive[search->joint->histories].start[n];
    }
    if (histories == NULL)
        return;
    search->history = p->histories != NULL ? MGL_BY_VALUE_EACH_HISTORY : MGL_BY_VALUE_ALL_HISTORIES;
    for (size_t i = 0; i < n; i++)
        search->n_histories =
            histories[i] >= search->n_histories ? histories[i] + 1 : search->n_histories;
    search->history_bits = mgl_bits_for(search->n_histories);
}

static mgl_status make_room(mgl_by_value *search, mgl_error *err)
{
    const mgl_problem *p = search->frame.problem;
    size_t n_models = p->sets[0].n_models, n_sensitive = p->list->n_sensitive;
    mgl_arena *arena = search->frame.arena;
    search->counters = mgl_arena_alloc(arena, (n_models + 1) * sizeof *search->counters);
    search->group_models = mgl_arena_alloc(arena, (n_models + 1) * sizeof *search->group_models);
    search->table_models = mgl_arena_alloc(arena, (n_models + 1) * sizeof *search->table_models);
    search->lane_of_code = mgl_arena_alloc(arena, (n_sensitive + 1) * sizeof *search->lane_of_code);
    MGL_TRY(mgl_check_memory(search->counters != NULL && search->group_models != NULL &&
                                 search->table_models != NULL && search->lane_of_code != NULL,
                             err));
    memset(search->lane_of_code, 0, (n_sensitive + 1) * sizeof *search->lane_of_code);
    return MGL_OK;
}

/* The measure wants to know how often each label occurs. Histories and persons divide or count rows
 * in ways that labels do not follow. */
static void add_label(mgl_by_value *search)
{
    const mgl_problem *p = search->frame.problem;
    if (search->frame.measure != MGL_COST_MAJORITY || search->persons ||
        search->history != MGL_BY_VALUE_NO_HISTORY)
        return;
    size_t n = search->n_lanes + p->label->n_values;
    if (n > MOST_LANES || n > MOST_COUNTS / p->list->n_tuples)
        return;
    search->first_label = search->n_lanes;
    search->n_labels = p->label->n_values;
    search->n_lanes = n;
}

/* Sums of weights that no lane holds are divided and rounded up. */
static void add_weights(mgl_by_value *search)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    uint64_t most = UINT32_MAX - list->n_tuples, total = list->weighing.total;
    search->weight_step = total > UINT32_MAX ? total / most + 1 : 1;
    search->plain = search->plain || search->weight_step > 1;
}

static mgl_status by_value_models_make(mgl_by_value *search, mgl_error *err)
{
    const mgl_problem *p = search->frame.problem;
    const mgl_quasi_set *set = &p->sets[0];
    MGL_TRY(make_room(search, err));
    MGL_TRY(mgl_demand_make(p, search->frame.arena, err, &search->frame.demand));
    find_histories(search);
    search->closed = true;
    search->persons = p->list->persons != NULL;
    unsigned some = search->persons ? 0 : mgl_models_of(set);
    search->population = some & MGL_SOME_SEE_POPULATION;
    search->weighs = some & MGL_SOME_WEIGH;
    search->n_lanes = search->population || search->persons || search->weighs ? 2 : 1;
    if (search->weighs)
        add_weights(search);
    for (size_t i = 0; i < set->n_models; i++)
        MGL_TRY(add_model(search, &set->models[i], err));
    add_label(search);
    search->whole_products =
        mgl_products_are_whole(p->columns, p->list->n_attributes, p->list->n_rows);
    MGL_TRY(lay_out_bits(search, err));
    search->wide_lanes = p->list->n_rows > UINT16_MAX ||
                         (search->population && p->population->n_rows > UINT16_MAX) ||
                         (search->weighs && p->list->weighing.total > UINT16_MAX);
    size_t per_word = search->wide_lanes ? 2 : 4;
    search->n_add = (search->n_lanes + per_word - 1) / per_word;
    return MGL_OK;
}

/* Searches by sensitive values, from branch to branch: the children of a branch fix the level of
 * the next column. */

enum {
    STEPS_BETWEEN_PAUSES = 64,
    WORDS_BETWEEN_PAUSES = 1 << 20, /* a few milliseconds: records of many values are long */
    ONLY_NODE = 1                   /* of the empty block, as a mask */
};

typedef struct child {
    uint8_t level;
    uint64_t rows;
    double bound;
} child;

static double worst_of(const mgl_by_value_worker *worker)
{
    return mgl_branch_worst(&worker->search->frame, worker->result->ties.best);
}

static mgl_status breathe(mgl_by_value_worker *worker, mgl_error *err)
{
    if (++worker->steps < STEPS_BETWEEN_PAUSES && worker->words < WORDS_BETWEEN_PAUSES)
        return MGL_OK;
    worker->steps = worker->words = 0;
    return mgl_parallel_pause(&worker->search->frame.parallel, worker->result, err);
}

/* Levels that bounds are made for: the path, then the lowest. */
static uint8_t *levels_at(mgl_by_value_worker *worker, size_t depth)
{
    return worker->lowest + depth * worker->search->frame.n_columns;
}

static mgl_status judge_node(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                             mgl_error *err)
{
    const mgl_by_value *search = worker->search;
    worker->result->checked++;
    uint64_t rows = mgl_by_value_violating(worker, table, search->frame.limit);
    if (rows <= search->frame.limit)
        MGL_TRY(mgl_by_value_violating_whole(worker, table, err, &rows));
    if (rows > search->frame.limit ||
        mgl_branch_bound(&search->frame, worker->path, 0, rows) > worker->worst)
        return MGL_OK;
    bool holds;
    double cost;
    MGL_TRY(mgl_by_value_evaluate(worker, table, rows, err, &holds, &cost));
    if (!holds)
        return MGL_OK;
    if (search->frame.holds == NULL) {
        MGL_TRY(mgl_ties_add(&worker->result->ties, worker->node, cost, err));
        worker->worst = worst_of(worker);
        return MGL_OK;
    }
    mgl_branch_mark_above(&search->frame, worker->path, search->frame.n_columns, ONLY_NODE);
    return MGL_OK;
}

/* Does every node that refines the table's break the limit, or a model of the whole table? *least:
 * rows that they suppress. */
static bool all_fail(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t *least)
{
    uint64_t limit = worker->search->frame.limit;
    *least = mgl_by_value_least(worker, table, limit);
    return *least > limit || !mgl_by_value_table_may_hold(worker, table);
}

static void sort_children(child *children, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && children[j].bound < children[j - 1].bound; j--) {
            child swapped = children[j];
            children[j] = children[j - 1];
            children[j - 1] = swapped;
        }
}

/* The children that are not excluded, with what is known about them. */
static mgl_status find_children(mgl_by_value_worker *worker, size_t depth, uint64_t rows,
                                mgl_error *err, child *children, size_t *n)
{
    const mgl_by_value *search = worker->search;
    const mgl_branching *frame = &search->frame;
    bool last = depth + 1 == frame->n_columns;
    uint8_t *levels = levels_at(worker, depth + 1);
    memcpy(levels, levels_at(worker, depth), frame->n_columns);
    *n = 0;
    for (uint8_t l = 0; l < frame->columns[depth]->n_levels && !worker->result->stopped; l++) {
        levels[depth] = l;
        child one = {l, rows, mgl_branch_bound(frame, levels, 0, rows)};
        if (one.bound > worker->worst)
            continue;
        if (!last && l < frame->highest[depth]) {
            const mgl_by_value_table *table;
            MGL_TRY(mgl_by_value_get(worker, depth, l, depth + 1, err, &table));
            uint64_t least;
            bool fails = all_fail(worker, table, &least);
            MGL_TRY(breathe(worker, err));
            if (fails)
                continue;
            one.rows = least > rows ? least : rows;
            one.bound = mgl_branch_bound(frame, levels, 0, one.rows);
            if (one.bound > worker->worst)
                continue;
        }
        children[(*n)++] = one;
    }
    sort_children(children, *n);
    return MGL_OK;
}

/* Below the branch at this depth, where `rows` must be suppressed. */
static mgl_status refine(mgl_by_value_worker *worker, size_t depth, uint64_t rows, mgl_error *err)
{
    const mgl_branching *frame = &worker->search->frame;
    child children[UINT8_MAX];
    size_t n;
    MGL_TRY(find_children(worker, depth, rows, err, children, &n));
    for (size_t i = 0; i < n && !worker->result->stopped; i++) {
        if (children[i].bound > worker->worst)
            break;
        mgl_by_value_step_to(worker, depth, children[i].level);
        levels_at(worker, depth + 1)[depth] = children[i].level;
        if (depth + 1 < frame->n_columns) {
            MGL_TRY(refine(worker, depth + 1, children[i].rows, err));
            continue;
        }
        const mgl_by_value_table *table;
        MGL_TRY(mgl_by_value_get(worker, depth, children[i].level, depth + 1, err, &table));
        MGL_TRY(judge_node(worker, table, err));
        MGL_TRY(breathe(worker, err));
    }
    return MGL_OK;
}

/* Must every node below the branch with column `depth` at this level pass the limit? */
static mgl_status branch_fails(mgl_by_value_worker *worker, size_t depth, uint8_t level,
                               mgl_error *err, bool *fails)
{
    const mgl_branching *frame = &worker->search->frame;
    uint8_t highest[MGL_MOST_COLUMNS];
    memcpy(highest, frame->highest, frame->n_columns);
    memcpy(highest, worker->path, depth + 1);
    *fails = false;
    /* The same node as the branch above, or one that is known to hold. */
    if (level == frame->highest[depth] ||
        (frame->monotone && mgl_branch_known(frame, worker->n_fixed, highest, ONLY_NODE)))
        return MGL_OK;
    const mgl_by_value_table *table;
    MGL_TRY(mgl_by_value_get(worker, depth, level, depth + 1, err, &table));
    uint64_t least;
    *fails = all_fail(worker, table, &least);
    return MGL_OK;
}

static mgl_status find_holding(mgl_by_value_worker *worker, size_t depth, mgl_error *err)
{
    const mgl_branching *frame = &worker->search->frame;
    uint8_t lowest[MGL_MOST_COLUMNS];
    memset(lowest, 0, frame->n_columns);
    memcpy(lowest, worker->path, depth);
    for (uint8_t l = 0; l < frame->columns[depth]->n_levels && !worker->result->stopped; l++) {
        mgl_by_value_step_to(worker, depth, l);
        lowest[depth] = l;
        if (frame->monotone && mgl_branch_known(frame, worker->n_fixed, lowest, ONLY_NODE)) {
            mgl_branch_mark_above(frame, lowest, depth + 1, ONLY_NODE);
            continue;
        }
        bool fails = false;
        if (depth + 1 == frame->n_columns) {
            const mgl_by_value_table *table;
            MGL_TRY(mgl_by_value_get(worker, depth, l, depth + 1, err, &table));
            MGL_TRY(judge_node(worker, table, err));
        } else {
            MGL_TRY(branch_fails(worker, depth, l, err, &fails));
            if (!fails)
                MGL_TRY(find_holding(worker, depth + 1, err));
        }
        MGL_TRY(breathe(worker, err));
    }
    return MGL_OK;
}

/* Searches all nodes whose first n columns have these levels. */
static mgl_status by_value_search(mgl_by_value_worker *worker, const uint8_t *levels, size_t n,
                                  mgl_error *err)
{
    const mgl_branching *frame = &worker->search->frame;
    worker->n_fixed = n;
    worker->worst = worst_of(worker);
    uint64_t rows;
    if (all_fail(worker, &worker->search->first[0], &rows))
        return MGL_OK;
    memset(worker->lowest, 0, frame->n_columns);
    for (size_t c = 0; c < n; c++) {
        mgl_by_value_step_to(worker, c, levels[c]);
        const mgl_by_value_table *table;
        MGL_TRY(mgl_by_value_get(worker, c, levels[c], c + 1, err, &table));
        uint64_t least;
        if (all_fail(worker, table, &least))
            return MGL_OK;
        rows = least > rows ? least : rows;
        uint8_t *known = levels_at(worker, c + 1);
        memcpy(known, levels_at(worker, c), frame->n_columns);
        known[c] = levels[c];
    }
    if (mgl_branch_bound(frame, levels_at(worker, n), 0, rows) > worker->worst)
        return MGL_OK;
    return worker->search->frame.holds != NULL ? find_holding(worker, n, err)
                                               : refine(worker, n, rows, err);
}

/* Sets up the search by sensitive values: the measure, the columns, the models, the first
 * tables. */

enum { MOST_BITS = 56 }; /* of one column */

/* The most words that the records of all tuples, those of the population too, may take (half a
 * gigabyte): a search holds several such tables. */
static const size_t MOST_GROUND = (size_t)1 << 26;

/* What the tables that a search keeps may take together, unless the job says how much there is. */
static const size_t MOST_KEPT = (size_t)256 << 20;

/* Does a model on histories judge it, too? */
static bool is_joint(const mgl_quasi_set *set, const mgl_model *model)
{
    for (size_t i = 0; i < set->n_models; i++)
        if (set->models[i].joint != NULL && set->models[i].joint->inner == model)
            return true;
    return false;
}

static bool handles_population(const mgl_problem *problem)
{
    return problem->population != NULL && problem->population->n_rows < UINT32_MAX &&
           !problem->list->regrouped && !problem->population->regrouped;
}

static bool handles_model(const mgl_problem *problem, const mgl_model *model, bool history)
{
    const mgl_model_type *type = model->type;
    if (problem->list->persons != NULL) /* what records do not show is judged plainly */
        return !history;
    if (history)
        return type->scope == MGL_SCOPE_CLASS && !type->needs_population && !type->weighs &&
               !type->by_household && type->union_closed &&
               (model->joint != NULL || problem->histories != NULL ||
                is_joint(&problem->sets[0], model));
    if (type->scope == MGL_SCOPE_TABLE)
        return type->table_may_hold != NULL;
    if (type->needs_population && !handles_population(problem))
        return false;
    return type->union_closed || type->most_kept != NULL;
}

static bool handles_models(const mgl_problem *problem)
{
    const mgl_quasi_set *set = &problem->sets[0];
    bool history = problem->histories != NULL;
    for (size_t i = 0; i < set->n_models; i++)
        history = history || set->models[i].joint != NULL;
    for (size_t i = 0; i < set->n_models; i++)
        if (!handles_model(problem, &set->models[i], history))
            return false;
    return true;
}

bool mgl_by_value_handles(const mgl_problem *problem)
{
    size_t m = problem->list->n_attributes;
    return m > 0 && problem->list->joined == NULL && mgl_branch_handles(problem) &&
           handles_models(problem) &&
           mgl_lattice_size(problem->min_level, problem->max_level, m) <= UINT64_MAX / 2;
}

/* Where suppressed rows are a class that every row matches, or that weighs no more than all rows:
 * can it hold within the limit? */
static bool top_may_hold(const mgl_by_value *search)
{
    const mgl_branching *frame = &search->frame;
    mgl_group top = {.population = search->population ? frame->problem->population->n_rows
                                                      : frame->problem->list->weighing.total};
    bool holds = false;
    for (top.size = frame->demand.size; !holds && top.size <= frame->limit; top.size++) {
        top.rows = top.size;
        holds = true;
        for (size_t i = 0; holds && i < search->n_group_models; i++)
            holds = mgl_model_holds(search->group_models[i], &top);
    }
    return holds;
}

static mgl_status build(mgl_by_value *search, mgl_error *err, bool *to_sweep)
{
    mgl_branching *frame = &search->frame;
    MGL_TRY(mgl_parallel_make(&frame->parallel, frame->problem, err));
    MGL_TRY(mgl_branch_measure_make(frame, err));
    MGL_TRY(by_value_models_make(search, err));
    if (frame->problem->treatment == MGL_KEEP && !top_may_hold(search))
        frame->limit = 0; /* whatever is suppressed violates a model */
    frame->k = frame->demand.size;
    frame->largest_small = frame->n_rows; /* suppressed classes can have any size here */
    frame->population = search->population ? frame->problem->population : NULL;
    MGL_TRY(mgl_branch_columns_make(frame, err));
    if (frame->impossible)
        return MGL_OK;
    for (size_t a = 0; a < frame->problem->list->n_attributes; a++)
        *to_sweep = *to_sweep || frame->all[a].n_bits > MOST_BITS;
    /* Columns with many values decide most about who must be suppressed, those with few about
     * the cost of cells: one level more takes away much of what they say. */
    MGL_TRY(
        mgl_branch_columns_order(frame, frame->cells == MGL_PAYS_NONE, search->history_bits, err));
    search->words = frame->words;
    search->stride = search->words + search->n_add + search->n_or;
    *to_sweep = *to_sweep || mgl_by_value_ground_records(search) > MOST_GROUND / search->stride;
    if (*to_sweep)
        return MGL_OK;
    frame->block.n_nodes = 1;
    search->room = frame->problem->memory > 0 ? frame->problem->memory / 2 : MOST_KEPT;
    if (search->persons)
        MGL_TRY(mgl_by_value_rows_of_person(search, err));
    MGL_TRY(mgl_by_value_workers_make(search, err));
    return mgl_by_value_first_make(search, err);
}

mgl_status mgl_by_value_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                            mgl_by_value **out)
{
    mgl_by_value *search;
    MGL_TRY(mgl_new_zeroed(1, sizeof *search, err, &search));
    bool to_sweep = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_branching_begin(&search->frame, problem, marking, err));
    MGL_GO(build(search, err, &to_sweep));
    *out = NULL;
    if (!to_sweep) {
        *out = search;
        search = NULL;
    }
done:
    mgl_by_value_free(search);
    return status;
}

void mgl_by_value_free(mgl_by_value *search)
{
    if (search == NULL)
        return;
    for (size_t c = 0; search->first != NULL && c <= search->frame.n_columns; c++)
        mgl_by_value_table_free(&search->first[c]);
    mgl_free(search->first);
    for (unsigned i = 0; search->workers != NULL && i < search->n_workers; i++)
        mgl_by_value_worker_free(&search->workers[i]);
    mgl_free(search->workers);
    mgl_parallel_free(&search->frame.parallel);
    mgl_arena_free(search->frame.arena);
    mgl_free(search);
}

static mgl_status begin(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                        mgl_parallel **out)
{
    mgl_by_value *search = NULL;
    MGL_TRY(mgl_by_value_new(problem, marking, err, &search));
    if (search == NULL)
        return MGL_OK;
    mgl_branching *frame = &search->frame;
    *out = &frame->parallel;
    (*out)->context = search;
    (*out)->empty = frame->impossible;
    if (!frame->impossible) /* the last column has the nodes: no item fixes it */
        mgl_branching_divide(frame, search->first[frame->n_columns].n_all, frame->n_columns - 1);
    return MGL_OK;
}

static void end(mgl_parallel *parallel)
{
    mgl_by_value_free(parallel->context);
}

static mgl_status search_branch(void *context, unsigned thread, const uint8_t *levels, size_t n,
                                mgl_error *err)
{
    mgl_by_value *search = context;
    return by_value_search(&search->workers[thread], levels, n, err);
}

const mgl_engine mgl_engine_by_value = {begin, end, search_branch, NULL, NULL};
