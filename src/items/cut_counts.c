/* A cut with what is needed to judge it, and the counts of the combinations that a node is in. */
#include "items/item_search.h"

static void list_rows(mgl_item_state *s, size_t *next)
{
    const mgl_baskets *b = s->baskets;
    for (size_t i = 0; i < b->start[b->n]; i++)
        s->row_start[b->leaves[i] + 1]++;
    for (size_t leaf = 0; leaf < s->tree->n_leaves; leaf++) {
        s->row_start[leaf + 1] += s->row_start[leaf];
        next[leaf] = s->row_start[leaf];
    }
    for (size_t basket = 0; basket < b->n; basket++)
        for (size_t i = b->start[basket]; i < b->start[basket + 1]; i++)
            s->rows[next[b->leaves[i]]++] = (uint32_t)basket;
}

mgl_status mgl_item_state_new(const mgl_item_problem *problem, mgl_error *err, mgl_item_state *out)
{
    const mgl_item_tree *tree = problem->tree;
    *out = (mgl_item_state){.problem = problem, .tree = tree, .baskets = problem->baskets};
    mgl_owned *own = &out->own;
    size_t n = tree->n_leaves, n_rows = problem->baskets->start[problem->baskets->n];
    size_t *next = mgl_own_array(own, n + 1, sizeof *next);
    out->node_of_leaf = mgl_alloc_array(n, sizeof *out->node_of_leaf);
    out->row_start = mgl_own_zeroed(own, n + 1, sizeof *out->row_start);
    out->rows = mgl_own_array(own, n_rows, sizeof *out->rows);
    out->occurrences = mgl_own_zeroed(own, tree->n_nodes, sizeof *out->occurrences);
    out->loss = mgl_own_array(own, tree->n_nodes, sizeof *out->loss);
    if (own->missing || out->node_of_leaf == NULL) {
        mgl_item_state_free(out);
        return mgl_fail_memory(err);
    }
    list_rows(out, next);
    for (uint32_t v = 0; v < tree->n_nodes; v++) {
        out->loss[v] = mgl_item_loss(tree, v);
        for (size_t i = tree->start[v]; i < tree->start[v + 1]; i++)
            out->occurrences[v] += problem->baskets->occurrences[tree->leaves[i]];
    }
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++)
        out->node_of_leaf[leaf] = leaf;
    return MGL_OK;
}

void mgl_item_state_free(mgl_item_state *s)
{
    mgl_free(s->node_of_leaf);
    mgl_owned_free(&s->own);
    *s = (mgl_item_state){0};
}

void mgl_item_put(mgl_item_state *s, uint32_t node, uint32_t as)
{
    for (size_t i = s->tree->start[node]; i < s->tree->start[node + 1]; i++)
        s->node_of_leaf[s->tree->leaves[i]] = as;
}

static double cost_of_leaf(const mgl_item_state *s, uint32_t leaf)
{
    uint32_t node = s->node_of_leaf[leaf];
    return (double)s->occurrences[leaf] * (node == MGL_NOT_FOUND ? 1 : s->loss[node]);
}

double mgl_item_cost_under(const mgl_item_state *s, uint32_t node)
{
    double cost = 0;
    for (size_t i = s->tree->start[node]; i < s->tree->start[node + 1]; i++)
        cost += cost_of_leaf(s, s->tree->leaves[i]);
    return cost;
}

double mgl_item_cost(const mgl_item_state *s)
{
    double cost = 0;
    for (uint32_t leaf = 0; leaf < s->tree->n_leaves; leaf++)
        cost += cost_of_leaf(s, leaf);
    return cost;
}

/* Rows, or persons, that show something. */
typedef struct tally {
    uint32_t count;
    uint32_t last; /* the person that was counted last, and one; 0: none */
} tally;

typedef struct pair_slot {
    uint64_t key; /* two nodes; 0: free */
    tally tally;
} pair_slot;

struct mgl_item_counter {
    const mgl_item_state *state;
    uint32_t *rows; /* baskets with the current node, ascending */
    size_t n_rows, rows_room;
    uint8_t *has;       /* [basket] it is among them, while they are gathered */
    uint32_t *others;   /* nodes of one basket */
    uint32_t *shown_in; /* [node] the basket that showed it last, and one */
    tally *with;        /* [node] together with the current node */
    uint32_t *touched;  /* the nodes of these */
    size_t n_touched;
    pair_slot *pairs; /* likewise of two others */
    size_t n_slots, n_pairs;
    uint64_t *full; /* slots that are taken */
    size_t full_room;
    uint64_t work;
    bool failed;
    mgl_owned own;
};

