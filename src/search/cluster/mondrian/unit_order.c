/* Puts the leaves of each column in a row of units, as Mondrian sees them. */
#include "search/cluster/mondrian/cutting.h"

enum { TUPLES_AT_ONCE = 1 << 15 };

/* ---- Numbers and dates ------------------------------------------------------------- */

/* Leaves of equal numbers are one unit; the missing value comes after all of them. */
static mgl_status fill_numbers(mgl_mondrian_column *c, mgl_arena *arena, mgl_error *err)
{
    const mgl_scale *scale = c->scale;
    uint32_t missing = c->hierarchy->missing_leaf;
    c->numbers = mgl_arena_alloc(arena, (scale->n_ordered + 1) * sizeof *c->numbers);
    if (c->numbers == NULL)
        return mgl_fail_memory(err);
    for (uint32_t i = 0; i < scale->n_ordered; i++) {
        uint32_t leaf = scale->ordered[i];
        double number = scale->of_leaf[leaf];
        if (c->n_units == 0 || c->numbers[c->n_units - 1] != number) {
            c->leaf_of_unit[c->n_units] = leaf;
            c->numbers[c->n_units++] = number;
        }
        c->unit_of_leaf[leaf] = c->n_units - 1;
    }
    if (missing != MGL_NOT_FOUND) {
        c->missing = c->n_units;
        c->leaf_of_unit[c->n_units] = missing;
        c->unit_of_leaf[missing] = c->n_units++;
    }
    return MGL_OK;
}

/* ---- Hierarchies --------------------------------------------------------------------- */

/* Puts leaves in the order of their values on a level; equal ones stay in theirs. */
static void sort_by_level(const mgl_level *level, const uint32_t *from, uint32_t n, uint32_t *start,
                          uint32_t *to)
{
    memset(start, 0, (level->n_values + 1) * sizeof *start);
    for (uint32_t i = 0; i < n; i++)
        start[level->of_leaf[from[i]] + 1]++;
    for (uint32_t v = 0; v < level->n_values; v++)
        start[v + 1] += start[v];
    for (uint32_t i = 0; i < n; i++)
        to[start[level->of_leaf[from[i]]]++] = from[i];
}

/* One leaf of each value of the lowest level, sorted by this level, then by the next one, ...:
 * at last the highest levels decide, and those under one value stand side by side. */
static mgl_status fill_levels(mgl_mondrian_column *c, mgl_error *err)
{
    const mgl_hierarchy *h = c->hierarchy;
    const mgl_level *lowest = &h->levels[c->low];
    c->n_units = lowest->n_values;
    uint32_t *start = mgl_alloc_array((size_t)h->n_leaves + 1, sizeof *start);
    uint32_t *other = mgl_alloc_array(c->n_units, sizeof *other);
    mgl_status status = start == NULL || other == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK) {
        memcpy(other, lowest->first_leaf, c->n_units * sizeof *other);
        for (uint32_t l = c->low; l < h->height; l++) {
            sort_by_level(&h->levels[l], other, c->n_units, start, c->leaf_of_unit);
            memcpy(other, c->leaf_of_unit, c->n_units * sizeof *other);
        }
        memcpy(c->leaf_of_unit, other, c->n_units * sizeof *other);
        for (uint32_t u = 0; u < c->n_units; u++)
            start[lowest->of_leaf[c->leaf_of_unit[u]]] = u;
        for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
            c->unit_of_leaf[leaf] = start[lowest->of_leaf[leaf]];
    }
    mgl_free(start);
    mgl_free(other);
    return status;
}

uint32_t mgl_mondrian_level(const mgl_mondrian_column *c, uint32_t first, uint32_t last)
{
    const mgl_level *levels = c->hierarchy->levels;
    uint32_t a = c->leaf_of_unit[first], b = c->leaf_of_unit[last], level = c->low;
    while (levels[level].of_leaf[a] != levels[level].of_leaf[b])
        level++;
    return level;
}

double mgl_mondrian_width(const mgl_mondrian_column *c, uint32_t first, uint32_t last)
{
    if (c->scale == NULL) {
        uint32_t level = mgl_mondrian_level(c, first, last);
        return c->released->values[c->released->of_leaf[level][c->leaf_of_unit[first]]].loss;
    }
    if (first == last)
        return 0;
    if (last == c->missing) /* there is no range of these */
        return 1;
    uint32_t n = c->missing != MGL_NOT_FOUND ? c->missing : c->n_units;
    return (c->numbers[last] - c->numbers[first]) / (c->numbers[n - 1] - c->numbers[0]);
}

