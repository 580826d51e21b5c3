/* command: the commands, one file each. Each takes a job, makes its settings, and returns a result,
 * which the caller frees with mgl_result_free. The table is that of the session, which the command
 * opens if it is not open; commands that read no table leave the session alone. */
#ifndef MGL_COMMAND_H
#define MGL_COMMAND_H

#include "pipeline/pipeline.h"
#include "result/result.h"

mgl_status mgl_command_anonymize(mgl_session *session, mgl_job *job, mgl_error *err,
                                 mgl_result **out);
/* What one change of the job would give. */
mgl_status mgl_command_what_if(mgl_session *session, mgl_job *job, mgl_error *err,
                               mgl_result **out);
/* Rows before and after, of a release that is not made. */
mgl_status mgl_command_preview(mgl_session *session, mgl_job *job, mgl_error *err,
                               mgl_result **out);
/* What a table is read as. */
mgl_status mgl_command_look(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_compare(mgl_session *session, mgl_job *job, mgl_error *err,
                               mgl_result **out);
mgl_status mgl_command_check(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);
/* The same with one verdict for each test, leaks among them. */
mgl_status mgl_command_gate(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_risk(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_attack(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);
mgl_status mgl_command_utility(mgl_session *session, mgl_job *job, mgl_error *err,
                               mgl_result **out);
mgl_status mgl_command_lattice(mgl_session *session, mgl_job *job, mgl_error *err,
                               mgl_result **out);
/* Writes the counts of a slice as a part. */
mgl_status mgl_command_count(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);
/* Applies a saved recoding to a table or a slice. */
mgl_status mgl_command_apply(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);
/* Reads a result from a file; --output is a page that shows it. */
mgl_status mgl_command_report(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);
/* A saved recoding; --output is a table of its tuples. */
mgl_status mgl_command_show_recoding(mgl_session *session, mgl_job *job, mgl_error *err,
                                     mgl_result **out);
/* What the recipient of a release is reported about its columns; --output is a table of that. */
mgl_status mgl_command_codebook(mgl_session *session, mgl_job *job, mgl_error *err,
                                mgl_result **out);
/* What the recipient of a release may know, of the release and its promise alone. */
mgl_status mgl_command_statement(mgl_session *session, mgl_job *job, mgl_error *err,
                                 mgl_result **out);
/* Its action (mgl_job_action) is build, check, show, suggest or tree. */
mgl_status mgl_command_hierarchy(mgl_session *session, mgl_job *job, mgl_error *err,
                                 mgl_result **out);

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
