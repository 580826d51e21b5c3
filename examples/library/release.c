/* From file to file: makes the release of a job file, with a k of its own, and says what was lost.
 *
 *     ./release job.yaml 10 */
#include <mingle.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    mgl_error err;
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    char *text = NULL;
    mgl_status status = mgl_job_new(&err, &job);
    if (status == MGL_OK) /* what is set first overrides the file */
        status = mgl_job_set(job, "k", argc > 2 ? argv[2] : "5", &err);
    if (status == MGL_OK)
        status = mgl_job_load(job, argc > 1 ? argv[1] : "job.yaml", &err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", &err, &result);
    if (status == MGL_OK)
        status = mgl_result_summary(result, NULL, &err, &text);
    fprintf(status == MGL_OK ? stdout : stderr, "%s\n", status == MGL_OK ? text : err.message);
    mgl_text_free(text);
    mgl_result_free(result);
    mgl_job_free(job);
    return (int)status;
}
