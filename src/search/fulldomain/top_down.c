/* Goes from the top of the lattice down, the step that improves the measure most first, then
 * searches sublattices around what was found. For lattices that no exact search gets through: the
 * best node found is returned with a bound on what is possible. A row of the table of methods. */
#include "search/fulldomain/by_size/by_size.h"
#include "search/fulldomain/by_value/by_value.h"
#include "search/fulldomain/incognito.h"
#include "search/fulldomain/top_down.h"
#include "search/fulldomain/branch/branch.h"
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"
#include "search/node/node.h"

#include <math.h>

/* Finds the least level that each column has in any node that holds, and how much work a node or a
 * search is. */

/* Work is counted in about a nanosecond, so that the answer does not depend on the machine. */
static uint64_t work_of_node(const mgl_problem *p)
{
    return UINT64_C(6) * p->list->n_tuples * p->list->n_attributes;
}

bool mgl_is_fast(const mgl_problem *p)
{
    return mgl_by_size_handles(p) || mgl_by_value_handles(p) || p->list->joined != NULL;
}

/* Of the search of a sublattice that looked at so many nodes. */
static uint64_t work_of_search(const mgl_problem *p, uint64_t checked)
{
    enum { ANYWAY = 2000 }; /* whatever the number of tuples */
    if (!mgl_is_fast(p))
        return checked * work_of_node(p);
    return 2 * work_of_node(p) + checked * (p->list->n_tuples + ANYWAY);
}

static const mgl_quasi_set *largest_set(const mgl_problem *p)
{
    const mgl_quasi_set *largest = &p->sets[0];
    for (size_t q = 1; q < p->n_sets; q++)
        if (p->sets[q].n_attributes > largest->n_attributes)
            largest = &p->sets[q];
    return largest;
}

/* Does a union of classes hold? If nothing may be suppressed all of them do, otherwise one is
 * enough to know of. A person in two of them counts once; in the joined view that does not
 * happen. */
static bool is_kept(const mgl_problem *p, const mgl_model_type *type)
{
    bool overlap = p->list->persons != NULL && p->list->joined == NULL;
    bool one_is_enough = p->limit > 0 || overlap;
    return type->scope == MGL_SCOPE_CLASS &&
           (one_is_enough ? type->upward_closed : type->union_closed);
}

static mgl_status find_lowest_of(mgl_relaxation *r, mgl_set_maker *maker, uint32_t a,
                                 uint32_t *levels, mgl_frequency_set *set, mgl_error *err)
{
    const mgl_problem *p = &r->problem;
    bool holds = false;
    for (uint32_t l = p->min_level[a]; !holds && l <= p->max_level[a]; l++) {
        levels[a] = r->lowest[a] = l;
        MGL_TRY(mgl_frequency_set_roll_up(maker, NULL, &a, 1, levels, err, set));
        holds = mgl_frequency_set_holds(maker, set, &a, 1);
    }
    r->met = r->met && holds;
    return MGL_OK;
}

static mgl_status find_lowest(mgl_relaxation *r, mgl_error *err)
{
    const mgl_problem *p = &r->problem;
    mgl_set_maker *maker = NULL;
    mgl_frequency_set set = {0};
    uint32_t *levels = mgl_zeroed_array(p->list->n_attributes, sizeof *levels);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(levels != NULL, err));
    MGL_GO(mgl_set_maker_new(p, err, &maker));
    MGL_GO(mgl_frequency_set_init(&set, p, err));
    for (size_t i = 0; i < r->set.n_attributes; i++)
        MGL_GO(find_lowest_of(r, maker, r->set.attributes[i], levels, &set, err));
done:
    mgl_frequency_set_free(&set, p);
    mgl_set_maker_free(maker);
    mgl_free(levels);
    return status;
}

/* Do the models look at nothing but the rows of classes? */
static bool sizes_decide(const mgl_relaxation *r)
{
    bool sizes = r->problem.list->persons == NULL && r->problem.list->n_tuples > 0;
    for (size_t i = 0; sizes && i < r->set.n_models; i++) {
        const mgl_model_type *type = r->set.models[i].type;
        sizes = !mgl_needs_histograms(type) && !type->needs_population;
    }
    return sizes;
}

/* Counts the rows of each value that is released at a level; false if they are not known. */
static bool count_values(const mgl_problem *p, uint32_t a, uint32_t l, uint64_t *rows)
{
    const mgl_released_column *column = p->columns[a];
    const mgl_level *level = &column->hierarchy->levels[l];
    uint64_t sum = 0;
    memset(rows, 0, column->n_values * sizeof *rows);
    for (uint32_t v = 0; v < level->n_values; v++)
        rows[column->of_leaf[l][level->first_leaf[v]]] = mgl_rows_at(p->costs, column, a, l, v);
    for (uint32_t value = 0; value < column->n_values; value++)
        sum += rows[value];
    return sum == p->list->n_rows;
}

