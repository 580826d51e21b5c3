/* The simple bound of a few tuples: rather than all tuples at one node after another, one tuple at
 * all nodes at once. The rows whose smallest common box with the tuple has just these levels are
 * counted for each node; summed up along the lattice they are the classes of the tuple. */
#include "search/cell/bound/lanes.h"

#include <stdlib.h>

enum {
    AT_ONCE = 1024,        /* neighbours */
    MOST_ATTRIBUTES = 1000 /* see OUT_OF_REACH */
};

typedef struct worker {
    mgl_cell_lanes *place; /* [n_values] by attribute and leaf: what it adds to the node's number */
    uint32_t *counts;      /* [MGL_CELL_LANES * n_nodes] rows with just these levels in common */
    mgl_cell_lanes *rows;  /* [n_nodes] rows of the class there */
} worker;

typedef struct around {
    const mgl_box_space *space;
    const uint32_t *tuples;
    size_t n;
    uint32_t *bound;
    size_t n_nodes;
    size_t *stride;      /* [m] of the levels above the lowest, in the numbers of nodes */
    size_t *first_value; /* [m] of the attribute's leaves in place */
    size_t n_values;
    uint64_t *by_cost; /* [n_nodes] what a row costs there at least, then the number */
    worker *workers;
    unsigned n_workers;
} around;

/* ---- One group of tuples --------------------------------------------------------------------- */

/* Leaves that meet the tuple's own on no level that is allowed are out of reach: more than any
 * number of a node, and the sum over all attributes is no more than 32 bits. */
#define OUT_OF_REACH UINT32_C(0x100000)

static void place_leaves(const around *x, worker *w, uint32_t t, size_t lane)
{
    const mgl_box_space *s = x->space;
    for (size_t a = 0; a < s->m; a++) {
        const mgl_box_attribute *attribute = &s->attributes[a];
        mgl_cell_lanes *place = w->place + x->first_value[a];
        for (uint32_t leaf = 0; leaf < attribute->n_leaves; leaf++) {
            uint32_t level = mgl_cell_level_between(attribute, s->leaves[t * s->m + a], leaf);
            place[leaf].of[lane] = level > attribute->high
                                       ? OUT_OF_REACH
                                       : (uint32_t)((level - attribute->low) * x->stride[a]);
        }
    }
}

/* Rows by the levels that they share with each tuple. Numbers come first, a batch of them, so that
 * one tuple's counts are in use at a time. */
static void count_levels(const around *x, worker *w)
{
    const mgl_box_space *s = x->space;
    const uint32_t *leaf = s->leaves;
    size_t n_nodes = x->n_nodes, m = s->m;
    uint32_t number[AT_ONCE][MGL_CELL_LANES];
    memset(w->counts, 0, n_nodes * MGL_CELL_LANES * sizeof *w->counts);
    for (size_t first = 0; first < s->n; first += AT_ONCE) {
        size_t n = s->n - first < AT_ONCE ? s->n - first : AT_ONCE;
        for (size_t i = 0; i < n; i++, leaf += m) {
            mgl_cell_lanes sum = {{0}};
            for (size_t a = 0; a < m; a++)
                sum = mgl_cell_lanes_add(sum, w->place[x->first_value[a] + leaf[a]]);
            memcpy(number[i], &sum.of, sizeof sum.of);
        }
        for (size_t lane = 0; lane < MGL_CELL_LANES; lane++) {
            uint32_t *counts = w->counts + lane * n_nodes;
            for (size_t i = 0; i < n; i++)
                if (number[i][lane] < OUT_OF_REACH)
                    counts[number[i][lane]] += s->rows[first + i];
        }
    }
}

/* Sums over all nodes below, attribute by attribute. */
static void sum_up(const around *x, worker *w)
{
    const mgl_box_space *s = x->space;
    for (size_t i = 0; i < x->n_nodes; i++)
        for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
            w->rows[i].of[lane] = w->counts[lane * x->n_nodes + i];
    for (size_t a = 0; a < s->m; a++) {
        size_t step = x->stride[a], size = s->attributes[a].high - s->attributes[a].low + 1;
        for (size_t start = 0; start < x->n_nodes; start += step * size)
            for (size_t i = start + step; i < start + step * size; i++)
                w->rows[i] = mgl_cell_lanes_add(w->rows[i], w->rows[i - step]);
    }
}

static uint32_t cost_at(const around *x, uint32_t t, size_t number)
{
    const mgl_box_space *s = x->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    for (size_t a = 0; a < s->m; a++) {
        size_t n = s->attributes[a].high - s->attributes[a].low + 1;
        levels[a] = (uint8_t)(s->attributes[a].low + number / x->stride[a] % n);
    }
    return mgl_box_cost(s, levels, t);
}

