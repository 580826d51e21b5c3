/* Branch and bound by sensitive values: the exact search over the lattice for models on sensitive
 * values and on a population, for models of the whole table, for earlier releases, and for persons
 * with several rows. One quasi-identifier. */
#ifndef MGL_SEARCH_FULLDOMAIN_BY_VALUE_H
#define MGL_SEARCH_FULLDOMAIN_BY_VALUE_H

#include "search/fulldomain/branch/branch.h"

extern const mgl_engine mgl_engine_by_value;

bool mgl_by_value_handles(const mgl_problem *problem);

#endif
