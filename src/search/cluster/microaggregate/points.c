/* Makes points of tuples: the columns of a table as axes of a space. Microaggregation of whole
 * tables and of classes begins with it, and all groupings measure distances with it. */
#include "search/cluster/microaggregate/microaggregate.h"
#include "search/cluster/microaggregate/points.h"
#include "search/node/node.h"

#include <math.h>

/* ---- Axes of categories ---------------------------------------------------------------------- */

/* Columns of categories as axes: one for each value, so that tuples of different values are equally
 * far from each other. Where there are many values the lowest level of the hierarchy with few of
 * them has the axes; if there is none, the most frequent values have one each and the others one
 * together. Distances choose groups and promise nothing. */

enum { MOST_AXES = 64 }; /* of a column: distances take time in proportion to their number */

/* The lowest level below the top with few values; the height: there is none. */
static uint32_t choose_level(const mgl_hierarchy *h)
{
    uint32_t level = 0;
    while (level < h->height && h->levels[level].n_values > MOST_AXES)
        level++;
    return level;
}

typedef struct frequent {
    uint64_t rows;
    uint32_t leaf;
} frequent;

static const mgl_sort_key frequent_first[] = {MGL_DESCENDING(frequent, rows),
                                              MGL_ASCENDING(frequent, leaf), MGL_SORT_END};

static mgl_status find_frequent(mgl_micro_space *s, size_t a, mgl_error *err)
{
    mgl_micro_column *c = &s->columns[a];
    uint32_t n = s->problem->columns[a]->hierarchy->n_leaves;
    frequent *leaves;
    MGL_TRY(mgl_new_array(n, sizeof *leaves, err, &leaves));
    for (uint32_t leaf = 0; leaf < n; leaf++)
        leaves[leaf] = (frequent){0, leaf};
    for (size_t t = 0; t < s->n; t++)
        leaves[mgl_list_leaf(s->problem->list, t, a)].rows += s->counts[t];
    mgl_sort(leaves, n, sizeof *leaves, frequent_first);
    for (uint32_t i = 0; i < n; i++)
        c->axis_of_leaf[leaves[i].leaf] = i < MOST_AXES - 1 ? i : MOST_AXES - 1;
    c->n_axes = n < MOST_AXES ? n : MOST_AXES;
    mgl_free(leaves);
    return MGL_OK;
}

/* How many axes a column of categories has and what they are; and the points on them. */
static mgl_status find_axes(mgl_micro_space *s, size_t a, mgl_error *err)
{
    mgl_micro_column *c = &s->columns[a];
    const mgl_hierarchy *h = s->problem->columns[a]->hierarchy;
    uint32_t level = choose_level(h);
    c->axis_of_leaf = mgl_own_array(&s->own, h->n_leaves, sizeof *c->axis_of_leaf);
    MGL_TRY(mgl_owned_check(&s->own, err));
    if (level == h->height)
        return find_frequent(s, a, err);
    memcpy(c->axis_of_leaf, h->levels[level].of_leaf, h->n_leaves * sizeof *c->axis_of_leaf);
    c->n_axes = h->levels[level].n_values;
    return MGL_OK;
}

/* Where a cell is missing the point has the shares of all values. */
static void fill_missing(mgl_micro_space *s, size_t a, const double *shares)
{
    const mgl_micro_column *c = &s->columns[a];
    for (size_t t = 0; t < s->n; t++)
        if (mgl_micro_is_missing(s, t, a))
            memcpy(s->points + t * s->d + c->axis, shares, c->n_axes * sizeof *shares);
}

static void fill_axes(mgl_micro_space *s, size_t a)
{
    mgl_micro_column *c = &s->columns[a];
    double shares[MOST_AXES] = {0};
    for (size_t t = 0; t < s->n; t++) {
        if (mgl_micro_is_missing(s, t, a))
            continue;
        uint32_t axis = c->axis_of_leaf[mgl_list_leaf(s->problem->list, t, a)];
        s->points[t * s->d + c->axis + axis] = 1;
        shares[axis] += (double)s->counts[t];
        c->rows += s->counts[t];
    }
    for (size_t axis = 0; c->rows > 0 && axis < c->n_axes; axis++) {
        shares[axis] /= (double)c->rows;
        c->variance += shares[axis] * (1 - shares[axis]);
    }
    c->weight = c->variance > 0 ? 1 / c->variance : 0;
    fill_missing(s, a, shares);
}

/* ---- Points ---------------------------------------------------------------------------------- */

void mgl_micro_space_free(mgl_micro_space *space)
{
    if (space == NULL)
        return;
    for (size_t a = 0; space->columns != NULL && a < space->m; a++)
        mgl_scale_free(space->columns[a].scale);
    mgl_owned_free(&space->own);
    mgl_free(space);
}

