#ifndef MGL_JOB_SETTINGS_H
#define MGL_JOB_SETTINGS_H

#include "job/store.h"

/* Fills in the models of the job and its policy, and k. The attributes are there already. */
mgl_status mgl_settings_make_models(const mgl_job *job, mgl_command command, mgl_arena *arena,
                                    mgl_settings *settings, mgl_error *err);

/* What a command demands of the job as a whole: data, a quasi-identifier, a model, an
 * output; no key it does not take; no contradiction between keys. */
mgl_status mgl_settings_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                              mgl_error *err);

/* MGL_USAGE if an output of the command is a file that the job reads, or another output, by any
 * name; or if its name speaks of a format that it is not written in. Nothing is written before. */
mgl_status mgl_outputs_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                             mgl_error *err);
/* What the command writes there ("a result"); NULL: nobody said. */
const char *mgl_output_form(const char *key, mgl_command command);
/* Whether a value of an output key speaks of another format than what the command writes there. */
mgl_status mgl_output_check_ending(const mgl_entry *output, mgl_command command, mgl_error *err);

#endif
