/* Branch and bound by sensitive values: the exact search over the lattice for models on sensitive
 * values and on a population, for models of the whole table, for earlier releases, and for persons
 * with several rows. One quasi-identifier. */
#ifndef MGL_SEARCH_FULLDOMAIN_BY_VALUE_H
#define MGL_SEARCH_FULLDOMAIN_BY_VALUE_H

#include "search/fulldomain/branch/branch.h"

extern const mgl_engine mgl_engine_by_value;

bool mgl_by_value_handles(const mgl_problem *problem);
mgl_status mgl_by_value_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out);
/* With `above`, nodes above one that holds are marked, too: faster where holding is not monotone.
 */
mgl_status mgl_by_value_holding(const mgl_problem *problem, bool above, mgl_error *err,
                                uint8_t *holds, uint64_t *checked);

#endif
