/* What a job takes from other places, unless it has a value of its own: from a recoding or counts
 * that remember their job, from the result of a release, from a session. */
#include "job/keys/keys.h"
#include "job/store/store.h"

static const mgl_origin remembered = {.name = "the recoding", .load = 1};

static bool is_among(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

mgl_status mgl_job_recall(const mgl_job *job, const char *const *without, mgl_error *err,
                          mgl_job **out)
{
    mgl_job *copy;
    MGL_TRY(mgl_job_new(err, &copy));
    mgl_status status = MGL_OK;
    for (size_t i = 0; status == MGL_OK && i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        if (!is_among(without, entry->field))
            status = mgl_store_put(copy, entry->field, entry->subject, mgl_span_of(entry->value),
                                   &entry->place, err);
    }
    copy->original = job;
    copy->n_loads = job->n_loads;
    copy->progress = job->progress;
    copy->refusal = job->refusal;
    if (status != MGL_OK) {
        mgl_job_free(copy);
        return status;
    }
    *out = copy;
    return MGL_OK;
}

/* The quasi-identifier is made of the roles unless the job names it. */
mgl_status mgl_job_take_roles(mgl_job *job, const char *const *columns, const mgl_role *roles,
                              size_t n, mgl_error *err)
{
    bool named = job->n_sets > 0;
    mgl_store_changed(job);
    for (size_t c = 0; c < n; c++) {
        bool known = mgl_store_find(job, "role", columns[c]) != NULL;
        if (roles[c] == MGL_ROLE_NONE || known || (named && roles[c] == MGL_ROLE_QUASI))
            continue;
        MGL_TRY(mgl_take_field(job, columns[c], mgl_span_of("role"),
                               mgl_span_of(mgl_role_name(roles[c])), &remembered, err));
    }
    return MGL_OK;
}

mgl_status mgl_job_take_value(mgl_job *job, const char *key, const char *column, const char *value,
                              mgl_error *err)
{
    const mgl_model_type *model = mgl_model_type_find(key);
    mgl_key row;
    mgl_store_changed(job);
    if (mgl_store_find(job, key, column) != NULL)
        return MGL_OK;
    if (model != NULL)
        return mgl_take_model(job, model, column, mgl_span_of(value), &remembered, err);
    if (column != NULL)
        return mgl_take_field(job, column, mgl_span_of(key), mgl_span_of(value), &remembered, err);
    return mgl_key_find(mgl_span_of(key), &row)
               ? mgl_take_option(job, &row, mgl_span_of(value), &remembered, err)
               : MGL_OK;
}

mgl_status mgl_job_take_list(mgl_job *job, const char *key, const mgl_span *items, size_t n,
                             mgl_error *err)
{
    mgl_key row;
    mgl_store_changed(job);
    return mgl_key_find(mgl_span_of(key), &row)
               ? mgl_take_list(job, &row, items, n, &remembered, err)
               : MGL_OK;
}

static bool is_about_reading(const mgl_entry *entry)
{
    mgl_key key;
    mgl_span name = mgl_span_of(entry->field);
    return (entry->subject != NULL ? mgl_key_find_field(name, &key) : mgl_key_find(name, &key)) &&
           key.of_reading;
}

mgl_status mgl_job_take_reading(mgl_job *job, const mgl_job *from, mgl_error *err)
{
    mgl_store_changed(job);
    for (size_t i = 0; i < from->n_entries; i++) {
        const mgl_entry *entry = &from->entries[i];
        bool known = mgl_store_find(job, entry->field, entry->subject) != NULL;
        if (!known && is_about_reading(entry))
            MGL_TRY(mgl_store_put(job, entry->field, entry->subject, mgl_span_of(entry->value),
                                  &remembered, err));
    }
    return MGL_OK;
}

static const mgl_origin of_result = {.name = "`against`", .load = 1};

static mgl_status take_of_column(mgl_job *job, const mgl_job_value *given, mgl_error *err)
{
    mgl_span value = mgl_span_of(given->value);
    bool role = strcmp(given->key, "role") == 0;
    if (role ? strcmp(given->value, "identifier") != 0 : mgl_job_is_of_release(given->key, true))
        return mgl_take_field(job, given->column, mgl_span_of(given->key), value, &of_result, err);
    return MGL_OK;
}

mgl_status mgl_job_take_of_result(mgl_job *job, const mgl_job_value *given, mgl_error *err)
{
    const mgl_model_type *model = mgl_model_type_find(given->key);
    mgl_span value = mgl_span_of(given->value);
    mgl_key key;
    mgl_store_changed(job);
    if (mgl_store_find(job, given->key, given->column) != NULL)
        return MGL_OK;
    if (model != NULL)
        return mgl_take_model(job, model, given->column, value, &of_result, err);
    if (given->column != NULL)
        return take_of_column(job, given, err);
    if (!mgl_key_find(mgl_span_of(given->key), &key) || !key.of_release)
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

static const mgl_origin session = {.name = "the session", .load = 1};

static const char *value_in(const mgl_job *job, const mgl_key *key)
{
    const mgl_entry *entry = mgl_store_find(job, key->name, NULL);
    return entry != NULL ? entry->value : NULL;
}

mgl_status mgl_job_keeps_reading(const mgl_job *job, const mgl_job *of_session, mgl_error *err)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        const mgl_entry *entry = mgl_store_find(job, key.name, NULL);
        if (!key.of_session || entry == NULL)
            continue;
        const char *opened = value_in(of_session, &key);
        opened = opened != NULL ? opened : key.fallback;
        if (opened == NULL || strcmp(entry->value, opened) != 0)
            return mgl_origin_fail(
                &entry->place, MGL_CODE_SESSION_KEY, err,
                "belongs to the session, which was opened with %s%.60s; leave it "
                "out, or open another session",
                opened != NULL ? "" : "none", opened != NULL ? opened : "");
    }
    return MGL_OK;
}

static mgl_status take_keys(mgl_job *job, const mgl_job *of_session, mgl_error *err)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        const char *value = key.of_session ? value_in(of_session, &key) : NULL;
        if (value != NULL && mgl_store_find(job, key.name, NULL) == NULL)
            MGL_TRY(mgl_store_put(job, key.name, NULL, mgl_span_of(value), &session, err));
    }
    return MGL_OK;
}

mgl_status mgl_job_on_session(const mgl_job *job, const mgl_job *of_session, mgl_error *err,
                              mgl_job **out)
{
    mgl_job *copy;
    if (of_session != NULL)
        MGL_TRY(mgl_job_keeps_reading(job, of_session, err));
    MGL_TRY(of_session != NULL ? mgl_job_for_run(job, err, &copy) : mgl_job_copy(job, err, &copy));
    mgl_status status = of_session != NULL ? take_keys(copy, of_session, err) : MGL_OK;
    if (status != MGL_OK) {
        mgl_job_free(copy);
        return status;
    }
    *out = copy;
    return MGL_OK;
}
