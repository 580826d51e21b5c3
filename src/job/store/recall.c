/* Puts what a recoding or a part remembers of the job that made it into another job. `apply`, parts
 * and `check --against` call it. */
#include "job/store/entries.h"

static const mgl_place remembered = {.name = "the recoding", .load = 1};

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
