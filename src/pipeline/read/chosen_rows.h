/* The rows that a job is about. Private to the module. */
#ifndef MGL_PIPELINE_READ_CHOSEN_ROWS_H
#define MGL_PIPELINE_READ_CHOSEN_ROWS_H

#include "condition/condition.h"
#include "pipeline/read/reading.h"

/* Does the job leave rows out? */
static inline bool mgl_leaves_rows_out(const mgl_settings *settings)
{
    return settings->chosen.where != NULL || settings->chosen.sample != NULL ||
           settings->chosen.draws;
}

/* Lets the source of the reading have the rows only that satisfy `where` and are drawn by `sample`.
 * Before anything else is read. window: codes may not all be in memory at once. */
mgl_status mgl_choose_rows(mgl_reading *reading, bool window, mgl_error *err);

/* Must rows be fetched to be chosen? Before they are chosen, the answer is provisional. */
bool mgl_rows_are_chosen_here(const mgl_reading *reading);

/* How cells are read that a condition judges: as they are written. */
static inline mgl_source_options mgl_raw_options(const mgl_settings *settings)
{
    mgl_source_options raw = settings->source;
    raw.spelling = (mgl_spelling){0};
    return raw;
}

/* Leaves all rows to the next job. */
void mgl_chosen_rows_forget(mgl_reading *reading);

#endif
