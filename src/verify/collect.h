/* The different rows of a release and how often each occurs, gathered while the release is read: a
 * stripe at a time is counted, sorted and merged into what there is, so that all rows are never in
 * memory at once. Private to the module. */
#ifndef MGL_VERIFY_COLLECT_H
#define MGL_VERIFY_COLLECT_H

#include "verify/verify.h"

/* Different rows, sorted. */
typedef struct mgl_row_run {
    uint64_t *rows; /* [n * n_words] */
    uint64_t *times;
    size_t n;
} mgl_row_run;

/* Codes of a row side by side in one or more words, the first column highest. */
typedef struct mgl_row_words {
    size_t n_words;
    uint32_t *word;        /* [n_columns] */
    uint8_t *shift, *bits; /* [n_columns] */
    uint8_t *used;         /* [n_columns >= n_words] bits of each word */
} mgl_row_words;

typedef struct mgl_collector {
    size_t n_columns;
    mgl_pool *pool;
    mgl_row_words words;
    mgl_row_run all;
    uint64_t n_rows; /* taken so far */
    /* of the stripe at work */
    const mgl_table *stripe;
    mgl_row_run *runs; /* [n_runs], and one more for what there was */
    size_t n_runs;
    bool *failed; /* [n_runs] */
} mgl_collector;

mgl_status mgl_collector_init(mgl_collector *collector, size_t n_columns, mgl_pool *pool,
                              mgl_error *err);
void mgl_collector_free(mgl_collector *collector);

/* For a sink: context is the collector. */
mgl_status mgl_collector_take(void *context, const mgl_table *stripe, mgl_error *err);

/* Puts the different rows into the columns of the table, whose codes they have: a counted table. */
mgl_status mgl_collector_end(mgl_collector *collector, mgl_table *table, mgl_error *err);

#endif
