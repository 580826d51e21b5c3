/* The best nodes found so far, ties kept, and the choice among them. */
#ifndef MGL_SEARCH_NODE_TIES_H
#define MGL_SEARCH_NODE_TIES_H

#include "search/problem/problem.h"

typedef struct mgl_ties {
    size_t n_attributes;
    double best; /* least cost; INFINITY: nothing yet */
    size_t n, capacity;
    uint32_t *nodes; /* [n * n_attributes] */
    double *costs;   /* [n] */
    size_t cost_capacity;
} mgl_ties;

void mgl_ties_init(mgl_ties *ties, size_t n_attributes);
void mgl_ties_free(mgl_ties *ties);

/* Costs within a relative 1e-12 are ties. */
bool mgl_costs_tie(double a, double b);

/* Adds a holding node of this cost, unless a better one is there; drops what it beats. */
mgl_status mgl_ties_add(mgl_ties *ties, const uint32_t *node, double cost, mgl_error *err);

/* Puts them in lexicographic order. */
void mgl_ties_sort(mgl_ties *ties);

/* Number of the preferred one: the --prefer criteria, then height, then lexicographic.
 * There must be at least one. */
mgl_status mgl_ties_choose(const mgl_ties *ties, const mgl_problem *problem, mgl_error *err,
                           size_t *out);

#endif
