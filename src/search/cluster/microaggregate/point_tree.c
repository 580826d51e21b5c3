/* A tree of boxes around the points that are in no group yet: their mean, the points nearest to a
 * point, and the one farthest away. */
#include "search/cluster/microaggregate/points.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 32 };

/* A point in a row of points. */
typedef struct near {
    double distance;
    uint32_t tuple;
} near;

/* A box around points. A leaf has a block of them. */
typedef struct micro_box {
    uint32_t parent;
    uint32_t left, right; /* of a leaf: the block, MGL_NOT_FOUND */
    uint32_t n;           /* points */
    uint64_t rows;
    double reach; /* how far from the middle they are, at most */
} micro_box;

/* Blocks of up to 32 points, coordinate by coordinate, so that their distances are computed side
 * by side; and the boxes around them. */
typedef struct micro_boxes {
    bool in_shells;
    uint32_t n_blocks, n_boxes;
    double *coordinates; /* [(block * m + a) * LANES + lane] */
    uint32_t *tuples;    /* [block * LANES + lane] */
    uint32_t *box_of;    /* [block] */
    uint32_t *block_of;  /* [tuple] */
    micro_box *boxes;    /* [0] the root */
    double *low, *high;  /* [box * m + a] */
    double *sums;        /* [box * m + a] over rows */
    mgl_owned own;
} micro_boxes;

struct mgl_micro_tree {
    const mgl_micro_space *space;
    size_t m;           /* axes along which the points differ */
    uint32_t *axes;     /* [m] columns */
    double *weights;    /* [m] */
    double *common;     /* [columns] where all points are along the others */
    size_t n_built;     /* points when the boxes were built last */
    micro_boxes halves; /* to find near points */
    micro_boxes shells; /* to find far ones */
    double *middle;     /* [m] what the shells are around */
    double *radius;     /* [tuple] distance from it */
    double *point;      /* [m] what distances are measured from */
    near *found;        /* [n] near points: n_kept in order, then further ones */
    size_t n_found, n_kept;
    double limit;     /* points farther away are not among the nearest */
    uint64_t wanted;  /* rows that the nearest ones must have */
    uint32_t *answer; /* [n] */
    mgl_owned own;
};

static inline bool is_leaf(const micro_box *box)
{
    return box->right == MGL_NOT_FOUND;
}

static inline double coordinate(const mgl_micro_tree *tree, uint32_t tuple, size_t a)
{
    return tree->space->points[tuple * tree->space->d + tree->axes[a]];
}

/* Points at different distances; of equal ones the larger tuple comes first. */
static inline bool comes_first(const near *p, const near *q)
{
    return p->distance < q->distance || (p->distance == q->distance && p->tuple > q->tuple);
}

static inline void swap(near *p, near *q)
{
    near held = *p;
    *p = *q;
    *q = held;
}

/* Builds a tree of boxes around points and takes points out. */

enum {
    SHELL_SHARE = 5 /* a shell has one in so many of the points within it */
};

static int compare(const void *p, const void *q)
{
    return comes_first(p, q) ? -1 : comes_first(q, p);
}

static void sum_leaf(mgl_micro_tree *x, micro_boxes *b, uint32_t number)
{
    micro_box *leaf = &b->boxes[number];
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

static void sum_halves(mgl_micro_tree *x, micro_boxes *b, uint32_t number)
{
    micro_box *box = &b->boxes[number];
    const micro_box *left = &b->boxes[box->left], *right = &b->boxes[box->right];
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

static void fill_leaf(mgl_micro_tree *x, micro_boxes *b, uint32_t number, const near *points,
                      size_t n)
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
            at[i] = i < n ? coordinate(x, points[i].tuple, a) : 0;
    }
    sum_leaf(x, b, number);
}

