/* What kind of measure a search has to deal with, and which problems it can deal with at all:
 * the same for the ladder and the climb. */
#include "search/fulldomain/by_size/counts.h"

static double sum_of_weights(const mgl_problem *problem)
{
    double sum = 0;
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        sum += problem->weights[a];
    return sum;
}

bool mgl_ladder_frames(const mgl_problem *problem)
{
    const mgl_frequency_list *list = problem->list;
    const mgl_measure_type *measure = problem->measure;
    if (problem->n_sets != 1 || problem->sets[0].n_attributes != list->n_attributes ||
        list->n_tuples == 0 || list->persons != NULL || list->n_rows >= UINT32_MAX ||
        measure->form == MGL_COST_UNKNOWN)
        return false;
    /* Classes are suppressed there because they violate a model, not because of where they are. */
    if (mgl_tops_come_early(problem))
        return false;
    for (size_t a = 0; a < list->n_attributes; a++)
        if (problem->columns[a]->hierarchy->height >= UINT8_MAX - 1)
            return false;
    if ((measure->weighted && !(sum_of_weights(problem) > 0)) || !mgl_distortion_rises(problem))
        return false;
    return measure->form != MGL_COST_MAJORITY || problem->label != NULL;
}

bool mgl_ladder_wants_sizes(const mgl_problem *problem)
{
    mgl_cost_form form = problem->measure->form;
    return form == MGL_COST_SQUARES || form == MGL_COST_LOGS;
}

static void count_misclassified(mgl_ladder *ladder)
{
    const mgl_sparse *label = ladder->problem->label;
    for (size_t t = 0; t < ladder->problem->list->n_tuples; t++) {
        uint64_t most = 0;
        for (size_t i = label->start[t]; i < label->start[t + 1]; i++) {
            ladder->least_misclassified += label->counts[i];
            most = label->counts[i] > most ? label->counts[i] : most;
        }
        ladder->least_misclassified -= most;
    }
}

/* Sums of cells are brought to a mean per row, weights and number of columns included. */
mgl_status mgl_ladder_measure_make(mgl_ladder *ladder, mgl_error *err)
{
    const mgl_problem *p = ladder->problem;
    const mgl_measure_type *measure = p->measure;
    size_t m = p->list->n_attributes;
    if (ladder->holds == NULL) {
        ladder->measure = measure->form;
        ladder->cells = measure->cells;
        ladder->sizes = mgl_ladder_wants_sizes(p);
    }
    ladder->monotone = ladder->holds != NULL && (ladder->above || mgl_holding_is_monotone(p));
    ladder->cell_scale = mgl_arena_alloc(ladder->arena, m * sizeof *ladder->cell_scale);
    if (ladder->cell_scale == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        double share = 1;
        if (ladder->holds == NULL && measure->weighted)
            share = p->weights[a] / sum_of_weights(p);
        else if (ladder->measure == MGL_COST_SUM && ladder->cells != MGL_CELLS_BITS)
            share = 1 / (double)m;
        ladder->cell_scale[a] = share / (double)ladder->n_rows;
    }
    if (ladder->measure == MGL_COST_MAJORITY)
        count_misclassified(ladder);
    return MGL_OK;
}
