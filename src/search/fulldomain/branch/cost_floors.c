/* Bounds what a node costs from its levels and the rows that it suppresses, in the way of the
 * engines. by_roll_up/search_best.c and top_down.c call it. */
#include "search/fulldomain/branch/branch.h"

/* Classes on all columns together can be small, whatever the models of several quasi-identifiers
 * ask for: nothing is known of their sizes. */
mgl_status mgl_cost_floors_make(const mgl_problem *problem, mgl_error *err, mgl_cost_floors *out)
{
    mgl_branching *frame = &out->frame;
    *out = (mgl_cost_floors){.known = mgl_branch_has_bounds(problem)};
    if (!out->known)
        return MGL_OK;
    out->levels = mgl_alloc_array(problem->list->n_attributes, sizeof *out->levels);
    if (out->levels == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_branching_begin(frame, problem, NULL, err));
    MGL_TRY(mgl_branch_measure_make(frame, err));
    frame->k = 1;
    frame->largest_small = frame->n_rows;
    frame->block.n_nodes = 1;
    MGL_TRY(mgl_branch_columns_make(frame, err));
    return mgl_branch_columns_order(frame, true, 0, err);
}

void mgl_cost_floors_free(mgl_cost_floors *floors)
{
    mgl_arena_free(floors->frame.arena);
    mgl_free(floors->levels);
    floors->frame.arena = NULL;
    floors->levels = NULL;
}

double mgl_cost_floor_of(const mgl_cost_floors *floors, const uint32_t *node, uint64_t rows)
{
    if (!floors->known)
        return -INFINITY;
    for (size_t c = 0; c < floors->frame.n_columns; c++) {
        const mgl_branch_column *column = floors->frame.columns[c];
        floors->levels[c] = (uint8_t)(node[column->attribute] - column->low);
    }
    return mgl_branch_bound(&floors->frame, floors->levels, 0, rows);
}

double mgl_cost_floor_worst(const mgl_cost_floors *floors, double best)
{
    return floors->known ? mgl_branch_worst(&floors->frame, best) : INFINITY;
}
