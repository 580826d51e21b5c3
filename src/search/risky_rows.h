/* Rows that are suppressed before the search. Inside the room only. */
#ifndef MGL_SEARCH_RISKY_ROWS_H
#define MGL_SEARCH_RISKY_ROWS_H

#include "search/search.h"

/* Runs a method as mgl_method_run does, where some rows are gone before. */
mgl_status mgl_run_without_gone(const mgl_method_type *method, const mgl_problem *problem,
                                mgl_error *err, mgl_solution **out);

#endif
