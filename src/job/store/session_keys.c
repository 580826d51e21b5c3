/* What belongs to a session and not to the jobs that run on it: its table and how that is read.
 * Whoever runs a job on a session asks here. */
#include "job/store/entries.h"

#include "job/keys/keys.h"

static const mgl_place session = {.name = "the session", .load = 1};

static const char *said_by(const mgl_job *job, const mgl_key *key)
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
        const char *opened = said_by(of_session, &key);
        opened = opened != NULL ? opened : key.fallback;
        if (opened == NULL || strcmp(entry->value, opened) != 0)
            return mgl_place_fail(&entry->place, MGL_CODE_SESSION_KEY, err,
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
        const char *value = key.of_session ? said_by(of_session, &key) : NULL;
        if (value != NULL && mgl_store_find(job, key.name, NULL) == NULL)
            MGL_TRY(mgl_store_put(job, key.name, NULL, mgl_span_of(value), &session, err));
    }
    return MGL_OK;
}

static mgl_status copy_sets(const mgl_job *job, mgl_job *copy, mgl_error *err)
{
    for (size_t q = 0; q < job->n_sets; q++) {
        const mgl_named_set *set = &job->sets[q];
        mgl_span *names = mgl_alloc_array(set->n_names, sizeof *names);
        if (names == NULL)
            return mgl_fail_memory(err);
        for (size_t i = 0; i < set->n_names; i++)
            names[i] = mgl_span_of(set->names[i]);
        mgl_status status = mgl_store_put_set(copy, names, set->n_names, &set->place, err);
        mgl_free(names);
        MGL_TRY(status);
    }
    return MGL_OK;
}

static mgl_status fill_copy(const mgl_job *job, mgl_job *copy, mgl_error *err)
{
    for (size_t i = 0; i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        MGL_TRY(mgl_store_put(copy, entry->field, entry->subject, mgl_span_of(entry->value),
                              &entry->place, err));
    }
    for (; copy->n_files < job->n_files; copy->n_files++) {
        const char *file = job->files[copy->n_files];
        if (!mgl_grow(&copy->files, &copy->files_capacity, copy->n_files + 1,
                      sizeof *copy->files) ||
            (copy->files[copy->n_files] = mgl_arena_copy(copy->arena, file, strlen(file))) == NULL)
            return mgl_fail_memory(err);
    }
    copy->n_loads = job->n_loads;
    copy->progress = job->progress;
    MGL_TRY(mgl_shelf_share(&job->given, err, &copy->given));
    return copy_sets(job, copy, err);
}

static mgl_status copy_job(const mgl_job *job, mgl_error *err, mgl_job **out)
{
    mgl_job *copy;
    MGL_TRY(mgl_job_new(err, &copy));
    mgl_status status = fill_copy(job, copy, err);
    if (status != MGL_OK) {
        mgl_job_free(copy);
        return status;
    }
    *out = copy;
    return MGL_OK;
}

mgl_status mgl_job_on_session(const mgl_job *job, const mgl_job *of_session, mgl_error *err,
                              mgl_job **out)
{
    mgl_job *copy;
    if (of_session != NULL)
        MGL_TRY(mgl_job_keeps_reading(job, of_session, err));
    MGL_TRY(copy_job(job, err, &copy));
    mgl_status status = of_session != NULL ? take_keys(copy, of_session, err) : MGL_OK;
    if (status != MGL_OK) {
        mgl_job_free(copy);
        return status;
    }
    *out = copy;
    return MGL_OK;
}
