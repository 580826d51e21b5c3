/* A session: the table of a job file is opened once, and three values of k are tried on it before
 * the last one is released.
 *
 *     ./session job.yaml */
#include <mingle.h>
#include <stdio.h>

static const char *const tried[] = {"5", "10", "20"};
enum { TRIED = sizeof tried / sizeof tried[0] };

/* What a release with this k would lose; nothing is written. */
static mgl_status try_k(mgl_session *session, mgl_job *job, const char *k, mgl_error *err)
{
    mgl_result *result = NULL;
    mgl_status status = mgl_job_set(job, "k", k, err);
    if (status == MGL_OK)
        status = mgl_session_run(session, "anonymize", job, err, &result);
    if (status == MGL_OK)
        printf("k = %-2s  precision %.4f  classes %.0f\n", k,
               mgl_result_number(result, "utility.precision"),
               mgl_result_number(result, "classes.count"));
    mgl_result_free(result);
    return status;
}

static mgl_status try_all(mgl_session *session, mgl_job *job, mgl_error *err)
{
    mgl_status status = mgl_job_set(job, "dry-run", "true", err);
    for (int i = 0; i < TRIED && status == MGL_OK; i++)
        status = try_k(session, job, tried[i], err);
    if (status == MGL_OK)
        status = mgl_job_unset(job, "dry-run", err);
    return status;
}

int main(int argc, char **argv)
{
    mgl_error err;
    mgl_job *job = NULL;
    mgl_session *session = NULL;
    mgl_result *result = NULL;
    mgl_status status = mgl_job_new(&err, &job);
    if (status == MGL_OK)
        status = mgl_job_load(job, argc > 1 ? argv[1] : "job.yaml", &err);
    if (status == MGL_OK)
        status = mgl_session_open(job, NULL, &err, &session);
    if (status == MGL_OK)
        status = try_all(session, job, &err);
    if (status == MGL_OK)
        status = mgl_session_run(session, "anonymize", job, &err, &result);
    if (status == MGL_OK)
        printf("%s has %.0f rows\n", mgl_result_string(result, "output"),
               mgl_result_number(result, "released_rows"));
    else
        fprintf(stderr, "%s\n", err.message);
    mgl_result_free(result);
    mgl_session_close(session);
    mgl_job_free(job);
    return (int)status;
}
