/* Ranges of many things, each for one thread of a pool. */
#ifndef MGL_BASE_POOL_RANGES_H
#define MGL_BASE_POOL_RANGES_H

#include "base/pool.h"

enum { MGL_RANGES = 32 };

/* Things first..end-1. number: below MGL_RANGES. */
typedef struct mgl_range {
    size_t number, first, end;
} mgl_range;

/* Calls run for ranges that are n things together, in any order. With one thread, or with few
 * things, there is one range, number 0. */
typedef void mgl_range_fn(void *context, mgl_range range);
void mgl_pool_run_ranges(mgl_pool *pool, size_t n, mgl_range_fn *run, void *context);

#endif
