/* The points nearest to a point, and the one farthest away. A box is passed over if none of its
 * points can be among them.
 *
 * Bounds of boxes are computed in the same steps and in the same order as distances. Each step is
 * monotone also with rounding, so that a bound is never on the wrong side of a distance. mdav.c
 * calls it. */
#include "search/cluster/microaggregate/point_tree.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = MGL_MICRO_LANES, AT_ONCE = 8 };

static void aim(mgl_micro_tree *x, const double *point)
{
    for (size_t a = 0; a < x->m; a++)
        x->point[a] = point[x->axes[a]];
}

/* As every machine can compute side by side. */
typedef double pair __attribute__((vector_size(16)));

static inline pair square(const double *at, double point, double weight)
{
    pair off;
    memcpy(&off, at, sizeof off);
    off -= point;
    return off * off * weight;
}

/* The distances of all points of a block; lanes without a point get some number. */
static void measure(const mgl_micro_tree *x, const mgl_micro_boxes *b, uint32_t block,
                    double *distances)
{
    const double *first = b->coordinates + block * x->m * LANES;
    for (size_t lane = 0; lane < LANES; lane += AT_ONCE) {
        const double *at = first + lane;
        pair p = {0}, q = {0}, r = {0}, s = {0}; /* registers, which an array would not be */
        for (size_t a = 0; a < x->m; a++, at += LANES) {
            p += square(at, x->point[a], x->weights[a]);
            q += square(at + 2, x->point[a], x->weights[a]);
            r += square(at + 4, x->point[a], x->weights[a]);
            s += square(at + 6, x->point[a], x->weights[a]);
        }
        pair sums[AT_ONCE / 2] = {p, q, r, s};
        memcpy(distances + lane, sums, sizeof sums);
    }
}

/* ---- The farthest ------------------------------------------------------------------------- */

typedef struct farthest {
    double off; /* of the point from the middle of the shells */
    double most;
    uint32_t tuple;
} farthest;

static bool may_be_farthest(const farthest *f, double distance)
{
    return distance >= f->most * (1 - MGL_MICRO_EQUAL);
}

/* No point of the box is farther away; or less than the farthest, if that is sure at once. */
static double most_distance(const mgl_micro_tree *x, const farthest *f, uint32_t number)
{
    const mgl_micro_boxes *b = &x->shells;
    const double *low = b->low + number * x->m, *high = b->high + number * x->m;
    double reach = f->off + b->boxes[number].reach, sum = 0;
    if (b->boxes[number].n == 0)
        return -1;
    reach *= reach * (1 + 1e-9); /* more than roundings can make of it */
    if (!may_be_farthest(f, reach))
        return reach;
    for (size_t a = 0; a < x->m; a++) {
        double below = x->point[a] - low[a], above = high[a] - x->point[a];
        double off = below > above ? below : above;
        sum += off * off * x->weights[a];
    }
    return sum < reach ? sum : reach;
}

static void look_far(const mgl_micro_tree *x, uint32_t number, farthest *f)
{
    const mgl_micro_box *here = &x->shells.boxes[number];
    if (mgl_micro_is_leaf(here)) {
        double distances[LANES];
        measure(x, &x->shells, here->left, distances);
        for (uint32_t i = 0; i < here->n; i++) {
            uint32_t tuple = x->shells.tuples[here->left * LANES + i];
            if (!may_be_farthest(f, distances[i]))
                continue;
            if (f->tuple == MGL_NOT_FOUND || tuple > f->tuple ||
                distances[i] > f->most * (1 + MGL_MICRO_EQUAL))
                f->tuple = tuple;
            f->most = distances[i] > f->most ? distances[i] : f->most;
        }
        return;
    }
    double left = most_distance(x, f, here->left), right = most_distance(x, f, here->right);
    bool left_first = left >= right;
    if (may_be_farthest(f, left_first ? left : right))
        look_far(x, left_first ? here->left : here->right, f);
    if (may_be_farthest(f, left_first ? right : left))
        look_far(x, left_first ? here->right : here->left, f);
}

