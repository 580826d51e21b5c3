/* Where every command but `hierarchy` begins. */
#ifndef MGL_PIPELINE_PREPARED_H
#define MGL_PIPELINE_PREPARED_H

#include "pipeline/task.h"

/* A table read, counted and made a problem: where every command but `hierarchy` begins. */
typedef struct mgl_work {
    mgl_reading *reading;
    mgl_counts *counts;
    mgl_task *task;
} mgl_work;

/* End with mgl_work_end. */
mgl_status mgl_work_begin(const mgl_settings *settings, mgl_purpose purpose, mgl_error *err,
                          mgl_work *out);
void mgl_work_end(mgl_work *work);

#endif
