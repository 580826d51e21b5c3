/* The cut that a search is at, and how it is changed and priced. */
#include "items/item_search.h"

static bool list_rows(mgl_item_state *s)
{
    const mgl_baskets *b = s->baskets;
    size_t n_leaves = s->tree->n_leaves;
    size_t *next = mgl_zeroed_array(n_leaves + 1, sizeof *next);
    s->row_start = mgl_zeroed_array(n_leaves + 1, sizeof *s->row_start);
    s->rows = mgl_alloc_array(b->start[b->n], sizeof *s->rows);
    bool room = next != NULL && s->row_start != NULL && s->rows != NULL;
    for (size_t i = 0; room && i < b->start[b->n]; i++)
        s->row_start[b->leaves[i] + 1]++;
    for (size_t leaf = 0; room && leaf < n_leaves; leaf++) {
        s->row_start[leaf + 1] += s->row_start[leaf];
        next[leaf] = s->row_start[leaf];
    }
    for (size_t basket = 0; room && basket < b->n; basket++)
        for (size_t i = b->start[basket]; i < b->start[basket + 1]; i++)
            s->rows[next[b->leaves[i]]++] = (uint32_t)basket;
    mgl_free(next);
    return room;
}

mgl_status mgl_item_state_new(const mgl_item_problem *problem, mgl_error *err, mgl_item_state *out)
{
    const mgl_item_tree *tree = problem->tree;
    *out = (mgl_item_state){.problem = problem, .tree = tree, .baskets = problem->baskets};
    out->node_of_leaf = mgl_alloc_array(tree->n_leaves, sizeof *out->node_of_leaf);
    out->occurrences = mgl_zeroed_array(tree->n_nodes, sizeof *out->occurrences);
    out->loss = mgl_alloc_array(tree->n_nodes, sizeof *out->loss);
    if (out->node_of_leaf == NULL || out->occurrences == NULL || out->loss == NULL ||
        !list_rows(out)) {
        mgl_item_state_free(out);
        return mgl_fail_memory(err);
    }
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
    mgl_free(s->row_start);
    mgl_free(s->rows);
    mgl_free(s->occurrences);
    mgl_free(s->loss);
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
