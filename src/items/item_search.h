/* The search for a cut: the state that its steps share. Private to the module. */
#ifndef MGL_ITEMS_ITEM_SEARCH_H
#define MGL_ITEMS_ITEM_SEARCH_H

#include "items/items.h"

/* A cut, and what is needed to judge it. */
typedef struct mgl_item_state {
    const mgl_item_problem *problem;
    const mgl_item_tree *tree;
    const mgl_baskets *baskets;
    uint32_t *node_of_leaf; /* [leaf] MGL_NOT_FOUND: left out */
    size_t *row_start;      /* [leaf + 1] */
    uint32_t *rows;         /* baskets that have the leaf, ascending */
    uint64_t *occurrences;  /* [node] of the leaves under it, together */
    double *loss;           /* [node] of one occurrence */
    mgl_owned own;
} mgl_item_state;

mgl_status mgl_item_state_new(const mgl_item_problem *problem, mgl_error *err, mgl_item_state *out);
void mgl_item_state_free(mgl_item_state *state);

/* Is the node released? */
static inline bool mgl_item_is_cut(const mgl_item_state *s, uint32_t node)
{
    return s->node_of_leaf[s->tree->leaves[s->tree->start[node]]] == node;
}

/* Releases all leaves under the node as `as`: it, or MGL_NOT_FOUND. */
void mgl_item_put(mgl_item_state *s, uint32_t node, uint32_t as);
/* What the leaves under the node lose in the cut, all their occurrences together. */
double mgl_item_cost_under(const mgl_item_state *s, uint32_t node);
double mgl_item_cost(const mgl_item_state *s);

/* Room for one thread to count in. */
typedef struct mgl_item_counter mgl_item_counter;
mgl_status mgl_item_counter_new(const mgl_item_state *state, mgl_error *err,
                                mgl_item_counter **out);
void mgl_item_counter_free(mgl_item_counter *counter);
/* Baskets and pairs that it has looked at so far. */
uint64_t mgl_item_counter_work(const mgl_item_counter *counter);
/* Memory was out: what was counted since is worth nothing. */
bool mgl_item_counter_failed(const mgl_item_counter *counter);

/* Which combinations that a node is in are counted. */
typedef struct mgl_item_look {
    unsigned least, most; /* how many nodes they have */
    bool larger;          /* the others have larger numbers: then each is counted at one node */
    /* Called with each combination that is too rare in some class, and how rare, until it returns
     * false; NULL: the first ends it. */
    bool (*rare)(void *context, const uint32_t *nodes, unsigned n, uint64_t count);
    void *context;
} mgl_item_look;
/* False: some combination is rarer than k. */
bool mgl_item_count(mgl_item_counter *counter, uint32_t node, const mgl_item_look *look);

/* Has the time of the search come to its end? */
static inline bool mgl_item_is_late(const mgl_item_state *s)
{
    const mgl_item_problem *p = s->problem;
    return mgl_progress_stopped(p->progress) ||
           (p->deadline > 0 && mgl_sys_seconds() > p->deadline);
}

#endif
