/* recoding: a function from distinct tuple to released tuple.
 *
 * A released cell is a number into its column's table of released values. Equal texts
 * have equal numbers: a value whose label already stands on a lower level is that lower
 * value. So two released tuples look the same if and only if their numbers are equal.
 */
#ifndef MGL_RECODING_H
#define MGL_RECODING_H

#include "hierarchy/hierarchy.h"
#include "table/table.h"

/* What a column can be released as. */
typedef struct mgl_released_value {
    mgl_span label;
    int32_t level;   /* lowest level that carries the label; -1: no hierarchy value */
    uint32_t leaves; /* ground values under it */
    uint32_t first_leaf;
    bool missing; /* the missing value, below the top */
    double loss;  /* (leaves - 1)/(leaves of the column - 1), or the share of a range */
} mgl_released_value;

typedef struct mgl_released_column {
    const mgl_hierarchy *hierarchy; /* borrowed */
    uint32_t n_values;
    mgl_released_value *values; /* those of level 0 first, then 1, ... */
    uint32_t **of_leaf;         /* [level][leaf]: what the leaf is released as at that level */
    uint32_t top;               /* what a suppressed cell is released as */
} mgl_released_column;

/* All values of the hierarchy. Free with mgl_released_column_free. */
mgl_status mgl_released_column_new(const mgl_hierarchy *hierarchy, mgl_error *err,
                                   mgl_released_column **out);
void mgl_released_column_free(mgl_released_column *column);

typedef struct mgl_recoding {
    size_t n_attributes, n_tuples;
    const mgl_released_column *const *columns; /* [n_attributes], borrowed */
    uint32_t **cells;                          /* [n_attributes][n_tuples] */
    uint8_t *suppressed;                       /* [n_tuples] 1: moved to the top by suppression */
} mgl_recoding;

/* All cells 0, nothing suppressed. Free with mgl_recoding_free. */
mgl_status mgl_recoding_new(const mgl_released_column *const *columns, size_t n_attributes,
                            size_t n_tuples, mgl_error *err, mgl_recoding **out);
void mgl_recoding_free(mgl_recoding *recoding);

/* Moves all cells of the tuple to the top. */
void mgl_recoding_suppress(mgl_recoding *recoding, size_t tuple);

#endif
