/* Incognito: finds all minimal nodes that hold and chooses the best of them. A row of the table of
 * methods. */
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/incognito.h"
#include "search/fulldomain/optimum.h"

static mgl_status refuse_large(mgl_error *err)
{
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_LIMIT,
                 "incognito looks at the lattice of every subset of the columns, which has too "
                 "many nodes here (more than %llu); bound levels with `level`, or use `method` "
                 "mingen or top-down",
                 (unsigned long long)MGL_MOST_SUBSET_NODES),
        "method");
}

static mgl_status search_subsets(const mgl_problem *p, mgl_solution *solution, mgl_error *err,
                                 uint8_t **out)
{
    mgl_subset_list list = {0};
    uint8_t *holds = mgl_alloc_array(solution->nodes_total, 1);
    bool listed = mgl_subset_list_pays(p);
    mgl_status status = MGL_OK;
    if (holds == NULL)
        MGL_GO(mgl_fail_memory(err));
    if (listed)
        MGL_GO(mgl_subset_list_make(p, err, &list));
    MGL_GO(mgl_subsets_holding(p, listed ? &list : NULL, err, holds, &solution->nodes_checked,
                               &solution->timed_out));
    *out = holds;
    holds = NULL;
done:
    mgl_subset_list_free(&list);
    mgl_free(holds);
    return status;
}

/* Where holding is not monotone a failing subset says nothing, and every node is tried. */
static mgl_status find_holding(const mgl_problem *p, mgl_solution *solution, mgl_error *err,
                               uint8_t **out)
{
    if (mgl_subset_nodes(p) > MGL_MOST_SUBSET_NODES)
        return refuse_large(err);
    if (p->n_sets != 1 || !mgl_holding_is_monotone(p)) {
        solution->nodes_checked = solution->nodes_total;
        return mgl_lattice_holding(p, err, out);
    }
    return search_subsets(p, solution, err, out);
}

/* ---- The choice ------------------------------------------------------------------------- */

static void keep_minimal(const mgl_problem *p, const uint32_t *nodes, size_t n, uint64_t size,
                         uint8_t *holds)
{
    size_t m = p->list->n_attributes;
    memset(holds, 0, size);
    for (size_t i = 0; i < n; i++) {
        uint64_t number = 0;
        for (size_t a = 0; a < m; a++)
            number = number * ((uint64_t)p->max_level[a] - p->min_level[a] + 1) +
                     (nodes[i * m + a] - p->min_level[a]);
        holds[number] = 1;
    }
}

static mgl_status price(const mgl_problem *p, mgl_solution *solution, const uint32_t *nodes,
                        size_t n, mgl_error *err, mgl_ties *ties)
{
    mgl_batch *batch = NULL;
    bool timed_out = false;
    mgl_judged *judged = mgl_alloc_array(n, sizeof *judged);
    mgl_status status = MGL_OK;
    MGL_GO(judged == NULL ? mgl_fail_memory(err) : mgl_batch_new(p, err, &batch));
    MGL_GO(mgl_batch_run(batch, nodes, n, err, judged, &timed_out));
    for (size_t i = 0; i < n; i++)
        if (judged[i].holds)
            MGL_GO(mgl_ties_add(ties, nodes + i * p->list->n_attributes, judged[i].cost, err));
done:
    solution->timed_out = solution->timed_out || timed_out;
    mgl_batch_free(batch);
    mgl_free(judged);
    return status;
}

static mgl_status choose(const mgl_problem *p, mgl_solution *solution, uint8_t *holds,
                         const uint32_t *nodes, size_t n, mgl_error *err)
{
    size_t chosen = 0;
    mgl_ties ties;
    mgl_ties_init(&ties, p->list->n_attributes);
    mgl_status status = MGL_OK;
    if (mgl_levels_decide(p)) {
        keep_minimal(p, nodes, n, solution->nodes_total, holds);
        MGL_GO(mgl_levels_best(p, holds, err, &ties));
    } else {
        MGL_GO(price(p, solution, nodes, n, err, &ties));
    }
    MGL_GO(mgl_ties_choose(&ties, p, err, &chosen));
    MGL_GO(mgl_solution_take_node(solution, p, ties.nodes + chosen * ties.n_attributes, err));
done:
    solution->n_ties = ties.n;
    mgl_ties_free(&ties);
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    uint8_t *holds = NULL;
    uint32_t *nodes = NULL;
    size_t n = 0;
    mgl_status status = MGL_OK;
    MGL_GO(find_holding(problem, out, err, &holds));
    MGL_GO(mgl_minimal_nodes(problem, holds, err, &nodes, &n));
    if (n == 0)
        MGL_GO(mgl_fail_unmet(problem, out->timed_out, err));
    bool all_found = !out->timed_out;
    MGL_GO(choose(problem, out, holds, nodes, n, err));
    if (all_found && out->nodes_total <= MGL_MOST_NODES) {
        out->minimal_nodes = nodes;
        out->n_minimal = n;
        out->minimal_known = true;
        nodes = NULL;
    }
    /* If nothing is suppressed, a node costs no less than any below it. */
    out->exact = !out->timed_out && problem->limit == 0 && mgl_cost_rises(problem);
done:
    mgl_free(holds);
    mgl_free(nodes);
    return status;
}

const mgl_method_type mgl_incognito = {
    .name = "incognito",
    .help = "all minimal nodes that hold, through the lattices of subsets of the columns; the best "
            "of them is released",
    .when = "to compare with LeFevre et al. 2005, or to see every minimal node; mingen is faster",
    .cost = "grows with the product of (levels + 1) over the columns",
    .full_domain = true,
    .several_sets = true,
    .run = run,
};
