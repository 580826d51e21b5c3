/* Hierarchies that other columns of the table define: columns(county,state). */
#ifndef MGL_PIPELINE_READ_PARENT_COLUMNS_H
#define MGL_PIPELINE_READ_PARENT_COLUMNS_H

#include "pipeline/read/reading_steps.h"

/* MGL_USAGE if such a hierarchy names a column that the table lacks, or goes with something for
 * which there are no such columns. */
mgl_status mgl_parents_check(const mgl_settings *settings, const mgl_source *source,
                             mgl_error *err);
/* Does the hierarchy of some column take its labels from this one? */
bool mgl_is_parent_column(const mgl_settings *settings, const char *column);

/* For a release: notes which parent columns it leaves out. MGL_CODE_LEAK if it would have one that
 * is no quasi-identifier, unless the job accepts that. */
mgl_status mgl_parents_note(mgl_reading *reading, mgl_error *err);

/* Makes the hierarchy that an order wants. A value with two parents is MGL_DATA. */
mgl_status mgl_parents_make(mgl_reading *reading, const mgl_tree_request *request, mgl_error *err,
                            mgl_hierarchy **out);
/* What the hierarchy depends on beside the values of its own column. */
void mgl_parents_key(const mgl_tree_request *request, mgl_buffer *key);

/* Does the job accept what the leak guard objects to in the column? */
bool mgl_leak_is_allowed(const mgl_settings *settings, const char *column);

#endif
