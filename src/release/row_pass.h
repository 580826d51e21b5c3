/* One pass over the rows of a release, some blocks at a time. */
#ifndef MGL_RELEASE_ROW_PASS_H
#define MGL_RELEASE_ROW_PASS_H

#include "release/release.h"

/* Some rows of the source. */
typedef struct mgl_row_block {
    mgl_records records; /* nothing if the source is not needed */
    uint64_t first;
    size_t n;
    const uint32_t *tuples; /* MGL_NOT_FOUND: the row is dropped */
    uint64_t first_kept;    /* rows before that are not dropped */
    size_t n_kept;
} mgl_row_block;

/* Blocks that threads work on at the same time. */
typedef struct mgl_row_wave {
    mgl_row_block blocks[MGL_WAVE_BLOCKS];
    size_t n;
} mgl_row_wave;

/* What is done with the rows of a wave: items on different threads, then the end. */
typedef struct mgl_row_step {
    size_t (*items)(const void *context, const mgl_row_wave *wave);
    mgl_status (*run)(void *context, const mgl_row_wave *wave, size_t item, mgl_error *err);
    mgl_status (*end)(void *context, const mgl_row_wave *wave, mgl_error *err); /* NULL: nothing */
} mgl_row_step;

typedef struct mgl_row_pass {
    const mgl_row_plan *plan;
    bool needs_source;      /* cells are wanted that are only there */
    const uint32_t *tuples; /* of all rows; NULL: they are found on the way */
    const mgl_progress *progress;
    const mgl_row_step *steps; /* one after the other */
    size_t n_steps;
    void *context;
} mgl_row_pass;

/* While one wave is worked on, the next one is read, and the watcher sees the rows. MGL_DATA if
 * there are not as many rows as were counted. */
mgl_status mgl_row_pass_run(const mgl_row_pass *pass, mgl_error *err);

#endif
