/* Runs a job with one change, without writing anything, and tells its figures: exactly those that
 * a run of the changed job gives. what_if.c and preview.c call it. */
#include "command/changes/changes.h"

#include "command/command.h"

/* Other outputs than the release, and keys of commands that write none. The release is not written
 * in a dry run, but its name is judged as that of a run is. */
static const char *const left_out[] = {
    "result", "report", "save-recoding", "save-map", "save-job", "sign", "save-proof", "print-sql",
    "curve",  "hint",   "changes",       "budget",   "window",   "show", "keep-order"};

mgl_status mgl_job_to_try(const mgl_job *job, mgl_error *err, mgl_job **out)
{
    mgl_job *copy;
    MGL_TRY(mgl_job_for_run(job, err, &copy));
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        MGL_GO(mgl_job_unset(copy, left_out[i], err));
    mgl_job_on_refusal(copy, NULL, NULL);
    MGL_GO(mgl_job_set(copy, "dry-run", "true", err));
    MGL_GO(mgl_job_set(copy, "brief", "true", err));
    *out = copy;
    copy = NULL;
done:
    mgl_job_free(copy);
    return status;
}

/* What goes is taken back first: a column loses all its fields before it gets another role. */
static mgl_status apply(mgl_job *job, const mgl_change *change, mgl_error *err)
{
    const char *key;
    json_t *value;
    if (change == NULL)
        return MGL_OK;
    json_object_foreach(change->set, key, value) if (json_is_null(value))
        MGL_TRY(mgl_job_unset(job, key, err));
    json_object_foreach(change->set, key, value) if (!json_is_null(value))
        MGL_TRY(mgl_job_set(job, key, json_string_value(value), err));
    return MGL_OK;
}

/* ---- Figures --------------------------------------------------------------------------------- */

static json_t *error_json(const mgl_error *why)
{
    json_t *object = json_object();
    mgl_json_set(object, "code", json_string(mgl_code_name(why->code)));
    mgl_json_set(object, "message", json_string(why->message));
    return object;
}

static void tell_refused(const mgl_error *why, json_t *figures)
{
    mgl_json_set(figures, "holds", json_false());
    mgl_json_set(figures, "error", error_json(why));
}

static void tell_found(const mgl_result *result, json_t *figures)
{
    static const char *const keys[] = {"method",          "node",    "measure", "released_rows",
                                       "suppressed_rows", "classes", "utility", "bound",
                                       "models",          "risk"};
    const json_t *document = result->document;
    const char *measure = mgl_json_text(document, "measure");
    mgl_json_set(figures, "holds", json_boolean(result->holds));
    mgl_json_set(figures, "error", json_null());
    mgl_json_set(figures, "value",
                 mgl_json_real(measure != NULL
                                   ? mgl_json_number(json_object_get(document, "utility"), measure)
                                   : NAN));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_t *value = json_object_get(document, keys[i]);
        mgl_json_set(figures, keys[i], value != NULL ? json_incref(value) : json_null());
    }
}

/* Is it the job that asks for too much, or for what it cannot have? */
static bool is_refusal(mgl_status status)
{
    return status == MGL_UNMET || status == MGL_DATA;
}

static mgl_status run(mgl_session *session, mgl_job *job, bool changed, mgl_error *err,
                      json_t **figures, json_t **document)
{
    mgl_error why = {0};
    mgl_result *result = NULL;
    mgl_call own = mgl_call_anew(); /* the time limit is that of each search */
    const mgl_call *before = mgl_call_enter(&own);
    mgl_status status = mgl_command_anonymize(session, job, &why, &result);
    mgl_call_leave(before);
    mgl_hide_values(why.message, sizeof why.message, false);
    if (status == MGL_USAGE && changed)
        return MGL_OK; /* none that this job can take */
    if (status != MGL_OK && !is_refusal(status))
        return mgl_fail_as(err, &why);
    json_t *told = json_object();
    if (result != NULL)
        tell_found(result, told);
    else
        tell_refused(&why, told);
    mgl_json_set(told, "seconds", mgl_json_real(mgl_sys_seconds() - own.begun));
    if (result != NULL && document != NULL)
        *document = json_incref(result->document);
    mgl_result_free(result);
    *figures = told;
    return MGL_OK;
}

mgl_status mgl_change_try(mgl_session *session, const mgl_job *job, const mgl_change *change,
                          mgl_error *err, json_t **out, json_t **document)
{
    mgl_job *copy;
    mgl_error why = {0};
    *out = NULL;
    if (document != NULL)
        *document = NULL;
    MGL_TRY(mgl_job_to_try(job, err, &copy));
    mgl_status status = apply(copy, change, &why);
    if (status == MGL_OK)
        status = run(session, copy, change != NULL, err, out, document);
    else if (status == MGL_USAGE)
        status = MGL_OK;
    else
        status = mgl_fail_as(err, &why);
    mgl_job_free(copy);
    return status;
}

/* ---- The change itself ------------------------------------------------------------------------
 */

static mgl_status patch_json(const mgl_job *job, const mgl_change *change, mgl_error *err,
                             json_t **out)
{
    mgl_job *copy = NULL;
    json_t *before = NULL, *after = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_copy(job, err, &copy));
    MGL_GO(mgl_job_document(copy, MGL_JOB_WHOLE, NULL, err, &before));
    MGL_GO(apply(copy, change, err));
    MGL_GO(mgl_job_document(copy, MGL_JOB_WHOLE, NULL, err, &after));
    *out = mgl_merge_patch(before, after);
done:
    json_decref(before);
    json_decref(after);
    mgl_job_free(copy);
    return status;
}

mgl_status mgl_change_json(const mgl_job *job, const mgl_change *change, mgl_error *err,
                           json_t **out)
{
    json_t *patch = NULL;
    MGL_TRY(patch_json(job, change, err, &patch));
    json_t *object = json_object();
    mgl_json_set(object, "kind", json_string(mgl_change_name(change->kind)));
    mgl_json_set(object, "column",
                 change->column != NULL ? json_string(change->column) : json_null());
    mgl_json_set(object, "change", json_string(change->text));
    mgl_json_set(object, "set", json_incref(change->set));
    mgl_json_set(object, "patch", patch);
    *out = object;
    return MGL_OK;
}
