/* What judges a promise beside models: the table of functions that each feature's judge is. */
#ifndef MGL_VERIFY_JUDGE_H
#define MGL_VERIFY_JUDGE_H

#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "table/table.h"

typedef struct mgl_promise mgl_promise;

/* Judges what is promised beside models: one feature of the job, in a file that shares nothing with
 * those that make it. */
typedef struct mgl_judge {
    /* Judges the rows that were read for the models, of which then no two are merged; optional. */
    mgl_status (*rows)(const char *name, const mgl_table *table, const mgl_promise *promise,
                       const void *promised, size_t n, mgl_error *err);
    /* Reads what it needs of the release, and notes in `promised` what was found; optional. */
    mgl_status (*release)(mgl_source *source, const mgl_promise *promise, void *promised, size_t n,
                          mgl_pool *pool, const mgl_progress *progress, mgl_error *err);
} mgl_judge;

#endif
