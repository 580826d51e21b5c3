/* Work for threads of a pool that have nothing else to do. */
#ifndef MGL_BASE_SPARE_H
#define MGL_BASE_SPARE_H

#include "base/pool.h"

/* Hands the pool items that its threads take while nobody runs others: mgl_pool_run goes on as
 * always meanwhile, without the threads that are at such an item. The caller's thread goes on with
 * something else. A pool of one thread leaves all of them to mgl_spare_end. One at a time; end
 * it with mgl_spare_end before the context goes. */
void mgl_spare_begin(mgl_pool *pool, size_t items, mgl_item_fn *run, void *context);

/* Returns when no thread is at an item any more. If they are needed, the caller helps until all are
 * done; else those that nobody has begun are dropped. */
void mgl_spare_end(mgl_pool *pool, bool needed);

#endif
