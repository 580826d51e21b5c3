/* One solution of many strata, which are added in their order. Inside the room only. */
#ifndef MGL_SEARCH_STRATA_PUT_TOGETHER_H
#define MGL_SEARCH_STRATA_PUT_TOGETHER_H

#include "search/strata/strata.h"

typedef struct mgl_joining mgl_joining;

/* Borrows the problem. Free with mgl_joining_free. */
mgl_status mgl_joining_new(const mgl_problem *problem, size_t n_held, mgl_error *err,
                           mgl_joining **out);
void mgl_joining_free(mgl_joining *joining);
/* Takes the recoding of the next stratum, which is freed: of many strata only one has to be there
 * at a time. */
mgl_status mgl_joining_add(mgl_joining *joining, mgl_stratum *stratum, mgl_error *err);
/* After the last: the recoding, and what is known of the whole. */
mgl_status mgl_joining_end(mgl_joining *joining, const mgl_strata *strata, mgl_error *err,
                           mgl_solution *out);

#endif
