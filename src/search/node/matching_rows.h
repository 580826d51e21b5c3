/* Rows that match each released tuple, where a cell at the top matches every value. Private to the
 * module. */
#ifndef MGL_SEARCH_NODE_MATCHING_ROWS_H
#define MGL_SEARCH_NODE_MATCHING_ROWS_H

#include "search/problem/problem.h"

/* Judges models that look at numbers of rows alone by the rows that match on these columns. found
 * has one entry for each. Suppressed rows are left out unless they are kept. failing[t] becomes 1
 * for tuples that too few match; NULL: not asked for. */
mgl_status mgl_match_judge(const mgl_problem *problem, const mgl_recoding *recoding,
                           const mgl_quasi_set *set, mgl_error *err, mgl_found *found,
                           uint8_t *failing);

#endif
