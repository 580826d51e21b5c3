/* Builds a tree of boxes around points and takes points out. point_tree.c and near_and_far.c call
 * it. */
#include "search/cluster/microaggregate/point_tree.h"

#include <math.h>
#include <stdlib.h>

enum {
    LANES = MGL_MICRO_LANES,
    SHELL_SHARE = 5 /* a shell has one in so many of the points within it */
};

int mgl_micro_compare(const void *p, const void *q)
{
    return mgl_micro_comes_first(p, q) ? -1 : mgl_micro_comes_first(q, p);
}

/* ---- What is known of a box ---------------------------------------------------------------- */

static void sum_leaf(mgl_micro_tree *x, mgl_micro_boxes *b, uint32_t number)
{
    mgl_micro_box *leaf = &b->boxes[number];
    const uint64_t *counts = x->space->counts;
    const uint32_t *tuples = b->tuples + (size_t)leaf->left * LANES;
    leaf->rows = 0;
    leaf->reach = 0;
    for (uint32_t i = 0; i < leaf->n; i++) {
        double radius = x->radius[tuples[i]];
        leaf->rows += counts[tuples[i]];
        leaf->reach = radius > leaf->reach ? radius : leaf->reach;
    }
    for (size_t a = 0; a < x->m; a++) {
        const double *at = b->coordinates + (leaf->left * x->m + a) * LANES;
        double low = INFINITY, high = -INFINITY, sum = 0;
        for (uint32_t i = 0; i < leaf->n; i++) {
            low = at[i] < low ? at[i] : low;
            high = at[i] > high ? at[i] : high;
            sum += (double)counts[tuples[i]] * at[i];
        }
        b->low[number * x->m + a] = low;
        b->high[number * x->m + a] = high;
        b->sums[number * x->m + a] = sum;
    }
}

static void sum_halves(mgl_micro_tree *x, mgl_micro_boxes *b, uint32_t number)
{
    mgl_micro_box *box = &b->boxes[number];
    const mgl_micro_box *left = &b->boxes[box->left], *right = &b->boxes[box->right];
    size_t l = box->left * x->m, r = box->right * x->m, both = number * x->m;
    box->n = left->n + right->n;
    box->rows = left->rows + right->rows;
    box->reach = left->reach > right->reach ? left->reach : right->reach;
    for (size_t a = 0; a < x->m; a++) {
        b->low[both + a] = b->low[l + a] < b->low[r + a] ? b->low[l + a] : b->low[r + a];
        b->high[both + a] = b->high[l + a] > b->high[r + a] ? b->high[l + a] : b->high[r + a];
        b->sums[both + a] = b->sums[l + a] + b->sums[r + a];
    }
}

/* ---- Building ------------------------------------------------------------------------------- */

static void fill_leaf(mgl_micro_tree *x, mgl_micro_boxes *b, uint32_t number,
                      const mgl_micro_near *points, size_t n)
{
    uint32_t block = b->n_blocks++;
    b->box_of[block] = number;
    b->boxes[number].left = block;
    b->boxes[number].right = MGL_NOT_FOUND;
    b->boxes[number].n = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        b->tuples[block * LANES + i] = points[i].tuple;
        b->block_of[points[i].tuple] = block;
    }
    for (size_t a = 0; a < x->m; a++) {
        double *at = b->coordinates + (block * x->m + a) * LANES;
        for (size_t i = 0; i < LANES; i++) /* what is computed for the others is not looked at */
            at[i] = i < n ? mgl_micro_coordinate(x, points[i].tuple, a) : 0;
    }
    sum_leaf(x, b, number);
}

/* The axis along which the points lie farthest apart. */
static size_t widest_axis(const mgl_micro_tree *x, const mgl_micro_near *points, size_t n)
{
    size_t widest = 0;
    double most = -1;
    for (size_t a = 0; a < x->m; a++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            double at = mgl_micro_coordinate(x, points[i].tuple, a);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        double width = (high - low) * (high - low) * x->weights[a];
        if (width > most) {
            most = width;
            widest = a;
        }
    }
    return widest;
}