/* The axis along which the points lie farthest apart. */
static size_t widest_axis(const mgl_micro_tree *x, const near *points, size_t n)
{
    size_t widest = 0;
    double most = -1;
    for (size_t a = 0; a < x->m; a++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            double at = coordinate(x, points[i].tuple, a);
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
static void select_first(near *points, size_t n, size_t first)
{
    while (n > 1 && first > 0 && first < n) {
        near pivot = points[n / 2];
        size_t low = 0, high = n - 1;
        for (;;) {
            while (comes_first(&points[low], &pivot))
                low++;
            while (comes_first(&pivot, &points[high]))
                high--;
            if (low >= high)
                break;
            swap(&points[low++], &points[high--]);
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

static uint32_t build_halves(mgl_micro_tree *x, micro_boxes *b, uint32_t parent, near *points,
                             size_t n)
{
    uint32_t number = b->n_boxes++;
    b->boxes[number] = (micro_box){.parent = parent};
    if (n <= LANES) {
        fill_leaf(x, b, number, points, n);
        return number;
    }
    size_t half = whole_blocks((n + LANES) / 2), axis = widest_axis(x, points, n);
    for (size_t i = 0; i < n; i++)
        points[i].distance = x->m > 0 ? coordinate(x, points[i].tuple, axis) : 0;
    select_first(points, n, half);
    uint32_t left = build_halves(x, b, number, points, half);
    uint32_t right = build_halves(x, b, number, points + half, n - half);
    b->boxes[number].left = left;
    b->boxes[number].right = right;
    sum_halves(x, b, number);
    return number;
}

/* From points with the outermost first. */
static uint32_t build_shells(mgl_micro_tree *x, micro_boxes *b, uint32_t parent, near *points,
                             size_t n)
{
    if (n <= LANES)
        return build_halves(x, b, parent, points, n);
    uint32_t number = b->n_boxes++;
    b->boxes[number] = (micro_box){.parent = parent};
    size_t shell = whole_blocks(n / SHELL_SHARE);
    uint32_t left = build_halves(x, b, number, points, shell);
    uint32_t right = build_shells(x, b, number, points + shell, n - shell);
    b->boxes[number].left = left;
    b->boxes[number].right = right;
    sum_halves(x, b, number);
    return number;
}

/* Builds the boxes of points, in whose order it makes a mess. */
static void boxes_build(mgl_micro_tree *x, micro_boxes *b, near *points, size_t n)
{
    b->n_blocks = b->n_boxes = 0;
    if (!b->in_shells) {
        build_halves(x, b, MGL_NOT_FOUND, points, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        points[i].distance = -x->radius[points[i].tuple];
    qsort(points, n, sizeof *points, compare);
    build_shells(x, b, MGL_NOT_FOUND, points, n);
}

static void boxes_remove(mgl_micro_tree *x, micro_boxes *b, uint32_t tuple)
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

/* The points nearest to a point, and the one farthest away. A box is passed over if none of its
 * points can be among them.
 *
 * Bounds of boxes are computed in the same steps and in the same order as distances. Each step is
 * monotone also with rounding, so that a bound is never on the wrong side of a distance. */

enum { AT_ONCE = 8 };

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
static void measure(const mgl_micro_tree *x, const micro_boxes *b, uint32_t block,
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
    const micro_boxes *b = &x->shells;
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
    const micro_box *here = &x->shells.boxes[number];
    if (is_leaf(here)) {
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

static void sort_near(near *points, size_t n)
{
    if (n > LANES) {
        qsort(points, n, sizeof *points, compare);
        return;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && comes_first(&points[j], &points[j - 1]); j--)
            swap(&points[j], &points[j - 1]);
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
    const micro_boxes *b = &x->halves;
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
    const micro_box *here = &x->halves.boxes[number];
    if (here->n == 0 || bound > x->limit)
        return;
    if (is_leaf(here)) {
        double distances[LANES];
        measure(x, &x->halves, here->left, distances);
        for (uint32_t i = 0; i < here->n; i++)
            if (distances[i] <= x->limit)
                x->found[x->n_found++] =
                    (near){distances[i], x->halves.tuples[here->left * LANES + i]};
        if (x->n_found - x->n_kept > x->n_kept / 4)
            keep_nearest(x);
        return;
    }
    double left = least_distance(x, here->left), right = least_distance(x, here->right);
    bool left_first = left <= right;
    look_near(x, left_first ? here->left : here->right, left_first ? left : right);
    look_near(x, left_first ? here->right : here->left, left_first ? right : left);
}

static const mgl_sort_key last_first[] = {MGL_DESCENDING(near, tuple), MGL_SORT_END};

/* Points at equal distances, by the first of them: the larger tuple first. */
static void order_equal(near *points, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        double limit = points[i].distance * (1 + MGL_MICRO_EQUAL);
        for (end = i + 1; end < n && points[end].distance <= limit;)
            end++;
        if (end > i + 1)
            mgl_sort(points + i, end - i, sizeof *points, last_first);
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

size_t mgl_micro_tree_size(const mgl_micro_tree *x)
{
    return x->halves.boxes[0].n;
}

uint64_t mgl_micro_tree_rows(const mgl_micro_tree *x)
{
    return x->halves.boxes[0].rows;
}

void mgl_micro_tree_mean(const mgl_micro_tree *x, double *point)
{
    memcpy(point, x->common, x->space->d * sizeof *point);
    for (size_t a = 0; a < x->m; a++)
        point[x->axes[a]] = x->halves.sums[a] / (double)x->halves.boxes[0].rows;
}

static double radius_of(const mgl_micro_tree *x, uint32_t tuple)
{
    double sum = 0;
    for (size_t a = 0; a < x->m; a++) {
        double off = coordinate(x, tuple, a) - x->middle[a];
        sum += off * off * x->weights[a];
    }
    return sqrt(sum);
}

/* From the n tuples in found. */
static void build(mgl_micro_tree *x, size_t n)
{
    x->n_built = n;
    boxes_build(x, &x->halves, x->found, n);
    for (size_t a = 0; a < x->m; a++)
        x->middle[a] = x->halves.sums[a] / (double)x->halves.boxes[0].rows;
    for (size_t i = 0; i < n; i++)
        x->radius[x->found[i].tuple] = radius_of(x, x->found[i].tuple);
    boxes_build(x, &x->shells, x->found, n);
}

/* Half-empty blocks waste time. */
void mgl_micro_tree_remove(mgl_micro_tree *x, const uint32_t *tuples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        boxes_remove(x, &x->halves, tuples[i]);
        boxes_remove(x, &x->shells, tuples[i]);
    }
    const micro_boxes *b = &x->halves;
    size_t left = 0;
    if (b->boxes[0].n == 0 || b->boxes[0].n >= x->n_built - x->n_built / 4)
        return;
    for (uint32_t block = 0; block < b->n_blocks; block++)
        for (uint32_t i = 0; i < b->boxes[b->box_of[block]].n; i++)
            x->found[left++].tuple = b->tuples[block * LANES + i];
    build(x, left);
}

static void find_axes(mgl_micro_tree *x, const uint32_t *tuples, size_t n)
{
    const mgl_micro_space *s = x->space;
    memcpy(x->common, s->points + tuples[0] * s->d, s->d * sizeof *x->common);
    for (size_t a = 0; a < s->d; a++) {
        bool differ = false;
        for (size_t i = 1; i < n && s->weights[a] > 0 && !differ; i++)
            differ = s->points[tuples[i] * s->d + a] != x->common[a];
        if (!differ)
            continue;
        x->weights[x->m] = s->weights[a];
        x->axes[x->m++] = (uint32_t)a;
    }
}

/* Each cut leaves one block that is not full, at most. */
static void make_boxes(const mgl_micro_tree *x, micro_boxes *b, size_t n)
{
    size_t blocks = n / LANES + 1, boxes = 2 * blocks, m = x->m;
    b->coordinates = mgl_own_array(&b->own, blocks, LANES * m * sizeof *b->coordinates);
    b->tuples = mgl_own_array(&b->own, blocks, LANES * sizeof *b->tuples);
    b->box_of = mgl_own_array(&b->own, blocks, sizeof *b->box_of);
    b->block_of = mgl_own_array(&b->own, x->space->n, sizeof *b->block_of);
    b->boxes = mgl_own_array(&b->own, boxes, sizeof *b->boxes);
    b->low = mgl_own_array(&b->own, boxes, m * sizeof *b->low);
    b->high = mgl_own_array(&b->own, boxes, m * sizeof *b->high);
    b->sums = mgl_own_array(&b->own, boxes, m * sizeof *b->sums);
}

mgl_status mgl_micro_tree_new(const mgl_micro_space *space, const uint32_t *tuples, size_t n,
                              mgl_error *err, mgl_micro_tree **out)
{
    mgl_micro_tree *x;
    MGL_TRY(mgl_new_zeroed(1, sizeof *x, err, &x));
    x->space = space;
    x->shells.in_shells = true;
    x->axes = mgl_own_array(&x->own, space->d, sizeof *x->axes);
    x->weights = mgl_own_array(&x->own, space->d, sizeof *x->weights);
    x->common = mgl_own_array(&x->own, space->d, sizeof *x->common);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&x->own, err));
    find_axes(x, tuples, n);
    x->middle = mgl_own_array(&x->own, x->m, sizeof *x->middle);
    x->radius = mgl_own_zeroed(&x->own, x->space->n, sizeof *x->radius);
    x->point = mgl_own_array(&x->own, x->m, sizeof *x->point);
    x->found = mgl_own_array(&x->own, n, sizeof *x->found);
    x->answer = mgl_own_array(&x->own, n, sizeof *x->answer);
    make_boxes(x, &x->halves, n);
    make_boxes(x, &x->shells, n);
    MGL_GO(
        mgl_check_memory(!x->own.missing && !x->halves.own.missing && !x->shells.own.missing, err));
    for (size_t i = 0; i < n; i++)
        x->found[i].tuple = tuples[i];
    build(x, n);
    *out = x;
    x = NULL;
done:
    mgl_micro_tree_free(x);
    return status;
}

static void free_boxes(micro_boxes *b)
{
    mgl_owned_free(&b->own);
}

void mgl_micro_tree_free(mgl_micro_tree *x)
{
    if (x == NULL)
        return;
    free_boxes(&x->halves);
    free_boxes(&x->shells);
    mgl_owned_free(&x->own);
    mgl_free(x);
}