/* ---- The space ------------------------------------------------------------------------- */

/* A column without a hierarchy of its own is released as ranges if it can be, unless the job says
 * which of the two levels it wants. */
static bool wants_ranges(const mgl_problem *p, size_t a)
{
    const mgl_hierarchy *h = p->columns[a]->hierarchy;
    return !h->given && h->star_leaf == MGL_NOT_FOUND && p->min_level[a] == 0 &&
           p->max_level[a] == h->height;
}

static mgl_status fill_column(mgl_mondrian_space *s, size_t a, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    mgl_mondrian_column *c = &s->columns[a];
    const mgl_hierarchy *h = p->columns[a]->hierarchy;
    *c = (mgl_mondrian_column){.released = p->columns[a],
                               .hierarchy = h,
                               .low = p->min_level[a],
                               .high = p->max_level[a],
                               .missing = MGL_NOT_FOUND};
    c->unit_of_leaf = mgl_arena_alloc(s->arena, h->n_leaves * sizeof *c->unit_of_leaf);
    c->leaf_of_unit = mgl_arena_alloc(s->arena, h->n_leaves * sizeof *c->leaf_of_unit);
    if (c->unit_of_leaf == NULL || c->leaf_of_unit == NULL)
        return mgl_fail_memory(err);
    if (wants_ranges(p, a))
        MGL_TRY(mgl_scale_new(h, err, &c->scale));
    if (c->scale != NULL)
        return fill_numbers(c, s->arena, err);
    for (uint32_t l = c->low; l <= h->height; l++)
        s->n_keys = h->levels[l].n_values > s->n_keys ? h->levels[l].n_values : s->n_keys;
    return fill_levels(c, err);
}

static void fill_units(void *context, size_t item, unsigned worker)
{
    (void)worker;
    mgl_mondrian_space *s = context;
    const mgl_frequency_list *list = s->problem->list;
    size_t begin = item * TUPLES_AT_ONCE;
    size_t end = begin + TUPLES_AT_ONCE < s->n ? begin + TUPLES_AT_ONCE : s->n;
    for (size_t t = begin; t < end; t++)
        for (size_t a = 0; a < s->m; a++)
            s->units[t * s->m + a] = s->columns[a].unit_of_leaf[mgl_list_leaf(list, t, a)];
}

static bool is_judged(const mgl_problem *p)
{
    for (size_t i = 0; i < p->sets[0].n_models; i++)
        if (mgl_needs_histograms(p->sets[0].models[i].type))
            return true;
    return p->list->persons != NULL;
}

static mgl_status fill(mgl_mondrian_space *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    s->arena = mgl_arena_new();
    s->columns = mgl_zeroed_array(s->m, sizeof *s->columns);
    s->units = mgl_alloc_array(s->n, s->m * sizeof *s->units);
    if (s->arena == NULL || s->columns == NULL || s->units == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < s->m; a++)
        MGL_TRY(fill_column(s, a, err));
    mgl_pool_run(p->pool, (s->n + TUPLES_AT_ONCE - 1) / TUPLES_AT_ONCE, fill_units, s);
    return MGL_OK;
}

mgl_status mgl_mondrian_space_new(const mgl_problem *p, mgl_error *err, mgl_mondrian_space **out)
{
    mgl_mondrian_space *s = mgl_zeroed_array(1, sizeof *s);
    if (s == NULL)
        return mgl_fail_memory(err);
    *s = (mgl_mondrian_space){.problem = p,
                              .n = p->list->n_tuples,
                              .m = p->list->n_attributes,
                              .n_keys = 2,
                              .judged = is_judged(p)};
    mgl_status status = fill(s, err);
    if (status != MGL_OK) {
        mgl_mondrian_space_free(s);
        return status;
    }
    *out = s;
    return MGL_OK;
}

void mgl_mondrian_space_free(mgl_mondrian_space *s)
{
    if (s == NULL)
        return;
    for (size_t a = 0; s->columns != NULL && a < s->m; a++)
        mgl_scale_free(s->columns[a].scale);
    mgl_free(s->columns);
    mgl_free(s->units);
    mgl_arena_free(s->arena);
    mgl_free(s);
}
