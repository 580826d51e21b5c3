/* Keeps the nodes that are equally good and chooses among them (docs/definitions.md#ties). */
#include "search/node/node.h"

#include <math.h>

void mgl_ties_init(mgl_ties *ties, size_t n_attributes)
{
    *ties = (mgl_ties){.n_attributes = n_attributes, .best = INFINITY};
}

void mgl_ties_free(mgl_ties *ties)
{
    mgl_free(ties->nodes);
    mgl_free(ties->costs);
    *ties = (mgl_ties){0};
}

bool mgl_costs_tie(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* Is the cost so much higher than the best that the node cannot be chosen? */
static bool ties_excludes(const mgl_ties *ties, double cost)
{
    return cost > ties->best && !mgl_costs_tie(cost, ties->best);
}

mgl_status mgl_ties_add(mgl_ties *ties, const uint32_t *node, double cost, mgl_error *err)
{
    if (ties_excludes(ties, cost))
        return MGL_OK;
    size_t m = ties->n_attributes;
    if (cost < ties->best) {
        ties->best = cost;
        size_t kept = 0;
        for (size_t i = 0; i < ties->n; i++) {
            if (ties_excludes(ties, ties->costs[i]))
                continue;
            memmove(ties->nodes + kept * m, ties->nodes + i * m, m * sizeof *ties->nodes);
            ties->costs[kept++] = ties->costs[i];
        }
        ties->n = kept;
    }
    if (!mgl_grow(&ties->nodes, &ties->capacity, (ties->n + 1) * m, sizeof *ties->nodes) ||
        !mgl_grow(&ties->costs, &ties->cost_capacity, ties->n + 1, sizeof *ties->costs))
        return mgl_fail_memory(err);
    memcpy(ties->nodes + ties->n * m, node, m * sizeof *node);
    ties->costs[ties->n++] = cost;
    return MGL_OK;
}

/* ---- Their order ------------------------------------------------------------------ */

static bool comes_after(const mgl_ties *ties, size_t a, size_t b)
{
    const uint32_t *x = ties->nodes + a * ties->n_attributes;
    const uint32_t *y = ties->nodes + b * ties->n_attributes;
    for (size_t i = 0; i < ties->n_attributes; i++)
        if (x[i] != y[i])
            return x[i] > y[i];
    return false;
}

static void swap_ties(mgl_ties *ties, size_t a, size_t b)
{
    double cost = ties->costs[a];
    ties->costs[a] = ties->costs[b];
    ties->costs[b] = cost;
    for (size_t i = 0; i < ties->n_attributes; i++) {
        uint32_t *x = &ties->nodes[a * ties->n_attributes + i];
        uint32_t *y = &ties->nodes[b * ties->n_attributes + i];
        uint32_t level = *x;
        *x = *y;
        *y = level;
    }
}

/* A heap sort in place. */
void mgl_ties_sort(mgl_ties *ties)
{
    for (size_t start = ties->n / 2, end = ties->n; end > 1;) {
        if (start > 0)
            start--;
        else
            swap_ties(ties, 0, --end);
        for (size_t at = start, child; (child = 2 * at + 1) < end; at = child) {
            child += child + 1 < end && comes_after(ties, child + 1, child);
            if (!comes_after(ties, child, at))
                break;
            swap_ties(ties, child, at);
        }
    }
}

/* ---- The choice ------------------------------------------------------------------ */

/* What a criterion charges for a node; lower is better. */
static double charge(const mgl_preference *preference, const mgl_problem *problem,
                     const uint32_t *node, const mgl_evaluation *e)
{
    double sum = 0;
    switch (preference->kind) {
    case MGL_PREFER_ABSOLUTE:
        return (double)mgl_node_height(node, problem->list->n_attributes);
    case MGL_PREFER_RELATIVE:
        for (size_t a = 0; a < problem->list->n_attributes; a++)
            sum += (double)node[a] / problem->columns[a]->hierarchy->height;
        return sum;
    case MGL_PREFER_DISTRIBUTION:
        /* What is dropped is not released: it makes no tuple. */
        return -(
            (double)e->n_classes +
            (e->statistics->top_rows > (problem->treatment == MGL_DROP ? e->suppressed_rows : 0)));
    case MGL_PREFER_SUPPRESSION:
        return (double)e->suppressed_rows;
    case MGL_PREFER_MEASURE:
        break;
    }
    return mgl_measure_cost(preference->measure, e->statistics);
}

static int compare_nodes(const uint32_t *a, const uint32_t *b, size_t n)
{
    uint64_t x = mgl_node_height(a, n), y = mgl_node_height(b, n);
    if (x != y)
        return x < y ? -1 : 1;
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* < 0 if a is preferred. */
static int compare_charges(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!mgl_costs_tie(a[i], b[i]))
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

mgl_status mgl_ties_choose(const mgl_ties *ties, const mgl_problem *problem, mgl_error *err,
                           size_t *out)
{
    size_t n = problem->n_prefer, m = ties->n_attributes, best = 0;
    double *charges = mgl_zeroed_array(n, 2 * sizeof *charges);
    mgl_roller *roller = NULL;
    mgl_status status = MGL_OK;
    if (charges == NULL)
        MGL_GO(mgl_fail_memory(err));
    if (n > 0)
        MGL_GO(mgl_roller_new(problem, err, &roller));
    for (size_t i = 0; i < ties->n; i++) {
        const uint32_t *node = ties->nodes + i * m;
        if (n > 0) {
            mgl_evaluation e;
            MGL_GO(mgl_roller_evaluate(roller, node, err, &e));
            for (size_t p = 0; p < n; p++)
                charges[n + p] = charge(&problem->prefer[p], problem, node, &e);
        }
        int order = i == 0 ? -1 : compare_charges(charges + n, charges, n);
        if (order == 0)
            order = compare_nodes(node, ties->nodes + best * m, m);
        if (order < 0) {
            best = i;
            memcpy(charges, charges + n, n * sizeof *charges);
        }
    }
    *out = best;
done:
    mgl_roller_free(roller);
    mgl_free(charges);
    return status;
}