/* *known: false if that cannot be found out here. */
static void find_lowest_by_sizes(mgl_relaxation *r, uint32_t a, bool some_stay, uint64_t *rows,
                                 bool *known)
{
    const mgl_problem *p = &r->problem;
    bool holds = false;
    for (uint32_t l = p->min_level[a]; !holds && *known && l <= p->max_level[a]; l++) {
        uint64_t violating = 0;
        *known = count_values(p, a, l, rows);
        for (uint32_t value = 0; value < p->columns[a]->n_values; value++) {
            mgl_group group = {.size = rows[value], .rows = rows[value]};
            violating += rows[value] > 0 && !mgl_set_holds(&r->set, &group) ? rows[value] : 0;
        }
        holds = violating <= p->limit && !(some_stay && violating == p->list->n_rows);
        r->lowest[a] = l;
    }
    r->met = r->met && holds;
}

/* False in *known: nothing was found out. */
static mgl_status find_all_by_sizes(mgl_relaxation *r, mgl_error *err, bool *known)
{
    const mgl_problem *p = &r->problem;
    bool some_stay;
    uint32_t most = 0;
    *known = sizes_decide(r);
    if (!*known)
        return MGL_OK;
    MGL_TRY(mgl_some_must_stay(p, err, &some_stay));
    for (size_t a = 0; a < p->list->n_attributes; a++)
        most = p->columns[a]->n_values > most ? p->columns[a]->n_values : most;
    uint64_t *rows;
    MGL_TRY(mgl_new_array(most, sizeof *rows, err, &rows));
    for (size_t i = 0; *known && i < r->set.n_attributes; i++)
        find_lowest_by_sizes(r, r->set.attributes[i], some_stay, rows, known);
    mgl_free(rows);
    if (!*known) {
        r->met = true;
        memcpy(r->lowest, p->min_level, p->list->n_attributes * sizeof *r->lowest);
    }
    return MGL_OK;
}

static mgl_status relax(mgl_relaxation *r, const mgl_problem *p, mgl_error *err)
{
    size_t m = p->list->n_attributes;
    const mgl_quasi_set *set = p->n_sets > 0 ? largest_set(p) : &r->set;
    r->problem = *p;
    r->problem.treatment = p->list->joined != NULL ? MGL_DROP : MGL_EXEMPT;
    r->problem.sets = &r->set;
    r->problem.n_sets = 1;
    r->met = true;
    r->set = (mgl_quasi_set){.attributes = set->attributes, .n_attributes = set->n_attributes};
    r->models = mgl_own_array(&r->own, set->n_models, sizeof *r->models);
    r->lowest = mgl_own_array(&r->own, m, sizeof *r->lowest);
    MGL_TRY(mgl_owned_check(&r->own, err));
    for (size_t i = 0; i < set->n_models; i++)
        if (is_kept(p, set->models[i].type))
            r->models[r->set.n_models++] = set->models[i];
    r->set.models = r->models;
    memcpy(r->lowest, p->min_level, m * sizeof *r->lowest);
    if (r->set.n_models == 0)
        return MGL_OK;
    bool known;
    MGL_TRY(find_all_by_sizes(r, err, &known));
    return known ? MGL_OK : find_lowest(r, err);
}

mgl_status mgl_relaxation_new(const mgl_problem *problem, mgl_error *err, mgl_relaxation **out)
{
    mgl_relaxation *r;
    MGL_TRY(mgl_new_zeroed(1, sizeof *r, err, &r));
    mgl_status status = relax(r, problem, err);
    if (status != MGL_OK) {
        mgl_relaxation_free(r);
        return status;
    }
    *out = r;
    return MGL_OK;
}

void mgl_relaxation_free(mgl_relaxation *r)
{
    if (r == NULL)
        return;
    mgl_owned_free(&r->own);
    mgl_free(r);
}

