/* What rows carry along while they are written. Inside the room only. */
#ifndef MGL_PIPELINE_WRITE_ROW_TAGS_H
#define MGL_PIPELINE_WRITE_ROW_TAGS_H

#include "pipeline/read/read.h"

/* The person, the past, the weight and the stratum of each row, in the order of the release; where
 * columns are aggregated, which row of the table it was as well. */
typedef struct mgl_row_tags {
    const mgl_column *column; /* what rows carry while they are shuffled; NULL: nothing */
    uint32_t *of_row; /* [row of the input] what the rows carried, in the order of the release */
    mgl_table *made;  /* the column, where it had to be made because it stands for several */
    const mgl_column **columns; /* [n_columns] that it stands for: person, past, weight, those of
                                   strata */
    size_t n_columns;
    uint32_t *codes;      /* [number * n_columns + i] where it was made; NULL: rows carry the code
                             of the one column, or their numbers */
    const uint32_t *rows; /* filled in by mgl_row_tags_read; NULL: not wanted */
    const uint32_t *persons; /* filled in by mgl_row_tags_read; NULL without persons */
    mgl_column pasts;        /* likewise; its codes are NULL without earlier releases */
    uint64_t *weights;       /* likewise; NULL: rows weigh nothing */
    uint32_t *households;    /* likewise; NULL: nobody looks at them */
    mgl_column *strata;      /* [n_strata] likewise */
    size_t n_strata;
} mgl_row_tags;

/* Free with mgl_row_tags_free, also on failure. */
mgl_status mgl_row_tags_new(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err);
void mgl_row_tags_free(mgl_row_tags *tags);

/* After the rows are written: fills in persons, pasts, weights and strata. */
mgl_status mgl_row_tags_read(mgl_row_tags *tags, const mgl_reading *reading, uint64_t n_rows,
                             mgl_error *err);

#endif