/* Puts the first `first` of n points before all others. */
static void select_first(mgl_micro_near *points, size_t n, size_t first)
{
    while (n > 1 && first > 0 && first < n) {
        mgl_micro_near pivot = points[n / 2];
        size_t low = 0, high = n - 1;
        for (;;) {
            while (mgl_micro_comes_first(&points[low], &pivot))
                low++;
            while (mgl_micro_comes_first(&pivot, &points[high]))
                high--;
            if (low >= high)
                break;
            mgl_micro_swap(&points[low++], &points[high--]);
        }
        /* Nothing from low on comes before the pivot, nothing before it comes after. */
        if (first <= low) {
            n = low;
        } else {
            points += low;
            n -= low;
            first -= low;
        }
    }
}

/* All blocks but the last are full. */
static size_t whole_blocks(size_t n)
{
    return n < LANES ? LANES : n / LANES * LANES;
}

static uint32_t build_halves(mgl_micro_tree *x, mgl_micro_boxes *b, uint32_t parent,
                             mgl_micro_near *points, size_t n)
{
    uint32_t number = b->n_boxes++;
    b->boxes[number] = (mgl_micro_box){.parent = parent};
    if (n <= LANES) {
        fill_leaf(x, b, number, points, n);
        return number;
    }
    size_t half = whole_blocks((n + LANES) / 2), axis = widest_axis(x, points, n);
    for (size_t i = 0; i < n; i++)
        points[i].distance = x->m > 0 ? mgl_micro_coordinate(x, points[i].tuple, axis) : 0;
    select_first(points, n, half);
    uint32_t left = build_halves(x, b, number, points, half);
    uint32_t right = build_halves(x, b, number, points + half, n - half);
    b->boxes[number].left = left;
    b->boxes[number].right = right;
    sum_halves(x, b, number);
    return number;
}

/* From points with the outermost first. */
static uint32_t build_shells(mgl_micro_tree *x, mgl_micro_boxes *b, uint32_t parent,
                             mgl_micro_near *points, size_t n)
{
    if (n <= LANES)
        return build_halves(x, b, parent, points, n);
    uint32_t number = b->n_boxes++;
    b->boxes[number] = (mgl_micro_box){.parent = parent};
    size_t shell = whole_blocks(n / SHELL_SHARE);
    uint32_t left = build_halves(x, b, number, points, shell);
    uint32_t right = build_shells(x, b, number, points + shell, n - shell);
    b->boxes[number].left = left;
    b->boxes[number].right = right;
    sum_halves(x, b, number);
    return number;
}

void mgl_micro_boxes_build(mgl_micro_tree *x, mgl_micro_boxes *b, mgl_micro_near *points, size_t n)
{
    b->n_blocks = b->n_boxes = 0;
    if (!b->in_shells) {
        build_halves(x, b, MGL_NOT_FOUND, points, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        points[i].distance = -x->radius[points[i].tuple];
    qsort(points, n, sizeof *points, mgl_micro_compare);
    build_shells(x, b, MGL_NOT_FOUND, points, n);
}

/* ---- Removing ------------------------------------------------------------------------------- */

void mgl_micro_boxes_remove(mgl_micro_tree *x, mgl_micro_boxes *b, uint32_t tuple)
{
    uint32_t block = b->block_of[tuple], number = b->box_of[block];
    uint32_t *tuples = b->tuples + (size_t)block * LANES;
    uint32_t lane = 0, last = --b->boxes[number].n;
    while (tuples[lane] != tuple)
        lane++;
    tuples[lane] = tuples[last];
    for (size_t a = 0; a < x->m; a++) {
        double *at = b->coordinates + (block * x->m + a) * LANES;
        at[lane] = at[last];
    }
    sum_leaf(x, b, number);
    while (b->boxes[number].parent != MGL_NOT_FOUND) {
        number = b->boxes[number].parent;
        sum_halves(x, b, number);
    }
}
