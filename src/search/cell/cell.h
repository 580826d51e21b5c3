/* The cell level: every distinct tuple is generalized by itself.
 *
 * A first release is placed, then improved until the work allowed is done; bounds say how far it is
 * from the best one, and small tables are solved exactly. Threads share out nodes or
 * neighbourhoods, and results are taken in a fixed order: the release does not depend on the number
 * of threads. */
#ifndef MGL_SEARCH_CELL_H
#define MGL_SEARCH_CELL_H

#include "search/cell/bound/bound.h"
#include "search/cell/exact/exact.h"
#include "search/cell/place/place.h"

extern const mgl_method_type mgl_cell;

#endif
