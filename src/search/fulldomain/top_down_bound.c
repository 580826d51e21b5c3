/* What no node can cost less than.
 *
 * Every column has a least level, and no node that holds lies below these: what it costs there
 * without suppressing anything is a first bound. Measures that put together what each column costs
 * allow a better one. The columns are divided into groups; whatever holds on all columns holds on
 * each group alone, with the others at their tops, and costs no more there. So the best nodes of
 * the groups, found by the exact search, together cost no more than any node. The fewer and larger
 * the groups, the better the bound, and the more work it is. top_down.c calls it. */
#include "search/fulldomain/top_down.h"
#include "search/node/node.h"

#include <math.h>
#include <stdlib.h>

/* How the costs of groups become that of all columns. */
typedef enum combination { COMBINE_SUMS, COMBINE_PRODUCTS, COMBINE_NOT } combination;

static combination combination_of(const mgl_measure_type *measure)
{
    if (measure->form == MGL_COST_PRODUCT)
        return COMBINE_PRODUCTS;
    return mgl_is_by_column(measure) ? COMBINE_SUMS : COMBINE_NOT;
}

typedef struct bound {
    const mgl_relaxation *relaxation;
    const uint32_t *node; /* one that holds */
    uint32_t *columns;    /* [n_attributes] in the order in which they are put into groups */
    uint32_t *group_of;   /* [n_attributes] */
    double *sizes;        /* [n_attributes] nodes of each group */
    uint32_t *low, *high, *tops;
    double top_cost;
    mgl_least_cost *out;
} bound;

/* terms: of which the cost was summed up, which rounds them. */
static void raise_to(bound *b, double cost, double terms)
{
    double slack = 1e-13 * terms;
    if (!b->out->known || cost - slack > b->out->cost) {
        b->out->cost = cost - slack;
        b->out->slack = slack;
    }
    b->out->known = true;
}

/* ---- The first bounds ----------------------------------------------------------------------- */

/* Measures of class sizes: no class is smaller than the models allow, but one of suppressed rows;
 * unless there are columns that they do not look at. */
static void bound_sizes(bound *b)
{
    const mgl_problem *p = &b->relaxation->problem;
    mgl_cost_form form = p->measure->form;
    double n = (double)p->list->n_rows, k = (double)mgl_demand_size(p);
    if (k > n || b->relaxation->set.n_attributes < p->list->n_attributes)
        return;
    double alone = p->limit > 0 ? k / exp(1) : 0; /* the best number of suppressed rows */
    if (form == MGL_COST_SQUARES)
        raise_to(b, n * k, 0);
    else if (form == MGL_COST_CLASSES)
        raise_to(b, n / (p->limit > 0 ? floor((n - 1) / k) + 1 : floor(n / k)), 0);
    else if (form == MGL_COST_LOGS && n > 1)
        raise_to(b,
                 ((n - alone) * log2(k) + (alone > 0 ? alone * log2(alone) : 0) -
                  p->costs->original_log_sum) /
                     n / log2(n),
                 2);
}

/* node: holds; its levels may be higher than the problem allows. */
static mgl_status price(bound *b, const mgl_problem *p, const uint32_t *node, mgl_error *err,
                        double *out)
{
    mgl_problem there = *p;
    mgl_refiner *refiner;
    mgl_judged judged;
    b->out->checked++;
    if (p->sets->n_models == 0 && mgl_is_by_column(p->measure) && p->list->n_tuples > 0 &&
        !p->list->regrouped)
        return mgl_levels_cost(p, node, err, out);
    there.min_level = there.max_level = node;
    MGL_TRY(mgl_refiner_new(&there, node, err, &refiner));
    mgl_status status = mgl_refiner_judge(refiner, err, &judged);
    mgl_refiner_free(refiner);
    *out = judged.cost;
    return status;
}

