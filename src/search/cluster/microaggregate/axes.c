/* Columns of categories as axes: one for each value, so that tuples of different values are equally
 * far from each other. Where there are many values the lowest level of the hierarchy with few of
 * them has the axes; if there is none, the most frequent values have one each and the others one
 * together. Distances choose groups and promise nothing. points.c calls it. */
#include "search/cluster/microaggregate/points.h"

#include <stdlib.h>

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

static int compare_frequent(const void *p, const void *q)
{
    const frequent *x = p, *y = q;
    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

static mgl_status find_frequent(mgl_micro_space *s, size_t a, mgl_error *err)
{
    mgl_micro_column *c = &s->columns[a];
    uint32_t n = s->problem->columns[a]->hierarchy->n_leaves;
    frequent *leaves = mgl_alloc_array(n, sizeof *leaves);
    if (leaves == NULL)
        return mgl_fail_memory(err);
    for (uint32_t leaf = 0; leaf < n; leaf++)
        leaves[leaf] = (frequent){0, leaf};
    for (size_t t = 0; t < s->n; t++)
        leaves[mgl_list_leaf(s->problem->list, t, a)].rows += s->counts[t];
    qsort(leaves, n, sizeof *leaves, compare_frequent);
    for (uint32_t i = 0; i < n; i++)
        c->axis_of_leaf[leaves[i].leaf] = i < MOST_AXES - 1 ? i : MOST_AXES - 1;
    c->n_axes = n < MOST_AXES ? n : MOST_AXES;
    mgl_free(leaves);
    return MGL_OK;
}

mgl_status mgl_micro_find_axes(mgl_micro_space *s, size_t a, mgl_error *err)
{
    mgl_micro_column *c = &s->columns[a];
    const mgl_hierarchy *h = s->problem->columns[a]->hierarchy;
    uint32_t level = choose_level(h);
    c->axis_of_leaf = mgl_alloc_array(h->n_leaves, sizeof *c->axis_of_leaf);
    if (c->axis_of_leaf == NULL)
        return mgl_fail_memory(err);
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

void mgl_micro_fill_axes(mgl_micro_space *s, size_t a)
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