/* What no node can cost less than.
 *
 * Every column has a least level, and no node that holds lies below these: what it costs there
 * without suppressing anything is a first bound. Measures that put together what each column costs
 * allow a better one. The columns are divided into groups; whatever holds on all columns holds on
 * each group alone, with the others at their tops, and costs no more there. So the best nodes of
 * the groups, found by the exact search, together cost no more than any node. The fewer and larger
 * the groups, the better the bound, and the more work it is. */

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
    mgl_owned own;
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
static mgl_status find_cost(bound *b, const mgl_problem *p, const uint32_t *node, mgl_error *err,
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
    MGL_TRY(find_cost(b, &nothing_suppressed, b->relaxation->lowest, err, &cost));
    raise_to(b, cost, 0);
    return find_cost(b, &nothing_suppressed, b->tops, err, &b->top_cost);
}

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
    mgl_status status = find_cost(b, &p, b->high, err, &found.ties.best);
    for (size_t a = 0; a < m; a++)
        b->high[a] = b->group_of[a] == group ? p.max_level[a] : b->tops[a];
    p.min_level = b->low;
    p.max_level = b->high;
    if (status == MGL_OK)
        status = mgl_lattice_best(&p, err, &found);
    *out = found.ties.best;
    *work += work_of_search(&p, found.checked);
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

static mgl_status find(bound *b, uint64_t work, mgl_error *err)
{
    const mgl_problem *p = &b->relaxation->problem;
    size_t m = p->list->n_attributes;
    b->columns = mgl_own_array(&b->own, m, sizeof *b->columns);
    b->group_of = mgl_own_array(&b->own, m, sizeof *b->group_of);
    b->sizes = mgl_own_array(&b->own, m, sizeof *b->sizes);
    b->low = mgl_own_array(&b->own, m, sizeof *b->low);
    b->high = mgl_own_array(&b->own, m, sizeof *b->high);
    b->tops = mgl_own_array(&b->own, m, sizeof *b->tops);
    MGL_TRY(mgl_owned_check(&b->own, err));
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
    mgl_owned_free(&b.own);
    return status;
}

/* Searches around a node: some columns may go a level or two up or down, the others stay, and the
 * best node of this sublattice is found by the exact search. Which columns is drawn at random, from
 * a fixed seed. Sublattices grow when the small ones do not help any more, up to the whole lattice
 * if it is small. */

enum {
    SUBLATTICES_AT_ONCE =
        4,             /* sublattices that are searched side by side; not the number of threads */
    FIRST_NODES = 256, /* of a sublattice */
    GROWTH = 8,
    WIDE = 3 /* one sublattice in so many reaches two levels up and down */
};

/* A sublattice, and what was found there. */
typedef struct sublattice {
    uint32_t *low, *high; /* [n_attributes] */
    bool whole;           /* it is all there is */
    mgl_optimum found;
    mgl_status status;
    mgl_error error;
} sublattice;

typedef struct search {
    mgl_descent *descent;
    mgl_quick_random random;
    sublattice sublattices[SUBLATTICES_AT_ONCE];
    size_t n_sublattices; /* of the round; 1: the whole lattice is one */
    size_t drawn;         /* sublattices so far */
    uint32_t *order;      /* [n_attributes] */
    uint32_t *centre;     /* [n_attributes] */
    mgl_progress progress;
    mgl_owned own;
} search;

/* Around the best node; if none holds yet, around any. */
static void choose_centre(search *s)
{
    const mgl_descent *d = s->descent;
    const mgl_problem *p = d->problem;
    size_t m = p->list->n_attributes;
    memcpy(s->centre, d->node, m * sizeof *s->centre);
    for (size_t a = 0; d->cost == INFINITY && a < m; a++)
        s->centre[a] = d->lowest[a] + mgl_quick_random_below(&s->random, (size_t)p->max_level[a] -
                                                                             d->lowest[a] + 1);
}

static void draw_sublattice(search *s, uint64_t most_nodes, sublattice *out)
{
    const mgl_descent *d = s->descent;
    const mgl_problem *p = d->problem;
    size_t m = p->list->n_attributes;
    uint32_t reach = s->drawn++ % WIDE == WIDE - 1 ? 2 : 1;
    uint64_t nodes = 1;
    if (s->n_sublattices == 1)
        reach = UINT32_MAX;
    choose_centre(s);
    for (uint32_t a = 0; a < m; a++) {
        uint32_t at = mgl_quick_random_below(&s->random, a + 1);
        s->order[a] = s->order[at];
        s->order[at] = a;
    }
    out->whole = true;
    for (size_t i = 0; i < m; i++) {
        uint32_t a = s->order[i], at = s->centre[a];
        uint32_t low = at - d->lowest[a] > reach ? at - reach : d->lowest[a];
        uint32_t high = p->max_level[a] - at > reach ? at + reach : p->max_level[a];
        uint64_t levels = (uint64_t)high - low + 1;
        bool fits = nodes * levels <= most_nodes;
        nodes *= fits ? levels : 1;
        out->low[a] = fits ? low : at;
        out->high[a] = fits ? high : at;
        out->whole = out->whole && out->low[a] == d->lowest[a] && out->high[a] == p->max_level[a];
    }
}

