/* Private to the module. */
#ifndef MGL_CLASSES_PERSONS_H
#define MGL_CLASSES_PERSONS_H

#include "classes/classes.h"
#include "classes/tally.h"

void mgl_persons_free(mgl_persons *persons, size_t n_judged);
void mgl_joined_free(mgl_joined *joined);

/* Pairs of tuple and value, turned into one histogram per tuple. */
mgl_status mgl_sparse_take(mgl_tally *tally, size_t n_tuples, uint32_t n_values, mgl_error *err,
                           mgl_sparse *out);
void mgl_sparse_free(mgl_sparse *sparse);
/* How many rows of each tuple have which value of a column. */
mgl_status mgl_list_histogram(const mgl_frequency_list *list, const mgl_tuple_finder *finder,
                              const mgl_column *column, size_t n_rows, const uint64_t *times,
                              mgl_error *err, mgl_sparse *out);

#endif
