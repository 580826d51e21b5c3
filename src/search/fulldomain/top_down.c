/* Goes from the top of the lattice down, the step that improves the measure most first, then
 * searches sublattices around what was found. For lattices that no exact search gets through: the
 * best node found is told with a bound on what is possible. A row of the table of methods. */
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"
#include "search/fulldomain/top_down.h"

#include <math.h>

/* How long to look, in units that do not depend on the machine. */
static const struct {
    uint64_t search_work, bound_work;
    uint64_t most_nodes; /* of a sublattice */
} efforts[] = {
    [MGL_EFFORT_FAST] = {2000000000, 500000000, 2048},
    [MGL_EFFORT_BALANCED] = {10000000000, 5000000000, 1048576},
    [MGL_EFFORT_BEST] = {300000000000, 100000000000, 8388608},
};

/* ---- Down from the top -------------------------------------------------------------------- */

/* The columns that may go a level down. */
static size_t list_steps(const mgl_descent *d, uint32_t *columns)
{
    size_t n = 0;
    for (uint32_t a = 0; a < d->problem->list->n_attributes; a++)
        if (d->node[a] > d->lowest[a])
            columns[n++] = a;
    return n;
}

/* The step that leads to the least cost; SIZE_MAX if none leads to a node that holds and costs no
 * more. */
static size_t choose_step(const mgl_descent *d, const mgl_judged *judged, size_t n)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        if (judged[i].holds &&
            (judged[i].cost <= d->cost || mgl_costs_tie(judged[i].cost, d->cost)) &&
            (best == SIZE_MAX || judged[i].cost < judged[best].cost))
            best = i;
    return best;
}

static mgl_status run_down(mgl_descent *d, mgl_refiner *refiner, uint32_t *columns,
                           mgl_judged *judged, mgl_error *err)
{
    MGL_TRY(mgl_refiner_judge(refiner, err, judged));
    d->checked++;
    if (!judged->holds)
        return MGL_OK;
    d->cost = judged->cost;
    while (!d->timed_out) {
        size_t n = list_steps(d, columns);
        MGL_TRY(mgl_refiner_judge_steps(refiner, columns, n, err, judged, &d->timed_out));
        uint64_t work = n * mgl_work_of_node(d->problem);
        d->work -= work < d->work ? work : d->work;
        d->checked += n;
        size_t best = choose_step(d, judged, n);
        if (best == SIZE_MAX)
            break;
        d->node[columns[best]]--;
        d->cost = judged[best].cost;
        MGL_TRY(mgl_refiner_step(refiner, columns[best], err));
    }
    return MGL_OK;
}

static mgl_status descend(mgl_descent *d, mgl_error *err)
{
    size_t m = d->problem->list->n_attributes;
    mgl_refiner *refiner = NULL;
    uint32_t *columns = mgl_alloc_array(m, sizeof *columns);
    mgl_judged *judged = mgl_alloc_array(m, sizeof *judged);
    mgl_status status = columns == NULL || judged == NULL
                            ? mgl_fail_memory(err)
                            : mgl_refiner_new(d->problem, d->node, err, &refiner);
    if (status == MGL_OK)
        status = run_down(d, refiner, columns, judged, err);
    mgl_refiner_free(refiner);
    mgl_free(columns);
    mgl_free(judged);
    return status;
}

/* ---- The whole ---------------------------------------------------------------------------- */

static mgl_status fail_unfound(const mgl_descent *d, mgl_error *err)
{
    if (d->timed_out || d->whole || mgl_holding_is_monotone(d->problem))
        return mgl_fail_unmet(d->problem, d->timed_out, err);
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_NO_RELEASE,
                 "none of the nodes that top-down looked at holds within %llu suppressed rows, "
                 "but it does not look at all; allow more with `suppress`, or use `method` "
                 "mingen",
                 (unsigned long long)d->problem->limit),
        "suppress");
}

static mgl_status find_node(mgl_descent *d, mgl_error *err)
{
    MGL_TRY(descend(d, err));
    if (d->cost < INFINITY || !mgl_holding_is_monotone(d->problem))
        MGL_TRY(mgl_top_down_improve(d, efforts[d->problem->effort].most_nodes, err));
    return d->cost < INFINITY ? MGL_OK : fail_unfound(d, err);
}

static mgl_status tell_bound(const mgl_descent *d, const mgl_relaxation *relaxation, mgl_error *err,
                             mgl_solution *out)
{
    const mgl_problem *p = d->problem;
    mgl_least_cost least = {.known = d->whole, .cost = d->cost};
    if (!d->whole)
        MGL_TRY(
            mgl_top_down_bound(relaxation, d->node, efforts[p->effort].bound_work, err, &least));
    double least_cost = least.cost + least.slack;
    out->exact = least.known && (least_cost >= d->cost || mgl_costs_tie(least_cost, d->cost));
    out->bounded = least.known;
    out->best_possible = p->measure->higher_is_better ? -least.cost : least.cost;
    out->nodes_checked = d->checked + least.checked;
    out->timed_out = d->timed_out || least.timed_out;
    return MGL_OK;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    mgl_relaxation *relaxation = NULL;
    MGL_TRY(mgl_relaxation_new(problem, err, &relaxation));
    mgl_descent d = {.problem = problem,
                     .lowest = relaxation->lowest,
                     .cost = INFINITY,
                     .work = efforts[problem->effort].search_work};
    size_t m = problem->list->n_attributes;
    d.node = mgl_alloc_array(m, sizeof *d.node);
    mgl_status status = MGL_OK;
    if (d.node == NULL)
        MGL_GO(mgl_fail_memory(err));
    if (!relaxation->met)
        MGL_GO(mgl_fail_unmet(problem, false, err));
    memcpy(d.node, problem->max_level, m * sizeof *d.node);
    MGL_GO(find_node(&d, err));
    MGL_GO(mgl_solution_take_node(out, problem, d.node, err));
    MGL_GO(tell_bound(&d, relaxation, err, out));
done:
    mgl_relaxation_free(relaxation);
    mgl_free(d.node);
    return status;
}

const mgl_method_type mgl_top_down = {
    .name = "top-down",
    .help = "a good node with one level per column, found from the top down, with a bound on what "
            "is possible",
    .when = "uniform columns are wanted, and they are so many that mingen does not get through",
    .cost = "fast, balanced or best by `effort`: a second, ten seconds, minutes for 30 columns",
    .looks_longer = true,
    .full_domain = true,
    .several_sets = true,
    .run = run,
};