bool mgl_micro_is_missing(const mgl_micro_space *s, size_t tuple, size_t a)
{
    const mgl_micro_column *c = &s->columns[a];
    return !c->at_top && c->function != MGL_AGGREGATE_NOT &&
           mgl_list_leaf(s->problem->list, mgl_micro_tuple(s, tuple), a) ==
               s->problem->columns[a]->hierarchy->missing_leaf;
}

double mgl_micro_number(const mgl_micro_space *s, size_t tuple, size_t a)
{
    const mgl_micro_column *c = &s->columns[a];
    if (c->scale == NULL)
        return NAN;
    return ldexp(c->scale->of_leaf[mgl_list_leaf(s->problem->list, mgl_micro_tuple(s, tuple), a)],
                 -c->exponent);
}

mgl_status mgl_micro_poll(const mgl_micro_space *s, size_t done, mgl_error *err, bool *late)
{
    if (mgl_problem_is_late(s->problem))
        *late = true;
    return mgl_progress_report(s->problem->progress, "search", s->n_done + done, s->n_all, err);
}

/* Which function stands for groups, by the column itself or by `replace` of the method. Other
 * methods aggregate only columns that say so. */
static mgl_aggregate function_of(const mgl_problem *problem, size_t a)
{
    static const mgl_aggregate of_replace[] = {[MGL_REPLACE_MEAN] = MGL_AGGREGATE_MEAN,
                                               [MGL_REPLACE_MEDIAN] = MGL_AGGREGATE_MEDIAN,
                                               [MGL_REPLACE_RANGE] = MGL_AGGREGATE_RANGE};
    mgl_aggregate given = problem->aggregates != NULL ? problem->aggregates[a] : MGL_AGGREGATE_NOT;
    bool all = problem->method == NULL || problem->method->averages;
    return given == MGL_AGGREGATE_NOT && all ? of_replace[mgl_micro_replace(problem)] : given;
}

/* ---- Scales --------------------------------------------------------------------------- */

static mgl_status refuse(const mgl_problem *p, size_t a, mgl_error *err)
{
    char name[80];
    bool given = p->aggregates != NULL && p->aggregates[a] != MGL_AGGREGATE_NOT;
    mgl_problem_column(p, a, name);
    mgl_status status =
        given
            ? mgl_fail(err, MGL_CODE_UNSUPPORTED,
                       "%s holds texts, and %s is for numbers, and dates in one clear order; take "
                       "mode or set in `aggregate`",
                       name, mgl_aggregate_words[p->aggregates[a]])
            : mgl_fail(err, MGL_CODE_UNSUPPORTED,
                       "%s holds texts; microaggregate replaces numbers, and dates in one clear "
                       "order, by averages: leave the column out of `role: quasi`, or use `method: "
                       "mondrian` or "
                       "k-member",
                       name);
    status = mgl_blame_column(err, status, p->names != NULL ? p->names[a] : NULL);
    return mgl_blame_key(err, status, given ? "aggregate" : "method");
}

/* Numbers that occur: the file of a hierarchy may list more. */
static void find_extent(mgl_micro_space *s, size_t a)
{
    mgl_micro_column *c = &s->columns[a];
    c->least = INFINITY;
    c->most = -INFINITY;
    for (size_t t = 0; t < s->n; t++) {
        double number = c->scale->of_leaf[mgl_list_leaf(s->problem->list, t, a)];
        c->least = fmin(c->least, number); /* NAN is left out */
        c->most = fmax(c->most, number);
    }
    frexp(fmax(fabs(c->least), fabs(c->most)), &c->exponent);
}

static void place_points(mgl_micro_space *s, size_t a)
{
    const uint64_t *counts = s->counts;
    mgl_micro_column *c = &s->columns[a];
    double least = ldexp(c->least, -c->exponent), sum = 0, squares = 0;
    for (size_t t = 0; t < s->n; t++) {
        double *x = &s->points[t * s->d + c->axis];
        *x = 0;
        if (mgl_micro_is_missing(s, t, a))
            continue;
        *x = mgl_micro_number(s, t, a) - least;
        sum += (double)counts[t] * *x;
        c->rows += counts[t];
    }
    c->mean = sum / (double)c->rows;
    for (size_t t = 0; t < s->n; t++) {
        double *x = &s->points[t * s->d + c->axis];
        if (mgl_micro_is_missing(s, t, a))
            *x = c->mean;
        squares += (double)counts[t] * (*x - c->mean) * (*x - c->mean);
    }
    c->variance = c->most > c->least ? squares / (double)c->rows : 0;
    c->weight = c->variance > 0 ? 1 / c->variance : 0;
}

