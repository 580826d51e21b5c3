/* Who is served next: calls on one session, in the order in which they came. */
#ifndef MGL_PIPELINE_SESSION_QUEUE_H
#define MGL_PIPELINE_SESSION_QUEUE_H

#include "base/base.h"

typedef struct mgl_queue mgl_queue;

mgl_queue *mgl_queue_new(void); /* NULL when memory is out; free with mgl_queue_free */
void mgl_queue_free(mgl_queue *queue);

/* Waits for its turn. The listener is asked while it waits, and may cancel. */
mgl_status mgl_queue_enter(mgl_queue *queue, const mgl_progress *progress, mgl_error *err);
void mgl_queue_leave(mgl_queue *queue);

#endif
