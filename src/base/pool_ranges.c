/* Shares out loops over many things, tuples mostly, where a thing takes too little to be an item.
 * Searches and measures call it. */
#include "base/pool_ranges.h"

enum { LEAST_THINGS = 1 << 15 }; /* below that waking a thread takes longer */

typedef struct sharing {
    size_t n;
    mgl_range_fn *run;
    void *context;
} sharing;

static void run_range(void *context, size_t i, unsigned worker)
{
    const sharing *s = context;
    (void)worker;
    s->run(s->context, (mgl_range){i, s->n * i / MGL_RANGES, s->n * (i + 1) / MGL_RANGES});
}

void mgl_pool_run_ranges(mgl_pool *pool, size_t n, mgl_range_fn *run, void *context)
{
    sharing s = {n, run, context};
    if (n < LEAST_THINGS || mgl_pool_threads(pool) == 1)
        run(context, (mgl_range){0, 0, n});
    else
        mgl_pool_run(pool, MGL_RANGES, run_range, &s);
}
