/* What judges a promise beside models: the table of functions that each feature's judge is. */
#ifndef MGL_VERIFY_JUDGE_H
#define MGL_VERIFY_JUDGE_H

#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "privacy/privacy.h"
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
    /* Judges models that look at rows of several classes: begins a quasi-identifier, takes in its
     * classes, each with the risk of its rows, puts what it found in the place of what classes
     * show, if the model is one of these, and frees what it began with, also on failure. All or
     * none; times: of each row of the table; NULL: 1. */
    mgl_status (*begin)(const void *promised, mgl_error *err, void **out);
    void (*take)(void *state, const uint64_t *times, const uint32_t *rows, size_t n, double risk);
    void (*find)(const void *state, const mgl_model *model, mgl_found *found);
    void (*end)(void *state);
} mgl_judge;

#endif
