/* MinGen at the attribute level (Sweeney 2002, figure 5): the exact optimum over all nodes within
 * the suppression limit, ties kept, the preferred one chosen. A row of the table of methods. */
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"

/* The nodes that hold, by the limit as it is. */
static mgl_status find_holding(const mgl_problem *problem, mgl_error *err, uint8_t **holds)
{
    mgl_optimum optimum = {0};
    mgl_ties_init(&optimum.ties, problem->list->n_attributes);
    mgl_free(*holds);
    *holds = NULL;
    mgl_status status = mgl_lattice_best_and_holding(problem, err, &optimum, holds);
    mgl_ties_free(&optimum.ties);
    return status;
}

/* A node at which every row is suppressed is released as the top node, and has its height: it is no
 * better than the top, which is a node of the lattice unless levels are bounded. So where levels
 * are counted, nodes that release a row below the top are looked for first. */
static mgl_status search(const mgl_problem *problem, mgl_error *err, mgl_optimum *optimum,
                         uint8_t **holds)
{
    mgl_problem within = *problem;
    uint64_t n_rows = problem->list->n_rows;
    if (problem->measure->form != MGL_COST_LEVELS || problem->limit < n_rows || n_rows == 0)
        return mgl_lattice_best_and_holding(problem, err, optimum, holds);
    within.limit = n_rows - 1;
    MGL_TRY(mgl_lattice_best_and_holding(&within, err, optimum, holds));
    if (optimum->timed_out)
        return MGL_OK;
    if (optimum->ties.n > 0)
        return *holds != NULL ? find_holding(problem, err, holds) : MGL_OK;
    mgl_free(*holds);
    *holds = NULL;
    return mgl_lattice_best_and_holding(problem, err, optimum, holds);
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    size_t m = problem->list->n_attributes, chosen = 0;
    mgl_optimum optimum = {0};
    uint8_t *holds = NULL;
    if (out->nodes_total > MGL_TOO_MANY_NODES && problem->deadline == 0)
        return mgl_refuse_lattice(err);
    mgl_ties_init(&optimum.ties, m);
    mgl_status status = MGL_OK;
    MGL_GO(search(problem, err, &optimum, &holds));
    if (optimum.ties.n == 0)
        MGL_GO(mgl_fail_unmet(problem, optimum.timed_out, err));
    MGL_GO(mgl_ties_choose(&optimum.ties, problem, err, &chosen));
    MGL_GO(mgl_solution_take_node(out, problem, optimum.ties.nodes + chosen * m, err));
    if (holds != NULL)
        MGL_GO(mgl_solution_take_minimal(out, problem, holds, err));
done:
    out->nodes_checked = optimum.checked;
    out->n_ties = optimum.ties.n;
    out->timed_out = optimum.timed_out;
    out->exact = !optimum.timed_out;
    mgl_ties_free(&optimum.ties);
    mgl_free(holds);
    return status;
}

const mgl_method_type mgl_mingen = {
    .name = "mingen",
    .help = "exact optimum with one level per column (MinGen at the attribute level)",
    .when = "columns must have uniform values, and the best such release is wanted",
    .cost = "fast: bounds leave few of the nodes to be looked at",
    .full_domain = true,
    .best_node = true,
    .several_sets = true,
    .run = run,
};
