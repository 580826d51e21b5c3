/* Rows of a release sorted by their cells, and the groups they make. Private to the module. */
#ifndef MGL_VERIFY_SORTED_H
#define MGL_VERIFY_SORTED_H

#include "verify/verify.h"

typedef struct mgl_sorted_rows {
    size_t n_rows;
    uint32_t *rows;  /* row numbers, equal rows side by side */
    uint8_t *starts; /* [n_rows] 1: differs from the one before */
} mgl_sorted_rows;

/* Sorts the rows that are not left out (NULL: all). Free with mgl_sorted_rows_free. */
mgl_status mgl_sorted_rows_init(mgl_sorted_rows *sorted, const mgl_column *const *columns,
                                size_t n_columns, const uint8_t *left_out, size_t n_rows,
                                mgl_error *err);
void mgl_sorted_rows_free(mgl_sorted_rows *sorted);
/* The end of the run of equal rows that starts at from. */
size_t mgl_sorted_rows_end(const mgl_sorted_rows *sorted, size_t from);

/* Makes runs of joined rows out of runs of equal ones: all rows of persons whose rows are in the
 * same runs, as many in each. persons[row]: the person a row belongs to. */
mgl_status mgl_sorted_rows_join(mgl_sorted_rows *sorted, const uint32_t *persons, mgl_error *err);
/* The persons of the rows as the column of the release has them; a failure if the column identifies
 * others than promise->persons. Caller frees with mgl_free. */
mgl_status mgl_persons_released(const char *name, const mgl_table *table, const mgl_column *column,
                                const mgl_promise *promise, mgl_error *err, uint32_t **out);

/* The group a model judges, from rows of the release; values are numbered as in the
 * input's sensitive columns. */
typedef struct mgl_release_group {
    mgl_group group;
    size_t n_sensitive;
    const mgl_column *columns; /* [n_sensitive] of the release */
    const uint64_t *times;     /* [row] how many rows of the release it stands for; NULL: one */
    uint32_t **code_of;        /* [n_sensitive][code in the release] code in the input */
    mgl_histogram *histograms; /* [n_sensitive] */
    uint32_t **values;         /* [n_sensitive][input dictionary] */
    uint64_t **counts;
    uint64_t *dense;         /* all zero between calls */
    const uint32_t *persons; /* [row] or NULL */
    uint64_t *entries;       /* [rows] scratch */
} mgl_release_group;

#endif
