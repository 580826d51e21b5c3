/* A table in memory without the rows that a job leaves out. Inside the room only. */
#ifndef MGL_RELEASE_CHOSEN_COLUMNS_H
#define MGL_RELEASE_CHOSEN_COLUMNS_H

#include "release/release.h"

/* The chosen rows of the source's table, all columns as they are. Let go with mgl_arrow_let_go. */
mgl_status mgl_chosen_columns(const mgl_row_plan *plan, const mgl_progress *progress,
                              mgl_error *err, mgl_arrow_table **out);

#endif
