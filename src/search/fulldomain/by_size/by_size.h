/* Branch and bound by class sizes: the exact search over the lattice for models that look at the
 * sizes of classes and, if suppressed rows are not kept, at how many sensitive values are
 * different. One quasi-identifier. */
#ifndef MGL_SEARCH_FULLDOMAIN_BY_SIZE_H
#define MGL_SEARCH_FULLDOMAIN_BY_SIZE_H

#include "search/fulldomain/branch/branch.h"

extern const mgl_engine mgl_engine_by_size;

bool mgl_by_size_handles(const mgl_problem *problem);

#endif
