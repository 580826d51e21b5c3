/* Lets calls on one session wait for each other, in the order in which they came; one that waits
 * can be cancelled. mgl_session_run enters and leaves. */
#include "pipeline/session/queue.h"

#include <pthread.h>
#include <time.h>

enum { MILLISECONDS_BETWEEN_REPORTS = 20 };

typedef struct waiter {
    struct waiter *next;
} waiter;

struct mgl_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool busy;
    waiter *first, **end;
};

mgl_queue *mgl_queue_new(void)
{
    mgl_queue *queue = mgl_zeroed_array(1, sizeof *queue);
    pthread_condattr_t steady;
    if (queue == NULL)
        return NULL;
    queue->end = &queue->first;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->changed, &steady);
    pthread_condattr_destroy(&steady);
    return queue;
}

void mgl_queue_free(mgl_queue *queue)
{
    if (queue == NULL)
        return;
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    mgl_free(queue);
}

static void wait_a_while(mgl_queue *queue)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += MILLISECONDS_BETWEEN_REPORTS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
}

static void take_out(mgl_queue *queue, const waiter *who)
{
    waiter **at = &queue->first;
    while (*at != who)
        at = &(*at)->next;
    *at = who->next;
    if (who->next == NULL)
        queue->end = at;
}

/* The listener may take its time meanwhile. */
static mgl_status tell_waiting(mgl_queue *queue, const mgl_progress *progress, mgl_error *err)
{
    pthread_mutex_unlock(&queue->lock);
    mgl_status status = mgl_progress_report(progress, "wait", 0, 0, err);
    pthread_mutex_lock(&queue->lock);
    return status;
}

mgl_status mgl_queue_enter(mgl_queue *queue, const mgl_progress *progress, mgl_error *err)
{
    waiter self = {NULL};
    mgl_status status = MGL_OK;
    pthread_mutex_lock(&queue->lock);
    /* Who waits leaves the queue before this returns. */
    *queue->end = &self;
    /* cppcheck-suppress autoVariables */
    queue->end = &self.next;
    while (queue->busy || queue->first != &self) {
        wait_a_while(queue);
        MGL_GO(tell_waiting(queue, progress, err));
    }
    queue->busy = true;
done:
    take_out(queue, &self);
    pthread_cond_broadcast(&queue->changed); /* another one may be the first now */
    pthread_mutex_unlock(&queue->lock);
    return status;
}

void mgl_queue_leave(mgl_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->busy = false;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}
