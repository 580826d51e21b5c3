/* Items of a pool that are handed on one at a time, in the order of their numbers. A thread whose
 * item is not the next one leaves it behind and goes on; whoever makes the next one hands on all
 * that are ready. */
#ifndef MGL_BASE_TURNS_H
#define MGL_BASE_TURNS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mgl_turns mgl_turns;

/* For rounds of up to so many items, of which at most_waiting may wait. NULL: memory is out. Free
 * with mgl_turns_free. */
mgl_turns *mgl_turns_new(size_t items, size_t most_waiting);
void mgl_turns_free(mgl_turns *turns);

/* Before a round of items: the first is number 0. */
void mgl_turns_begin(mgl_turns *turns);
/* Every item must be said to be ready, also when it failed. True: this thread hands on what
 * mgl_turns_next gives it, until that is nothing. False: another one does it, or will; if many
 * items wait already, this thread has waited until there are fewer. */
bool mgl_turns_ready(mgl_turns *turns, size_t item);
bool mgl_turns_next(mgl_turns *turns, size_t *item);

#endif
