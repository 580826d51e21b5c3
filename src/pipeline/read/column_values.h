/* Columns of a table, each looked at by itself, whatever its role. */
#ifndef MGL_PIPELINE_READ_COLUMN_VALUES_H
#define MGL_PIPELINE_READ_COLUMN_VALUES_H

#include "pipeline/read/reading.h"

/* Reads these columns, or has their values counted by the engine of the source, together: ask for
 * one at a time there. Free with mgl_table_free. */
mgl_status mgl_read_columns(const mgl_settings *settings, mgl_source *source, const size_t *columns,
                            size_t n, mgl_error *err, mgl_table **out);
/* How many records have each value. Free with mgl_free. */
mgl_status mgl_count_values(const mgl_table *table, const mgl_column *column, mgl_error *err,
                            uint64_t **out);

#endif
