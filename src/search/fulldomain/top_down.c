/* Goes from the top of the lattice down, the step that improves the measure most first, then
 * searches sublattices around what was found. For lattices that no exact search gets through: the
 * best node found is told with a bound on what is possible. A row of the table of methods. */
#include "search/fulldomain/branch/branch.h"
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"
#include "search/fulldomain/top_down.h"

#include <math.h>
#include <stdlib.h>

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

/* A column that may go a level down. */
typedef struct step {
    uint32_t column;
    double floor; /* what the node there costs at least, on a scale of its own */
    mgl_judged judged;
} step;

/* What going down needs. */
typedef struct way {
    mgl_descent *descent;
    mgl_refiner *refiner;
    mgl_cost_floors floors;
    step *steps; /* [n_attributes] those that can cost least first */
    size_t n;
    uint32_t *columns;  /* [n_attributes] of those that are judged at once */
    mgl_judged *judged; /* likewise */
} way;

enum { AT_ONCE = 4 }; /* steps that are judged side by side; not the number of threads */

static int compare_floors(const void *a, const void *b)
{
    const step *x = a, *y = b;
    if (x->floor != y->floor)
        return x->floor < y->floor ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static void list_steps(way *w)
{
    mgl_descent *d = w->descent;
    w->n = 0;
    for (uint32_t a = 0; a < d->problem->list->n_attributes; a++) {
        if (d->node[a] == d->lowest[a])
            continue;
        d->node[a]--;
        double floor =
            mgl_cost_floor_of(&w->floors, d->node, mgl_refiner_rows_below(w->refiner, a));
        d->node[a]++;
        w->steps[w->n++] = (step){a, floor, {false, INFINITY}};
    }
    qsort(w->steps, w->n, sizeof *w->steps, compare_floors);
}

/* Judges the next steps from the first one on. */
static mgl_status judge_some(way *w, size_t first, size_t n, mgl_error *err)
{
    for (size_t i = 0; i < n; i++)
        w->columns[i] = w->steps[first + i].column;
    MGL_TRY(
        mgl_refiner_judge_steps(w->refiner, w->columns, n, err, w->judged, &w->descent->timed_out));
    for (size_t i = 0; i < n; i++)
        w->steps[first + i].judged = w->judged[i];
    return MGL_OK;
}

/* Finds the step that leads to the least cost, of equal ones that of the first column; NULL if none
 * leads to a node that holds and costs no more than this one. Those that cannot be the best are not
 * looked at. */
static mgl_status find_step(way *w, mgl_error *err, const step **out)
{
    mgl_descent *d = w->descent;
    const step *best = NULL;
    double least = d->cost;
    size_t at_once = w->floors.known ? AT_ONCE : w->n;
    for (size_t first = 0, n; first < w->n && !d->timed_out; first += n) {
        double worst = mgl_cost_floor_worst(&w->floors, least);
        n = w->n - first < at_once ? w->n - first : at_once;
        while (n > 0 && w->steps[first + n - 1].floor > worst)
            n--;
        if (n == 0)
            break;
        MGL_TRY(judge_some(w, first, n, err));
        for (size_t i = first; i < first + n; i++) {
            const step *s = &w->steps[i];
            bool better = best == NULL || s->judged.cost < best->judged.cost ||
                          (s->judged.cost == best->judged.cost && s->column < best->column);
            if (s->judged.holds && better &&
                (s->judged.cost <= d->cost || mgl_costs_tie(s->judged.cost, d->cost)))
                best = s;
        }
        least = best != NULL && best->judged.cost < least ? best->judged.cost : least;
    }
    *out = best;
    return MGL_OK;
}

static mgl_status run_down(way *w, mgl_error *err)
{
    mgl_descent *d = w->descent;
    MGL_TRY(mgl_refiner_judge(w->refiner, err, w->judged));
    d->checked++;
    if (!w->judged->holds)
        return MGL_OK;
    d->cost = w->judged->cost;
    while (!d->timed_out) {
        const step *best;
        list_steps(w);
        MGL_TRY(find_step(w, err, &best));
        uint64_t work = w->n * mgl_work_of_node(d->problem);
        d->work -= work < d->work ? work : d->work;
        d->checked += w->n;
        if (best == NULL)
            break;
        d->node[best->column]--;
        d->cost = best->judged.cost;
        MGL_TRY(mgl_refiner_step(w->refiner, best->column, err));
    }
    return MGL_OK;
}

static mgl_status descend(mgl_descent *d, mgl_error *err)
{
    size_t m = d->problem->list->n_attributes;
    way w = {.descent = d};
    mgl_status status = MGL_OK;
    w.steps = mgl_alloc_array(m, sizeof *w.steps);
    w.columns = mgl_alloc_array(m, sizeof *w.columns);
    w.judged = mgl_alloc_array(m, sizeof *w.judged);
    if (w.steps == NULL || w.columns == NULL || w.judged == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_cost_floors_make(d->problem, err, &w.floors));
    MGL_GO(mgl_refiner_new(d->problem, d->node, err, &w.refiner));
    MGL_GO(run_down(&w, err));
done:
    mgl_refiner_free(w.refiner);
    mgl_cost_floors_free(&w.floors);
    mgl_free(w.steps);
    mgl_free(w.columns);
    mgl_free(w.judged);
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
    .cost = "by `effort`, which counts steps: balanced and best look at more and larger pieces of "
            "the lattice than fast",
    .looks_longer = true,
    .full_domain = true,
    .several_sets = true,
    .run = run,
};
