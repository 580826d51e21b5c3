/* The quasi-identifiers of a release as columns of labels. Inside the room only. */
#ifndef MGL_RELEASE_COLUMNS_LABEL_COLUMNS_H
#define MGL_RELEASE_COLUMNS_LABEL_COLUMNS_H

#include "release/columns/made_array.h"
#include "release/columns/row_order.h"

/* One quasi-identifier. */
typedef struct mgl_label_column {
    mgl_lent_array *entries; /* texts: those that some released row has, sorted */
    bool nulls;              /* some cells are null */
    unsigned width;          /* bytes of the numbers of entries, which are signed */
    size_t place;            /* of its number among those of a class */
} mgl_label_column;

typedef struct mgl_label_columns {
    const mgl_row_order *order;
    mgl_classes classes;
    mgl_label_column *columns; /* [n] by attribute */
    size_t n;
    /* The numbers of entries of each class, side by side in as few bytes as they are released in;
     * -1: its cells are null. */
    char *numbers;
    size_t stride; /* bytes of a class */
} mgl_label_columns;

/* Free with mgl_label_columns_free, also after a failure. */
mgl_status mgl_label_columns_init(mgl_label_columns *labels, const mgl_row_plan *plan,
                                  const mgl_row_order *order, mgl_error *err);
void mgl_label_columns_free(mgl_label_columns *labels);

/* The format of the numbers of entries: of the narrowest type that has room for all labels which
 * the column can be released as, so that slices which are recoded alike have one type. */
const char *mgl_label_format(const mgl_label_columns *labels, size_t attribute);

/* Room for n rows of one of them. The array must be released by the caller. */
mgl_status mgl_label_array(const mgl_label_columns *labels, size_t attribute, size_t n,
                           mgl_error *err, struct ArrowArray *out);
/* Fills in n cells of all of them, from the first-th row of the release on: arrays[a] from its
 * cell `at` on, which is a multiple of 8. Adds the nulls of each to nulls[a]. */
void mgl_label_fill(const mgl_label_columns *labels, size_t first, size_t n, size_t at,
                    struct ArrowArray *const *arrays, uint64_t *nulls);

#endif
