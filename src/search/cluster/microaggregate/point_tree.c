/* Keeps the points that are in no group yet, with their mean. mdav.c calls it. */
#include "search/cluster/microaggregate/point_tree.h"

#include <math.h>

enum { LANES = MGL_MICRO_LANES };

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
        double off = mgl_micro_coordinate(x, tuple, a) - x->middle[a];
        sum += off * off * x->weights[a];
    }
    return sqrt(sum);
}

/* From the n tuples in found. */
static void build(mgl_micro_tree *x, size_t n)
{
    x->n_built = n;
    mgl_micro_boxes_build(x, &x->halves, x->found, n);
    for (size_t a = 0; a < x->m; a++)
        x->middle[a] = x->halves.sums[a] / (double)x->halves.boxes[0].rows;
    for (size_t i = 0; i < n; i++)
        x->radius[x->found[i].tuple] = radius_of(x, x->found[i].tuple);
    mgl_micro_boxes_build(x, &x->shells, x->found, n);
}

/* Half-empty blocks waste time. */
void mgl_micro_tree_remove(mgl_micro_tree *x, const uint32_t *tuples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mgl_micro_boxes_remove(x, &x->halves, tuples[i]);
        mgl_micro_boxes_remove(x, &x->shells, tuples[i]);
    }
    const mgl_micro_boxes *b = &x->halves;
    size_t left = 0;
    if (b->boxes[0].n == 0 || b->boxes[0].n >= x->n_built - x->n_built / 4)
        return;
    for (uint32_t block = 0; block < b->n_blocks; block++)
        for (uint32_t i = 0; i < b->boxes[b->box_of[block]].n; i++)
            x->found[left++].tuple = b->tuples[block * LANES + i];
    build(x, left);
}

/* ---- Making and freeing ---------------------------------------------------------------------- */

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
static bool make_boxes(const mgl_micro_tree *x, mgl_micro_boxes *b, size_t n)
{
    size_t blocks = n / LANES + 1, boxes = 2 * blocks, m = x->m;
    b->coordinates = mgl_alloc_array(blocks, LANES * m * sizeof *b->coordinates);
    b->tuples = mgl_alloc_array(blocks, LANES * sizeof *b->tuples);
    b->box_of = mgl_alloc_array(blocks, sizeof *b->box_of);
    b->block_of = mgl_alloc_array(x->space->n, sizeof *b->block_of);
    b->boxes = mgl_alloc_array(boxes, sizeof *b->boxes);
    b->low = mgl_alloc_array(boxes, m * sizeof *b->low);
    b->high = mgl_alloc_array(boxes, m * sizeof *b->high);
    b->sums = mgl_alloc_array(boxes, m * sizeof *b->sums);
    return b->coordinates != NULL && b->tuples != NULL && b->box_of != NULL &&
           b->block_of != NULL && b->boxes != NULL && b->low != NULL && b->high != NULL &&
           b->sums != NULL;
}

static bool make_room(mgl_micro_tree *x, size_t n)
{
    x->middle = mgl_alloc_array(x->m, sizeof *x->middle);
    x->radius = mgl_zeroed_array(x->space->n, sizeof *x->radius);
    x->point = mgl_alloc_array(x->m, sizeof *x->point);
    x->found = mgl_alloc_array(n, sizeof *x->found);
    x->answer = mgl_alloc_array(n, sizeof *x->answer);
    return x->middle != NULL && x->radius != NULL && x->point != NULL && x->found != NULL &&
           x->answer != NULL && make_boxes(x, &x->halves, n) && make_boxes(x, &x->shells, n);
}

mgl_status mgl_micro_tree_new(const mgl_micro_space *space, const uint32_t *tuples, size_t n,
                              mgl_error *err, mgl_micro_tree **out)
{
    mgl_micro_tree *x = mgl_zeroed_array(1, sizeof *x);
    if (x == NULL)
        return mgl_fail_memory(err);
    x->space = space;
    x->shells.in_shells = true;
    x->axes = mgl_alloc_array(space->d, sizeof *x->axes);
    x->weights = mgl_alloc_array(space->d, sizeof *x->weights);
    x->common = mgl_alloc_array(space->d, sizeof *x->common);
    bool whole = x->axes != NULL && x->weights != NULL && x->common != NULL;
    if (whole)
        find_axes(x, tuples, n);
    if (!whole || !make_room(x, n)) {
        mgl_micro_tree_free(x);
        return mgl_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++)
        x->found[i].tuple = tuples[i];
    build(x, n);
    *out = x;
    return MGL_OK;
}

static void free_boxes(mgl_micro_boxes *b)
{
    mgl_free(b->coordinates);
    mgl_free(b->tuples);
    mgl_free(b->box_of);
    mgl_free(b->block_of);
    mgl_free(b->boxes);
    mgl_free(b->low);
    mgl_free(b->high);
    mgl_free(b->sums);
}

void mgl_micro_tree_free(mgl_micro_tree *x)
{
    if (x == NULL)
        return;
    free_boxes(&x->halves);
    free_boxes(&x->shells);
    mgl_free(x->axes);
    mgl_free(x->weights);
    mgl_free(x->common);
    mgl_free(x->middle);
    mgl_free(x->radius);
    mgl_free(x->point);
    mgl_free(x->found);
    mgl_free(x->answer);
    mgl_free(x);
}
