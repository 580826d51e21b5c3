/* Which rows of the input are released, in which order, and as which tuples.
 */
#ifndef MGL_RELEASE_COLUMNS_ROW_ORDER_H
#define MGL_RELEASE_COLUMNS_ROW_ORDER_H

#include "release/columns/gather.h"
#include "release/release.h"

/* Rows have numbers of 32 bits, here and in the verifier. */
#define MGL_ORDERED_ROWS ((uint64_t)UINT32_MAX - 1)

typedef struct mgl_row_order {
    uint32_t *tuples; /* [rows of the input] MGL_NOT_FOUND: the row is not released */
    uint32_t *rows;   /* [n_rows] of the input, in the order of the release; NULL: all of them, in
                         the order of the input */
    uint32_t *tuples_of_rows; /* [n_rows] of these rows, in their order; NULL if rows is */
    size_t n_rows;            /* of the release */
} mgl_row_order;

/* The order depends on the seed and on the table, not on the number of threads. A table of few rows
 * is ordered as its release would be in a file. Free with mgl_row_order_free, also after a failure.
 */
mgl_status mgl_row_order_make(const mgl_row_plan *plan, mgl_error *err, mgl_row_order *out);
void mgl_row_order_free(mgl_row_order *order);

typedef struct mgl_row_positions {
    const mgl_arrow_table *table;
    const uint32_t *rows; /* of the table, in the order of the release; NULL: all, as they are */
    unsigned shift;
    uint32_t *hints; /* [row >> shift] the batch of the first of these rows; NULL: there is one */
} mgl_row_positions;

/* Free with mgl_row_positions_free, also after a failure. */
mgl_status mgl_row_positions_init(mgl_row_positions *places, const mgl_arrow_table *table,
                                  const uint32_t *rows, mgl_error *err);
void mgl_row_positions_free(mgl_row_positions *places);

/* The place of a row of the table. */
mgl_cell_position mgl_position_of_row(const mgl_row_positions *places, size_t row);
/* An mgl_positions_fn: context is the places. */
void mgl_positions_of_rows(const void *context, size_t first, size_t n, mgl_cell_position *out);

#endif
