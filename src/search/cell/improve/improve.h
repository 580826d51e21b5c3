/* Improving a release: classes are taken apart together with classes near them and put together
 * anew. The door of the room; inside src/search/cell only.
 *
 * Prices are the guide where they are known: what a release costs above the bound is the sum over
 * its classes of what their rows cost more than they are priced. In a large lattice classes of
 * different tuples are hardly ever at one node, so that prices say little; near tuples are the
 * guide there.
 *
 * A round has 32 neighbourhoods where prices guide and 128 where near tuples do; each is put
 * together in a few attempts, and no class is in two neighbourhoods of a round. tests/quality holds
 * what is reached. */
#ifndef MGL_SEARCH_CELL_IMPROVE_H
#define MGL_SEARCH_CELL_IMPROVE_H

#include "search/cell/bound/bound.h"

/* Offers are classes that are nearly bargains; those of each tuple. */
typedef struct mgl_cell_offers {
    const mgl_box_space *space;
    const uint32_t *prices;
    mgl_cell_bargains list;
    size_t *start; /* [n + 1] */
    uint32_t *of;  /* numbers of offers, those of tuple t at start[t]..start[t+1] */
} mgl_cell_offers;

/* Classes that lack less than `slack` per row. Borrows the prices. Free with
 * mgl_cell_offers_free. */
mgl_status mgl_cell_offers_new(const mgl_cell_closed *closed, const uint32_t *prices,
                               uint32_t slack, mgl_error *err, mgl_cell_offers **out);
void mgl_cell_offers_free(mgl_cell_offers *offers);

/* ---- Improving ------------------------------------------------------------------------- */

/* A release by offers alone, what they leave by the plain greedy (bounds as there); then
 * neighbourhoods are put together anew until about `work` is done. The result replaces the release
 * if it costs less. */
mgl_status mgl_cell_improve(const mgl_cell_offers *offers, const mgl_box_nodes *nodes,
                            const uint32_t *bounds, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out);

/* by_neighbours.c: classes and those of near tuples are put together anew as long as about `work`
 * boxes are looked at; the release gets no worse. */
mgl_status mgl_cell_regroup(const uint32_t *near, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out);

#endif