static int listen(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    search *s = user;
    const mgl_progress *to = s->descent->problem->progress;
    return mgl_progress_report(to, stage, s->descent->checked, 0, NULL) != MGL_OK;
}

static void search_sublattice(void *context, size_t number, unsigned thread)
{
    (void)thread;
    search *s = context;
    sublattice *one = &s->sublattices[number];
    mgl_problem p = *s->descent->problem;
    p.min_level = one->low;
    p.max_level = one->high;
    p.pool = NULL;
    p.progress = &s->progress;
    one->error = (mgl_error){0};
    one->found = (mgl_optimum){0};
    mgl_ties_init(&one->found.ties, p.list->n_attributes);
    one->found.ties.best = s->descent->cost;
    one->status = mgl_lattice_best(&p, &one->error, &one->found);
}

static mgl_status take_sublattice(const sublattice *one, size_t m, mgl_error *err, mgl_ties *ties)
{
    const mgl_ties *found = &one->found.ties;
    if (one->status != MGL_OK && err != NULL)
        *err = one->error;
    MGL_TRY(one->status);
    for (size_t i = 0; i < found->n; i++)
        MGL_TRY(mgl_ties_add(ties, found->nodes + i * m, found->costs[i], err));
    return MGL_OK;
}

/* Puts the best nodes of all sublattices together; the node so far is one of them. */
static mgl_status gather(search *s, mgl_error *err, mgl_ties *ties)
{
    mgl_descent *d = s->descent;
    size_t m = d->problem->list->n_attributes;
    mgl_status status = d->cost < INFINITY ? mgl_ties_add(ties, d->node, d->cost, err) : MGL_OK;
    for (size_t i = 0; i < s->n_sublattices; i++) {
        sublattice *one = &s->sublattices[i];
        if (status == MGL_OK)
            status = take_sublattice(one, m, err, ties);
        d->checked += one->found.checked;
        d->timed_out = d->timed_out || one->found.timed_out;
        d->whole = d->whole || (one->whole && !one->found.timed_out);
        uint64_t work = work_of_search(d->problem, one->found.checked);
        d->work -= work < d->work ? work : d->work;
        mgl_ties_free(&one->found.ties);
    }
    return status;
}

/* *better: another node is the best now. */
static mgl_status run_round(search *s, uint64_t most_nodes, mgl_error *err, bool *better)
{
    mgl_descent *d = s->descent;
    size_t m = d->problem->list->n_attributes, chosen = 0;
    mgl_ties ties;
    bool small = mgl_lattice_size(d->lowest, d->problem->max_level, m) <= most_nodes;
    s->n_sublattices = small ? 1 : SUBLATTICES_AT_ONCE;
    for (size_t i = 0; i < s->n_sublattices; i++)
        draw_sublattice(s, most_nodes, &s->sublattices[i]);
    mgl_pool_run(d->problem->pool, s->n_sublattices, search_sublattice, s);
    mgl_ties_init(&ties, m);
    mgl_status status = gather(s, err, &ties);
    if (status == MGL_OK && ties.n > 0)
        status = mgl_ties_choose(&ties, d->problem, err, &chosen);
    *better = status == MGL_OK && ties.n > 0 &&
              memcmp(d->node, ties.nodes + chosen * m, m * sizeof *d->node) != 0;
    if (*better) {
        memcpy(d->node, ties.nodes + chosen * m, m * sizeof *d->node);
        d->cost = ties.costs[chosen];
    }
    mgl_ties_free(&ties);
    return status;
}

/* Where every node must be evaluated, sublattices are as large as the work allows for some rounds.
 */
static uint64_t nodes_of_sublattice(const mgl_descent *d, uint64_t nodes)
{
    enum { ROUNDS = 8, LEAST = 8 };
    uint64_t most = d->work / (ROUNDS * SUBLATTICES_AT_ONCE * work_of_node(d->problem) + 1);
    if (mgl_is_fast(d->problem) || nodes <= most)
        return nodes;
    return most < LEAST ? LEAST : most;
}

