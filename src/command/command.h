/* command: the commands, one file each. Each takes a job, makes its settings, and gives back a
 * result, which the caller frees with mgl_result_free. */
#ifndef MGL_COMMAND_H
#define MGL_COMMAND_H

#include "pipeline/pipeline.h"
#include "result/result.h"

mgl_status mgl_command_anonymize(mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_compare(mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_check(mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_risk(mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_attack(mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_utility(mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_lattice(mgl_job *job, mgl_error *err, mgl_result **out);
/* Writes the counts of a slice as a part. */
mgl_status mgl_command_count(mgl_job *job, mgl_error *err, mgl_result **out);
/* Applies a saved recoding to a table or a slice. */
mgl_status mgl_command_apply(mgl_job *job, mgl_error *err, mgl_result **out);
/* Reads a result from a file; --output is a page that shows it. */
mgl_status mgl_command_report(mgl_job *job, mgl_error *err, mgl_result **out);
/* action: build, check, show or suggest. */
mgl_status mgl_command_hierarchy(mgl_job *job, const char *action, mgl_error *err,
                                 mgl_result **out);

/* The same as mgl_command_compare, with settings that are made already. */
mgl_status mgl_compare_methods(const mgl_settings *settings, mgl_error *err, mgl_result **out);

/* The steps of anonymize, as the public header has them. */
mgl_status mgl_step_read(mgl_job *job, mgl_error *err, mgl_reading **out);
mgl_status mgl_step_search(mgl_job *job, const mgl_counts *counts, mgl_error *err,
                           mgl_solution **out);
mgl_status mgl_step_write(mgl_job *job, const mgl_reading *reading, const mgl_counts *counts,
                          const mgl_solution *solution, mgl_error *err, mgl_result **out);

#endif