static void take_cheapest(const around *x, const worker *w, uint32_t t, size_t lane)
{
    uint32_t best = x->space->top_cost;
    for (size_t i = 0; i < x->n_nodes && x->by_cost[i] >> 32 < best; i++) {
        size_t number = (uint32_t)x->by_cost[i];
        if (w->rows[number].of[lane] < x->space->need)
            continue;
        uint32_t cost = cost_at(x, t, number);
        best = cost < best ? cost : best;
    }
    x->bound[t] = best;
}

static void look_around(void *context, size_t group, unsigned number)
{
    around *x = context;
    worker *w = &x->workers[number];
    size_t first = group * MGL_CELL_LANES,
           n = x->n - first < MGL_CELL_LANES ? x->n - first : MGL_CELL_LANES;
    for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
        place_leaves(x, w, x->tuples[first + (lane < n ? lane : 0)], lane);
    count_levels(x, w);
    sum_up(x, w);
    for (size_t lane = 0; lane < n; lane++)
        take_cheapest(x, w, x->tuples[first + lane], lane);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static mgl_status sort_nodes(around *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    x->by_cost = mgl_alloc_array(x->n_nodes, sizeof *x->by_cost);
    if (x->by_cost == NULL)
        return mgl_fail_memory(err);
    mgl_box_begin(s, levels);
    for (size_t i = 0; i < x->n_nodes; i++) {
        uint64_t cost = 0;
        for (size_t a = 0; a < s->m; a++)
            cost += s->attributes[a].least[levels[a]];
        x->by_cost[i] = cost << 32 | i;
        for (size_t a = s->m; a-- > 0;) {
            if (levels[a]++ < s->attributes[a].high)
                break;
            levels[a] = (uint8_t)s->attributes[a].low;
        }
    }
    qsort(x->by_cost, x->n_nodes, sizeof *x->by_cost, compare);
    return MGL_OK;
}

static mgl_status begin(around *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    x->n_workers = s->problem->pool != NULL ? mgl_pool_threads(s->problem->pool) : 1;
    x->stride = mgl_alloc_array(s->m, sizeof *x->stride);
    x->first_value = mgl_alloc_array(s->m, sizeof *x->first_value);
    x->workers = mgl_zeroed_array(x->n_workers, sizeof *x->workers);
    if (x->stride == NULL || x->first_value == NULL || x->workers == NULL)
        return mgl_fail_memory(err);
    x->n_nodes = 1;
    for (size_t a = s->m; a-- > 0;) {
        x->stride[a] = x->n_nodes;
        x->n_nodes *= s->attributes[a].high - s->attributes[a].low + 1;
        x->first_value[a] = x->n_values;
        x->n_values += s->attributes[a].n_leaves;
    }
    for (unsigned i = 0; i < x->n_workers; i++) {
        worker *w = &x->workers[i];
        w->place = mgl_alloc_array(x->n_values, sizeof *w->place);
        w->counts = mgl_alloc_array(x->n_nodes, MGL_CELL_LANES * sizeof *w->counts);
        w->rows = mgl_alloc_array(x->n_nodes, sizeof *w->rows);
        if (w->place == NULL || w->counts == NULL || w->rows == NULL)
            return mgl_fail_memory(err);
    }
    return sort_nodes(x, err);
}

static void end(around *x)
{
    for (unsigned i = 0; x->workers != NULL && i < x->n_workers; i++) {
        mgl_free(x->workers[i].place);
        mgl_free(x->workers[i].counts);
        mgl_free(x->workers[i].rows);
    }
    mgl_free(x->workers);
    mgl_free(x->stride);
    mgl_free(x->first_value);
    mgl_free(x->by_cost);
}

mgl_status mgl_cell_simple_bound_of(const mgl_box_space *space, const uint32_t *tuples, size_t n,
                                    mgl_error *err, uint32_t *bound)
{
    around x = {.space = space, .tuples = tuples, .n = n, .bound = bound};
    mgl_status status = begin(&x, err);
    if (status == MGL_OK)
        mgl_pool_run(space->problem->pool, (n + MGL_CELL_LANES - 1) / MGL_CELL_LANES, look_around,
                     &x);
    end(&x);
    return status;
}

uint64_t mgl_cell_simple_work_of(const mgl_box_space *s)
{
    uint64_t size = mgl_lattice_size(s->problem->min_level, s->problem->max_level, s->m);
    if (size > MGL_BOX_MOST_NODES || s->m > MOST_ATTRIBUTES)
        return UINT64_MAX / s->n;
    uint64_t work = (s->n + size / 8) * s->m;
    for (size_t a = 0; a < s->m; a++)
        work += s->attributes[a].n_leaves;
    return work;
}
