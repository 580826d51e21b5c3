/* Bounds of the cell level: what no release costs less than, tuple by tuple or by dual values. */
#ifndef MGL_SEARCH_CELL_BOUND_H
#define MGL_SEARCH_CELL_BOUND_H

#include "search/cell/bound/duals.h"

/* simple_bound.c: bound[t] is a lower bound on what each row of tuple t costs. About `work`
 * tuples are looked at. */
mgl_status mgl_cell_simple_bound(const mgl_box_space *space, uint64_t work, mgl_error *err,
                                 uint32_t *bound);

/* neighbours_bound.c: the bounds from nearest neighbours, in quadratic time; raises bound where it
 * can. near: [t * MGL_CELL_NEAR] is for the nearest, MGL_NOT_FOUND behind the last; or NULL. Past
 * the time limit bounds stay as they are, and near is not filled in. */
enum { MGL_CELL_NEAR = 12 };
mgl_status mgl_cell_near_bound(const mgl_box_space *space, mgl_error *err, uint32_t *bound,
                               uint32_t *near);

/* around_bound.c: raises bound where it can to what the cheapest box around each tuple costs that
 * has enough rows, in quadratic time and about `work` neighbours looked at for each tuple. Past the
 * time limit bounds stay as they are. */
mgl_status mgl_cell_around_bound(const mgl_box_space *space, uint64_t work, mgl_error *err,
                                 uint32_t *bound);

#endif