static mgl_status bound_lowest(bound *b, mgl_error *err)
{
    mgl_problem nothing_suppressed = b->relaxation->problem;
    mgl_quasi_set set = b->relaxation->set;
    double cost;
    set.n_models = 0;
    nothing_suppressed.sets = &set;
    MGL_TRY(price(b, &nothing_suppressed, b->relaxation->lowest, err, &cost));
    raise_to(b, cost, 0);
    return price(b, &nothing_suppressed, b->tops, err, &b->top_cost);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static double levels_of(const bound *b, uint32_t a)
{
    return (double)b->relaxation->problem.max_level[a] - b->relaxation->lowest[a] + 1;
}

/* Columns that can have many levels are put into groups first. */
static void order_columns(bound *b)
{
    size_t m = b->relaxation->problem.list->n_attributes;
    for (uint32_t a = 0; a < m; a++) {
        size_t at = a;
        for (; at > 0 && levels_of(b, b->columns[at - 1]) < levels_of(b, a); at--)
            b->columns[at] = b->columns[at - 1];
        b->columns[at] = a;
    }
}

/* Each column joins the group that has the fewest nodes. False if one then has more than most. */
static bool divide(bound *b, size_t n_groups, double most)
{
    size_t m = b->relaxation->problem.list->n_attributes;
    for (size_t g = 0; g < n_groups; g++)
        b->sizes[g] = 1;
    for (size_t i = 0; i < m; i++) {
        uint32_t a = b->columns[i], least = 0;
        for (uint32_t g = 1; g < n_groups; g++)
            least = b->sizes[g] < b->sizes[least] ? g : least;
        b->group_of[a] = least;
        b->sizes[least] *= levels_of(b, a);
        if (b->sizes[least] > most)
            return false;
    }
    return true;
}

/* The least cost of a group, with the other columns at their tops. */
static mgl_status search_group(bound *b, uint32_t group, mgl_error *err, double *out,
                               uint64_t *work)
{
    mgl_problem p = b->relaxation->problem;
    size_t m = p.list->n_attributes;
    mgl_optimum found = {0};
    for (size_t a = 0; a < m; a++) {
        bool inside = b->group_of[a] == group;
        b->low[a] = inside ? b->relaxation->lowest[a] : b->tops[a];
        b->high[a] = inside ? b->node[a] : b->tops[a];
    }
    mgl_ties_init(&found.ties, m);
    mgl_status status = price(b, &p, b->high, err, &found.ties.best);
    for (size_t a = 0; a < m; a++)
        b->high[a] = b->group_of[a] == group ? p.max_level[a] : b->tops[a];
    p.min_level = b->low;
    p.max_level = b->high;
    if (status == MGL_OK)
        status = mgl_lattice_best(&p, err, &found);
    *out = found.ties.best;
    *work += mgl_work_of_search(&p, found.checked);
    b->out->checked += found.checked;
    b->out->timed_out = b->out->timed_out || found.timed_out;
    mgl_ties_free(&found.ties);
    return status;
}

static mgl_status bound_groups(bound *b, size_t n_groups, mgl_error *err, uint64_t *work)
{
    bool product = combination_of(b->relaxation->problem.measure) == COMBINE_PRODUCTS;
    double top = product ? log1p(b->top_cost) : b->top_cost, sum = top, terms = fabs(top);
    for (uint32_t g = 0; g < n_groups; g++) {
        double cost = 0;
        MGL_TRY(search_group(b, g, err, &cost, work));
        if (b->out->timed_out)
            return MGL_OK;
        sum += (product ? log1p(cost) : cost) - top;
        terms += fabs(cost) + fabs(top);
    }
    raise_to(b, product ? expm1(sum) : sum, terms);
    return MGL_OK;
}

/* Fewer and fewer groups, while the next step should be within the work left. Two at least: one
 * is the whole lattice, which is for other methods. */
static mgl_status combine_groups(bound *b, uint64_t work, mgl_error *err)
{
    enum { GROWTH = 10, FEW = 10, MANY = 10000 };
    const mgl_problem *p = &b->relaxation->problem;
    size_t n = p->list->n_attributes;
    order_columns(b);
    for (double most = mgl_is_fast(p) ? MANY : FEW; n > 2 && !b->out->timed_out; most *= GROWTH) {
        size_t fewer = n;
        while (fewer > 2 && divide(b, fewer - 1, most))
            fewer--;
        if (fewer == n)
            continue;
        n = fewer;
        divide(b, n, INFINITY);
        uint64_t spent = 0;
        MGL_TRY(bound_groups(b, n, err, &spent));
        if (spent > work / (GROWTH + 1))
            break;
        work -= spent;
    }
    return MGL_OK;
}

/* ---- The whole --------------------------------------------------------------------------------
 */

static mgl_status find(bound *b, uint64_t work, mgl_error *err)
{
    const mgl_problem *p = &b->relaxation->problem;
    size_t m = p->list->n_attributes;
    b->columns = mgl_alloc_array(m, sizeof *b->columns);
    b->group_of = mgl_alloc_array(m, sizeof *b->group_of);
    b->sizes = mgl_alloc_array(m, sizeof *b->sizes);
    b->low = mgl_alloc_array(m, sizeof *b->low);
    b->high = mgl_alloc_array(m, sizeof *b->high);
    b->tops = mgl_alloc_array(m, sizeof *b->tops);
    if (b->columns == NULL || b->group_of == NULL || b->sizes == NULL || b->low == NULL ||
        b->high == NULL || b->tops == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++)
        b->tops[a] = p->columns[a]->hierarchy->height;
    MGL_TRY(bound_lowest(b, err));
    bound_sizes(b);
    bool grouped = combination_of(p->measure) != COMBINE_NOT && b->relaxation->set.n_models > 0;
    return grouped ? combine_groups(b, work, err) : MGL_OK;
}

mgl_status mgl_top_down_bound(const mgl_relaxation *relaxation, const uint32_t *node, uint64_t work,
                              mgl_error *err, mgl_least_cost *out)
{
    *out = (mgl_least_cost){0};
    /* Suppressing a row would not cost more than releasing it. */
    if (!mgl_cost_rises(&relaxation->problem))
        return MGL_OK;
    bound b = {.relaxation = relaxation, .node = node, .out = out};
    mgl_status status = find(&b, work, err);
    mgl_free(b.columns);
    mgl_free(b.group_of);
    mgl_free(b.sizes);
    mgl_free(b.low);
    mgl_free(b.high);
    mgl_free(b.tops);
    return status;
}