static size_t longest_basket(const mgl_baskets *baskets)
{
    size_t longest = 0;
    for (size_t b = 0; b < baskets->n; b++)
        if (baskets->start[b + 1] - baskets->start[b] > longest)
            longest = baskets->start[b + 1] - baskets->start[b];
    return longest;
}

mgl_status mgl_item_counter_new(const mgl_item_state *state, mgl_error *err, mgl_item_counter **out)
{
    mgl_item_counter *c = mgl_zeroed_array(1, sizeof *c);
    size_t n = state->tree->n_nodes;
    MGL_TRY(mgl_check_memory(c != NULL, err));
    c->state = state;
    c->has = mgl_own_zeroed(&c->own, state->baskets->n, 1);
    c->others = mgl_own_array(&c->own, longest_basket(state->baskets), sizeof *c->others);
    c->shown_in = mgl_own_zeroed(&c->own, n, sizeof *c->shown_in);
    c->with = mgl_own_zeroed(&c->own, n, sizeof *c->with);
    c->touched = mgl_own_array(&c->own, n, sizeof *c->touched);
    if (c->own.missing) {
        mgl_item_counter_free(c);
        return mgl_fail_memory(err);
    }
    *out = c;
    return MGL_OK;
}

void mgl_item_counter_free(mgl_item_counter *c)
{
    if (c == NULL)
        return;
    mgl_free(c->rows);
    mgl_owned_free(&c->own);
    mgl_free(c->pairs);
    mgl_free(c->full);
    mgl_free(c);
}

uint64_t mgl_item_counter_work(const mgl_item_counter *c)
{
    return c->work;
}

bool mgl_item_counter_failed(const mgl_item_counter *c)
{
    return c->failed;
}

/* ---- The baskets of a node ------------------------------------------------------------------- */

enum { DENSE = 16 }; /* one basket in so many: then looking at all of them beats sorting */

static void sort_rows(mgl_item_counter *c)
{
    size_t n = 0, all = c->state->baskets->n;
    if (c->n_rows * DENSE < all) {
        mgl_sort_u32(c->rows, c->n_rows);
        for (size_t i = 0; i < c->n_rows; i++)
            c->has[c->rows[i]] = 0;
        return;
    }
    for (size_t b = 0; b < all; b++)
        if (c->has[b]) {
            c->rows[n++] = (uint32_t)b;
            c->has[b] = 0;
        }
}

static bool gather_rows(mgl_item_counter *c, uint32_t node)
{
    const mgl_item_state *s = c->state;
    size_t from = s->tree->start[node], to = s->tree->start[node + 1], most = 0;
    for (size_t i = from; i < to; i++)
        most += s->row_start[s->tree->leaves[i] + 1] - s->row_start[s->tree->leaves[i]];
    c->work += most;
    if (!mgl_grow(&c->rows, &c->rows_room, most + 1, sizeof *c->rows)) {
        c->failed = true;
        return false;
    }
    c->n_rows = 0;
    for (size_t i = from; i < to; i++) {
        uint32_t leaf = s->tree->leaves[i];
        for (size_t r = s->row_start[leaf]; r < s->row_start[leaf + 1]; r++) {
            if (to - from > 1 && c->has[s->rows[r]])
                continue;
            c->has[s->rows[r]] = to - from > 1;
            c->rows[c->n_rows++] = s->rows[r];
        }
    }
    if (to - from > 1)
        sort_rows(c);
    return true;
}

/* ---- Tallies --------------------------------------------------------------------------------- */

static void add(tally *t, uint32_t weight, uint32_t person)
{
    if (person == 0) {
        t->count += weight;
    } else if (t->last != person) {
        t->count++;
        t->last = person;
    }
}

/* The other nodes that the basket shows. */
static size_t find_others(mgl_item_counter *c, uint32_t basket, uint32_t node, bool larger)
{
    const mgl_item_state *s = c->state;
    const mgl_baskets *b = s->baskets;
    size_t n = 0;
    for (size_t i = b->start[basket]; i < b->start[basket + 1]; i++) {
        uint32_t other = s->node_of_leaf[b->leaves[i]];
        if (other == MGL_NOT_FOUND || other == node || (larger && other < node) ||
            c->shown_in[other] == basket + 1)
            continue;
        c->shown_in[other] = basket + 1;
        c->others[n++] = other;
    }
    for (size_t i = 0; i < n; i++)
        c->shown_in[c->others[i]] = 0;
    return n;
}