static mgl_status run_rounds(search *s, uint64_t most_nodes, mgl_error *err)
{
    mgl_descent *d = s->descent;
    /* Each column should have been tried beside many others. */
    size_t patience = d->problem->list->n_attributes / 2 + 2, in_vain = 0;
    uint64_t nodes = FIRST_NODES < most_nodes ? FIRST_NODES : most_nodes;
    while (d->work > 0 && !d->timed_out && !d->whole) {
        bool better = false;
        MGL_TRY(run_round(s, nodes_of_sublattice(d, nodes), err, &better));
        in_vain = better ? 0 : in_vain + 1;
        if (in_vain < patience)
            continue;
        if (nodes >= most_nodes)
            break;
        nodes = nodes * GROWTH < most_nodes ? nodes * GROWTH : most_nodes;
        in_vain = 0;
    }
    return MGL_OK;
}

mgl_status mgl_top_down_improve(mgl_descent *descent, uint64_t most_nodes, mgl_error *err)
{
    size_t m = descent->problem->list->n_attributes;
    search s = {.descent = descent};
    const mgl_progress *to = descent->problem->progress;
    if (to != NULL)
        s.progress = (mgl_progress){to->fn != NULL ? listen : NULL, &s, to->stop};
    s.order = mgl_own_array(&s.own, m, sizeof *s.order);
    s.centre = mgl_own_array(&s.own, m, sizeof *s.centre);
    for (size_t i = 0; i < SUBLATTICES_AT_ONCE; i++) {
        s.sublattices[i].low = mgl_own_array(&s.own, m, sizeof *s.sublattices[i].low);
        s.sublattices[i].high = mgl_own_array(&s.own, m, sizeof *s.sublattices[i].high);
    }
    mgl_status status = mgl_owned_check(&s.own, err);
    if (status == MGL_OK)
        status = run_rounds(&s, most_nodes, err);
    mgl_owned_free(&s.own);
    return status;
}

/* How long to look, in units that do not depend on the machine. */
static const struct {
    uint64_t search_work, bound_work;
    uint64_t most_nodes; /* of a sublattice */
} efforts[] = {
    [MGL_EFFORT_FAST] = {2000000000, 500000000, 2048},
    [MGL_EFFORT_BALANCED] = {10000000000, 5000000000, 1048576},
    [MGL_EFFORT_BEST] = {300000000000, 100000000000, 8388608},
};

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
    mgl_owned own;
} way;

enum { AT_ONCE = 4 }; /* steps that are judged side by side; not the number of threads */

static const mgl_sort_key by_floor[] = {MGL_ASCENDING(step, floor), MGL_ASCENDING(step, column),
                                        MGL_SORT_END};

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
    mgl_sort(w->steps, w->n, sizeof *w->steps, by_floor);
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
        uint64_t work = w->n * work_of_node(d->problem);
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
    w.steps = mgl_own_array(&w.own, m, sizeof *w.steps);
    w.columns = mgl_own_array(&w.own, m, sizeof *w.columns);
    w.judged = mgl_own_array(&w.own, m, sizeof *w.judged);
    MGL_GO(mgl_owned_check(&w.own, err));
    MGL_GO(mgl_cost_floors_make(d->problem, err, &w.floors));
    MGL_GO(mgl_refiner_new(d->problem, d->node, err, &w.refiner));
    MGL_GO(run_down(&w, err));
done:
    mgl_refiner_free(w.refiner);
    mgl_cost_floors_free(&w.floors);
    mgl_owned_free(&w.own);
    return status;
}

static mgl_status fail_unfound(const mgl_descent *d, mgl_error *err)
{
    if (d->timed_out || d->whole || mgl_holding_is_monotone(d->problem))
        return mgl_fail_unmet(d->problem, d->timed_out, err);
    return mgl_fail_key(
        err, MGL_CODE_NO_RELEASE, "suppress",
        "none of the nodes that top-down looked at holds within %llu suppressed rows, "
        "but it does not look at all; allow more with `suppress`, or use `method` "
        "mingen",
        (unsigned long long)d->problem->limit);
}

static mgl_status find_node(mgl_descent *d, mgl_error *err)
{
    MGL_TRY(descend(d, err));
    if (d->cost < INFINITY || !mgl_holding_is_monotone(d->problem))
        MGL_TRY(mgl_top_down_improve(d, efforts[d->problem->effort].most_nodes, err));
    return d->cost < INFINITY ? MGL_OK : fail_unfound(d, err);
}

static mgl_status set_bound(const mgl_descent *d, const mgl_relaxation *relaxation, mgl_error *err,
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
    MGL_GO(mgl_check_memory(d.node != NULL, err));
    if (!relaxation->met)
        MGL_GO(mgl_fail_unmet(problem, false, err));
    memcpy(d.node, problem->max_level, m * sizeof *d.node);
    MGL_GO(find_node(&d, err));
    MGL_GO(mgl_solution_take_node(out, problem, d.node, err));
    MGL_GO(set_bound(&d, relaxation, err, out));
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
