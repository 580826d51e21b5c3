/* Improves a cut that holds. What is frequent in a cut is frequent in every coarser one, so the
 * cuts that hold are closed upwards, and releasing one more node can only break combinations that
 * it is in: a step is judged by counting these alone. item_search.c calls it. */
#include "items/item_search.h"

#include <stdlib.h>

typedef struct improving {
    mgl_item_state *state;
    mgl_item_counter *counter;
    uint64_t most_work;
    uint32_t *order;  /* [n_nodes] in which nodes are tried */
    uint32_t *before; /* [leaf] the cut that is gone back to */
    uint32_t *best;   /* [leaf] the best cut so far, while it is not the one at hand */
    uint32_t *saved;  /* [leaf] of the nodes that a step changes */
    uint32_t *inner;  /* [n_inner] nodes above others, what can lose most first */
    uint32_t n_inner;
    mgl_quick_random random;
} improving;

static bool is_over(const improving *m)
{
    return mgl_item_counter_work(m->counter) >= m->most_work || mgl_item_is_late(m->state) ||
           mgl_item_counter_failed(m->counter);
}

static bool is_below_cut(const mgl_item_state *s, uint32_t node)
{
    for (uint32_t v = node; v != MGL_NOT_FOUND; v = s->tree->parent[v])
        if (mgl_item_is_cut(s, v))
            return true;
    return false;
}

/* ---- Orders -------------------------------------------------------------------------------------
 */

