/* One dictionary for all batches of a column that is passed through. Inside the room only. */
#ifndef MGL_RELEASE_COLUMNS_ONE_DICTIONARY_H
#define MGL_RELEASE_COLUMNS_ONE_DICTIONARY_H

#include "release/columns/gather.h"

/* What it is made of: cells that are numbers, and for each batch the entries that they name. */
typedef struct mgl_dictionary_order {
    const mgl_arrow_cells *cells;   /* [n_batches] */
    const mgl_arrow_cells *entries; /* [n_batches] */
    size_t n_batches;
    const mgl_arrow_type *type; /* of the entries made: that of the entries, or another of texts */
    mgl_places_fn *places;      /* of the rows that are released */
    const void *context;
    size_t n_rows;
    bool sorted; /* entries are sorted by their texts: their order tells nothing */
} mgl_dictionary_order;

typedef struct mgl_one_dictionary {
    mgl_lent_array *entries;
    uint32_t **numbers; /* [n_batches][entry] its number now; MGL_NOT_FOUND: it is null, or no row
                           that is released has it. Batches with the same entries share them. */
    size_t n_batches, n_entries;
    uint64_t bytes; /* copied */
} mgl_one_dictionary;

/* Only entries that released rows have. Free with mgl_one_dictionary_free, also after a failure. */
mgl_status mgl_one_dictionary_make(const mgl_dictionary_order *order, mgl_error *err,
                                   mgl_one_dictionary *out);
void mgl_one_dictionary_free(mgl_one_dictionary *dictionary);

#endif
