/* The cell level with several quasi-identifiers. Inside the room only. */
#ifndef MGL_SEARCH_CELL_SETS_H
#define MGL_SEARCH_CELL_SETS_H

#include "search/node/node.h"

/* What no release of some columns costs less than. */
typedef struct mgl_bound_apart {
    double cost; /* over all rows, in the measure's own terms */
    bool whole;  /* costs were not rounded */
    bool timed_out;
} mgl_bound_apart;

/* cell.c: of a problem with one quasi-identifier; columns of one level are left out of it. */
mgl_status mgl_cell_bound_apart(const mgl_problem *problem, mgl_error *err, mgl_bound_apart *out);

/* several_sets.c: all of the method. */
mgl_status mgl_cell_run_sets(const mgl_problem *problem, mgl_error *err, mgl_solution *out);

#endif
