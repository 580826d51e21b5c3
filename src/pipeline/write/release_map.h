/* The map of a release: what each combination of ground values is released as. Private to the
 * module.
 */
#ifndef MGL_PIPELINE_WRITE_RELEASE_MAP_H
#define MGL_PIPELINE_WRITE_RELEASE_MAP_H

#include "pipeline/write/write.h"

/* Goes through the combinations, each once; those that are dropped are left out. */
typedef struct mgl_map_rows mgl_map_rows;
/* Free with mgl_map_rows_free. Borrows the order. */
mgl_status mgl_map_rows_new(const mgl_release_request *release, mgl_error *err, mgl_map_rows **out);
void mgl_map_rows_free(mgl_map_rows *rows);
/* An mgl_map_row_fn: the cells of the quasi-identifiers, then what they are released as. */
bool mgl_map_rows_next(void *rows, mgl_span *cells);
/* The tuple of the row that was given last. */
const uint32_t *mgl_map_rows_tuple(const mgl_map_rows *rows);
/* Records that it stands for: the first row of a tuple for all of them, others for none. */
const uint64_t *mgl_map_rows_times(const mgl_map_rows *rows);
/* Begins again with the first combination; false when memory is out. */
bool mgl_map_rows_again(void *rows);
/* Was memory out before the end? */
bool mgl_map_rows_failed(const mgl_map_rows *rows);

/* Whether every row is released with the value it has, column by column: unchanged[n_quasi] states
 * which columns are asked about, and the answer. */
mgl_status mgl_map_rows_compare(const mgl_release_request *release, mgl_error *err,
                                bool *unchanged);

/* What the released texts of each column are: out[n_quasi]. */
mgl_status mgl_map_rows_kinds(const mgl_release_request *release, mgl_error *err,
                              mgl_released_kind *out);

#endif
