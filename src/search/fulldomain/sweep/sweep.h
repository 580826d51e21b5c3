/* The sweep: every node of the lattice, evaluated plainly. It is the oracle of the tests, and the
 * way to search with models that allow no pruning. */
#ifndef MGL_SEARCH_FULLDOMAIN_SWEEP_H
#define MGL_SEARCH_FULLDOMAIN_SWEEP_H

#include "search/node/node.h"

/* Lattices up to this many nodes are swept whole where that is needed, and their minimal
 * nodes are reported. */
#define MGL_MOST_NODES UINT64_C(100000)

/* What a search over the lattice found. */
typedef struct mgl_optimum {
    mgl_ties ties;
    uint64_t checked; /* nodes whose classes were looked at */
    bool timed_out;   /* the deadline came first: ties are the best so far */
} mgl_optimum;

/* Every node, plainly. ties must be initialized. */
mgl_status mgl_sweep_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out);

/* Says that the time limit came before all nodes were tried. */
mgl_status mgl_fail_nodes_left(mgl_error *err);

/* holds[number] for every node in lexicographic order; the lattice has at most
 * MGL_MOST_NODES nodes. */
mgl_status mgl_sweep_holding(const mgl_problem *problem, mgl_error *err, uint8_t *holds,
                             uint64_t *checked);

#endif
