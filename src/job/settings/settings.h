/* Making the settings of a command, step by step. */
#ifndef MGL_JOB_SETTINGS_H
#define MGL_JOB_SETTINGS_H

#include "job/store/store.h"

/* Fills in the settings of a column before any entry of the job. */
mgl_status mgl_attribute_begin(const mgl_filling *filling, const char *name,
                               mgl_attribute_settings *out);

/* Makes the columns that define strata the first ones of every quasi-identifier. */
mgl_status mgl_settings_make_strata(const mgl_filling *filling);

/* Fills in the models of the job and its policy, and k. The attributes are there already. */
mgl_status mgl_settings_make_models(const mgl_filling *filling);

/* What a command demands of the job as a whole: data, a quasi-identifier, a model, an
 * output; no key it does not take; no contradiction between keys. */
mgl_status mgl_settings_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                              mgl_error *err);

/* MGL_USAGE if an output of the command is a file that the job reads, or another output, by any
 * name; or if its ending is of a format that it is not written in. Nothing is written before. */
mgl_status mgl_outputs_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                             mgl_error *err);
/* MGL_USAGE if the ending of an output is of another format than the command writes there. */
mgl_status mgl_output_check_ending(const mgl_entry *output, mgl_command command, mgl_error *err);

#endif
