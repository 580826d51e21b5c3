/* A column that is passed through, on its way into the release. */
#ifndef MGL_RELEASE_COLUMNS_PASSED_COLUMN_H
#define MGL_RELEASE_COLUMNS_PASSED_COLUMN_H

#include "release/columns/gather.h"
#include "release/columns/row_order.h"

typedef struct mgl_passed_column {
    mgl_arrow_table *table; /* of the source */
    size_t column;          /* of the table */
    const mgl_row_positions *rows;
    size_t n_rows; /* of the release */
    bool random;   /* they are in random order */
    const mgl_column
        *spelling; /* whose dictionary has the spelling of its texts; NULL: they stay as they are */
    bool as_text;  /* its values are others: texts, whatever the source has */
    bool as_whole; /* these texts are whole numbers, and become such */
    /* What follows is found out by mgl_passed_column_begin. */
    bool shared;              /* its buffers are those of the source */
    mgl_arrow_type index;     /* of the numbers of entries, if it is encoded */
    const char *index_format; /* NULL: it is that of the source */
    mgl_arrow_cells *cells;   /* [n_batches], or one if it is spelled anew */
    mgl_arrow_cells *entries; /* the same; NULL: it is not encoded */
    mgl_one_dictionary dictionary;
    mgl_positions_fn *places;
    const void *context;
    uint64_t most_rows; /* that a batch may have, so that the offsets of texts fit */
    void *offsets;      /* [entries + 1] of the dictionary that spells it */
    char *bytes;
} mgl_passed_column;

/* The fields before were set; may_share: nothing is moved or left out. Free with
 * mgl_passed_column_end, also after a failure. */
mgl_status mgl_passed_column_begin(mgl_passed_column *column, bool may_share, mgl_error *err);
void mgl_passed_column_end(mgl_passed_column *column);

/* Rows first..first+n-1 of the release. Where the column is shared these are a batch of the
 * source. *bytes: how many were copied. */
mgl_status mgl_passed_column_batch(const mgl_passed_column *column, size_t batch, size_t first,
                                   size_t n, mgl_error *err, struct ArrowArray *out,
                                   uint64_t *bytes);

#endif
