/* Making the settings of a command, step by step. */
#ifndef MGL_JOB_SETTINGS_H
#define MGL_JOB_SETTINGS_H

#include "job/store/store.h"

/* Fills in every key of the job that has a place; then, when columns and quasi-identifiers are
 * there, those that have a function. */
mgl_status mgl_settings_fill(const mgl_filling *filling);
mgl_status mgl_settings_fill_more(const mgl_filling *filling);

/* The settings of a column before any entry of the job, and those of an entry. */
mgl_status mgl_attribute_begin(const mgl_filling *filling, const char *name,
                               mgl_attribute_settings *out);
mgl_status mgl_attribute_fill(const mgl_filling *filling, const mgl_entry *entry,
                              mgl_attribute_settings *out);

/* The combinations of quasi-identifier columns that the job names, if it does. */
mgl_status mgl_settings_name_combinations(const mgl_filling *filling);

/* Makes the columns that tell strata apart the first ones of every quasi-identifier. */
mgl_status mgl_settings_make_strata(const mgl_filling *filling);

/* Fills in the models of the job and its policy, and k. The attributes are there already. */
mgl_status mgl_settings_make_models(const mgl_filling *filling);

/* What a command demands of the job as a whole: data, a quasi-identifier, a model, an
 * output; no key it does not take; no contradiction between keys. */
mgl_status mgl_settings_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                              mgl_error *err);

/* MGL_USAGE if a column cannot have sets of items. */
mgl_status mgl_settings_check_items(const mgl_job *job, const mgl_settings *settings,
                                    mgl_command command, mgl_error *err);

/* MGL_USAGE if SQL is printed that would not do the job. */
mgl_status mgl_settings_check_script(const mgl_settings *settings, mgl_command command,
                                     mgl_error *err);
/* MGL_USAGE if the table is counted and something asks for single records. */
mgl_status mgl_settings_check_counts(const mgl_settings *settings, mgl_command command,
                                     mgl_error *err);

/* MGL_USAGE if a column is treated that cannot be. */
mgl_status mgl_settings_check_treatments(const mgl_job *job, const mgl_settings *settings,
                                         mgl_command command, mgl_error *err);

/* MGL_USAGE if a column is aggregated that cannot be, or in a job that cannot be searched so. */
mgl_status mgl_settings_check_aggregates(const mgl_job *job, const mgl_settings *settings,
                                         mgl_command command, mgl_error *err);

/* MGL_USAGE if the columns of strata contradict the rest of the job. */
mgl_status mgl_settings_check_strata(const mgl_job *job, const mgl_settings *settings,
                                     mgl_command command, mgl_error *err);

/* MGL_USAGE if a release cannot be divided by these columns, MGL_DATA if there is a folder that is
 * not to be replaced. */
mgl_status mgl_settings_check_partitions(const mgl_settings *settings, mgl_command command,
                                         mgl_error *err);

/* MGL_USAGE if an output of the command is a file that the job reads, or another output, by any
 * name; or if its name speaks of a format that it is not written in. Nothing is written before. */
mgl_status mgl_outputs_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                             mgl_error *err);
/* Whether a value of an output key speaks of another format than what the command writes there. */
mgl_status mgl_output_check_ending(const mgl_entry *output, mgl_command command, mgl_error *err);

#endif
