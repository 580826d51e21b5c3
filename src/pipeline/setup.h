/* Where every command but `hierarchy` begins. */
#ifndef MGL_PIPELINE_SETUP_H
#define MGL_PIPELINE_SETUP_H

#include "pipeline/task.h"

/* A table read, counted and made a problem: where every command but `hierarchy` begins. */
typedef struct mgl_setup {
    mgl_reading *reading;
    mgl_counts *counts;
    mgl_task *task;
} mgl_setup;

/* End with mgl_setup_end. */
mgl_status mgl_setup_begin(const mgl_settings *settings, mgl_purpose purpose, mgl_error *err,
                           mgl_setup *out);
void mgl_setup_end(mgl_setup *setup);

#endif
