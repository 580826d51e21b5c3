/* Hands on items that threads finish in any order one at a time, in the order of their numbers. */
#include "base/ordered_queue.h"

#include "base/memory.h"

#include <pthread.h>
#include <string.h>

struct mgl_ordered_queue {
    pthread_mutex_t lock;
    pthread_cond_t handed_on;
    bool *ready; /* [items] */
    size_t items, most_waiting;
    size_t next, waiting;
    bool busy; /* a thread hands items on */
};

mgl_ordered_queue *mgl_ordered_queue_new(size_t items, size_t most_waiting)
{
    mgl_ordered_queue *queue = mgl_zeroed_array(1, sizeof *queue);
    if (queue == NULL)
        return NULL;
    queue->ready = mgl_zeroed_array(items, sizeof *queue->ready);
    if (queue->ready == NULL) {
        mgl_free(queue);
        return NULL;
    }
    queue->items = items;
    queue->most_waiting = most_waiting;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->handed_on, NULL);
    return queue;
}

void mgl_ordered_queue_free(mgl_ordered_queue *queue)
{
    if (queue == NULL)
        return;
    pthread_cond_destroy(&queue->handed_on);
    pthread_mutex_destroy(&queue->lock);
    mgl_free(queue->ready);
    mgl_free(queue);
}

void mgl_ordered_queue_begin(mgl_ordered_queue *queue)
{
    queue->next = queue->waiting = 0;
    memset(queue->ready, 0, queue->items * sizeof *queue->ready);
}

/* A thread that waits has no item of its own: the next one is made by a thread that does not. A
 * thread that need not wait any more wakes another one. */
bool mgl_ordered_queue_ready(mgl_ordered_queue *queue, size_t item)
{
    pthread_mutex_lock(&queue->lock);
    queue->ready[item] = true;
    queue->waiting++;
    bool mine = !queue->busy && item == queue->next;
    queue->busy = queue->busy || mine;
    while (!mine && queue->waiting > queue->most_waiting)
        pthread_cond_wait(&queue->handed_on, &queue->lock);
    if (!mine)
        pthread_cond_signal(&queue->handed_on);
    pthread_mutex_unlock(&queue->lock);
    return mine;
}

bool mgl_ordered_queue_next(mgl_ordered_queue *queue, size_t *item)
{
    pthread_mutex_lock(&queue->lock);
    bool there = queue->next < queue->items && queue->ready[queue->next];
    if (there) {
        *item = queue->next++;
        queue->waiting--;
        if (queue->waiting <= queue->most_waiting)
            pthread_cond_signal(&queue->handed_on);
    }
    queue->busy = there;
    pthread_mutex_unlock(&queue->lock);
    return there;
}
