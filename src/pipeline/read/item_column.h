/* The column of `km`. Inside the room only. */
#ifndef MGL_PIPELINE_READ_ITEM_COLUMN_H
#define MGL_PIPELINE_READ_ITEM_COLUMN_H

#include "pipeline/read/reading.h"

/* Finds the column, once columns have their roles. */
mgl_status mgl_items_open(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);
/* Adds it to the wishes for the table, and returns the new number of wishes. */
size_t mgl_items_wish(const mgl_reading *reading, mgl_column_wish *wishes, size_t n);
/* Cuts its cells into items, and finds the hierarchy of these. */
mgl_status mgl_items_bind(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);
void mgl_items_forget(mgl_reading *reading);

#endif
