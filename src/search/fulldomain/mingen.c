/* MinGen at the attribute level (Sweeney 2002, figure 5): the exact optimum over all nodes within
 * the suppression limit, ties kept, the preferred one chosen. A row of the table of methods. */
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    size_t m = problem->list->n_attributes, chosen = 0;
    mgl_optimum optimum = {0};
    uint8_t *holds = NULL;
    if (out->nodes_total > MGL_TOO_MANY_NODES && problem->deadline == 0)
        return mgl_refuse_lattice(err);
    mgl_ties_init(&optimum.ties, m);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_lattice_best_and_holding(problem, err, &optimum, &holds));
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
    .several_sets = true,
    .run = run,
};
