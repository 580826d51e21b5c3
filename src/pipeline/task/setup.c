/* Reads a table, counts it and makes it a task: where every command but `hierarchy` and `count`
 * begins. */
#include "pipeline/task/task.h"
#include "sign/sign.h"

mgl_status mgl_setup_begin(mgl_session *session, const mgl_settings *settings, mgl_purpose purpose,
                           mgl_error *err, mgl_setup *out)
{
    mgl_setup setup = {0};
    unsigned char ignored[MGL_SIGNATURE];
    mgl_status status = MGL_OK;
    if (purpose == MGL_TO_RELEASE &&
        settings->signing.key != NULL) /* a key that does not work is refused before the search */
        MGL_GO(mgl_signature_make(settings->signing.key, (mgl_span){"", 0}, err, ignored));
    MGL_GO(mgl_reading_new(session, settings, purpose, err, &setup.reading));
    MGL_GO(mgl_counts_find(setup.reading, err, &setup.counts));
    /* Together with an earlier release models may hold which these rows alone cannot hold. */
    bool refuse =
        mgl_purpose_searches(purpose) && setup.counts.list->n_rows > 0 && settings->with == NULL;
    MGL_GO(mgl_task_new(settings, &setup.counts, refuse, err, &setup.task));
    *out = setup;
    setup = (mgl_setup){0};
done:
    mgl_setup_end(&setup);
    return status;
}

void mgl_setup_end(mgl_setup *setup)
{
    mgl_task_free(setup->task);
    mgl_reading_free(setup->reading);
}
