/* Puts what the result of a release says about its job into a job that checks it. `check --against`
 * calls it. */
#include "job/store/entries.h"

static const mgl_place of_result = {.name = "`against`", .load = 1};

static mgl_status take_of_column(mgl_job *job, const mgl_said *said, mgl_error *err)
{
    mgl_span value = mgl_span_of(said->value);
    bool role = strcmp(said->key, "role") == 0;
    if (role ? strcmp(said->value, "identifier") != 0 : mgl_job_is_of_release(said->key, true))
        return mgl_take_field(job, said->column, mgl_span_of(said->key), value, &of_result, err);
    return MGL_OK;
}

mgl_status mgl_job_take_said(mgl_job *job, const mgl_said *said, mgl_error *err)
{
    const mgl_model_type *model = mgl_model_type_find(said->key);
    mgl_span value = mgl_span_of(said->value);
    mgl_key key;
    mgl_store_changed(job);
    if (mgl_store_find(job, said->key, said->column) != NULL)
        return MGL_OK;
    if (model != NULL)
        return mgl_take_model(job, model, said->column, value, &of_result, err);
    if (said->column != NULL)
        return take_of_column(job, said, err);
    if (!mgl_key_find(mgl_span_of(said->key), &key) || !key.of_release)
        return MGL_OK;
    return mgl_take_option(job, &key, value, &of_result, err);
}

bool mgl_job_is_of_release(const char *name, bool of_column)
{
    mgl_key key;
    return (of_column ? mgl_key_find_field(mgl_span_of(name), &key)
                      : mgl_key_find(mgl_span_of(name), &key)) &&
           key.of_release;
}

bool mgl_job_knows_key(const char *name)
{
    mgl_key key;
    return mgl_key_find(mgl_span_of(name), &key);
}

void mgl_job_take_claims(mgl_job *job, json_t *claims, const char *signature)
{
    mgl_store_changed(job);
    json_decref(job->claims);
    job->claims = json_incref(claims);
    job->signature = signature;
}

mgl_status mgl_job_take_set(mgl_job *job, const mgl_span *names, size_t n_names, mgl_error *err)
{
    mgl_store_changed(job);
    return mgl_store_put_set(job, names, n_names, true, &of_result, err);
}
