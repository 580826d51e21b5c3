/* Cells taken from where they are into new arrays. */
#ifndef MGL_RELEASE_COLUMNS_GATHER_H
#define MGL_RELEASE_COLUMNS_GATHER_H

#include "release/columns/made_array.h"

/* The position of a cell: an array of cells, and a row of it. MGL_NOT_FOUND as the row: the cell is
 * null. */
typedef struct mgl_cell_position {
    uint32_t batch, row;
} mgl_cell_position;

/* Writes the positions of n cells, from the one with number `first` on. */
typedef void mgl_positions_fn(const void *context, size_t first, size_t n, mgl_cell_position *out);

typedef struct mgl_gather_request {
    const mgl_arrow_cells *cells; /* [batch] all of one type; texts may be of several */
    const mgl_arrow_type *type;   /* of the array that is made: that of the cells, or another one of
                                     texts if these are texts */
    mgl_positions_fn *places;
    const void *context;
    size_t first, n; /* cells that are gathered */
    /* Cells that are numbers of entries: the number that each has in the array made, MGL_NOT_FOUND
     * for entries that are null. NULL: cells stay what they are. */
    const uint32_t *const *numbers; /* [batch][entry] */
} mgl_gather_request;

/* Copies the cells, each once. Nothing is left under nulls. *bytes: how many were written. The
 * array must be released by the caller. */
mgl_status mgl_gather(const mgl_gather_request *order, mgl_error *err, struct ArrowArray *out,
                      uint64_t *bytes);

/* True if both are in the same buffers. */
static inline bool mgl_same_cells(const mgl_arrow_cells *a, const mgl_arrow_cells *b)
{
    return a->n == b->n && a->first == b->first && a->valid == b->valid && a->values == b->values &&
           a->bytes == b->bytes && a->pieces == b->pieces;
}

/* What it is made of: cells that are numbers, and for each batch the entries that they name. */
typedef struct mgl_dictionary_request {
    const mgl_arrow_cells *cells;   /* [n_batches] */
    const mgl_arrow_cells *entries; /* [n_batches] */
    size_t n_batches;
    const mgl_arrow_type *type; /* of the entries made: that of the entries, or another of texts */
    mgl_positions_fn *places;   /* of the rows that are released */
    const void *context;
    size_t n_rows;
    bool sorted; /* entries are sorted by their texts: their order discloses nothing */
} mgl_dictionary_request;

typedef struct mgl_one_dictionary {
    mgl_lent_array *entries;
    uint32_t **numbers; /* [n_batches][entry] its number now; MGL_NOT_FOUND: it is null, or no row
                           that is released has it. Batches with the same entries share them. */
    size_t n_batches, n_entries;
    uint64_t bytes; /* copied */
} mgl_one_dictionary;

/* Only entries that released rows have. Free with mgl_one_dictionary_free, also after a failure. */
mgl_status mgl_one_dictionary_make(const mgl_dictionary_request *order, mgl_error *err,
                                   mgl_one_dictionary *out);
void mgl_one_dictionary_free(mgl_one_dictionary *dictionary);

#endif
