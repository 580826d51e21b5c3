/* The values of sensitive columns, as models see them. Inside the room only. */
#ifndef MGL_PIPELINE_READ_VALUE_COLUMNS_H
#define MGL_PIPELINE_READ_VALUE_COLUMNS_H

#include "pipeline/read/reading.h"

/* As mgl_values_as_leaves, for a hierarchy file that is to be made for these values. */
mgl_status mgl_values_as_file(const char *spec, const mgl_column *column, const mgl_cell_rule *rule,
                              mgl_error *err, mgl_dictionary **out);

#endif
