/* Makes points of tuples: the columns of a table as axes of a space. microaggregate.c calls it, and
 * all groupings measure distances with it. */
#include "search/cluster/microaggregate/points.h"
#include "search/node/node.h"

#include <math.h>

void mgl_micro_space_free(mgl_micro_space *space)
{
    if (space == NULL)
        return;
    for (size_t a = 0; space->columns != NULL && a < space->m; a++)
        mgl_scale_free(space->columns[a].scale);
    mgl_free(space->columns);
    mgl_free(space->points);
    mgl_free(space->kind_of);
    mgl_free(space);
}

bool mgl_micro_is_missing(const mgl_micro_space *s, size_t tuple, size_t a)
{
    return !s->columns[a].at_top && mgl_list_leaf(s->problem->list, tuple, a) ==
                                        s->problem->columns[a]->hierarchy->missing_leaf;
}

double mgl_micro_number(const mgl_micro_space *s, size_t tuple, size_t a)
{
    const mgl_micro_column *c = &s->columns[a];
    if (c->scale == NULL)
        return NAN;
    return ldexp(c->scale->of_leaf[mgl_list_leaf(s->problem->list, tuple, a)], -c->exponent);
}

mgl_status mgl_micro_poll(const mgl_micro_space *s, size_t done, mgl_error *err, bool *late)
{
    if (mgl_problem_is_late(s->problem))
        *late = true;
    return mgl_progress_report(s->problem->progress, "search", done, s->n, err);
}

/* ---- Scales --------------------------------------------------------------------------- */

static mgl_status refuse(const mgl_problem *p, size_t a, mgl_error *err)
{
    char name[80];
    mgl_problem_column(p, a, name);
    return mgl_blame_key(
        err,
        mgl_blame_column(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "%s holds texts; microaggregate replaces numbers, and dates in one clear "
                     "order, by averages: leave the column out of `role: quasi`, or use `method: "
                     "mondrian` or "
                     "k-member",
                     name),
            p->names != NULL ? p->names[a] : NULL),
        "method");
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
    const uint64_t *counts = s->problem->list->counts;
    mgl_micro_column *c = &s->columns[a];
    double least = ldexp(c->least, -c->exponent), sum = 0, squares = 0;
    for (size_t t = 0; t < s->n; t++) {
        double *x = &s->points[t * s->m + a];
        *x = 0;
        if (mgl_micro_is_missing(s, t, a))
            continue;
        *x = mgl_micro_number(s, t, a) - least;
        sum += (double)counts[t] * *x;
        c->rows += counts[t];
    }
    c->mean = sum / (double)c->rows;
    for (size_t t = 0; t < s->n; t++) {
        double *x = &s->points[t * s->m + a];
        if (mgl_micro_is_missing(s, t, a))
            *x = c->mean;
        squares += (double)counts[t] * (*x - c->mean) * (*x - c->mean);
    }
    c->variance = c->most > c->least ? squares / (double)c->rows : 0;
    c->weight = c->variance > 0 ? 1 / c->variance : 0;
}

/* A column of nothing but missing cells has no extent, and all its points lie at 0. */
static mgl_status add_column(mgl_micro_space *s, size_t a, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    const mgl_hierarchy *h = p->columns[a]->hierarchy;
    s->columns[a].at_top = p->min_level[a] == h->height;
    if (s->columns[a].at_top)
        return MGL_OK;
    if (p->min_level[a] > 0 || p->max_level[a] < h->height)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "`level`: microaggregate releases averages or ranges, which have no "
                     "level; leave it out, or use another method (`help methods`)"),
            "level");
    MGL_TRY(mgl_scale_new(h, err, &s->columns[a].scale));
    bool missing_only = h->missing_leaf != MGL_NOT_FOUND && h->n_leaves == 1;
    if (s->columns[a].scale == NULL && !missing_only)
        return refuse(p, a, err);
    if (s->columns[a].scale == NULL)
        return MGL_OK;
    find_extent(s, a);
    if (s->columns[a].least <= s->columns[a].most)
        place_points(s, a);
    return MGL_OK;
}

/* ---- Kinds of tuples, and what groups need ----------------------------------------------- */

static mgl_status find_kinds(mgl_micro_space *s, mgl_error *err)
{
    mgl_classes classes;
    uint32_t *n_values = mgl_alloc_array(s->m, sizeof *n_values);
    uint32_t **cells = mgl_alloc_array(s->m, sizeof *cells);
    uint32_t *missing = mgl_alloc_array(s->n, s->m * sizeof *missing);
    mgl_status status = MGL_OK;
    if (n_values == NULL || cells == NULL || missing == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_classes_init(&classes, s->n, s->m, err));
    for (size_t a = 0; a < s->m; a++) {
        n_values[a] = 2;
        cells[a] = missing + a * s->n;
        for (size_t t = 0; t < s->n; t++)
            cells[a][t] = mgl_micro_is_missing(s, t, a);
    }
    mgl_classes_group(&classes, cells, n_values, NULL, s->m, s->problem->list->counts);
    memcpy(s->kind_of, classes.of_tuple, s->n * sizeof *s->kind_of);
    s->n_kinds = classes.n_classes;
    mgl_classes_free(&classes);
done:
    mgl_free(n_values);
    mgl_free(cells);
    mgl_free(missing);
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
    if (arena == NULL)
        MGL_GO(mgl_fail_memory(err));
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
    mgl_micro_space *s = mgl_zeroed_array(1, sizeof *s);
    if (s == NULL)
        return mgl_fail_memory(err);
    s->problem = problem;
    s->m = problem->list->n_attributes;
    s->n = problem->list->n_tuples;
    s->columns = mgl_zeroed_array(s->m, sizeof *s->columns);
    s->points = mgl_zeroed_array(s->n, s->m * sizeof *s->points);
    s->kind_of = mgl_alloc_array(s->n, sizeof *s->kind_of);
    mgl_status status = MGL_OK;
    if (s->columns == NULL || s->points == NULL || s->kind_of == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < s->m; a++)
        MGL_GO(add_column(s, a, err));
    MGL_GO(find_kinds(s, err));
    MGL_GO(find_need(s, err));
    *out = s;
    s = NULL;
done:
    mgl_micro_space_free(s);
    return status;
}
