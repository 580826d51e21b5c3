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