static uint64_t key_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static size_t slot_of(const mgl_item_counter *c, uint64_t key)
{
    size_t at = (size_t)((key + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (c->n_slots - 1);
    while (c->pairs[at].key != 0 && c->pairs[at].key != key)
        at = (at + 1) & (c->n_slots - 1);
    return at;
}

/* Twice as many slots, at most half of which are taken. */
static bool widen_pairs(mgl_item_counter *c)
{
    pair_slot *before = c->pairs;
    size_t n = c->n_pairs, n_slots = c->n_slots > 0 ? 2 * c->n_slots : 1024;
    c->pairs = mgl_zeroed_array(n_slots, sizeof *c->pairs);
    if (c->pairs == NULL || !mgl_grow(&c->full, &c->full_room, n_slots / 2 + 1, sizeof *c->full)) {
        mgl_free(c->pairs);
        c->pairs = before;
        c->failed = true;
        return false;
    }
    c->n_slots = n_slots;
    for (size_t i = 0; i < n; i++) {
        pair_slot slot = before[c->full[i]];
        size_t at = slot_of(c, slot.key);
        c->pairs[at] = slot;
        c->full[i] = at;
    }
    mgl_free(before);
    return true;
}

static void add_pair(mgl_item_counter *c, uint64_t key, uint32_t weight, uint32_t person)
{
    if (2 * (c->n_pairs + 1) > c->n_slots && !widen_pairs(c))
        return;
    size_t at = slot_of(c, key);
    if (c->pairs[at].key == 0) {
        c->pairs[at].key = key;
        c->full[c->n_pairs++] = at;
    }
    add(&c->pairs[at].tally, weight, person);
}

static void see_basket(mgl_item_counter *c, uint32_t basket, uint32_t node,
                       const mgl_item_look *look, tally *own)
{
    const mgl_baskets *b = c->state->baskets;
    uint32_t weight = b->weight[basket];
    uint32_t person = b->person_of != NULL ? b->person_of[basket] + 1 : 0;
    add(own, weight, person);
    if (look->most < 2)
        return;
    size_t n = find_others(c, basket, node, look->larger);
    c->work += n;
    for (size_t i = 0; look->least <= 2 && i < n; i++) {
        tally *t = &c->with[c->others[i]];
        if (t->count == 0)
            c->touched[c->n_touched++] = c->others[i];
        add(t, weight, person);
    }
    if (look->most < 3)
        return;
    c->work += n * n / 2;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            add_pair(c, key_of(c->others[i], c->others[j]), weight, person);
}

/* ---- What is too rare ------------------------------------------------------------------------ */

typedef struct telling {
    const mgl_item_look *look;
    uint64_t k;
    bool holds, goes_on;
} telling;

static void tell(telling *t, const uint32_t *nodes, unsigned n, uint64_t count)
{
    if (count >= t->k || !t->goes_on)
        return;
    t->holds = false;
    t->goes_on = t->look->rare != NULL && t->look->rare(t->look->context, nodes, n, count);
}

/* Ends a class: reports what is rare in it and makes room for the next. */
static void end_class(mgl_item_counter *c, uint32_t node, const tally *own, telling *t)
{
    if (t->look->least <= 1)
        tell(t, &node, 1, own->count);
    for (size_t i = 0; i < c->n_touched; i++) {
        tally *with = &c->with[c->touched[i]];
        uint32_t nodes[2] = {node, c->touched[i]};
        if (t->look->least <= 2)
            tell(t, nodes, 2, with->count);
        *with = (tally){0};
    }
    c->n_touched = 0;
    for (size_t i = 0; i < c->n_pairs; i++) {
        pair_slot *slot = &c->pairs[c->full[i]];
        uint32_t nodes[3] = {node, (uint32_t)(slot->key >> 32), (uint32_t)slot->key};
        tell(t, nodes, 3, slot->tally.count);
        *slot = (pair_slot){0};
    }
    c->n_pairs = 0;
}

bool mgl_item_count(mgl_item_counter *c, uint32_t node, const mgl_item_look *look)
{
    const mgl_baskets *b = c->state->baskets;
    telling t = {look, c->state->problem->k, true, true};
    if (!gather_rows(c, node))
        return false;
    for (size_t from = 0, to; from < c->n_rows && t.goes_on && !c->failed; from = to) {
        tally own = {0};
        uint32_t class_of = b->class_of[c->rows[from]];
        for (to = from; to < c->n_rows && b->class_of[c->rows[to]] == class_of; to++)
            see_basket(c, c->rows[to], node, look, &own);
        end_class(c, node, &own, &t);
    }
    return t.holds;
}
