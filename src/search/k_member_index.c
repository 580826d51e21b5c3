/* A tree over the tuples that are not placed yet. A node knows between which slots its tuples lie
 * in each column; that bounds what a cluster loses at least with one of them, or how far away one
 * is at most, and so most of the tree need not be looked at. The answers are those of a scan. */
#include "search/k_member.h"

#include <stdlib.h>

enum {
    LEAF = 16,     /* tuples of a node that is not divided */
    MOST_DEEP = 64 /* nodes above a node, until it is simply halved */
};

typedef struct node {
    uint32_t begin, end;   /* items; of a leaf, those that are left */
    uint32_t parent, left; /* the other child comes after it; left 0: a leaf */
    uint32_t n_left;       /* tuples that are left */
    uint32_t first;        /* least of them */
    uint64_t least_rows;   /* of one of its tuples when the tree was made */
    uint32_t depth;
} node;

struct mgl_member_index {
    const mgl_member_space *space;
    size_t n, n_items;
    uint32_t *tuples;  /* [item] */
    uint32_t *slots;   /* [item * m + a] */
    uint32_t *leaf_of; /* [t] its node */
    node *nodes;
    uint32_t *bounds; /* [(node * m + a) * 2] lowest and highest slot */
    size_t n_nodes;
    /* For making the tree. */
    uint32_t *counts;  /* [n_slots] all zero between uses */
    uint32_t *scratch; /* [n] */
};

/* ---- Making it ---------------------------------------------------------------------------- */

static void describe(mgl_member_index *x, uint32_t number)
{
    const mgl_member_space *s = x->space;
    node *v = &x->nodes[number];
    uint32_t *bounds = x->bounds + (size_t)number * s->m * 2;
    for (size_t a = 0; a < s->m; a++) {
        bounds[2 * a] = UINT32_MAX;
        bounds[2 * a + 1] = 0;
    }
    v->n_left = v->end - v->begin;
    v->first = x->tuples[v->begin];
    v->least_rows = UINT64_MAX;
    for (uint32_t i = v->begin; i < v->end; i++) {
        uint32_t t = x->tuples[i];
        const uint32_t *slots = s->slots + (size_t)t * s->m;
        v->least_rows = s->counts[t] < v->least_rows ? s->counts[t] : v->least_rows;
        for (size_t a = 0; a < s->m; a++) {
            bounds[2 * a] = slots[a] < bounds[2 * a] ? slots[a] : bounds[2 * a];
            bounds[2 * a + 1] = slots[a] > bounds[2 * a + 1] ? slots[a] : bounds[2 * a + 1];
        }
    }
}

/* A node is divided in a column: slots up to `slot` go to one side. */
typedef struct cut {
    size_t a;
    uint32_t slot;
    uint64_t gain; /* by how much the widths of its tuples shrink in all; 0: no cut */
} cut;

/* The best cut in one column. */
static void try_column(mgl_member_index *x, const node *v, size_t a, const uint32_t *bounds,
                       cut *best)
{
    const mgl_member_space *s = x->space;
    uint32_t low = bounds[2 * a], high = bounds[2 * a + 1], n = v->end - v->begin;
    uint64_t before = (uint64_t)mgl_member_width(s, a, low, high) * n;
    for (uint32_t i = v->begin; i < v->end; i++)
        x->counts[s->slots[(size_t)x->tuples[i] * s->m + a]]++;
    for (uint32_t slot = low, n_low = 0; slot < high;) {
        uint32_t next = slot + 1;
        n_low += x->counts[slot];
        while (x->counts[next] == 0)
            next++;
        uint64_t after = (uint64_t)mgl_member_width(s, a, low, slot) * n_low +
                         (uint64_t)mgl_member_width(s, a, next, high) * (n - n_low);
        if (before - after > best->gain)
            *best = (cut){a, slot, before - after};
        slot = next;
    }
    for (uint32_t i = v->begin; i < v->end; i++)
        x->counts[s->slots[(size_t)x->tuples[i] * s->m + a]] = 0;
}

/* Both sides keep the order of their tuples. Returns where the second one begins. */
static uint32_t divide(mgl_member_index *x, const node *v, const cut *c)
{
    const mgl_member_space *s = x->space;
    uint32_t n_low = 0, n_high = 0;
    if (c->gain == 0)
        return v->begin + (v->end - v->begin) / 2;
    for (uint32_t i = v->begin; i < v->end; i++) {
        uint32_t t = x->tuples[i];
        if (s->slots[(size_t)t * s->m + c->a] <= c->slot)
            x->tuples[v->begin + n_low++] = t;
        else
            x->scratch[n_high++] = t;
    }
    memcpy(x->tuples + v->begin + n_low, x->scratch, n_high * sizeof *x->tuples);
    return v->begin + n_low;
}

