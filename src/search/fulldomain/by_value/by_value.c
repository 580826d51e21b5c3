/* The engine that searches by sensitive values: sets up the measure, the columns, the models and
 * the first tables, and runs the search. */
#include "search/fulldomain/by_value/records.h"

/* ---- Setting up ------------------------------------------------------------------------------ */

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

/* ---- The search ---------------------------------------------------------------------- */

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
    mgl_by_value *search = mgl_zeroed_array(1, sizeof *search);
    if (search == NULL)
        return mgl_fail_memory(err);
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

/* ---- The engine ------------------------------------------------------------------------------ */

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
    return mgl_by_value_search(&search->workers[thread], levels, n, err);
}

const mgl_engine mgl_engine_by_value = {begin, end, search_branch, NULL, NULL};

mgl_status mgl_by_value_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    return mgl_engine_optimum(&mgl_engine_by_value, problem, MGL_LITTLE_WORK, err, out);
}

mgl_status mgl_by_value_holding(const mgl_problem *problem, bool above, mgl_error *err,
                                uint8_t *holds, uint64_t *checked)
{
    return mgl_engine_holding(&mgl_engine_by_value, problem, above, MGL_LITTLE_WORK, err, holds,
                              checked);
}
