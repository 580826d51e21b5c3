/* May the buffers of a column be handed out as they are? Inside the room only. */
#ifndef MGL_RELEASE_COLUMNS_CLEAN_H
#define MGL_RELEASE_COLUMNS_CLEAN_H

#include "io/io.h"

/* Is there nothing in the buffers of the column in this batch that is not in the table: no cells
 * before the first, nothing under nulls, no entry of a dictionary that no cell names, no bytes
 * between texts? */
mgl_status mgl_column_is_clean(const mgl_arrow_table *table, size_t batch, size_t column,
                               mgl_error *err, bool *out);

#endif