static void split(mgl_member_index *x, uint32_t number)
{
    size_t m = x->space->m;
    node *v = &x->nodes[number];
    const uint32_t *bounds = x->bounds + (size_t)number * m * 2;
    cut best = {0};
    for (size_t a = 0; a < m && v->depth < MOST_DEEP; a++)
        if (bounds[2 * a] < bounds[2 * a + 1])
            try_column(x, v, a, bounds, &best);
    uint32_t middle = divide(x, v, &best);
    v->left = (uint32_t)x->n_nodes;
    node low = {.begin = v->begin, .end = middle, .parent = number, .depth = v->depth + 1};
    node high = {.begin = middle, .end = v->end, .parent = number, .depth = v->depth + 1};
    x->nodes[x->n_nodes++] = low;
    x->nodes[x->n_nodes++] = high;
    describe(x, v->left);
    describe(x, v->left + 1);
}

/* Divides the tuples, which are the first n_items of x->tuples, ascending. */
static void make_tree(mgl_member_index *x)
{
    const mgl_member_space *s = x->space;
    x->nodes[0] = (node){.end = (uint32_t)x->n_items};
    x->n_nodes = 1;
    describe(x, 0);
    for (uint32_t v = 0; v < x->n_nodes; v++) {
        if (x->nodes[v].n_left > LEAF) {
            split(x, v);
            continue;
        }
        for (uint32_t i = x->nodes[v].begin; i < x->nodes[v].end; i++) {
            x->leaf_of[x->tuples[i]] = v;
            memcpy(x->slots + i * s->m, s->slots + (size_t)x->tuples[i] * s->m,
                   s->m * sizeof *x->slots);
        }
    }
}

mgl_status mgl_member_index_new(const mgl_member_space *s, const uint32_t *tuples, size_t n,
                                mgl_error *err, mgl_member_index **out)
{
    mgl_member_index *x = mgl_zeroed_array(1, sizeof *x);
    if (x == NULL)
        return mgl_fail_memory(err);
    size_t most_nodes = 2 * n; /* every leaf has a tuple */
    *x = (mgl_member_index){.space = s, .n = n, .n_items = n};
    x->tuples = mgl_alloc_array(n, sizeof *x->tuples);
    x->slots = mgl_alloc_array(n, s->m * sizeof *x->slots);
    x->leaf_of = mgl_alloc_array(s->n, sizeof *x->leaf_of);
    x->nodes = mgl_alloc_array(most_nodes, sizeof *x->nodes);
    x->bounds = mgl_alloc_array(most_nodes, s->m * 2 * sizeof *x->bounds);
    x->counts = mgl_zeroed_array(s->n_slots, sizeof *x->counts);
    x->scratch = mgl_alloc_array(n, sizeof *x->scratch);
    if (x->tuples == NULL || x->slots == NULL || x->leaf_of == NULL || x->nodes == NULL ||
        x->bounds == NULL || x->counts == NULL || x->scratch == NULL) {
        mgl_member_index_free(x);
        return mgl_fail_memory(err);
    }
    memcpy(x->tuples, tuples, n * sizeof *tuples);
    make_tree(x);
    *out = x;
    return MGL_OK;
}

void mgl_member_index_free(mgl_member_index *x)
{
    if (x == NULL)
        return;
    mgl_free(x->tuples);
    mgl_free(x->slots);
    mgl_free(x->leaf_of);
    mgl_free(x->nodes);
    mgl_free(x->bounds);
    mgl_free(x->counts);
    mgl_free(x->scratch);
    mgl_free(x);
}

/* ---- What is left --------------------------------------------------------------------------- */

