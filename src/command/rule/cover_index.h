/* Finds the first of many tuples of intervals that covers a point in every column. Inside the room
 * only. */
#ifndef MGL_COMMAND_RULE_COVER_INDEX_H
#define MGL_COMMAND_RULE_COVER_INDEX_H

#include "base/base.h"

/* Tuples in the order of preference. The interval of a cell goes from low to high, both included;
 * one that ends before it begins covers nothing. Everything is borrowed until the index is made. */
typedef struct mgl_cover_tuples {
    size_t n_columns;
    uint32_t n_tuples;
    const uint32_t *const *cells;           /* [column][tuple] */
    const double *const *low, *const *high; /* [column][cell] */
    const uint32_t *n_cells;                /* [column] cells are below this */
} mgl_cover_tuples;

typedef struct mgl_cover_index mgl_cover_index;

/* Free with mgl_cover_index_free. */
mgl_status mgl_cover_index_new(const mgl_cover_tuples *tuples, mgl_error *err,
                               mgl_cover_index **out);
void mgl_cover_index_free(mgl_cover_index *index);

/* The first tuple whose intervals hold point[column] in every column; MGL_NOT_FOUND: none does. Any
 * number of threads may ask at once. */
uint32_t mgl_cover_find(const mgl_cover_index *index, const double *point);

#endif
