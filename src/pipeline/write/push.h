/* Push-down: the engine writes. Private to the module. */
#ifndef MGL_PIPELINE_WRITE_PUSH_H
#define MGL_PIPELINE_WRITE_PUSH_H

#include "pipeline/write/write.h"

/* Like mgl_stage_release where the engine writes. The caller then has the source publish or
 * discard what was written. */
mgl_status mgl_push_release(const mgl_release_request *release, mgl_error *err, mgl_found *found,
                            mgl_written *written, mgl_stage **out);

/* Loads what was staged and verified into the table it is for. */
mgl_status mgl_load_release(const mgl_reading *reading, const mgl_stage *stage, mgl_error *err);

/* The stage of a release: of a file, or of a folder if the job divides it. */
mgl_status mgl_release_stage(const mgl_settings *settings, const char *target, mgl_error *err,
                             mgl_stage **out);
/* Divides a release that is written and verified, if the job asks for it. */
mgl_status mgl_release_divide(const mgl_settings *settings, mgl_stage *stage, mgl_error *err);

#endif
