/* The cell level: every distinct tuple is generalized by itself. */
#ifndef MGL_SEARCH_CELL_H
#define MGL_SEARCH_CELL_H

#include "search/cell/bound/bound.h"
#include "search/cell/exact/exact.h"
#include "search/cell/place/place.h"

extern const mgl_method_type mgl_cell;

#endif
