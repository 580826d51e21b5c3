/* Nodes judged on the way down the lattice. What is found is what the evaluator finds, which does
 * the judging here, too. */
#ifndef MGL_SEARCH_NODE_REFINER_H
#define MGL_SEARCH_NODE_REFINER_H

#include "search/node/batch.h"
#include "search/problem/problem.h"

typedef struct mgl_refiner mgl_refiner;

/* At the node. Free with mgl_refiner_free. */
mgl_status mgl_refiner_new(const mgl_problem *problem, const uint32_t *node, mgl_error *err,
                           mgl_refiner **out);
void mgl_refiner_free(mgl_refiner *refiner);

/* Judges the node that it is at. Of nodes that do not hold the cost is INFINITY if that was seen
 * early. */
mgl_status mgl_refiner_judge(mgl_refiner *refiner, mgl_error *err, mgl_judged *out);

/* Judges the nodes one level below in each of n columns, side by side. What is found does not
 * depend on the number of threads. A deadline stops it early (*timed_out), but never before a node
 * was judged. */
mgl_status mgl_refiner_judge_steps(mgl_refiner *refiner, const uint32_t *columns, size_t n,
                                   mgl_error *err, mgl_judged *out, bool *timed_out);

/* How many rows the node one level below in a column suppresses at least, by what was judged on the
 * way. */
uint64_t mgl_refiner_rows_below(const mgl_refiner *refiner, uint32_t column);

/* Goes one level down in a column. */
mgl_status mgl_refiner_step(mgl_refiner *refiner, uint32_t column, mgl_error *err);

#endif
