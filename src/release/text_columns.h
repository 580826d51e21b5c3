/* Columns of a source that is no table in memory, as such a table. Inside the room only. */
#ifndef MGL_RELEASE_TEXT_COLUMNS_H
#define MGL_RELEASE_TEXT_COLUMNS_H

#include "release/release.h"

/* A second pass over the source makes a table of the columns that are passed through, all of them
 * texts, with all rows in their order; whoever watches sees them. of_column: [plan->n_columns] gets
 * the column of the table. tuples: of all rows. *out NULL: no column is passed through. Let go with
 * mgl_arrow_let_go. */
mgl_status mgl_text_columns(const mgl_row_plan *plan, const uint32_t *tuples,
                            const mgl_progress *progress, mgl_error *err, size_t *of_column,
                            mgl_arrow_table **out);

#endif
