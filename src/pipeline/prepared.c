/* A table read, counted and made a problem. */
#include "pipeline/prepared.h"

mgl_status mgl_work_begin(const mgl_settings *settings, mgl_purpose purpose, mgl_error *err,
                          mgl_work *out)
{
    mgl_work work = {0};
    unsigned char ignored[MGL_SIGNATURE];
    mgl_status status = MGL_OK;
    if (purpose == MGL_TO_RELEASE && settings->sign != NULL) /* better told before the search */
        status = mgl_signature_make(settings->sign, (mgl_span){"", 0}, err, ignored);
    if (status == MGL_OK)
        status = mgl_reading_new(settings, purpose, err, &work.reading);
    if (status == MGL_OK)
        status = mgl_count(work.reading, err, &work.counts);
    if (status == MGL_OK)
        status = mgl_task_new(settings, work.counts,
                              mgl_purpose_searches(purpose) && work.counts->list->n_rows > 0, err,
                              &work.task);
    if (status != MGL_OK) {
        mgl_work_end(&work);
        return status;
    }
    *out = work;
    return MGL_OK;
}

void mgl_work_end(mgl_work *work)
{
    mgl_task_free(work->task);
    mgl_counts_free(work->counts);
    mgl_reading_free(work->reading);
}
