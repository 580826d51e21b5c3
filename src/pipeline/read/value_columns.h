/* The values of sensitive columns, as models see them. Inside the room only. */
#ifndef MGL_PIPELINE_READ_VALUE_COLUMNS_H
#define MGL_PIPELINE_READ_VALUE_COLUMNS_H

#include "pipeline/read/reading.h"

/* Puts columns of values into the place of the sensitive columns that are counted, where cells that
 * are spelled differently are one value. After columns are treated, before anything is bound. */
mgl_status mgl_sensitive_values_make(mgl_reading *reading, mgl_error *err);
void mgl_sensitive_values_forget(mgl_reading *reading);

/* As mgl_values_as_leaves, for a hierarchy file that is to be made for these values. */
mgl_status mgl_values_as_file(const char *spec, const mgl_column *column, const mgl_cell_rule *rule,
                              mgl_error *err, mgl_dictionary **out);

#endif
