/* A tree over the tuples that are not placed yet. A node knows between which slots its tuples lie
 * in each column; that bounds what a cluster loses at least with one of them, or how far away one
 * is at most, and so most of the tree need not be looked at. The answers are those of a scan. */
#include "search/cluster/k_member/members.h"

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
    uint32_t *at;      /* [item * m + a] */
    uint32_t *leaf_of; /* [t] its node */
    node *nodes;
    uint32_t *bounds; /* [(node * m + a) * 2] lowest and highest of its tuples */
    size_t n_nodes;
    uint32_t *scratch; /* [n] */
    mgl_owned own;
};

/* ---- Making it ----------------------------------------------------------------------- */

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
        const uint32_t *at = mgl_member_at(s, t);
        v->least_rows = s->counts[t] < v->least_rows ? s->counts[t] : v->least_rows;
        for (size_t a = 0; a < s->m; a++) {
            bounds[2 * a] = at[a] < bounds[2 * a] ? at[a] : bounds[2 * a];
            bounds[2 * a + 1] = at[a] > bounds[2 * a + 1] ? at[a] : bounds[2 * a + 1];
        }
    }
}

/* A node is divided in a column: what lies below `at` goes to one side. */
typedef struct cut {
    size_t a;
    uint32_t at;
    uint64_t gain; /* by how much the widths of its tuples shrink in all; 0: no cut */
} cut;

/* A cut, judged by the tuples on both sides. */
static void try_cut(const mgl_member_index *x, const node *v, size_t a, uint32_t at, cut *best)
{
    const mgl_member_space *s = x->space;
    const uint32_t *bounds = x->bounds + ((size_t)(v - x->nodes) * s->m + a) * 2;
    uint32_t n = v->end - v->begin, n_low = 0, below = bounds[0], above = bounds[1];
    if (at <= bounds[0] || at > bounds[1])
        return;
    for (uint32_t i = v->begin; i < v->end; i++) {
        uint32_t y = mgl_member_at(s, x->tuples[i])[a];
        bool is_low = y < at;
        n_low += is_low;
        below = is_low && y > below ? y : below;
        above = !is_low && y < above ? y : above;
    }
    uint64_t before = (uint64_t)mgl_member_width(s, a, bounds[0], bounds[1]) * n;
    uint64_t after = (uint64_t)mgl_member_width(s, a, bounds[0], below) * n_low +
                     (uint64_t)mgl_member_width(s, a, above, bounds[1]) * (n - n_low);
    if (before - after > best->gain)
        *best = (cut){a, at, before - after};
}

/* The cuts that are tried in a column: in the middle of a range; around the value that a tuple has
 * just below what all have in common. */
static void try_column(const mgl_member_index *x, const node *v, size_t a, cut *best)
{
    const mgl_member_space *s = x->space;
    const uint32_t *bounds = x->bounds + ((size_t)(v - x->nodes) * s->m + a) * 2;
    if (a >= s->n_levels) {
        try_cut(x, v, a, bounds[0] + (bounds[1] - bounds[0]) / 2 + 1, best);
        return;
    }
    const mgl_member_column *c = &s->columns[a];
    uint32_t level = mgl_member_level(c, bounds[0], bounds[1]);
    uint32_t middle = mgl_member_at(s, x->tuples[v->begin + (v->end - v->begin) / 2])[a];
    if (level == c->low)
        return; /* nothing is lost between them */
    uint32_t run = c->run[level - 1][middle - c->first];
    try_cut(x, v, a, c->starts[level - 1][run], best);
    try_cut(x, v, a, c->starts[level - 1][run + 1], best);
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
        if (mgl_member_at(s, t)[c->a] < c->at)
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
    cut best = {0};
    for (size_t a = 0; a < m && v->depth < MOST_DEEP; a++)
        try_column(x, v, a, &best);
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
            memcpy(x->at + i * s->m, mgl_member_at(s, x->tuples[i]), s->m * sizeof *x->at);
        }
    }
}

