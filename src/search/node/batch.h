/* Nodes evaluated side by side. */
#ifndef MGL_SEARCH_NODE_BATCH_H
#define MGL_SEARCH_NODE_BATCH_H

#include "search/problem/problem.h"

typedef struct mgl_batch mgl_batch;

typedef struct mgl_judged {
    bool holds;  /* false, too, if time was up first */
    double cost; /* NAN: it was not asked for */
} mgl_judged;

/* Free with mgl_batch_free. */
mgl_status mgl_batch_new(const mgl_problem *problem, mgl_error *err, mgl_batch **out);
void mgl_batch_free(mgl_batch *batch);

/* Only whether nodes hold is asked from now on. */
void mgl_batch_without_costs(mgl_batch *batch);

/* nodes[n * n_attributes]; what is found does not depend on the number of threads. A deadline
 * stops it early (*timed_out), but never before a node was judged. */
mgl_status mgl_batch_run(mgl_batch *batch, const uint32_t *nodes, size_t n, mgl_error *err,
                         mgl_judged *out, bool *timed_out);

#endif
