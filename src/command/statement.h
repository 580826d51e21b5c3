/* Statements about releases, for the commands that make or compare them. Within the module only. */
#ifndef MGL_COMMAND_STATEMENT_H
#define MGL_COMMAND_STATEMENT_H

#include "findings/findings.h"

/* Is the file of `against` a statement? False also if it cannot be read. */
bool mgl_is_statement(const char *path);
/* check: makes the statement of `against` anew and compares the two. */
mgl_status mgl_check_statement(mgl_job *job, mgl_error *err, mgl_result **out);

/* What a run writes beside its release for the recipient; each NULL if not requested. */
typedef struct mgl_statement_files {
    json_t *promise;
    mgl_stage *promised, *statement, *signature;
} mgl_statement_files;
/* Makes the promise and stages it. Free with mgl_statement_files_free, also on failure. */
mgl_status mgl_statement_promise(const mgl_outcome *outcome, mgl_result *result, mgl_error *err,
                                 mgl_statement_files *out);
/* Stages the statement of a release that is staged or published, and its signature. */
mgl_status mgl_statement_stage(const mgl_settings *settings, const mgl_stage *stage, mgl_error *err,
                               mgl_statement_files *files);
mgl_status mgl_statement_publish(mgl_statement_files *files, mgl_error *err);
void mgl_statement_files_free(mgl_statement_files *files);

#endif
