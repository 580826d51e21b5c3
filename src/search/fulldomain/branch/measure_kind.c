/* Finds out what kind of measure a branch and bound has to deal with, and which problems it can
 * deal with at all. The set-up of both engines calls it. */
#include "search/fulldomain/branch/branch.h"

static double sum_of_weights(const mgl_problem *problem)
{
    double sum = 0;
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        sum += problem->weights[a];
    return sum;
}

bool mgl_branch_has_bounds(const mgl_problem *problem)
{
    const mgl_frequency_list *list = problem->list;
    const mgl_measure_type *measure = problem->measure;
    if (list->n_attributes > MGL_MOST_COLUMNS || list->n_tuples == 0 ||
        list->n_rows >= UINT32_MAX || measure->form == MGL_COST_UNKNOWN)
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

bool mgl_branch_handles(const mgl_problem *problem)
{
    const mgl_frequency_list *list = problem->list;
    return problem->n_sets == 1 && problem->sets[0].n_attributes == list->n_attributes &&
           mgl_branch_has_bounds(problem);
}

bool mgl_branch_wants_sizes(const mgl_problem *problem)
{
    mgl_cost_form form = problem->measure->form;
    return form == MGL_COST_SQUARES || form == MGL_COST_LOGS || form == MGL_COST_TUPLES;
}

static void count_misclassified(mgl_branching *branching)
{
    const mgl_sparse *label = branching->problem->label;
    for (size_t t = 0; t < branching->problem->list->n_tuples; t++) {
        uint64_t most = 0;
        for (size_t i = label->start[t]; i < label->start[t + 1]; i++) {
            branching->least_misclassified += label->counts[i];
            most = label->counts[i] > most ? label->counts[i] : most;
        }
        branching->least_misclassified -= most;
    }
}

/* Sums of cells are brought to a mean per row, weights and number of columns included. */
mgl_status mgl_branch_measure_make(mgl_branching *branching, mgl_error *err)
{
    const mgl_problem *p = branching->problem;
    const mgl_measure_type *measure = p->measure;
    size_t m = p->list->n_attributes;
    if (branching->holds == NULL) {
        branching->measure = measure->form;
        branching->cells = measure->cells;
        branching->sizes = mgl_branch_wants_sizes(p);
    }
    branching->monotone =
        branching->holds != NULL && (branching->above || mgl_holding_is_monotone(p));
    branching->cell_scale = mgl_arena_alloc(branching->arena, m * sizeof *branching->cell_scale);
    if (branching->cell_scale == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        double share = 1;
        if (branching->holds == NULL && measure->weighted)
            share = p->weights[a] / sum_of_weights(p);
        else if (branching->measure == MGL_COST_SUM && branching->cells != MGL_PAYS_BITS)
            share = 1 / (double)m;
        branching->cell_scale[a] = share / (double)branching->n_rows;
    }
    if (branching->measure == MGL_COST_MAJORITY)
        count_misclassified(branching);
    return MGL_OK;
}