static mgl_status refuse_level(const mgl_problem *p, size_t a, mgl_error *err)
{
    mgl_status status =
        p->method != NULL && p->method->averages
            ? mgl_fail(err, MGL_CODE_CONFLICT,
                       "`level`: microaggregate releases averages or ranges, which have no "
                       "level; leave it out, or use another method (`help methods`)")
            : mgl_fail(err, MGL_CODE_CONFLICT,
                       "`level`: column \"%.60s\" is aggregated, and what stands for a group "
                       "has no level; leave one of the two out",
                       p->names != NULL ? p->names[a] : "");
    return mgl_blame_key(err, status, "level");
}

/* How many axes the column has, and what they are. A column of nothing but missing cells has no
 * extent, and all its points lie at 0. */
static mgl_status add_column(mgl_micro_space *s, size_t a, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    const mgl_hierarchy *h = p->columns[a]->hierarchy;
    mgl_micro_column *c = &s->columns[a];
    bool missing_only = h->missing_leaf != MGL_NOT_FOUND && h->n_leaves == 1;
    c->function = function_of(p, a);
    c->axis = s->d;
    if (c->function == MGL_AGGREGATE_NOT)
        return MGL_OK;
    c->n_axes = 1;
    c->at_top = p->min_level[a] == h->height;
    if (!c->at_top && (p->min_level[a] > 0 || p->max_level[a] < h->height))
        return refuse_level(p, a, err);
    if (!c->at_top && mgl_aggregates_categories(c->function)) {
        MGL_TRY(find_axes(s, a, err));
    } else if (!c->at_top) {
        MGL_TRY(mgl_scale_new(h, err, &c->scale));
        if (c->scale == NULL && !missing_only)
            return refuse(p, a, err);
    }
    s->d += c->n_axes;
    return MGL_OK;
}

static void fill_column(mgl_micro_space *s, size_t a)
{
    mgl_micro_column *c = &s->columns[a];
    if (c->axis_of_leaf != NULL) {
        fill_axes(s, a);
    } else if (c->scale != NULL) {
        find_extent(s, a);
        if (c->least <= c->most)
            place_points(s, a);
    }
    for (size_t axis = 0; axis < c->n_axes; axis++)
        s->weights[c->axis + axis] = c->weight;
}

/* ---- Kinds of tuples, and what groups need ----------------------------------------------- */

static mgl_status find_kinds(mgl_micro_space *s, mgl_error *err)
{
    mgl_classes classes;
    mgl_owned own = {0};
    uint32_t *n_values = mgl_own_array(&own, s->m, sizeof *n_values);
    uint32_t **cells = mgl_own_rows(&own, s->m, s->n, sizeof **cells);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&own, err));
    MGL_GO(mgl_classes_init(&classes, s->n, s->m, err));
    for (size_t a = 0; a < s->m; a++) {
        n_values[a] = 2;
        for (size_t t = 0; t < s->n; t++)
            cells[a][t] = mgl_micro_is_missing(s, t, a);
    }
    mgl_classes_group(&classes, cells, n_values, NULL, s->m, s->counts);
    memcpy(s->kind_of, classes.of_tuple, s->n * sizeof *s->kind_of);
    s->n_kinds = classes.n_classes;
    mgl_classes_free(&classes);
done:
    mgl_owned_free(&own);
    return status;
}

static uint64_t least_weight(const mgl_frequency_list *list)
{
    uint64_t least = UINT64_MAX;
    if (list->weighing.of_value == NULL)
        return 0;
    for (uint32_t v = 0; v < list->sensitive[list->weighing.histogram].n_values; v++)
        least = list->weighing.of_value[v] < least ? list->weighing.of_value[v] : least;
    return least;
}

/* Do the models of the whole table hold if every class has this size, and no row weighs more than
 * the lightest? Then they do with larger ones. */
static bool table_holds(const mgl_problem *problem, uint64_t size)
{
    const mgl_quasi_set *set = &problem->sets[0];
    uint64_t weight = size * least_weight(problem->list);
    mgl_class_sizes sizes = {.sizes = &size, .n = 1, .population = &weight};
    for (size_t i = 0; i < set->n_models; i++) {
        const mgl_model_type *type = set->models[i].type;
        if (type->scope == MGL_SCOPE_TABLE && !type->table_holds(&set->models[i], &sizes))
            return false;
    }
    return true;
}

