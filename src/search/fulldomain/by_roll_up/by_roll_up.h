/* The engine for what the other engines leave: several quasi-identifiers above all, and whatever
 * only the evaluator can judge. It bounds what it can, and judges the nodes that are left from
 * lists that are rolled up. Exact for every problem. */
#ifndef MGL_SEARCH_FULLDOMAIN_BY_ROLL_UP_H
#define MGL_SEARCH_FULLDOMAIN_BY_ROLL_UP_H

#include "search/node/node.h"

/* As mgl_sweep_optimum; the ties are in lexicographic order. */
mgl_status mgl_by_roll_up_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out);
/* As mgl_sweep_holding; with `above`, nodes above one that holds are marked, too. */
mgl_status mgl_by_roll_up_holding(const mgl_problem *problem, bool above, mgl_error *err,
                                  uint8_t *holds, uint64_t *checked);

#endif
