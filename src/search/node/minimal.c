/* States when holding is monotone along the lattice (docs/definitions.md#pruning) and when costs
 * only rise, and finds minimal nodes.
 *
 * With a suppression limit above 0 the best node need not be a minimal one, so no search for the
 * best looks at minimal nodes alone. If suppressed rows are kept there, holding is not monotone;
 * but a node that holds then also holds if they are exempt. */
#include "search/node/node.h"

#include <math.h>

/* Keeps the nodes that are equally good and chooses among them (docs/definitions.md#ties). */

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
    MGL_GO(mgl_check_memory(charges != NULL, err));
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

/* Rows that were counted at the top of some columns (--least-count) read as the top before all
 * others do, at nodes that leave those columns as they are. minimal.c and the engines ask it.
 *
 * Branch and bound by sizes or by values leaves such a problem to searches that evaluate nodes. */

bool mgl_tops_come_early(const mgl_problem *p)
{
    for (size_t t = 0; p->list->regrouped && p->treatment != MGL_DROP && t < p->list->n_tuples; t++)
        for (size_t a = 0; a < p->list->n_attributes; a++) {
            const mgl_released_column *column = p->columns[a];
            uint32_t leaf = mgl_list_leaf(p->list, t, a);
            if (p->min_level[a] < column->hierarchy->height &&
                column->of_leaf[p->min_level[a]][leaf] == column->top)
                return true;
        }
    return false;
}

/* Finds out whether a measure can only rise along the lattice, which labels that stand on several
 * levels can spoil. Bounds of searches ask it. */

static bool hierarchy_rises(const mgl_hierarchy *h, uint32_t from)
{
    for (uint32_t l = from; l < h->height; l++) {
        const mgl_level *level = &h->levels[l], *above = &h->levels[l + 1];
        for (uint32_t v = 0; v < level->n_values; v++)
            if (level->lowest[v] > above->lowest[level->parent[v]])
                return false;
    }
    return true;
}

bool mgl_distortion_rises(const mgl_problem *problem)
{
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        if (!hierarchy_rises(problem->columns[a]->hierarchy, problem->min_level[a]))
            return false;
    return true;
}

/* Generalizing makes values wider and classes fewer and larger, so every measure whose form is
 * known can only rise. Two exceptions: where a label counts as a lower level than the one below it,
 * precision can rise again, and rows that read as suppressed for classification may do so no more.
 */
bool mgl_cost_rises(const mgl_problem *problem)
{
    const mgl_measure_type *measure = problem->measure;
    bool by_labels = measure->cells == MGL_PAYS_LEVEL || measure->form == MGL_COST_MAJORITY;
    return measure->form != MGL_COST_UNKNOWN && (!by_labels || mgl_distortion_rises(problem));
}

bool mgl_holding_is_monotone(const mgl_problem *problem)
{
    if (mgl_tops_come_early(problem))
        return false; /* of subsets of the columns it would not be */
    bool union_closed = true, upward_closed = true;
    for (size_t q = 0; q < problem->n_sets; q++)
        for (size_t m = 0; m < problem->sets[q].n_models; m++) {
            const mgl_model_type *type = problem->sets[q].models[m].type;
            union_closed = union_closed && type->scope == MGL_SCOPE_CLASS && type->union_closed;
            upward_closed = upward_closed && type->scope == MGL_SCOPE_CLASS && type->upward_closed;
        }
    /* A person with rows in two classes counts once in their union: it may be smaller than
     * the sum, which only upward closed models do not mind. In the joined view a person is in one
     * class, and classes of coarser nodes are unions of those of finer ones. */
    bool overlap = problem->list->persons != NULL && problem->list->joined == NULL;
    if (problem->limit == 0)
        return overlap ? upward_closed : union_closed;
    return upward_closed && problem->treatment != MGL_KEEP;
}

/* Is a node just below this one marked? */
static bool has_below(const mgl_problem *p, const uint8_t *marks, uint64_t v, const uint32_t *node)
{
    uint64_t step = 1;
    for (size_t a = p->list->n_attributes; a-- > 0;) {
        if (node[a] > p->min_level[a] && marks[v - step] == MGL_HOLDS)
            return true;
        step *= (uint64_t)p->max_level[a] - p->min_level[a] + 1;
    }
    return false;
}

/* Goes up, so that what is below a node is known before it. */
static mgl_status mark_all(const mgl_problem *p, uint32_t *node, mgl_roller **roller,
                           mgl_error *err, uint8_t *holds)
{
    uint64_t v = 0;
    memcpy(node, p->min_level, p->list->n_attributes * sizeof *node);
    do {
        if (holds[v] != MGL_HOLDS && has_below(p, holds, v, node))
            holds[v] = MGL_HOLDS;
        if (holds[v] == MGL_HOLDS_OPEN) {
            mgl_evaluation evaluation;
            if (*roller == NULL)
                MGL_TRY(mgl_roller_new(p, err, roller));
            MGL_TRY(mgl_roller_evaluate(*roller, node, err, &evaluation));
            holds[v] = evaluation.holds ? MGL_HOLDS : MGL_HOLDS_NOT;
        }
        v++;
    } while (mgl_lattice_next(node, p->min_level, p->max_level, p->list->n_attributes));
    return MGL_OK;
}

mgl_status mgl_mark_above(const mgl_problem *problem, mgl_error *err, uint8_t *holds)
{
    mgl_roller *roller = NULL;
    uint32_t *node = mgl_alloc_array(problem->list->n_attributes, sizeof *node);
    mgl_status status =
        node == NULL ? mgl_fail_memory(err) : mark_all(problem, node, &roller, err, holds);
    mgl_roller_free(roller);
    mgl_free(node);
    return status;
}

/* Marks the nodes above one that holds: above[v] if a node just below v holds or is itself
 * above one. Nodes are numbered so that those below come first. */
static void mark_above(const mgl_problem *p, const uint8_t *holds, uint32_t *node, uint8_t *above)
{
    size_t m = p->list->n_attributes;
    uint64_t v = 0;
    memcpy(node, p->min_level, m * sizeof *node);
    do {
        uint64_t step = 1;
        for (size_t a = m; a-- > 0 && !above[v];) {
            if (node[a] > p->min_level[a])
                above[v] = holds[v - step] | above[v - step];
            step *= (uint64_t)p->max_level[a] - p->min_level[a] + 1;
        }
        v++;
    } while (mgl_lattice_next(node, p->min_level, p->max_level, m));
}

mgl_status mgl_minimal_nodes(const mgl_problem *problem, const uint8_t *holds, mgl_error *err,
                             uint32_t **nodes, size_t *n)
{
    size_t m = problem->list->n_attributes;
    uint64_t size = mgl_lattice_size(problem->min_level, problem->max_level, m);
    uint8_t *above = mgl_zeroed_array(size, 1);
    uint32_t *node = mgl_alloc_array(m, sizeof *node);
    uint32_t *found = NULL;
    size_t n_found = 0, capacity = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(above != NULL && node != NULL, err));
    mark_above(problem, holds, node, above);
    for (uint64_t v = 0; v < size; v++) {
        if (!holds[v] || above[v])
            continue;
        MGL_GO(mgl_grow_array(&found, &capacity, (n_found + 1) * m, sizeof *found, err));
        mgl_lattice_node(v, problem->min_level, problem->max_level, m, found + n_found++ * m);
    }
    *nodes = found;
    *n = n_found;
    found = NULL;
done:
    mgl_free(above);
    mgl_free(node);
    mgl_free(found);
    return status;
}
