/* The problem of one stratum. Private to the module. */
#ifndef MGL_SEARCH_STRATA_SLICE_H
#define MGL_SEARCH_STRATA_SLICE_H

#include "search/strata/strata.h"

/* Some tuples side by side, without the columns that define strata. */
typedef struct mgl_slice {
    mgl_problem problem;
    mgl_frequency_list list, population;
    mgl_quasi_set *sets;
    mgl_cell_costs *costs;
    mgl_arena *arena;
} mgl_slice;

/* The tuples first..end-1 as a problem of their own, which borrows the whole one. Whatever it takes
 * grows with these tuples and the hierarchies, not with the table. Free with mgl_slice_free, also
 * after a failure. */
mgl_status mgl_slice_make(const mgl_problem *problem, size_t n_held, size_t first, size_t end,
                          mgl_error *err, mgl_slice *out);
void mgl_slice_free(mgl_slice *slice);

#endif
