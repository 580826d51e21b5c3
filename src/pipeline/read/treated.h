/* Columns that are treated before anything is counted. Inside the room only. */
#ifndef MGL_PIPELINE_READ_TREATED_H
#define MGL_PIPELINE_READ_TREATED_H

#include "pipeline/read/reading.h"

/* Finds the treatments of the job, once columns have their roles; those of columns that are left
 * out are no matter from there on. */
mgl_status mgl_treated_open(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);
/* Adds the columns to the wishes for the table that nobody else wishes for as well, and returns the
 * new number of wishes. The first n_quasi are quasi-identifiers. */
size_t mgl_treated_wish(const mgl_reading *reading, mgl_column_wish *wishes, size_t n);
/* Treats the columns that were read, and puts them into the place of what models look at. */
mgl_status mgl_treated_make(mgl_reading *reading, mgl_error *err);
void mgl_treated_forget(mgl_reading *reading);

#endif
