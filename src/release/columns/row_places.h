/* Where the rows of a release lie in the batches of a table. Inside the room only. */
#ifndef MGL_RELEASE_COLUMNS_ROW_PLACES_H
#define MGL_RELEASE_COLUMNS_ROW_PLACES_H

#include "release/columns/gather.h"

typedef struct mgl_row_places {
    const mgl_arrow_table *table;
    const uint32_t *rows; /* of the table, in the order of the release; NULL: all, as they are */
    unsigned shift;
    uint32_t *hints; /* [row >> shift] the batch of the first of these rows; NULL: there is one */
} mgl_row_places;

/* Free with mgl_row_places_free, also after a failure. */
mgl_status mgl_row_places_init(mgl_row_places *places, const mgl_arrow_table *table,
                               const uint32_t *rows, mgl_error *err);
void mgl_row_places_free(mgl_row_places *places);

/* The place of a row of the table. */
mgl_place mgl_place_of_row(const mgl_row_places *places, size_t row);
/* An mgl_places_fn: context is the places. */
void mgl_places_of_rows(const void *context, size_t first, size_t n, mgl_place *out);

#endif
