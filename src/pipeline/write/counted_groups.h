/* The release of a counted table: rows that are released alike become one, with the sum of what
 * they stand for. Inside the room only. */
#ifndef MGL_PIPELINE_WRITE_COUNTED_GROUPS_H
#define MGL_PIPELINE_WRITE_COUNTED_GROUPS_H

#include "pipeline/read/read.h"

struct mgl_release_order;

typedef struct mgl_counted_groups {
    uint8_t *left_out;  /* [rows of the table] all but the first row of each group; NULL: the table
                           is not counted */
    mgl_column sums;    /* what the first row of each group stands for, as text */
    uint64_t n_records; /* that are released */
} mgl_counted_groups;

/* Nothing is done for a table that is not counted. Groups are equal in what quasi-identifiers are
 * released as and in sensitive columns. Free with mgl_counted_groups_free. */
mgl_status mgl_counted_groups_make(mgl_counted_groups *groups,
                                   const struct mgl_release_order *release, mgl_error *err);
void mgl_counted_groups_free(mgl_counted_groups *groups);

#endif
