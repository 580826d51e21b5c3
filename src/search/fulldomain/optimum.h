/* Finding the best nodes of the lattice. Private to the module.
 *
 * Several ways to the same answer: the sweep evaluates every node plainly and is the oracle of the
 * tests; two branch and bound engines, by class sizes and by sensitive values, are much faster for
 * the problems that they handle; what they do not is judged from lists that are rolled up. */
#ifndef MGL_SEARCH_FULLDOMAIN_OPTIMUM_H
#define MGL_SEARCH_FULLDOMAIN_OPTIMUM_H

#include "search/node/node.h"

/* ties must be initialized. */
mgl_status mgl_lattice_best(const mgl_problem *problem, mgl_error *err, mgl_optimum *out);
/* As mgl_sweep_holding; the array is the caller's (mgl_free). */
mgl_status mgl_lattice_holding(const mgl_problem *problem, mgl_error *err, uint8_t **holds);
/* The best, and what mgl_minimal_nodes needs: those that hold; nodes above one of them may be
 * marked or not, which makes no difference to the minimal ones. *above is NULL if the lattice has
 * more than MGL_MOST_NODES nodes, or if the deadline came first, or if the problem is brief; it
 * may be if none holds. */
mgl_status mgl_lattice_best_and_holding(const mgl_problem *problem, mgl_error *err,
                                        mgl_optimum *best, uint8_t **above);

/* Does the cost of a node that holds follow from its levels alone? Then these are the best of
 * the nodes that hold; ties must be initialized. */
bool mgl_levels_decide(const mgl_problem *problem);
mgl_status mgl_levels_best(const mgl_problem *problem, const uint8_t *holds, mgl_error *err,
                           mgl_ties *ties);
/* What a node costs by a measure of cells (mgl_is_by_column) if nothing is suppressed. */
mgl_status mgl_levels_cost(const mgl_problem *problem, const uint32_t *node, mgl_error *err,
                           double *out);

#endif
