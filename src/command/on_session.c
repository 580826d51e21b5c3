/* Sessions that callers open: opens the table of one, and runs commands by their names. The facade
 * calls it for mgl_session_open and mgl_session_run. */
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
    const char *action; /* what hierarchy does; NULL: it is another command */
} command_row;

static const command_row rows[] = {
    {"anonymize", mgl_command_anonymize, NULL},
    {"what-if", mgl_command_what_if, NULL},
    {"preview", mgl_command_preview, NULL},
    {"look", mgl_command_look, NULL},
    {"compare", mgl_command_compare, NULL},
    {"check", mgl_command_check, NULL},
    {"gate", mgl_command_gate, NULL},
    {"risk", mgl_command_risk, NULL},
    {"attack", mgl_command_attack, NULL},
    {"count", mgl_command_count, NULL},
    {"apply", mgl_command_apply, NULL},
    {"utility", mgl_command_utility, NULL},
    {"lattice", mgl_command_lattice, NULL},
    {"hierarchy build", mgl_command_hierarchy, "build"},
    {"hierarchy check", mgl_command_hierarchy, "check"},
    {"hierarchy show", mgl_command_hierarchy, "show"},
    {"hierarchy suggest", mgl_command_hierarchy, "suggest"},
    {"hierarchy tree", mgl_command_hierarchy, "tree"},
};

static const command_row *find_row(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static mgl_status run_copy(mgl_session *session, const command_row *row, const mgl_job *job,
                           mgl_error *err, mgl_result **out)
{
    mgl_job *copy;
    MGL_TRY(mgl_job_on_session(job, session->job, err, &copy));
    if (row->action != NULL)
        mgl_job_action(copy, row->action);
    mgl_status status = row->run(session, copy, err, out);
    mgl_job_free(copy);
    return status;
}

mgl_status mgl_command_on_session(mgl_session *session, const char *command, const mgl_job *job,
                                  mgl_error *err, mgl_result **out)
{
    const command_row *row = find_row(command);
    if (row == NULL)
        return mgl_fail(
            err, MGL_CODE_UNKNOWN_NAME,
            "there is no command '%.60s' for a session; give anonymize, what-if, preview, look, "
            "compare, check, gate, risk, attack, count, apply, utility, lattice, or hierarchy "
            "build, check, show, suggest or tree",
            command);
    MGL_TRY(mgl_session_enter(session, mgl_job_progress(job), err));
    mgl_status status = run_copy(session, row, job, err, out);
    mgl_session_leave(session);
    return status;
}
