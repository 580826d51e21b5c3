/* Takes a job step by step, as mgl_setup_begin does. */
#include "steps.h"

mgl_status steps_begin(mgl_job *job, bool refuse, mgl_error *err, steps *out)
{
    steps s = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_session_begin(err, &s.session));
    MGL_GO(mgl_parts_prepare(s.session, job, err));
    MGL_GO(mgl_job_settings(job, MGL_ANONYMIZE, err, &s.settings));
    MGL_GO(mgl_reading_new(s.session, s.settings, MGL_TO_RELEASE, err, &s.setup.reading));
    MGL_GO(mgl_counts_find(s.setup.reading, err, &s.setup.counts));
    MGL_GO(mgl_task_new(s.settings, &s.setup.counts, refuse, err, &s.setup.task));
    *out = s;
    s = (steps){0};
done:
    steps_end(&s);
    return status;
}

void steps_end(steps *s)
{
    mgl_setup_end(&s->setup);
    mgl_session_end(s->session);
    *s = (steps){0};
}

mgl_status steps_search(const steps *s, mgl_error *err, mgl_solution **out)
{
    return mgl_search_run(s->settings->method, &s->setup.task->problem, err, out);
}
