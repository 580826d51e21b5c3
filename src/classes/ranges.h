/* Counts the keys of the rows of a table by all threads. Each range of keys has a counter of its
 * own, and what the counters hold follows each other in order. Private to the module. */
#ifndef MGL_CLASSES_RANGES_H
#define MGL_CLASSES_RANGES_H

#include "classes/remembered.h"

/* Of tables with fewer rows one thread is as fast. */
enum { MGL_MANY_ROWS = 1 << 18 };

/* The rows to count. times and zeros: as mgl_counter_add takes them. */
typedef struct mgl_keyed_rows {
    const mgl_row_keys *keys;
    const uint64_t *times;
    size_t n_rows;
    unsigned zeros;
    bool remember; /* which tuple each row has; each counts once then */
} mgl_keyed_rows;

/* What mgl_counter_take gives, and what is remembered of the rows (NULL: nothing). */
typedef struct mgl_counted_keys {
    uint64_t *keys, *counts;
    size_t n;
    mgl_remembered *remembered;
} mgl_counted_keys;

/* All codes are in memory. */
mgl_status mgl_ranges_count(const mgl_keyed_rows *rows, mgl_pool *pool, mgl_error *err,
                            mgl_counted_keys *out);

#endif
