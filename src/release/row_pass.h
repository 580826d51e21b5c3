/* One pass over the rows of a release, block by block. Inside the room only. */
#ifndef MGL_RELEASE_ROW_PASS_H
#define MGL_RELEASE_ROW_PASS_H

#include "release/release.h"

/* Some rows of the source. */
typedef struct mgl_row_block {
    mgl_records records; /* nothing if the source is not needed */
    uint64_t first;
    size_t n;
    const uint32_t *tuples; /* MGL_NOT_FOUND: the row is dropped */
} mgl_row_block;

typedef struct mgl_row_pass {
    const mgl_row_plan *plan;
    bool needs_source;      /* cells are wanted that are only there */
    const uint32_t *tuples; /* of all rows; NULL: they are found on the way */
    const mgl_progress *progress;
    /* Items that work on a block, different ones on different threads. */
    mgl_status (*take)(void *context, const mgl_row_block *block, size_t item, mgl_error *err);
    size_t n_items;
    mgl_status (*end_block)(void *context, mgl_error *err); /* when all have; NULL: nothing to do */
    void *context;
} mgl_row_pass;

/* While one block is worked on, the next one is read, and whoever watches sees the block. MGL_DATA
 * if there are not as many rows as were counted. */
mgl_status mgl_row_pass_run(const mgl_row_pass *pass, mgl_error *err);

#endif
