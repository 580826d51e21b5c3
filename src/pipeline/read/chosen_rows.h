/* The rows that a job is about. Inside the room only. */
#ifndef MGL_PIPELINE_READ_CHOSEN_ROWS_H
#define MGL_PIPELINE_READ_CHOSEN_ROWS_H

#include "pipeline/read/reading.h"

/* Does the job leave rows out? */
static inline bool mgl_leaves_rows_out(const mgl_settings *settings)
{
    return settings->where != NULL || settings->sample != NULL;
}

/* Lets the source of the reading have the rows only that satisfy `where` and are drawn by `sample`.
 * Before anything else is read. window: codes may not all be in memory at once. */
mgl_status mgl_choose_rows(mgl_reading *reading, bool window, mgl_error *err);

/* Leaves all rows to the next job. */
void mgl_chosen_rows_forget(mgl_reading *reading);

/* Draws the sample among the rows that are chosen so far. entity: whole persons are drawn; NULL:
 * rows. */
mgl_status mgl_draw_sample(const mgl_settings *settings, const mgl_column *entity, mgl_error *err,
                           mgl_chosen_rows *rows);

#endif
