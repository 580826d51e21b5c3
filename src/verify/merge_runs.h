/* Sorted runs of rows merged by several threads, for collect.c. Inside the room only. */
#ifndef MGL_VERIFY_MERGE_RUNS_H
#define MGL_VERIFY_MERGE_RUNS_H

#include "verify/verify.h"

/* Different rows, sorted. */
typedef struct mgl_row_run {
    uint64_t *rows; /* [n * n_words] */
    uint64_t *times;
    size_t n;
} mgl_row_run;

void mgl_row_run_free(mgl_row_run *run);

/* One run of all rows, with what their times add up to. Free with mgl_row_run_free. */
mgl_status mgl_row_runs_merge(const mgl_row_run *runs, size_t n_runs, size_t words, mgl_pool *pool,
                              mgl_error *err, mgl_row_run *out);

#endif
