/* What rows carry along while they are written. Inside the room only. */
#ifndef MGL_PIPELINE_WRITE_ROW_TAGS_H
#define MGL_PIPELINE_WRITE_ROW_TAGS_H

#include "pipeline/read/read.h"

/* Whom each row belongs to, and what earlier releases tell it apart by, in the order of the
 * release. */
typedef struct mgl_row_tags {
    const mgl_column *column; /* what rows carry while they are shuffled; NULL: nothing */
    uint32_t *of_row;         /* [row of the input] room for that, in the order of the release */
    mgl_table *made;          /* column and its meaning, if it stands for pairs */
    uint32_t *person, *past;
    const uint32_t *persons; /* then: NULL without persons */
    mgl_column pasts;        /* then: codes NULL without earlier releases */
} mgl_row_tags;

/* Free with mgl_row_tags_free, also on failure. */
mgl_status mgl_row_tags_new(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err);
void mgl_row_tags_free(mgl_row_tags *tags);

/* After the rows are written: fills in persons and pasts. */
mgl_status mgl_row_tags_read(mgl_row_tags *tags, const mgl_reading *reading, uint64_t n_rows,
                             mgl_error *err);

#endif
