/* Copies a job: the public mgl_job_copy. Programs that ask several things of one table call it, as
 * does a session. */
#include "job/store/entries.h"

static mgl_status copy_entries(const mgl_job *job, mgl_error *err, mgl_job *copy)
{
    for (size_t i = 0; i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        MGL_TRY(mgl_store_put(copy, entry->field, entry->subject, mgl_span_of(entry->value),
                              &entry->place, err));
    }
    return MGL_OK;
}

mgl_status mgl_store_copy(const mgl_job *job, mgl_error *err, mgl_job *copy)
{
    MGL_TRY(mgl_job_own_keys(copy, job->own, job->n_own, err));
    MGL_TRY(copy_entries(job, err, copy));
    for (size_t i = 0; i < job->n_sets; i++)
        MGL_TRY(mgl_store_keep_set(copy, &job->sets[i], err));
    for (size_t i = 0; i < job->n_files; i++)
        MGL_TRY(mgl_store_keep_file(copy, job->files[i], err));
    copy->n_loads = job->n_loads;
    return MGL_OK;
}

/* What it was told, given and bound to; nobody hears how far it is or stops it. */
static mgl_status copy_job(const mgl_job *job, mgl_error *err, mgl_job **out)
{
    mgl_job *copy = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_new(err, &copy));
    MGL_GO(mgl_store_copy(job, err, copy));
    MGL_GO(mgl_memory_store_share(&job->given, err, &copy->given));
    copy->turns = job->turns;
    copy->action = job->action;
    copy->refusal = job->refusal;
    *out = copy;
    copy = NULL;
done:
    mgl_job_free(copy);
    return status;
}

mgl_status mgl_job_copy(const mgl_job *job, mgl_error *err, mgl_job **out)
{
    MGL_TRY(copy_job(job, err, out));
    mgl_job_on_progress(*out, job->progress.fn, job->progress.user);
    return MGL_OK;
}

mgl_status mgl_job_for_run(const mgl_job *job, mgl_error *err, mgl_job **out)
{
    MGL_TRY(copy_job(job, err, out));
    mgl_job_take_progress(*out, &job->progress);
    return MGL_OK;
}
