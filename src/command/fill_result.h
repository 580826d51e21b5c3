/* What commands have in common that fill one result about one table. Inside the room only. */
#ifndef MGL_COMMAND_FILL_RESULT_H
#define MGL_COMMAND_FILL_RESULT_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* Sets up, lets fill put its findings into a fresh result, and finishes that. */
typedef mgl_status mgl_fill_fn(const mgl_setup *setup, mgl_error *err, mgl_result *result);
mgl_status mgl_command_run(mgl_session *session, const char *command, const mgl_settings *settings,
                           mgl_purpose purpose, mgl_fill_fn *fill, mgl_error *err,
                           mgl_result **out);

#endif
