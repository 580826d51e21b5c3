/* recoding: a function from distinct tuple to released tuple.
 *
 * A released cell is a number into its column's table of released values. Equal texts have equal
 * numbers: a value whose label already stands on a lower level is that lower value. So two released
 * tuples look the same if and only if their numbers are equal. */
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
    bool missing;   /* the missing value, below the top */
    double loss;    /* (leaves - 1)/(leaves of the column - 1), or the share of a range */
    uint32_t begin; /* made: its leaves are those of the scale, or of the list, from here on */
} mgl_released_value;

struct mgl_made_values;

typedef struct mgl_released_column {
    const mgl_hierarchy *hierarchy; /* borrowed */
    uint32_t n_values;
    mgl_released_value *values; /* those of level 0 first, then 1, ... */
    uint32_t n_levels;          /* of of_leaf */
    uint32_t **of_leaf;         /* [level][leaf]: what the leaf is released as at that level */
    uint32_t top;               /* what a suppressed cell is released as */
    bool held;                  /* it separates strata: suppressing a row leaves its cells as they
                                   are, and whether a row is at the top is up to the others */
    const mgl_scale *scale;     /* a column of ranges or averages: where its leaves lie; or NULL */
    uint32_t *listed;           /* a column of sets or modes: the leaves of each; or NULL */
    uint32_t first_made;        /* the first value that was made: a range, an average, a set */
    struct mgl_made_values
        *made; /* private to the module: what made values need; NULL: there are none */
} mgl_released_column;

/* The leaves of a value that was made. */
static inline const uint32_t *mgl_made_leaves(const mgl_released_column *column, uint32_t value)
{
    return (column->scale != NULL ? column->scale->ordered : column->listed) +
           column->values[value].begin;
}

/* All values of the hierarchy. Free with mgl_released_column_free. */
mgl_status mgl_released_column_new(const mgl_hierarchy *hierarchy, mgl_error *err,
                                   mgl_released_column **out);
void mgl_released_column_free(mgl_released_column *column);
/* The labels of all its values, by number; they and the array live as long as column and arena. */
mgl_status mgl_released_labels(const mgl_released_column *column, mgl_arena *arena, mgl_error *err,
                               const mgl_span **out);

/* A column that is released as these texts, all different, of which top is the one of a suppressed
 * cell: what an earlier search found. The texts are borrowed. Free with mgl_released_column_free.
 */
mgl_status mgl_labels_column_new(const mgl_hierarchy *hierarchy, const mgl_span *labels,
                                 uint32_t n_labels, uint32_t top, mgl_error *err,
                                 mgl_released_column **out);

/* A column that is released as ranges or averages, which are added one by one, beside its missing
 * value and its top: nothing else of the hierarchy. least and most are the numbers of the data.
 * The scale becomes the column's, also on failure; without one (NULL) the column is released as
 * sets or modes. Free with mgl_released_column_free. */
mgl_status mgl_made_column_new(const mgl_hierarchy *hierarchy, mgl_scale *scale, double least,
                               double most, mgl_error *err, mgl_released_column **out);

/* The value that stands for all leaves from one to another (first place to last place on the
 * scale), written as label. Equal labels are one value, which then stands for all between the
 * outermost of its leaves. One that stands for a single leaf and reads like it has its level. */
mgl_status mgl_made_value(mgl_released_column *column, mgl_span label, uint32_t first,
                          uint32_t last, mgl_error *err, uint32_t *out);

/* Adds what another column of the same hierarchy was made: numbers[v] becomes what its value v is
 * here. The other one may also be the plain column of the hierarchy, of which only ground values,
 * the missing one and the top can be taken. */
mgl_status mgl_made_column_join(mgl_released_column *column, const mgl_released_column *other,
                                mgl_error *err, uint32_t *numbers);

/* The same, written as a range: 20-29 for whole numbers, [1.5,2.25] for others and for dates, one
 * value as itself. Leaves of equal numbers (1 and 1.0) are not distinguished: it stands for all. */
mgl_status mgl_made_range(mgl_released_column *column, uint32_t first, uint32_t last,
                          mgl_error *err, uint32_t *out);

/* In a column without a scale: the value that stands for these leaves, all different, written as
 * label. Equal labels are one value, which then stands for all of their leaves. */
mgl_status mgl_made_listed(mgl_released_column *column, mgl_span label, const uint32_t *leaves,
                           uint32_t n, mgl_error *err, uint32_t *out);

/* The same, written as a set (docs/mixed.md#sets): {a,b} in the order of the leaves, one value as
 * itself. */
mgl_status mgl_made_set(mgl_released_column *column, const uint32_t *leaves, uint32_t n,
                        mgl_error *err, uint32_t *out);

/* The value of a text that was written so: a set, or one value. *out is MGL_NOT_FOUND if the text
 * names something else than leaves. */
mgl_status mgl_made_set_parse(mgl_released_column *column, mgl_span text, mgl_error *err,
                              uint32_t *out);

/* Reads such a range: the places of its ends. False if the text is none. */
bool mgl_made_range_parse(const mgl_hierarchy *hierarchy, const mgl_scale *scale, mgl_span text,
                          uint32_t *first, uint32_t *last);

typedef struct mgl_recoding {
    size_t n_attributes, n_tuples;
    const mgl_released_column *const *columns; /* [n_attributes], borrowed */
    mgl_released_column **own;                 /* [n_attributes] those of them that are the
                                                  recoding's own, else NULL; NULL: none is */
    uint32_t **cells;                          /* [n_attributes][n_tuples] */
    uint8_t *suppressed;                       /* [n_tuples] 1: moved to the top by suppression */
} mgl_recoding;

/* All cells 0, nothing suppressed. Free with mgl_recoding_free. */
mgl_status mgl_recoding_new(const mgl_released_column *const *columns, size_t n_attributes,
                            size_t n_tuples, mgl_error *err, mgl_recoding **out);
/* The same for callers that fill in all cells at once: they have no values yet. */
mgl_status mgl_recoding_to_fill(const mgl_released_column *const *columns, size_t n_attributes,
                                size_t n_tuples, mgl_error *err, mgl_recoding **out);
void mgl_recoding_free(mgl_recoding *recoding);

/* The same where some columns are the recoding's own: own[a], or NULL to take columns[a]. It frees
 * them, also on failure; the array itself stays the caller's. */
mgl_status mgl_recoding_with(const mgl_released_column *const *columns,
                             mgl_released_column *const *own, size_t n_attributes, size_t n_tuples,
                             mgl_error *err, mgl_recoding **out);

/* How many columns separate strata: they are the first ones. */
size_t mgl_held_columns(const mgl_released_column *const *columns, size_t n_attributes);

/* Moves all cells of the tuple to the top but those that are held. */
void mgl_recoding_suppress(mgl_recoding *recoding, size_t tuple);
/* Are they all there? */
bool mgl_recoding_is_top(const mgl_recoding *recoding, size_t tuple);
/* Are two tuples in the same stratum? */
bool mgl_recoding_same_stratum(const mgl_recoding *recoding, size_t x, size_t y);
/* Marks what a reader of the release takes for suppressed: all tuples at the top, whatever put them
 * there, but none of a stratum that has no others, which is its top node. The tuples of a stratum
 * lie side by side. counts: rows of each tuple. Returns how many rows are suppressed. */
uint64_t mgl_recoding_mark_tops(mgl_recoding *recoding, const uint64_t *counts, mgl_pool *pool);

#endif
