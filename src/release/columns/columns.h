/* release/columns: a release as a table in memory, gathered column by column.
 *
 * The rows get their order first; then every column of the source's table is shared or gathered
 * once, and quasi-identifiers become columns of labels. What is not in the release is nowhere in
 * its buffers: nothing under nulls, no entries of dictionaries that no row has. */
#ifndef MGL_RELEASE_COLUMNS_H
#define MGL_RELEASE_COLUMNS_H

#include "release/columns/row_order.h"
#include "release/columns/made_array.h"

typedef struct mgl_columns_request {
    const mgl_row_plan *plan;
    const mgl_row_order *order;
    mgl_arrow_table *table;   /* with the columns that are passed through; NULL: none is */
    const size_t *of_column;  /* [plan->n_columns] column of the table; unused where recoded */
    const char *const *names; /* [plan->n_columns] */
    bool watched;             /* the watcher has seen the rows already */
    const mgl_progress *progress;
    uint64_t *copied; /* [plan->n_columns] gets the bytes that were copied of columns that are
                         passed through; optional */
} mgl_columns_request;

/* Let go with mgl_arrow_release. */
mgl_status mgl_columns_make(const mgl_columns_request *order, mgl_error *err,
                            mgl_arrow_table **out);

#endif
