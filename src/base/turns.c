/* Lets items of a pool do some of their work one after another, in the order of their numbers. The
 * outlet of a release uses it to write in order what threads made in any. */
#include "base/turns.h"

#include "base/memory.h"

#include <pthread.h>

struct mgl_turns {
    pthread_mutex_t lock;
    pthread_cond_t passed;
    size_t next;
};

mgl_turns *mgl_turns_new(void)
{
    mgl_turns *turns = mgl_zeroed_array(1, sizeof *turns);
    if (turns == NULL)
        return NULL;
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&turns->passed, NULL);
    return turns;
}

void mgl_turns_free(mgl_turns *turns)
{
    if (turns == NULL)
        return;
    pthread_cond_destroy(&turns->passed);
    pthread_mutex_destroy(&turns->lock);
    mgl_free(turns);
}

void mgl_turns_begin(mgl_turns *turns)
{
    turns->next = 0;
}

void mgl_turns_wait(mgl_turns *turns, size_t item)
{
    pthread_mutex_lock(&turns->lock);
    while (turns->next != item)
        pthread_cond_wait(&turns->passed, &turns->lock);
    pthread_mutex_unlock(&turns->lock);
}

void mgl_turns_pass(mgl_turns *turns)
{
    pthread_mutex_lock(&turns->lock);
    turns->next++;
    pthread_cond_broadcast(&turns->passed);
    pthread_mutex_unlock(&turns->lock);
}
