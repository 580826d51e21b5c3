/* Improving a release with prices as the guide. Inside the room only.
 *
 * What a release costs above the bound is the sum over its classes of what their rows cost
 * more than they are priced. Classes that cost much more are taken apart together with classes
 * that they could share rows with, and put together anew. */
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

/* ---- Putting a pool of tuples together ---------------------------------------------- */

typedef struct mgl_cell_pool mgl_cell_pool;

/* Room for pools of up to `most` tuples. Free with mgl_cell_pool_free. One per thread. */
mgl_status mgl_cell_pool_new(const mgl_cell_offers *offers, size_t most, mgl_error *err,
                             mgl_cell_pool **out);
void mgl_cell_pool_free(mgl_cell_pool *pool);

/* Takes in the members of a class. False if there is no room. */
bool mgl_cell_pool_add_class(mgl_cell_pool *pool, const mgl_box_class *class);
/* Takes in tuples that are in no class yet. */
bool mgl_cell_pool_add(mgl_cell_pool *pool, const uint32_t *tuples, size_t n);
void mgl_cell_pool_clear(mgl_cell_pool *pool);

/* Puts the pool together anew by offers, prices being off by up to `noise` of themselves. False
 * if it cannot be done. If not all is wanted, tuples that no offer takes stay in no class. */
bool mgl_cell_pool_rebuild(mgl_cell_pool *pool, double noise, mgl_quick_random *random, bool all);

/* What was made: the cost, and the part of each tuple, MGL_NOT_FOUND for none. */
typedef struct mgl_cell_parts {
    uint64_t cost;
    size_t n_tuples, n_parts;
    const uint32_t *tuples, *part_of;
    bool impossible; /* a part reads as the top, where it may be no class */
    uint64_t work;   /* done by this pool so far */
} mgl_cell_parts;
mgl_cell_parts mgl_cell_pool_parts(const mgl_cell_pool *pool);

/* ---- The search ------------------------------------------------------------------------ */

/* A release by offers alone, what they leave by the plain greedy (bounds as there); then pools are
 * put together anew until about `work` is done. The result replaces the release if it costs less.
 */
mgl_status mgl_cell_improve(const mgl_cell_offers *offers, const mgl_box_nodes *nodes,
                            const uint32_t *bounds, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out);

/* by_neighbours.c: classes and those of near tuples are put together anew as long as about `work`
 * boxes are looked at; the release gets no worse. */
mgl_status mgl_cell_regroup(const uint32_t *near, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out);

#endif
