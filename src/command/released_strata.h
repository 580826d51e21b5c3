/* Rows of a release by strata, for `utility`. Inside the room only. */
#ifndef MGL_COMMAND_RELEASED_STRATA_H
#define MGL_COMMAND_RELEASED_STRATA_H

#include "pipeline/pipeline.h"

/* Rows of a release as it is read back. Columns of strata come first. */
typedef struct mgl_rows_read {
    const mgl_released_column *const *columns; /* [n_attributes] */
    uint32_t *const *cells;                    /* [n_attributes][n_rows] */
    const uint64_t *counts;                    /* [n_rows] */
    size_t n_attributes, n_rows;
} mgl_rows_read;

/* Marks rows that read as suppressed: at the top in all columns but those of strata, and none of a
 * stratum that has no others. */
mgl_status mgl_rows_mark_tops(const mgl_rows_read *rows, mgl_error *err, uint8_t *suppressed);

/* How many rows of each stratum of the original the release lacks, in the order of the list; caller
 * frees with mgl_free. MGL_DATA if it has more rows of one than the original. */
mgl_status mgl_rows_lacking(const mgl_rows_read *rows, const mgl_problem *problem, mgl_error *err,
                            uint64_t **out);

#endif