mgl_status mgl_member_index_new(const mgl_member_space *s, const uint32_t *tuples, size_t n,
                                mgl_error *err, mgl_member_index **out)
{
    mgl_member_index *x;
    MGL_TRY(mgl_new_zeroed(1, sizeof *x, err, &x));
    size_t most_nodes = 2 * n; /* every leaf has a tuple */
    *x = (mgl_member_index){.space = s, .n = n, .n_items = n};
    x->tuples = mgl_own_array(&x->own, n, sizeof *x->tuples);
    x->at = mgl_own_array(&x->own, n, s->m * sizeof *x->at);
    x->leaf_of = mgl_own_array(&x->own, s->n, sizeof *x->leaf_of);
    x->nodes = mgl_own_array(&x->own, most_nodes, sizeof *x->nodes);
    x->bounds = mgl_own_array(&x->own, most_nodes, s->m * 2 * sizeof *x->bounds);
    x->scratch = mgl_own_array(&x->own, n, sizeof *x->scratch);
    if (x->own.missing) {
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
    mgl_owned_free(&x->own);
    mgl_free(x);
}

/* ---- What is left -------------------------------------------------------------------- */

size_t mgl_member_index_size(const mgl_member_index *x)
{
    return x->n;
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
        mgl_sort_u32(out, n);
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
    memmove(x->at + i * m, x->at + (i + 1) * m, (end - i - 1) * m * sizeof *x->at);
    leaf->n_left--;
    leaf->first = leaf->n_left > 0 ? x->tuples[leaf->begin] : MGL_NOT_FOUND;
    while (number != 0) {
        number = x->nodes[number].parent;
        x->nodes[number].n_left--;
        node *v = &x->nodes[number];
        const node *low = &x->nodes[v->left], *high = &x->nodes[v->left + 1];
        v->first = low->first < high->first ? low->first : high->first;
    }
    x->n--;
    if (x->n > LEAF && x->n < x->n_items / 2) { /* bounds of what is left are tighter */
        mgl_member_index_tuples(x, x->scratch);
        memcpy(x->tuples, x->scratch, x->n * sizeof *x->tuples);
        x->n_items = x->n;
        make_tree(x);
    }
}

/* ---- Questions ----------------------------------------------------------------------- */

typedef struct answer {
    const mgl_member_index *index;
    const mgl_member_box *box;
    uint64_t value;
    uint32_t tuple;
} answer;

/* What a cluster in the box loses in a column of ranges if it reaches there as well. */
static inline uint32_t range_with(const mgl_member_box *box, size_t a, uint32_t at)
{
    return mgl_member_range(at < box->low[a] ? at : box->low[a],
                            at > box->high[a] ? at : box->high[a]);
}

/* What a row of the cluster loses with the tuple at these. */
static uint64_t width_with(const mgl_member_space *s, const mgl_member_box *box, const uint32_t *at)
{
    uint64_t sum = 0;
    for (size_t a = 0; a < s->n_levels; a++)
        sum += box->table[at[a]];
    for (size_t a = s->n_levels; a < s->m; a++)
        sum += range_with(box, a, at[a]);
    return sum;
}

/* ---- The nearest tuple --------------------------------------------------------------- */

static inline uint32_t nearest_between(uint32_t at, const uint32_t *bounds)
{
    at = at < bounds[0] ? bounds[0] : at;
    return at > bounds[1] ? bounds[1] : at;
}

/* What the cluster loses at least with a tuple of the node: it lies between the bounds, and the
 * further it is from the cluster's the more is lost. */
static uint64_t least_loss(const answer *w, uint32_t number)
{
    const mgl_member_space *s = w->index->space;
    const mgl_member_box *box = w->box;
    const uint32_t *bounds = w->index->bounds + (size_t)number * s->m * 2;
    uint64_t sum = 0;
    for (size_t a = 0; a < s->n_levels; a++)
        sum += box->table[nearest_between(box->low[a], bounds + 2 * a)];
    for (size_t a = s->n_levels; a < s->m; a++)
        sum += range_with(box, a, nearest_between(box->low[a], bounds + 2 * a));
    return sum * (box->rows + w->index->nodes[number].least_rows);
}

static bool may_be_nearest(const answer *w, const node *v, uint64_t least)
{
    return v->n_left > 0 && (least < w->value || (least == w->value && v->first < w->tuple));
}

static void scan_nearest(answer *w, const node *leaf)
{
    const mgl_member_index *x = w->index;
    const mgl_member_space *s = x->space;
    for (uint32_t i = leaf->begin; i < leaf->begin + leaf->n_left; i++) {
        uint32_t t = x->tuples[i];
        uint64_t loss = width_with(s, w->box, x->at + i * s->m) * (w->box->rows + s->counts[t]);
        if (loss < w->value || (loss == w->value && t < w->tuple)) {
            w->value = loss;
            w->tuple = t;
        }
    }
}

static void visit_nearest(answer *w, uint32_t number)
{
    const node *nodes = w->index->nodes, *v = &nodes[number];
    if (v->left == 0) {
        scan_nearest(w, v);
        return;
    }
    uint64_t low = least_loss(w, v->left), high = least_loss(w, v->left + 1);
    bool swap = high < low || (high == low && nodes[v->left + 1].first < nodes[v->left].first);
    uint32_t near = v->left + swap, far = v->left + !swap;
    if (may_be_nearest(w, &nodes[near], swap ? high : low))
        visit_nearest(w, near);
    if (may_be_nearest(w, &nodes[far], swap ? low : high))
        visit_nearest(w, far);
}

uint32_t mgl_member_nearest(const mgl_member_index *index, const mgl_member_box *box)
{
    answer w = {index, box, UINT64_MAX, MGL_NOT_FOUND};
    if (index->n > 0)
        visit_nearest(&w, 0);
    return w.tuple;
}

/* ---- The furthest tuple -------------------------------------------------------------- */

/* How far away a tuple of the node is at most: as far as one of the bounds. */
static uint64_t most_far(const answer *w, uint32_t number)
{
    const mgl_member_space *s = w->index->space;
    const uint32_t *bounds = w->index->bounds + (size_t)number * s->m * 2;
    uint64_t sum = 0;
    for (size_t a = 0; a < s->m; a++) {
        uint32_t low =
            a < s->n_levels ? w->box->table[bounds[2 * a]] : range_with(w->box, a, bounds[2 * a]);
        uint32_t high = a < s->n_levels ? w->box->table[bounds[2 * a + 1]]
                                        : range_with(w->box, a, bounds[2 * a + 1]);
        sum += low > high ? low : high;
    }
    return sum;
}

static bool may_be_furthest(const answer *w, const node *v, uint64_t most)
{
    return v->n_left > 0 && (w->tuple == MGL_NOT_FOUND || most > w->value ||
                             (most == w->value && v->first < w->tuple));
}

static void scan_furthest(answer *w, const node *leaf)
{
    const mgl_member_index *x = w->index;
    size_t m = x->space->m;
    for (uint32_t i = leaf->begin; i < leaf->begin + leaf->n_left; i++) {
        uint64_t distance = width_with(x->space, w->box, x->at + i * m);
        if (w->tuple == MGL_NOT_FOUND || distance > w->value ||
            (distance == w->value && x->tuples[i] < w->tuple)) {
            w->value = distance;
            w->tuple = x->tuples[i];
        }
    }
}

static void visit_furthest(answer *w, uint32_t number)
{
    const node *nodes = w->index->nodes, *v = &nodes[number];
    if (v->left == 0) {
        scan_furthest(w, v);
        return;
    }
    uint64_t low = most_far(w, v->left), high = most_far(w, v->left + 1);
    bool swap = high > low || (high == low && nodes[v->left + 1].first < nodes[v->left].first);
    uint32_t far = v->left + swap, near = v->left + !swap;
    if (may_be_furthest(w, &nodes[far], swap ? high : low))
        visit_furthest(w, far);
    if (may_be_furthest(w, &nodes[near], swap ? low : high))
        visit_furthest(w, near);
}

uint32_t mgl_member_furthest(const mgl_member_index *index, const mgl_member_box *box)
{
    answer w = {index, box, 0, MGL_NOT_FOUND};
    if (index->n > 0)
        visit_furthest(&w, 0);
    return w.tuple;
}
