/* Columns that are kept besides those that are counted. */
#ifndef MGL_PIPELINE_READ_WISHES_H
#define MGL_PIPELINE_READ_WISHES_H

#include "pipeline/read/reading.h"

/* Wishes for a column of the source, unless somebody does already; returns the new number of
 * wishes. The first n_quasi are quasi-identifiers, which have columns of their own. */
size_t mgl_wish(const mgl_reading *reading, size_t field, mgl_column_wish *wishes, size_t n);
/* The column that was read; NULL: nobody wished for it. */
const mgl_column *mgl_wished(const mgl_reading *reading, size_t field);

#endif
