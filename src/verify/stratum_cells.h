/* What is promised of the columns of strata, and its judge. */
#ifndef MGL_VERIFY_STRATUM_CELLS_H
#define MGL_VERIFY_STRATUM_CELLS_H

#include "verify/judge.h"

/* The cells of the columns of strata as the rows of the release had them in the table. */
typedef struct mgl_promised_strata {
    const mgl_column *const *columns; /* [n_by] in the order of the release; without codes: unknown
                                       */
    bool as_texts;                    /* the release has these cells letter by letter */
} mgl_promised_strata;

extern const mgl_judge mgl_strata_judge; /* of one mgl_promised_strata */

#endif