size_t mgl_member_index_size(const mgl_member_index *x)
{
    return x->n;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void mgl_member_index_tuples(const mgl_member_index *x, uint32_t *out)
{
    size_t n = 0;
    for (size_t v = 0; v < x->n_nodes; v++) {
        const node *leaf = &x->nodes[v];
        for (uint32_t i = leaf->begin; leaf->left == 0 && i < leaf->begin + leaf->n_left; i++)
            out[n++] = x->tuples[i];
    }
    if (n > 0)
        qsort(out, n, sizeof *out, ascending);
}

static void update_first(mgl_member_index *x, uint32_t number)
{
    node *v = &x->nodes[number];
    const node *low = &x->nodes[v->left], *high = &x->nodes[v->left + 1];
    v->first = low->first < high->first ? low->first : high->first;
}

void mgl_member_index_remove(mgl_member_index *x, uint32_t tuple)
{
    size_t m = x->space->m;
    uint32_t number = x->leaf_of[tuple];
    node *leaf = &x->nodes[number];
    uint32_t i = leaf->begin, end = leaf->begin + leaf->n_left;
    while (x->tuples[i] != tuple)
        i++;
    memmove(x->tuples + i, x->tuples + i + 1, (end - i - 1) * sizeof *x->tuples);
    memmove(x->slots + i * m, x->slots + (i + 1) * m, (end - i - 1) * m * sizeof *x->slots);
    leaf->n_left--;
    leaf->first = leaf->n_left > 0 ? x->tuples[leaf->begin] : MGL_NOT_FOUND;
    while (number != 0) {
        number = x->nodes[number].parent;
        x->nodes[number].n_left--;
        update_first(x, number);
    }
    x->n--;
    if (x->n > LEAF && x->n < x->n_items / 2) { /* bounds of what is left are tighter */
        mgl_member_index_tuples(x, x->scratch);
        memcpy(x->tuples, x->scratch, x->n * sizeof *x->tuples);
        x->n_items = x->n;
        make_tree(x);
    }
}

/* ---- Questions ----------------------------------------------------------------------------------
 */

typedef struct answer {
    const mgl_member_index *index;
    const mgl_member_query *query;
    uint64_t value;
    uint32_t tuple;
} answer;

static uint64_t sum_slots(const uint32_t *table, const uint32_t *slots, size_t m)
{
    uint64_t sum = 0;
    for (size_t a = 0; a < m; a++)
        sum += table[slots[a]];
    return sum;
}

/* What the cluster loses at least with a tuple of the node: it lies between the bounds, and a slot
 * loses the more the further it is from the cluster's. */
static uint64_t least_loss(const answer *w, uint32_t number)
{
    const mgl_member_index *x = w->index;
    const mgl_member_query *q = w->query;
    size_t m = x->space->m;
    const uint32_t *bounds = x->bounds + (size_t)number * m * 2;
    uint64_t sum = 0;
    for (size_t a = 0; a < m; a++) {
        uint32_t near = q->low[a];
        near = near < bounds[2 * a] ? bounds[2 * a] : near;
        near = near > bounds[2 * a + 1] ? bounds[2 * a + 1] : near;
        sum += q->table[near];
    }
    return sum * (q->rows + x->nodes[number].least_rows);
}

static bool may_be_nearest(const answer *w, const node *v, uint64_t least)
{
    return v->n_left > 0 && (least < w->value || (least == w->value && v->first < w->tuple));
}

static void scan_nearest(answer *w, const node *leaf)
{
    const mgl_member_index *x = w->index;
    size_t m = x->space->m;
    for (uint32_t i = leaf->begin; i < leaf->begin + leaf->n_left; i++) {
        uint32_t t = x->tuples[i];
        uint64_t loss = sum_slots(w->query->table, x->slots + i * m, m) *
                        (w->query->rows + x->space->counts[t]);
        if (loss < w->value || (loss == w->value && t < w->tuple)) {
            w->value = loss;
            w->tuple = t;
        }
    }
}

static void visit_nearest(answer *w, uint32_t number)
{
    const node *v = &w->index->nodes[number];
    if (v->left == 0) {
        scan_nearest(w, v);
        return;
    }
    const node *nodes = w->index->nodes;
    uint64_t low = least_loss(w, v->left), high = least_loss(w, v->left + 1);
    bool swap = high < low || (high == low && nodes[v->left + 1].first < nodes[v->left].first);
    uint32_t near = v->left + swap, far = v->left + !swap;
    if (may_be_nearest(w, &nodes[near], swap ? high : low))
        visit_nearest(w, near);
    if (may_be_nearest(w, &nodes[far], swap ? low : high))
        visit_nearest(w, far);
}

uint32_t mgl_member_nearest(mgl_member_index *index, const mgl_member_query *query)
{
    answer w = {index, query, UINT64_MAX, MGL_NOT_FOUND};
    if (index->n > 0)
        visit_nearest(&w, 0);
    return w.tuple;
}

static uint64_t most_far(const answer *w, uint32_t number)
{
    size_t m = w->index->space->m;
    const uint32_t *bounds = w->index->bounds + (size_t)number * m * 2, *table = w->query->table;
    uint64_t sum = 0;
    for (size_t a = 0; a < m; a++) {
        uint32_t low = table[bounds[2 * a]], high = table[bounds[2 * a + 1]];
        sum += low > high ? low : high;
    }
    return sum;
}

static bool may_be_furthest(const answer *w, const node *v, uint64_t most)
{
    return v->n_left > 0 && (w->tuple == MGL_NOT_FOUND || most > w->value ||
                             (most == w->value && v->first < w->tuple));
}

static void visit_furthest(answer *w, uint32_t number)
{
    const mgl_member_index *x = w->index;
    const node *v = &x->nodes[number];
    size_t m = x->space->m;
    for (uint32_t i = v->begin; v->left == 0 && i < v->begin + v->n_left; i++) {
        uint64_t distance = sum_slots(w->query->table, x->slots + i * m, m);
        if (w->tuple == MGL_NOT_FOUND || distance > w->value ||
            (distance == w->value && x->tuples[i] < w->tuple)) {
            w->value = distance;
            w->tuple = x->tuples[i];
        }
    }
    if (v->left == 0)
        return;
    uint64_t low = most_far(w, v->left), high = most_far(w, v->left + 1);
    const node *nodes = x->nodes;
    bool swap = high > low || (high == low && nodes[v->left + 1].first < nodes[v->left].first);
    uint32_t far = v->left + swap, near = v->left + !swap;
    if (may_be_furthest(w, &nodes[far], swap ? high : low))
        visit_furthest(w, far);
    if (may_be_furthest(w, &nodes[near], swap ? low : high))
        visit_furthest(w, near);
}

uint32_t mgl_member_furthest(mgl_member_index *index, const mgl_member_query *query)
{
    answer w = {index, query, 0, MGL_NOT_FOUND};
    if (index->n > 0)
        visit_furthest(&w, 0);
    return w.tuple;
}
