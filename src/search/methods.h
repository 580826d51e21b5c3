/* The methods of the room, one line each, and what they share. Inside the room only. */
#ifndef MGL_SEARCH_METHODS_H
#define MGL_SEARCH_METHODS_H

#include "search/optimum.h"
#include "search/search.h"

extern const mgl_method_type mgl_mingen, mgl_cell, mgl_datafly, mgl_samarati;

/* Fills in recoding, node and suppressed rows of a node that holds. */
mgl_status mgl_solution_take_node(mgl_solution *solution, const mgl_problem *problem,
                                  const uint32_t *node, mgl_error *err);

/* holds[number] for every node of a lattice of at most MGL_MOST_NODES nodes, the fastest
 * way; the array is the caller's (mgl_free). */
mgl_status mgl_lattice_holding(const mgl_problem *problem, mgl_error *err, uint8_t **holds);

/* Fills in the minimal nodes, if the lattice has at most MGL_MOST_NODES nodes. */
mgl_status mgl_solution_find_minimal(mgl_solution *solution, const mgl_problem *problem,
                                     mgl_error *err);

/* Nothing holds: says why and what would help. */
mgl_status mgl_fail_unmet(const mgl_problem *problem, bool timed_out, mgl_error *err);

#endif
