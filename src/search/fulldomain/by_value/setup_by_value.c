/* Setting the climb up: the measure, the columns, the models, the first tables. */
#include "search/fulldomain/by_value/records.h"

enum { MOST_BITS = 56 }; /* of one column */

/* Memory of the tuples' records that is still reasonable, in words. */
static const size_t MOST_GROUND = (size_t)1 << 26;

static bool models_are_class_wise(const mgl_problem *problem)
{
    for (size_t i = 0; i < problem->sets[0].n_models; i++) {
        const mgl_model_type *type = problem->sets[0].models[i].type;
        if (type->scope != MGL_SCOPE_CLASS || type->needs_population || !type->union_closed ||
            problem->sets[0].models[i].joint != NULL)
            return false;
    }
    return true;
}

bool mgl_climb_handles(const mgl_problem *problem)
{
    size_t m = problem->list->n_attributes;
    return m > 0 && mgl_ladder_frames(problem) && models_are_class_wise(problem) &&
           mgl_lattice_size(problem->min_level, problem->max_level, m) <= UINT64_MAX / 2;
}

/* ---- The climb ---------------------------------------------------------------------- */

static mgl_status build(mgl_climb *climb, bool *exotic, mgl_error *err)
{
    mgl_ladder *frame = &climb->frame;
    MGL_TRY(mgl_division_make(&frame->division, frame->problem, err));
    MGL_TRY(mgl_ladder_measure_make(frame, err));
    MGL_TRY(mgl_climb_models_make(climb, err));
    frame->k = frame->demand.size;
    frame->largest_small = frame->n_rows; /* suppressed classes can have any size here */
    MGL_TRY(mgl_ladder_columns_make(frame, err));
    if (frame->impossible)
        return MGL_OK;
    for (size_t a = 0; a < frame->problem->list->n_attributes; a++)
        *exotic = *exotic || frame->all[a].n_bits > MOST_BITS;
    /* Columns with many values decide most about who must be suppressed, those with few about
     * the cost of cells: a level more takes a large part of what they say. */
    MGL_TRY(mgl_ladder_columns_order(frame, frame->cells == MGL_CELLS_NONE, 0, err));
    climb->words = frame->words;
    climb->stride = climb->words + climb->n_add + climb->n_or;
    *exotic = *exotic || frame->problem->list->n_tuples > MOST_GROUND / climb->stride;
    if (*exotic)
        return MGL_OK;
    frame->block.n_nodes = 1;
    MGL_TRY(mgl_climb_workers_make(climb, err));
    return mgl_climb_first_make(climb, err);
}

mgl_status mgl_climb_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                         mgl_climb **out)
{
    mgl_climb *climb = mgl_zeroed_array(1, sizeof *climb);
    if (climb == NULL)
        return mgl_fail_memory(err);
    if (marking != NULL) {
        climb->frame.holds = marking->holds;
        climb->frame.above = marking->above;
    }
    climb->frame.problem = problem;
    climb->frame.n_rows = problem->list->n_rows;
    climb->frame.limit = problem->limit;
    climb->frame.arena = mgl_arena_new();
    bool exotic = false;
    mgl_status status = climb->frame.arena == NULL
                            ? mgl_fail_memory(err)
                            : mgl_some_must_stay(problem, err, &climb->frame.some_stay);
    if (status == MGL_OK)
        status = build(climb, &exotic, err);
    if (status != MGL_OK || exotic) {
        mgl_climb_free(climb);
        climb = NULL;
    }
    if (status == MGL_OK)
        *out = climb;
    return status;
}

void mgl_climb_free(mgl_climb *climb)
{
    if (climb == NULL)
        return;
    for (size_t c = 0; climb->first != NULL && c <= climb->frame.n_columns; c++)
        mgl_free(climb->first[c].records);
    mgl_free(climb->first);
    for (unsigned i = 0; climb->workers != NULL && i < climb->n_workers; i++)
        mgl_climb_worker_free(&climb->workers[i]);
    mgl_free(climb->workers);
    mgl_division_free(&climb->frame.division);
    mgl_arena_free(climb->frame.arena);
    mgl_free(climb);
}
