/* A pool of threads that runs numbered items. */
#ifndef MGL_BASE_POOL_H
#define MGL_BASE_POOL_H

#include "base/error.h"

#include <stdbool.h>

typedef struct mgl_pool mgl_pool;

/* threads 0: one per core, of which there are never more. Free with mgl_pool_free. */
mgl_status mgl_pool_new(unsigned threads, mgl_error *err, mgl_pool **out);
void mgl_pool_free(mgl_pool *pool);
unsigned mgl_pool_threads(const mgl_pool *pool);

/* Calls run(context, item, worker) for each item 0..items-1, worker being
 * 0..threads-1; returns when all are done. With one thread, or one item, the
 * caller's thread does it all, in order. A NULL pool is a pool of one. All threads
 * are in the call (call.h) of the caller meanwhile. */
typedef void mgl_item_fn(void *context, size_t item, unsigned worker);
void mgl_pool_run(mgl_pool *pool, size_t items, mgl_item_fn *run, void *context);

/* The same of items that can fail. All are run; the failure is that of the first by its number. */
typedef mgl_status mgl_trial_fn(void *context, size_t item, unsigned worker, mgl_error *err);
mgl_status mgl_pool_try(mgl_pool *pool, size_t items, mgl_trial_fn *run, void *context,
                        mgl_error *err);

/* Starts background items, which threads of the pool run while no others wait: mgl_pool_run goes on
 * meanwhile without the threads that are at such an item. The caller's thread goes on with
 * something else; a pool of one thread leaves all items to mgl_background_end. One set at a time,
 * to be ended before the context goes. */
void mgl_background_begin(mgl_pool *pool, size_t items, mgl_item_fn *run, void *context);
/* Returns when no thread is at a background item any more. If the items are needed, the caller
 * helps until all are done; else those that were not begun are dropped. */
void mgl_background_end(mgl_pool *pool, bool needed);

enum { MGL_RANGES = 32 };

/* Elements first..end-1. number: below MGL_RANGES. */
typedef struct mgl_range {
    size_t number, first, end;
} mgl_range;

/* Divides n elements, each of which takes too little to be an item, into ranges and calls run for
 * them in any order. With one thread, or few elements, there is one range, number 0. */
typedef void mgl_range_fn(void *context, mgl_range range);
void mgl_pool_run_ranges(mgl_pool *pool, size_t n, mgl_range_fn *run, void *context);

#endif
