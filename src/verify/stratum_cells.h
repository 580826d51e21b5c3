/* Columns of strata, as they were written. Inside the room only. */
#ifndef MGL_VERIFY_STRATUM_CELLS_H
#define MGL_VERIFY_STRATUM_CELLS_H

#include "verify/verify.h"

/* MGL_SYSTEM if a row of the release has another stratum than promise->strata says. */
mgl_status mgl_verify_strata(mgl_source *source, const mgl_promise *promise, mgl_pool *pool,
                             const mgl_progress *progress, mgl_error *err);

#endif
