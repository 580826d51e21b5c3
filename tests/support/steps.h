/* A job taken step by step: its table read and counted, and made a task. For tests and benchmarks
 * that look at what lies between. */
#ifndef MGL_TESTS_STEPS_H
#define MGL_TESTS_STEPS_H

#include "pipeline/pipeline.h"

typedef struct steps {
    mgl_session *session;
    const mgl_settings *settings;
    mgl_setup setup;
} steps;

/* As `anonymize` begins; without `refuse`, models that no release can hold are not refused. End
 * with steps_end, before the job is freed. */
mgl_status steps_begin(mgl_job *job, bool refuse, mgl_error *err, steps *out);
void steps_end(steps *s);

/* Runs the method of the job. Free with mgl_solution_free, before the end of the steps. */
mgl_status steps_search(const steps *s, mgl_error *err, mgl_solution **out);

#endif
