/* Hands on the items of a pool one at a time, in the order of their numbers. A thread whose item is
 * not the next one leaves it in the queue and goes on; the thread that finishes the next one hands
 * on all that are ready. */
#ifndef MGL_BASE_ORDERED_QUEUE_H
#define MGL_BASE_ORDERED_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mgl_ordered_queue mgl_ordered_queue;

/* For rounds of up to so many items, of which at most_waiting may wait. NULL: memory is out. Free
 * with mgl_ordered_queue_free. */
mgl_ordered_queue *mgl_ordered_queue_new(size_t items, size_t most_waiting);
void mgl_ordered_queue_free(mgl_ordered_queue *queue);

/* Before a round of items: the first is number 0. */
void mgl_ordered_queue_begin(mgl_ordered_queue *queue);
/* Marks an item as ready; must be called for every item, also when it failed. True: the calling
 * thread hands on what mgl_ordered_queue_next returns, until that is nothing. False: another thread
 * does; if too many items wait, the call has blocked until there were fewer. */
bool mgl_ordered_queue_ready(mgl_ordered_queue *queue, size_t item);
bool mgl_ordered_queue_next(mgl_ordered_queue *queue, size_t *item);

#endif
