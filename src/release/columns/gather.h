/* Cells taken from where they are into new arrays. Inside the room only. */
#ifndef MGL_RELEASE_COLUMNS_GATHER_H
#define MGL_RELEASE_COLUMNS_GATHER_H

#include "release/columns/made_array.h"

/* Where a cell lies: in which of some arrays of cells, and where there. MGL_NOT_FOUND as its row:
 * it is null. */
typedef struct mgl_place {
    uint32_t batch, row;
} mgl_place;

/* Says where n cells lie, from the one with number `first` on. */
typedef void mgl_places_fn(const void *context, size_t first, size_t n, mgl_place *out);

typedef struct mgl_gather_order {
    const mgl_arrow_cells *cells; /* [batch] all of one type; texts may be of several */
    const mgl_arrow_type *type;   /* of the array that is made: that of the cells, or another one of
                                     texts if these are texts */
    mgl_places_fn *places;
    const void *context;
    size_t first, n; /* cells that are gathered */
    /* Cells that are numbers of entries: the number that each has in the array made, MGL_NOT_FOUND
     * for entries that are null. NULL: cells stay what they are. */
    const uint32_t *const *numbers; /* [batch][entry] */
} mgl_gather_order;

/* Copies the cells, each once. Nothing is left under nulls. *bytes: how many were written. The
 * array must be released by the caller. */
mgl_status mgl_gather(const mgl_gather_order *order, mgl_error *err, struct ArrowArray *out,
                      uint64_t *bytes);

/* Do both lie in the same buffers? */
static inline bool mgl_same_cells(const mgl_arrow_cells *a, const mgl_arrow_cells *b)
{
    return a->n == b->n && a->first == b->first && a->valid == b->valid && a->values == b->values &&
           a->bytes == b->bytes && a->pieces == b->pieces;
}

#endif
