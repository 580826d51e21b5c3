/* Items of a pool that take turns at some step, one after another, in the order of their numbers.
 */
#ifndef MGL_BASE_TURNS_H
#define MGL_BASE_TURNS_H

#include <stddef.h>

typedef struct mgl_turns mgl_turns;

/* NULL: memory is out. Free with mgl_turns_free. */
mgl_turns *mgl_turns_new(void);
void mgl_turns_free(mgl_turns *turns);

/* Before a round of items: the first is number 0. */
void mgl_turns_begin(mgl_turns *turns);
/* Every item must wait for its turn and pass it on, also when it fails. The pool starts items in
 * order, so that the one whose turn it is never waits for a thread. */
void mgl_turns_wait(mgl_turns *turns, size_t item);
void mgl_turns_pass(mgl_turns *turns);

#endif
