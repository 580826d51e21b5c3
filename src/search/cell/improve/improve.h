/* Improving a release: classes are taken apart together with classes near them and put together
 * anew. Inside src/search/cell only.
 *
 * Dual values are the guide where they are known: what a release costs above the bound is the sum
 * of the reduced costs of its classes. In a large lattice classes of different tuples are hardly
 * ever at one node, so that dual values say little; near tuples are the guide there.
 *
 * A round has 32 neighbourhoods where dual values guide and 128 where near tuples do; each is put
 * together in a few attempts, and no class is in two neighbourhoods of a round. tests/quality holds
 * what is reached. */
#ifndef MGL_SEARCH_CELL_IMPROVE_H
#define MGL_SEARCH_CELL_IMPROVE_H

#include "search/cell/bound/bound.h"

/* Candidates are classes whose reduced cost is hardly above zero; those of each tuple. */
typedef struct mgl_cell_candidates {
    const mgl_box_space *space;
    const uint32_t *duals;
    mgl_cell_negatives list;
    size_t *start; /* [n + 1] */
    uint32_t *of;  /* numbers of candidates, those of tuple t at start[t]..start[t+1] */
} mgl_cell_candidates;

/* Classes with a reduced cost below `slack` per row. Borrows the dual values. Free with
 * mgl_cell_candidates_free. */
mgl_status mgl_cell_candidates_new(const mgl_cell_closed *closed, const uint32_t *duals,
                                   uint32_t slack, mgl_error *err, mgl_cell_candidates **out);
void mgl_cell_candidates_free(mgl_cell_candidates *candidates);

/* A release by candidates alone, what they leave by the plain greedy (bounds as there); then
 * neighbourhoods are put together anew until about `work` is done. The result replaces the release
 * if it costs less. */
mgl_status mgl_cell_improve(const mgl_cell_candidates *candidates, const mgl_box_nodes *nodes,
                            const uint32_t *bounds, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out);

/* by_neighbours.c: classes and those of near tuples are put together anew as long as about `work`
 * boxes are looked at; the release gets no worse. */
mgl_status mgl_cell_regroup(const uint32_t *near, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out);

#endif
