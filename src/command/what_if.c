/* The command what-if: what a job gives, and what each of the jobs that are one step away would
 * give. Nothing is released. */
#include "command/command.h"

#include "command/changes/changes.h"
#include "findings/findings.h"

#include <math.h>

typedef struct asking {
    mgl_session *session;
    const mgl_job *job;
    const mgl_settings *settings; /* of the command: which changes, and how long */
    const mgl_settings *run;      /* of the job that would be run */
    double until;                 /* mgl_sys_seconds; 0: as long as it takes */
    json_t *document;             /* what the job gives as a whole; NULL: nothing, or not known */
    mgl_changes changes;
} asking;

static bool is_asked(const mgl_settings *settings, mgl_change_kind kind)
{
    for (size_t i = 0; i < settings->what_if.n_changes; i++)
        if (settings->what_if.changes[i] == kind)
            return true;
    return settings->what_if.n_changes == 0;
}

/* Levels are changed by those that the answer has. */
static mgl_status ask_job(asking *a, mgl_error *err, json_t *told)
{
    json_t *figures;
    if (!is_asked(a->settings, MGL_CHANGE_ANSWER) && !is_asked(a->settings, MGL_CHANGE_LEVELS))
        return MGL_OK;
    MGL_TRY(mgl_change_try(a->session, a->job, NULL, err, &figures, &a->document));
    if (is_asked(a->settings, MGL_CHANGE_ANSWER))
        mgl_json_set(told, "answer", figures);
    else
        json_decref(figures);
    return MGL_OK;
}

static mgl_status list_changes(asking *a, mgl_error *err)
{
    for (mgl_change_kind kind = MGL_CHANGE_K; kind < MGL_CHANGE_KINDS; kind++)
        if (is_asked(a->settings, kind))
            MGL_TRY(mgl_changes_add(a->run, a->job, kind, a->document, err, &a->changes));
    return MGL_OK;
}

static mgl_status ask_change(const asking *a, const mgl_change *change, mgl_error *err,
                             json_t *changes, json_t *left_out)
{
    json_t *told, *figures = NULL;
    bool late = a->until > 0 && mgl_sys_seconds() >= a->until;
    if (!late)
        MGL_TRY(mgl_change_try(a->session, a->job, change, err, &figures, NULL));
    if (!late && figures == NULL)
        return MGL_OK; /* none that this job can take */
    mgl_status status = mgl_change_json(a->job, change, err, &told);
    if (status == MGL_OK && figures != NULL)
        (void)json_object_update(told, figures);
    json_decref(figures);
    MGL_TRY(status);
    mgl_json_append(late ? left_out : changes, told);
    return MGL_OK;
}

static mgl_status ask_changes(asking *a, mgl_error *err, json_t *told)
{
    json_t *changes = json_array(), *left_out = json_array();
    const char *before = mgl_progress_within("what-if");
    mgl_status status = MGL_OK;
    MGL_GO(list_changes(a, err));
    for (size_t i = 0; i < a->changes.n; i++) {
        MGL_GO(mgl_progress_report(&a->settings->progress, "what-if", i, a->changes.n, err));
        MGL_GO(ask_change(a, &a->changes.list[i], err, changes, left_out));
    }
    mgl_json_set(told, "changes", json_incref(changes));
    mgl_json_set(told, "left_out", json_incref(left_out));
done:
    mgl_progress_go_on(before);
    json_decref(changes);
    json_decref(left_out);
    return status;
}

/* Holds if the job itself gives a release that does. */
static mgl_status ask(asking *a, mgl_error *err, mgl_result *result)
{
    MGL_TRY(ask_job(a, err, result->document));
    const json_t *answer = json_object_get(result->document, "answer");
    result->holds = answer == NULL || json_is_true(json_object_get(answer, "holds"));
    return ask_changes(a, err, result->document);
}

mgl_status mgl_command_what_if(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    asking a = {.session = session, .job = job};
    mgl_job *run = NULL;
    mgl_result *result = NULL;
    mgl_status status = MGL_OK;
    mgl_progress_plan("read search what-if");
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_job_settings(job, MGL_WHAT_IF, err, &a.settings));
    a.until = a.settings->what_if.budget > 0 ? mgl_sys_seconds() + a.settings->what_if.budget : 0;
    MGL_GO(mgl_job_to_try(job, err, &run));
    MGL_GO(mgl_job_settings(run, MGL_ANONYMIZE, err, &a.run));
    MGL_GO(mgl_result_new("what-if", err, &result));
    MGL_GO(ask(&a, err, result));
    MGL_GO(mgl_result_finish(result, a.settings, err));
    *out = result;
    result = NULL;
done:
    json_decref(a.document);
    mgl_changes_free(&a.changes);
    mgl_job_free(run);
    mgl_result_free(result);
    return status;
}
