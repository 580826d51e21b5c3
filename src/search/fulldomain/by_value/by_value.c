/* The engine that searches by sensitive values: sets up the measure, the columns, the models and
 * the first tables, and runs the search. */
#include "search/fulldomain/by_value/records.h"

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
    MGL_TRY(mgl_by_value_models_make(search, err));
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
