/* Cancelling from another thread: a search that would take long is told to stop as soon as it has
 * begun.
 *
 *     ./cancel job.yaml */
#include <mingle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

typedef struct work {
    mgl_job *job;
    sem_t searching; /* posted once, when the search has begun */
    int told;
    mgl_status status;
    mgl_error err;
} work;

/* Called now and then by the thread that runs the job. */
static int listen(void *user, const char *stage, uint64_t done, uint64_t total)
{
    work *work = user;
    (void)done;
    (void)total;
    if (!work->told && strcmp(stage, "search") == 0) {
        work->told = 1;
        sem_post(&work->searching);
    }
    return 0; /* anything else would cancel, too */
}

static void *run(void *user)
{
    work *work = user;
    mgl_result *result = NULL;
    work->status = mgl_job_run(work->job, "anonymize", &work->err, &result);
    mgl_result_free(result);
    if (!work->told) /* it failed before it searched */
        sem_post(&work->searching);
    return NULL;
}

int main(int argc, char **argv)
{
    static work work;
    pthread_t thread;
    mgl_status status = mgl_job_new(&work.err, &work.job);
    if (status == MGL_OK) /* thorough, and so slow */
        status = mgl_job_set(work.job, "effort", "best", &work.err);
    if (status == MGL_OK)
        status = mgl_job_load(work.job, argc > 1 ? argv[1] : "job.yaml", &work.err);
    if (status == MGL_OK) {
        mgl_job_on_progress(work.job, listen, &work);
        sem_init(&work.searching, 0, 0);
        if (pthread_create(&thread, NULL, run, &work) != 0)
            return MGL_SYSTEM;
        sem_wait(&work.searching);
        mgl_job_cancel(work.job); /* from any thread, at any time */
        pthread_join(thread, NULL);
        sem_destroy(&work.searching);
        status = work.status;
    }
    if (status == MGL_CANCELLED)
        printf("cancelled; nothing was written\n");
    else
        fprintf(stderr, "%s\n", status == MGL_OK ? "it was faster" : work.err.message);
    mgl_job_free(work.job);
    return status == MGL_CANCELLED ? 0 : 1;
}
