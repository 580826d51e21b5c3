/* Statements about releases, for the commands that make or compare them. Inside the room only. */
#ifndef MGL_COMMAND_STATEMENT_H
#define MGL_COMMAND_STATEMENT_H

#include "findings/findings.h"

/* A release: where it is, or will be, and the stage that holds it until then (NULL: it is there).
 */
typedef struct mgl_stated {
    const char *location;
    const mgl_stage *stage;
} mgl_stated;

/* Reads a promise. MGL_DATA if it is none, or of another version. Free with json_decref. */
mgl_status mgl_promise_read(const char *path, mgl_error *err, json_t **out);

/* Judges the release by the promise, and by nothing else: equal releases and promises give equal
 * documents. run: threads, memory and progress. *out is the statement, *checked (optional) what
 * `check` finds. Free both with mgl_result_free. */
mgl_status mgl_statement_make(const mgl_stated *release, const json_t *promise,
                              const mgl_settings *run, mgl_error *err, mgl_result **out,
                              mgl_result **checked);

/* Is the file of `against` a statement? False also if it cannot be read. */
bool mgl_is_statement(const char *path);
/* check: makes the statement of `against` anew and compares the two. */
mgl_status mgl_check_statement(mgl_job *job, mgl_error *err, mgl_result **out);

/* What a run writes beside its release for the recipient; each NULL if not asked for. */
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
