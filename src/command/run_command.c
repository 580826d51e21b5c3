/* The commands by name: which function carries one out, on a session of its own or on a shared one.
 */
#include "command/command.h"

#include "command/found_encoding.h"

#include <stdio.h>

/* ---- Opening ----------------------------------------------------------------------------------
 */

static mgl_status take_threads(mgl_job *job, const mgl_session_options *options, mgl_error *err)
{
    char text[16];
    if (options == NULL || options->threads == 0)
        return MGL_OK;
    snprintf(text, sizeof text, "%u", options->threads);
    return mgl_job_set(job, "threads", text, err);
}

static mgl_status open_table(mgl_session *session, mgl_error *err)
{
    MGL_TRY(mgl_parts_prepare(session, session->job, err));
    MGL_TRY(mgl_resolve_encoding(session->job, MGL_OPEN, err));
    MGL_TRY(mgl_job_settings(session->job, MGL_OPEN, err, &session->settings));
    MGL_TRY(mgl_session_attach(session, session->settings, err));
    mgl_session_detach(session);
    return MGL_OK;
}

mgl_status mgl_command_open(mgl_session *session, const mgl_job *job,
                            const mgl_session_options *options, mgl_error *err)
{
    MGL_TRY(mgl_job_on_session(job, NULL, err, &session->job));
    mgl_job_on_progress(session->job, NULL, NULL); /* who listened may be gone later */
    mgl_job_on_refusal(session->job, NULL, NULL);
    MGL_TRY(take_threads(session->job, options, err));
    return open_table(session, err);
}

/* ---- Running ----------------------------------------------------------------------------------
 */

typedef mgl_status command_fn(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);

typedef struct command_row {
    const char *name;
    command_fn *run;
    const char *action;  /* of `hierarchy`; else NULL */
    bool reads_no_table; /* works on a file that another command made, so a session is no use to it
                          */
} command_row;

static const command_row rows[] = {
    {"anonymize", mgl_command_anonymize, NULL, false},
    {"what-if", mgl_command_what_if, NULL, false},
    {"preview", mgl_command_preview, NULL, false},
    {"look", mgl_command_look, NULL, false},
    {"compare", mgl_command_compare, NULL, false},
    {"check", mgl_command_check, NULL, false},
    {"gate", mgl_command_gate, NULL, false},
    {"risk", mgl_command_risk, NULL, false},
    {"attack", mgl_command_attack, NULL, false},
    {"count", mgl_command_count, NULL, false},
    {"apply", mgl_command_apply, NULL, false},
    {"utility", mgl_command_utility, NULL, false},
    {"lattice", mgl_command_lattice, NULL, false},
    {"hierarchy build", mgl_command_hierarchy, "build", false},
    {"hierarchy check", mgl_command_hierarchy, "check", false},
    {"hierarchy show", mgl_command_hierarchy, "show", false},
    {"hierarchy suggest", mgl_command_hierarchy, "suggest", false},
    {"hierarchy tree", mgl_command_hierarchy, "tree", false},
    {"report", mgl_command_report, NULL, true},
    {"recoding show", mgl_command_show_recoding, NULL, true},
    {"recoding", mgl_command_show_recoding, NULL, true}, /* the same */
    {"codebook", mgl_command_codebook, NULL, true},
    {"statement", mgl_command_statement, NULL, true},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static mgl_status unknown_command(const char *name, mgl_error *err)
{
    const char *known[N_ROWS];
    for (size_t i = 0; i < N_ROWS; i++)
        known[i] = rows[i].name;
    const char *nearest = mgl_nearest_name(name, known, N_ROWS);
    if (nearest != NULL)
        return mgl_fail(err, MGL_CODE_UNKNOWN_NAME,
                        "there is no command '%.60s'; did you mean '%s'?", name, nearest);
    return mgl_fail(
        err, MGL_CODE_UNKNOWN_NAME,
        "there is no command '%.60s'; the catalogue lists those there are (\"commands\")", name);
}

static mgl_status find_row(const char *name, mgl_error *err, const command_row **out)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *out = &rows[i];
            return MGL_OK;
        }
    return unknown_command(name, err);
}

/* Runs and frees the job. */
static mgl_status run_own(mgl_session *session, const command_row *row, mgl_job *job,
                          mgl_error *err, mgl_result **out)
{
    mgl_job_action(job, row->action);
    mgl_status status = row->run(session, job, err, out);
    mgl_job_free(job);
    return status;
}

mgl_status mgl_command_by_name(mgl_session *session, const char *command, const mgl_job *job,
                               mgl_error *err, mgl_result **out)
{
    const command_row *row;
    mgl_job *copy;
    MGL_TRY(find_row(command, err, &row));
    MGL_TRY(mgl_job_for_run(job, err, &copy));
    return run_own(session, row, copy, err, out);
}

static mgl_status run_in_turn(mgl_session *session, const command_row *row, const mgl_job *job,
                              mgl_error *err, mgl_result **out)
{
    mgl_job *copy;
    MGL_TRY(mgl_job_on_session(job, session->job, err, &copy));
    return run_own(session, row, copy, err, out);
}

mgl_status mgl_command_on_session(mgl_session *session, const char *command, const mgl_job *job,
                                  mgl_error *err, mgl_result **out)
{
    const command_row *row;
    MGL_TRY(find_row(command, err, &row));
    if (row->reads_no_table)
        return mgl_fail(err, MGL_CODE_CONFLICT,
                        "`%s` does not read the table of a session; run it without one", command);
    MGL_TRY(mgl_session_enter(session, mgl_job_progress(job), err));
    mgl_status status = run_in_turn(session, row, job, err, out);
    mgl_session_leave(session);
    return status;
}
