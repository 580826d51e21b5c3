/* Releases that are divided into folders. Inside the room only. */
#ifndef MGL_PIPELINE_WRITE_DIVIDE_RELEASE_H
#define MGL_PIPELINE_WRITE_DIVIDE_RELEASE_H

#include "pipeline/write/write.h"

/* The stage of a release: of a file, or of a folder if the job divides it. */
mgl_status mgl_release_stage(const mgl_settings *settings, const char *target, mgl_error *err,
                             mgl_stage **out);
/* Divides a release that is written and verified, if the job says so. */
mgl_status mgl_release_divide(const mgl_settings *settings, mgl_stage *stage, mgl_error *err);

#endif