static mgl_status find_need(mgl_micro_space *s, mgl_error *err)
{
    mgl_arena *arena = mgl_arena_new();
    mgl_demand demand;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(arena != NULL, err));
    MGL_GO(mgl_demand_make(s->problem, arena, err, &demand));
    s->need = demand.size;
    /* A row has one sensitive value, a person may have several. */
    for (size_t i = 0; s->problem->list->persons == NULL && i < demand.n_varieties; i++)
        if (demand.varieties[i].need > s->need)
            s->need = demand.varieties[i].need;
    while (s->need <= s->problem->list->n_rows && !table_holds(s->problem, s->need))
        s->need++;
done:
    mgl_arena_free(arena);
    return status;
}

mgl_status mgl_micro_space_new(const mgl_problem *problem, mgl_error *err, mgl_micro_space **out)
{
    mgl_micro_space *s;
    MGL_TRY(mgl_new_zeroed(1, sizeof *s, err, &s));
    s->problem = problem;
    s->m = problem->list->n_attributes;
    s->n = s->n_all = problem->list->n_tuples;
    s->counts = problem->list->counts;
    s->columns = mgl_own_zeroed(&s->own, s->m, sizeof *s->columns);
    s->kind_of = mgl_own_array(&s->own, s->n, sizeof *s->kind_of);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&s->own, err));
    for (size_t a = 0; a < s->m; a++)
        MGL_GO(add_column(s, a, err));
    s->points = mgl_own_zeroed(&s->own, s->n, s->d * sizeof *s->points);
    s->weights = mgl_own_zeroed(&s->own, s->d, sizeof *s->weights);
    MGL_GO(mgl_owned_check(&s->own, err));
    for (size_t a = 0; a < s->m; a++)
        fill_column(s, a);
    MGL_GO(find_kinds(s, err));
    MGL_GO(find_need(s, err));
    *out = s;
    s = NULL;
done:
    mgl_micro_space_free(s);
    return status;
}

mgl_status mgl_aggregate_check(const mgl_problem *problem, mgl_error *err)
{
    mgl_micro_space *s = mgl_zeroed_array(1, sizeof *s);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(s != NULL, err));
    s->problem = problem;
    s->m = problem->list->n_attributes;
    s->n = problem->list->n_tuples;
    s->counts = problem->list->counts;
    s->columns = mgl_own_zeroed(&s->own, s->m, sizeof *s->columns);
    MGL_GO(mgl_owned_check(&s->own, err));
    for (size_t a = 0; a < s->m; a++)
        MGL_GO(add_column(s, a, err));
done:
    mgl_micro_space_free(s);
    return status;
}

/* ---- Classes ---------------------------------------------------------------------------- */

void mgl_micro_class_free(mgl_micro_space *s)
{
    if (s == NULL)
        return;
    mgl_owned_free(&s->own);
    mgl_free(s);
}

/* Kinds keep their order, and those that do not occur have no number. */
static mgl_status number_kinds(mgl_micro_space *s, const mgl_micro_space *all, mgl_error *err)
{
    uint32_t *number;
    MGL_TRY(mgl_new_zeroed(all->n_kinds, sizeof *number, err, &number));
    for (size_t t = 0; t < s->n; t++)
        number[all->kind_of[s->tuple_of[t]]] = 1;
    for (size_t kind = 0; kind < all->n_kinds; kind++)
        number[kind] = number[kind] ? (uint32_t)s->n_kinds++ : 0;
    for (size_t t = 0; t < s->n; t++)
        s->kind_of[t] = number[all->kind_of[s->tuple_of[t]]];
    mgl_free(number);
    return MGL_OK;
}

mgl_status mgl_micro_class_new(const mgl_micro_space *all, const uint32_t *tuples, size_t n,
                               mgl_error *err, mgl_micro_space **out)
{
    mgl_micro_space *s;
    MGL_TRY(mgl_new_array(1, sizeof *s, err, &s));
    *s = *all;
    s->own = (mgl_owned){0};
    s->n = n;
    s->n_kinds = 0;
    s->tuple_of = tuples;
    uint64_t *counts = mgl_own_array(&s->own, n, sizeof *counts);
    s->counts = counts;
    s->points = mgl_own_array(&s->own, n, s->d * sizeof *s->points);
    s->kind_of = mgl_own_array(&s->own, n, sizeof *s->kind_of);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&s->own, err));
    for (size_t t = 0; t < n; t++) {
        counts[t] = all->counts[tuples[t]];
        memcpy(s->points + t * s->d, all->points + tuples[t] * s->d, s->d * sizeof *s->points);
    }
    MGL_GO(number_kinds(s, all, err));
    *out = s;
    s = NULL;
done:
    mgl_micro_class_free(s);
    return status;
}
