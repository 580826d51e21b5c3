/* search: finds recodings that hold. A method takes a problem and yields a solution: a recoding and
 * what is known about it. methods.c has the table of methods; the folders beside it hold them. */
#ifndef MGL_SEARCH_H
#define MGL_SEARCH_H

#include "search/node/node.h"
#include "search/problem/problem.h"
#include "search/strata/strata.h"

const mgl_method_type *const *mgl_method_types(size_t *n);
const mgl_method_type *mgl_method_type_find(const char *name); /* NULL: none */
const mgl_method_type *mgl_method_type_find_span(mgl_span name);
const mgl_method_type *mgl_method_type_standard(void); /* where a job names none */

/* Runs a method. Columns that say how they are aggregated are so within the classes of the others,
 * and rows that are gone before the search are at the top. MGL_UNMET if no recoding holds. Free
 * with mgl_solution_free. */
mgl_status mgl_search_run(const mgl_method_type *method, const mgl_problem *problem, mgl_error *err,
                          mgl_solution **out);

#endif
