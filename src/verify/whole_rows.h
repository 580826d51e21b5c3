/* What is promised of whole rows, and its judge. */
#ifndef MGL_VERIFY_WHOLE_ROWS_H
#define MGL_VERIFY_WHOLE_ROWS_H

#include "verify/judge.h"

/* Each combination of all cells of a row of the release is that of so many rows, and each column of
 * the release, in their order, has cells of one level. */
typedef struct mgl_promised_rows {
    uint64_t k;
    const mgl_level *const *levels; /* [columns of the release]; NULL: formats write cells in their
                                       own way */
} mgl_promised_rows;

extern const mgl_judge mgl_whole_rows_judge; /* of mgl_promised_rows */

#endif
