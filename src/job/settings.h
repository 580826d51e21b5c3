#ifndef MGL_JOB_SETTINGS_H
#define MGL_JOB_SETTINGS_H

#include "job/store.h"

/* What a command demands of the job as a whole: data, a quasi-identifier, a model, an
 * output; no key it does not take; no contradiction between keys. */
mgl_status mgl_settings_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                              mgl_error *err);

#endif
