/* One solution of many strata. Inside the room only. */
#ifndef MGL_SEARCH_STRATA_PUT_TOGETHER_H
#define MGL_SEARCH_STRATA_PUT_TOGETHER_H

#include "search/strata/strata.h"

/* Puts the recodings of all strata together and says what is known of the whole. The strata stay
 * the caller's; their recodings are freed. */
mgl_status mgl_strata_put_together(const mgl_problem *problem, const mgl_strata *strata,
                                   mgl_error *err, mgl_solution *out);

#endif
