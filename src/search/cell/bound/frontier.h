/* Nodes of a lattice from the cheapest on, without listing all of them. Inside the room only. */
#ifndef MGL_SEARCH_CELL_BOUND_FRONTIER_H
#define MGL_SEARCH_CELL_BOUND_FRONTIER_H

#include "search/box/box.h"

/* Nodes that may come next, the cheapest first: what a row costs at least counts. */
typedef struct mgl_cell_frontier {
    const mgl_box_space *space;
    uint8_t *levels; /* [m] each, then the last raised attribute in two bytes */
    uint32_t *costs;
    uint32_t *heap; /* numbers of nodes */
    size_t n, n_heap, capacity, size;
} mgl_cell_frontier;

/* End with mgl_cell_frontier_end, also after a failure. */
mgl_status mgl_cell_frontier_begin(mgl_cell_frontier *frontier, const mgl_box_space *space,
                                   mgl_error *err);
void mgl_cell_frontier_end(mgl_cell_frontier *frontier);

/* The cheapest node not yet given, into levels. There must be one. */
mgl_status mgl_cell_frontier_pop(mgl_cell_frontier *frontier, mgl_error *err, uint8_t *levels);

/* What it costs; the top if all were given. */
uint32_t mgl_cell_frontier_next(const mgl_cell_frontier *frontier);

#endif
