/* Goes through all cuts that may cost less than the best one known: branch and bound over the tree,
 * node by node. A node that breaks a combination with those that were decided before breaks it
 * whatever comes after, since what is decided later changes no count of these. item_search.c calls
 * it for trees that are small enough. */
#include "items/item_search.h"

typedef struct branching {
    mgl_item_state *state;
    mgl_item_counter *counter;
    uint64_t most_work, steps;
    uint32_t *pending; /* nodes that are not decided yet, those under them neither */
    size_t n_pending;
    double *floor_under; /* [node] what the leaves under it cost at least */
    double best;
    uint32_t *best_cut; /* [leaf] */
    bool whole;
} branching;

static bool is_over(branching *b)
{
    if (mgl_item_counter_work(b->counter) + b->steps >= b->most_work ||
        mgl_item_counter_failed(b->counter) || mgl_item_is_late(b->state))
        b->whole = false;
    return !b->whole;
}

static void decide(branching *b, double cost, double floor);

/* Releases the node, if that breaks nothing, and goes on. */
static void release(branching *b, uint32_t node, double cost, double floor)
{
    mgl_item_state *s = b->state;
    mgl_item_look look = {.least = 1, .most = s->problem->m};
    double own = (double)s->occurrences[node] * s->loss[node];
    if (cost + own + floor >= b->best * (1 - 1e-12) - 1e-12)
        return;
    mgl_item_put(s, node, node);
    if (mgl_item_count(b->counter, node, &look))
        decide(b, cost + own, floor);
    mgl_item_put(s, node, MGL_NOT_FOUND);
}

static void decide(branching *b, double cost, double floor)
{
    mgl_item_state *s = b->state;
    const mgl_item_tree *tree = s->tree;
    b->steps++;
    if (is_over(b) || cost + floor >= b->best * (1 - 1e-12) - 1e-12)
        return;
    if (b->n_pending == 0) {
        b->best = cost;
        memcpy(b->best_cut, s->node_of_leaf, tree->n_leaves * sizeof *b->best_cut);
        return;
    }
    uint32_t node = b->pending[--b->n_pending];
    size_t from = tree->child_start[node], n = tree->child_start[node + 1] - from;
    double rest = floor - b->floor_under[node];
    for (size_t i = 0; i < n; i++)
        b->pending[b->n_pending++] = tree->children[from + i];
    if (n > 0)
        decide(b, cost, floor);
    b->n_pending -= n;
    release(b, node, cost, rest);
    if (n == 0)
        decide(b, cost + (double)s->occurrences[node], rest);
    b->pending[b->n_pending++] = node;
}

static double begin(branching *b, const double *floor)
{
    const mgl_item_state *s = b->state;
    double sum = 0;
    for (uint32_t v = 0; v < s->tree->n_nodes; v++) {
        b->floor_under[v] = 0;
        for (size_t i = s->tree->start[v]; i < s->tree->start[v + 1]; i++) {
            uint32_t leaf = s->tree->leaves[i];
            b->floor_under[v] += (double)s->occurrences[leaf] * floor[leaf];
        }
        if (s->tree->parent[v] != MGL_NOT_FOUND)
            continue;
        sum += b->floor_under[v];
        b->pending[b->n_pending++] = v;
    }
    b->best = mgl_item_cost(s);
    memcpy(b->best_cut, s->node_of_leaf, s->tree->n_leaves * sizeof *b->best_cut);
    for (uint32_t leaf = 0; leaf < s->tree->n_leaves; leaf++)
        s->node_of_leaf[leaf] = MGL_NOT_FOUND;
    return sum;
}

enum { MOST_LEAVES = 512 }; /* deeper recursion would not come to an end */

mgl_status mgl_item_exact(mgl_item_state *state, const double *floor, uint64_t work, mgl_error *err,
                          bool *exact)
{
    branching b = {.state = state, .most_work = work, .whole = true};
    size_t n = state->tree->n_nodes;
    mgl_status status = MGL_OK;
    *exact = false;
    if (state->tree->n_leaves > MOST_LEAVES)
        return MGL_OK;
    b.pending = mgl_alloc_array(n + 1, sizeof *b.pending);
    b.floor_under = mgl_alloc_array(n, sizeof *b.floor_under);
    b.best_cut = mgl_alloc_array(state->tree->n_leaves, sizeof *b.best_cut);
    if (b.pending == NULL || b.floor_under == NULL || b.best_cut == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_item_counter_new(state, err, &b.counter));
    decide(&b, 0, begin(&b, floor));
    memcpy(state->node_of_leaf, b.best_cut, state->tree->n_leaves * sizeof *b.best_cut);
    MGL_GO(mgl_item_counter_failed(b.counter) ? mgl_fail_memory(err) : MGL_OK);
    *exact = b.whole;
done:
    mgl_item_counter_free(b.counter);
    mgl_free(b.pending);
    mgl_free(b.floor_under);
    mgl_free(b.best_cut);
    return status;
}
