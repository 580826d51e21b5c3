/* Dates that were moved by persons. Inside the room only. */
#ifndef MGL_VERIFY_SHIFTED_H
#define MGL_VERIFY_SHIFTED_H

#include "verify/verify.h"

/* MGL_SYSTEM if the dates of some person in the release are not those of the table, all moved by
 * one number of days that the promise allows. */
mgl_status mgl_verify_shifts(mgl_source *source, const mgl_promise *promise,
                             const mgl_promised_treat *treated, size_t n_treated, mgl_pool *pool,
                             const mgl_progress *progress, mgl_error *err);

#endif