uint32_t mgl_micro_tree_farthest(mgl_micro_tree *x, const double *point)
{
    farthest f = {.tuple = MGL_NOT_FOUND};
    aim(x, point);
    for (size_t a = 0; a < x->m; a++)
        f.off += (x->point[a] - x->middle[a]) * (x->point[a] - x->middle[a]) * x->weights[a];
    f.off = sqrt(f.off);
    look_far(x, 0, &f);
    return f.tuple;
}

/* ---- The nearest -------------------------------------------------------------------------- */

static void sort_near(mgl_micro_near *points, size_t n)
{
    if (n > LANES) {
        qsort(points, n, sizeof *points, mgl_micro_compare);
        return;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && mgl_micro_comes_first(&points[j], &points[j - 1]); j--)
            mgl_micro_swap(&points[j], &points[j - 1]);
}

/* Of the points found keeps those that may be among the nearest: they are in order then. */
static void keep_nearest(mgl_micro_tree *x)
{
    const uint64_t *counts = x->space->counts;
    uint64_t rows = 0;
    sort_near(x->found, x->n_found);
    x->n_kept = 0;
    while (x->n_kept < x->n_found && rows < x->wanted)
        rows += counts[x->found[x->n_kept++].tuple];
    if (rows < x->wanted)
        return;
    x->limit = x->found[x->n_kept - 1].distance * (1 + MGL_MICRO_EQUAL);
    while (x->n_kept < x->n_found && x->found[x->n_kept].distance <= x->limit)
        x->n_kept++;
    x->n_found = x->n_kept;
}

/* No point of the box is nearer. */
static double least_distance(const mgl_micro_tree *x, uint32_t number)
{
    const mgl_micro_boxes *b = &x->halves;
    const double *low = b->low + number * x->m, *high = b->high + number * x->m;
    double sum = 0;
    if (b->boxes[number].n == 0)
        return INFINITY;
    for (size_t a = 0; a < x->m; a++) {
        double below = low[a] - x->point[a], above = x->point[a] - high[a];
        double off = below > above ? below : above;
        off = off > 0 ? off : 0;
        sum += off * off * x->weights[a];
    }
    return sum;
}

static void look_near(mgl_micro_tree *x, uint32_t number, double bound)
{
    const mgl_micro_box *here = &x->halves.boxes[number];
    if (here->n == 0 || bound > x->limit)
        return;
    if (mgl_micro_is_leaf(here)) {
        double distances[LANES];
        measure(x, &x->halves, here->left, distances);
        for (uint32_t i = 0; i < here->n; i++)
            if (distances[i] <= x->limit)
                x->found[x->n_found++] =
                    (mgl_micro_near){distances[i], x->halves.tuples[here->left * LANES + i]};
        if (x->n_found - x->n_kept > x->n_kept / 4)
            keep_nearest(x);
        return;
    }
    double left = least_distance(x, here->left), right = least_distance(x, here->right);
    bool left_first = left <= right;
    look_near(x, left_first ? here->left : here->right, left_first ? left : right);
    look_near(x, left_first ? here->right : here->left, left_first ? right : left);
}

static int compare_tuples(const void *p, const void *q)
{
    const mgl_micro_near *x = p, *y = q;
    return (x->tuple < y->tuple) - (x->tuple > y->tuple);
}

/* Points at equal distances, as told by the first of them: the larger tuple first. */
static void order_equal(mgl_micro_near *points, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        double limit = points[i].distance * (1 + MGL_MICRO_EQUAL);
        for (end = i + 1; end < n && points[end].distance <= limit;)
            end++;
        if (end > i + 1)
            qsort(points + i, end - i, sizeof *points, compare_tuples);
    }
}

size_t mgl_micro_tree_nearest(mgl_micro_tree *x, const double *point, uint64_t rows,
                              const uint32_t **tuples)
{
    const uint64_t *counts = x->space->counts;
    uint64_t reached = 0;
    size_t n = 0;
    aim(x, point);
    x->n_found = x->n_kept = 0;
    x->limit = INFINITY;
    x->wanted = rows;
    look_near(x, 0, 0);
    keep_nearest(x);
    order_equal(x->found, x->n_found);
    for (; n < x->n_found && reached < rows; n++) {
        x->answer[n] = x->found[n].tuple;
        reached += counts[x->answer[n]];
    }
    *tuples = x->answer;
    return n;
}
