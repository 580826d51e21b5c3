/* Hands items of a pool on one at a time, in the order of their numbers. The outlet of a release
 * uses it to write in order what threads made in any. */
#include "base/turns.h"

#include "base/memory.h"

#include <pthread.h>
#include <string.h>

struct mgl_turns {
    pthread_mutex_t lock;
    pthread_cond_t handed_on;
    bool *ready; /* [items] */
    size_t items, most_waiting;
    size_t next, waiting;
    bool busy; /* a thread hands items on */
};

mgl_turns *mgl_turns_new(size_t items, size_t most_waiting)
{
    mgl_turns *turns = mgl_zeroed_array(1, sizeof *turns);
    if (turns == NULL)
        return NULL;
    turns->ready = mgl_zeroed_array(items, sizeof *turns->ready);
    if (turns->ready == NULL) {
        mgl_free(turns);
        return NULL;
    }
    turns->items = items;
    turns->most_waiting = most_waiting;
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&turns->handed_on, NULL);
    return turns;
}

void mgl_turns_free(mgl_turns *turns)
{
    if (turns == NULL)
        return;
    pthread_cond_destroy(&turns->handed_on);
    pthread_mutex_destroy(&turns->lock);
    mgl_free(turns->ready);
    mgl_free(turns);
}

void mgl_turns_begin(mgl_turns *turns)
{
    turns->next = turns->waiting = 0;
    memset(turns->ready, 0, turns->items * sizeof *turns->ready);
}

/* A thread that waits has no item of its own: the next one is made by a thread that does not. Who
 * need not wait any more wakes another one. */
bool mgl_turns_ready(mgl_turns *turns, size_t item)
{
    pthread_mutex_lock(&turns->lock);
    turns->ready[item] = true;
    turns->waiting++;
    bool mine = !turns->busy && item == turns->next;
    turns->busy = turns->busy || mine;
    while (!mine && turns->waiting > turns->most_waiting)
        pthread_cond_wait(&turns->handed_on, &turns->lock);
    if (!mine)
        pthread_cond_signal(&turns->handed_on);
    pthread_mutex_unlock(&turns->lock);
    return mine;
}

bool mgl_turns_next(mgl_turns *turns, size_t *item)
{
    pthread_mutex_lock(&turns->lock);
    bool there = turns->next < turns->items && turns->ready[turns->next];
    if (there) {
        *item = turns->next++;
        turns->waiting--;
        if (turns->waiting <= turns->most_waiting)
            pthread_cond_signal(&turns->handed_on);
    }
    turns->busy = there;
    pthread_mutex_unlock(&turns->lock);
    return there;
}
