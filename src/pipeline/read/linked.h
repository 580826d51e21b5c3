/* Columns that follow quasi-identifiers. Inside the room only. */
#ifndef MGL_PIPELINE_READ_LINKED_H
#define MGL_PIPELINE_READ_LINKED_H

#include "pipeline/read/reading.h"

/* Finds out which columns follow, and which may, once columns have their roles. */
mgl_status mgl_links_open(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);
/* Adds them to the wishes for the table that nobody else wishes for as well, and returns the new
 * number of wishes. The first n_quasi are quasi-identifiers. */
size_t mgl_links_wish(const mgl_reading *reading, mgl_column_wish *wishes, size_t n);
/* Finds the columns that were read, and their hierarchies. */
mgl_status mgl_links_bind(mgl_reading *reading, mgl_error *err);
void mgl_links_forget(mgl_reading *reading);

#endif
