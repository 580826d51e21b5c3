/* What records must carry for the models of a problem, and what follows for finer nodes.
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

mgl_status mgl_by_value_models_make(mgl_by_value *search, mgl_error *err)
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
