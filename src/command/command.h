/* command: the commands, one file each. Each takes a job, makes its settings, and returns a result,
 * which the caller frees with mgl_result_free. The table is that of the session, which the command
 * opens if it is not open; commands that read no table leave the session alone. */
#ifndef MGL_COMMAND_H
#define MGL_COMMAND_H

#include "pipeline/pipeline.h"
#include "result/result.h"

typedef mgl_status mgl_command_fn(mgl_session *session, mgl_job *job, mgl_error *err,
                                  mgl_result **out);

mgl_command_fn mgl_command_anonymize, mgl_command_compare, mgl_command_risk, mgl_command_attack,
    mgl_command_utility, mgl_command_lattice;
/* What one change of the job would give. */
mgl_command_fn mgl_command_what_if;
/* Rows before and after, of a release that is not made. */
mgl_command_fn mgl_command_preview;
/* What a table is read as. */
mgl_command_fn mgl_command_look;
/* The models on a table as it is; the same with one verdict for each test, leaks among them. */
mgl_command_fn mgl_command_check, mgl_command_gate;
/* Writes the counts of a slice as a part. */
mgl_command_fn mgl_command_count;
/* Applies a saved recoding to a table or a slice. */
mgl_command_fn mgl_command_apply;
/* Reads a result from a file; --output is a page that shows it. */
mgl_command_fn mgl_command_report;
/* A saved recoding; --output is a table of its tuples. */
mgl_command_fn mgl_command_show_recoding;
/* What the recipient of a release is reported about its columns; --output is a table of that. */
mgl_command_fn mgl_command_codebook;
/* What the recipient of a release may know, of the release and its promise alone. */
mgl_command_fn mgl_command_statement;
/* Its action (mgl_job_action) is build, check, show, suggest or tree. */
mgl_command_fn mgl_command_hierarchy;

/* Opens the table of a job for a session that is shared. */
mgl_status mgl_command_open(mgl_session *session, const mgl_job *job,
                            const mgl_session_options *options, mgl_error *err);
/* Runs a command by its name ("check", "hierarchy build") with a copy of the job. */
mgl_status mgl_command_by_name(mgl_session *session, const char *command, const mgl_job *job,
                               mgl_error *err, mgl_result **out);
/* The same on a shared session: calls run in the order in which they came. */
mgl_status mgl_command_on_session(mgl_session *session, const char *command, const mgl_job *job,
                                  mgl_error *err, mgl_result **out);

/* The same as mgl_command_compare, with settings that are made already. */
mgl_status mgl_compare_methods(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                               mgl_result **out);

#endif