typedef struct ranked {
    uint32_t node;
    double rank;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static bool rank_inner(improving *m)
{
    const mgl_item_state *s = m->state;
    ranked *nodes = mgl_alloc_array(s->tree->n_nodes, sizeof *nodes);
    if (nodes == NULL)
        return false;
    for (uint32_t v = 0; v < s->tree->n_nodes; v++)
        if (mgl_item_leaves(s->tree, v) > 1)
            nodes[m->n_inner++] = (ranked){v, (double)s->occurrences[v] * s->loss[v]};
    qsort(nodes, m->n_inner, sizeof *nodes, compare);
    for (uint32_t i = 0; i < m->n_inner; i++)
        m->inner[i] = nodes[i].node;
    mgl_free(nodes);
    return true;
}

/* What most occurrences gain comes first, about so where it is shaken. Small subtrees gain more of
 * each occurrence than large ones, so leaves come before what is above them. */
static bool rank_nodes(improving *m, double shaken)
{
    const mgl_item_state *s = m->state;
    ranked *nodes = mgl_alloc_array(s->tree->n_nodes, sizeof *nodes);
    if (nodes == NULL)
        return false;
    for (uint32_t v = 0; v < s->tree->n_nodes; v++) {
        double noise = 1 + shaken * (mgl_quick_random_unit(&m->random) - 0.5);
        double inner = mgl_item_leaves(s->tree, v) > 1 ? 0 : 1e18;
        nodes[v] = (ranked){v, inner + (double)s->occurrences[v] * (1 - s->loss[v]) * noise};
    }
    qsort(nodes, s->tree->n_nodes, sizeof *nodes, compare);
    for (uint32_t i = 0; i < s->tree->n_nodes; i++)
        m->order[i] = nodes[i].node;
    mgl_free(nodes);
    return true;
}

/* ---- Steps --------------------------------------------------------------------------------------
 */

/* Are the combinations of a node of the cut frequent? Small ones first: they are counted sooner,
 * and mostly they are what is rare. */
static bool holds(improving *m, uint32_t node)
{
    unsigned most = m->state->problem->m;
    mgl_item_look small = {.least = 1, .most = most < 2 ? most : 2};
    mgl_item_look large = {.least = 3, .most = 3};
    return mgl_item_count(m->counter, node, &small) &&
           (most < 3 || mgl_item_count(m->counter, node, &large)) &&
           !mgl_item_counter_failed(m->counter);
}

static void save(improving *m, uint32_t node)
{
    const mgl_item_tree *tree = m->state->tree;
    for (size_t i = tree->start[node]; i < tree->start[node + 1]; i++)
        m->saved[tree->leaves[i]] = m->state->node_of_leaf[tree->leaves[i]];
}

static void restore(improving *m, uint32_t node)
{
    const mgl_item_tree *tree = m->state->tree;
    for (size_t i = tree->start[node]; i < tree->start[node + 1]; i++)
        m->state->node_of_leaf[tree->leaves[i]] = m->saved[tree->leaves[i]];
}

/* Releases the node in place of what is released under it, if that costs less and holds. */
static bool try_node(improving *m, uint32_t node)
{
    mgl_item_state *s = m->state;
    if (s->occurrences[node] == 0 || is_below_cut(s, node) ||
        mgl_item_cost_under(s, node) <= (double)s->occurrences[node] * s->loss[node])
        return false;
    save(m, node);
    mgl_item_put(s, node, node);
    if (holds(m, node))
        return true;
    restore(m, node);
    return false;
}

/* Releases the nodes under a node in its place, if that holds; or all but those that are too rare
 * then, if that costs less. Those that were found to hold still do when another is left out. */
static bool try_split(improving *m, uint32_t node, bool whole)
{
    mgl_item_state *s = m->state;
    const mgl_item_tree *tree = s->tree;
    size_t from = tree->child_start[node], to = tree->child_start[node + 1];
    double before = mgl_item_cost_under(s, node), cost = 0;
    save(m, node);
    for (size_t i = from; i < to; i++) {
        mgl_item_put(s, tree->children[i], tree->children[i]);
        cost += (double)s->occurrences[tree->children[i]] * s->loss[tree->children[i]];
    }
    for (size_t i = from; i < to && cost < before; i++) {
        uint32_t child = tree->children[i];
        if (s->occurrences[child] == 0 || holds(m, child))
            continue;
        mgl_item_put(s, child, MGL_NOT_FOUND);
        cost = whole ? before : cost;
        cost += (double)s->occurrences[child] * (1 - s->loss[child]);
    }
    if (cost < before && !is_over(m))
        return true;
    restore(m, node);
    return false;
}

/* Goes down from what is released, what loses most first: every node comes after the one above it.
 * What is left out takes room that others could have, so whole nodes are divided first. */
static void specialize(improving *m)
{
    for (int whole = 1; whole >= 0; whole--)
        for (uint32_t i = 0; i < m->n_inner && !is_over(m); i++)
            if (mgl_item_is_cut(m->state, m->inner[i]))
                try_split(m, m->inner[i], whole == 1);
}

/* Tries the nodes in order, again until none is taken. Those above others come after them. */
static void refill(improving *m, const uint32_t *order, size_t n)
{
    bool any = true;
    while (any && !is_over(m)) {
        any = false;
        for (size_t i = 0; i < n && !is_over(m); i++)
            any = try_node(m, order[i]) || any;
    }
}

/* ---- Taking apart and putting together ----------------------------------------------------------
 */

/* Leaves out all under the node: refilling puts together what fits best. */
static void take_apart(improving *m, uint32_t node)
{
    mgl_item_put(m->state, node, MGL_NOT_FOUND);
}

static uint32_t top_of(const mgl_item_state *s, uint32_t node)
{
    while (s->tree->parent[node] != MGL_NOT_FOUND)
        node = s->tree->parent[node];
    return node;
}

/* A node that some leaf is coarser than itself in, or that is left out. */
static uint32_t choose_node(improving *m)
{
    const mgl_item_state *s = m->state;
    uint32_t leaf = mgl_quick_random_below(&m->random, s->tree->n_leaves);
    for (uint32_t i = 0; i < s->tree->n_leaves; i++, leaf = (leaf + 1) % s->tree->n_leaves) {
        uint32_t cut = s->node_of_leaf[leaf];
        if (s->occurrences[leaf] == 0 || cut == leaf)
            continue;
        if (cut != MGL_NOT_FOUND && mgl_quick_random_below(&m->random, 2) == 0)
            return cut;
        uint32_t above = s->tree->parent[cut != MGL_NOT_FOUND ? cut : leaf];
        return above != MGL_NOT_FOUND ? above : cut != MGL_NOT_FOUND ? cut : leaf;
    }
    return MGL_NOT_FOUND;
}

/* Takes some of the cut apart and puts it together in an order of its own. Returns false if there
 * is nothing to take apart. */
static bool shake(improving *m)
{
    mgl_item_state *s = m->state;
    size_t n = s->tree->n_leaves;
    double cost = mgl_item_cost(s);
    memcpy(m->before, s->node_of_leaf, n * sizeof *m->before);
    uint32_t node = choose_node(m);
    if (node == MGL_NOT_FOUND)
        return false;
    take_apart(m, node);
    for (uint32_t others = mgl_quick_random_below(&m->random, 4); others > 0; others--) {
        uint32_t leaf = mgl_quick_random_below(&m->random, n);
        uint32_t cut = s->node_of_leaf[leaf];
        if (cut != MGL_NOT_FOUND)
            take_apart(m, mgl_quick_random_below(&m->random, 8) == 0 ? top_of(s, cut) : cut);
    }
    if (!rank_nodes(m, 1.5))
        return false;
    refill(m, m->order, s->tree->n_nodes);
    if (is_over(m) || mgl_item_cost(s) > cost)
        memcpy(s->node_of_leaf, m->before, n * sizeof *m->before);
    return true;
}

enum { MOST_SHAKES = 2000 };

/* ---- Where to begin -----------------------------------------------------------------------------
 */

static void keep_better(improving *m, double *cost)
{
    mgl_item_state *s = m->state;
    double now = mgl_item_cost(s);
    if (now < *cost)
        memcpy(m->best, s->node_of_leaf, s->tree->n_leaves * sizeof *m->best);
    *cost = now < *cost ? now : *cost;
}

static void leave_out_all(mgl_item_state *s)
{
    for (uint32_t leaf = 0; leaf < s->tree->n_leaves; leaf++)
        s->node_of_leaf[leaf] = MGL_NOT_FOUND;
}

/* From the cut that is there; from the nodes right below the top; from nothing, leaves first. */
static void begin(improving *m)
{
    mgl_item_state *s = m->state;
    double cost = mgl_item_cost(s);
    memcpy(m->best, s->node_of_leaf, s->tree->n_leaves * sizeof *m->best);
    specialize(m);
    refill(m, m->order, s->tree->n_nodes);
    keep_better(m, &cost);
    leave_out_all(s);
    for (uint32_t i = 0; i < s->tree->n_nodes && !is_over(m); i++)
        if (s->tree->parent[m->order[i]] == MGL_NOT_FOUND)
            try_node(m, m->order[i]);
    specialize(m);
    refill(m, m->order, s->tree->n_nodes);
    keep_better(m, &cost);
    leave_out_all(s);
    refill(m, m->order, s->tree->n_nodes);
    keep_better(m, &cost);
    memcpy(s->node_of_leaf, m->best, s->tree->n_leaves * sizeof *m->best);
}

mgl_status mgl_item_improve(mgl_item_state *state, uint64_t work, mgl_error *err)
{
    improving m = {.state = state, .most_work = work, .random = {1}};
    uint32_t n = state->tree->n_nodes, n_leaves = state->tree->n_leaves;
    mgl_status status = MGL_OK;
    m.order = mgl_alloc_array(n, sizeof *m.order);
    m.inner = mgl_alloc_array(n, sizeof *m.inner);
    m.before = mgl_alloc_array(n_leaves, sizeof *m.before);
    m.saved = mgl_alloc_array(n_leaves, sizeof *m.saved);
    m.best = mgl_alloc_array(n_leaves, sizeof *m.best);
    if (m.order == NULL || m.inner == NULL || m.before == NULL || m.saved == NULL ||
        m.best == NULL || !rank_inner(&m) || !rank_nodes(&m, 0))
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_item_counter_new(state, err, &m.counter));
    begin(&m);
    for (size_t i = 0; i < MOST_SHAKES && !is_over(&m); i++)
        if (!shake(&m))
            break;
    MGL_GO(mgl_item_counter_failed(m.counter) ? mgl_fail_memory(err) : MGL_OK);
done:
    mgl_item_counter_free(m.counter);
    mgl_free(m.order);
    mgl_free(m.inner);
    mgl_free(m.before);
    mgl_free(m.saved);
    mgl_free(m.best);
    return status;
}
