/* Progress that can cancel. All zero: nobody listens, nothing is cancelled.
 *
 * A listener belongs to the program and hears everything on one thread, the one that called the
 * library. The threads of a pool report as well, but all they learn is whether to stop; while the
 * caller's thread works on items or waits for them, the pool has what was told last told again. */
#ifndef MGL_BASE_PROGRESS_H
#define MGL_BASE_PROGRESS_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct mgl_progress {
    mgl_progress_fn *fn; /* NULL: nobody listens */
    void *user;
    atomic_bool *stop; /* set by any thread when the run is to end; NULL: nobody can */
} mgl_progress;

static inline bool mgl_progress_stopped(const mgl_progress *progress)
{
    return progress != NULL && progress->stop != NULL &&
           atomic_load_explicit(progress->stop, memory_order_relaxed);
}

/* MGL_CANCELLED if the listener says stop, or somebody has. From any thread. */
mgl_status mgl_progress_report(const mgl_progress *progress, const char *stage, uint64_t done,
                               uint64_t total, mgl_error *err);

/* ---- The thread that called the library ------------------------------------------------------ */

/* What this thread is to tell while it works for a pool, from now on. Returns what it was, to be
 * given to mgl_progress_leave. */
const mgl_progress *mgl_progress_enter(const mgl_progress *progress);
void mgl_progress_leave(const mgl_progress *before);

/* This thread belongs to a pool: it tells nobody anything. */
void mgl_progress_mute(void);
bool mgl_progress_is_mute(void);

/* Does this thread have a listener? */
bool mgl_progress_is_heard(void);
/* Tells the listener again what it was told last, if that is a while ago. If it says stop,
 * everybody who reports is told so. */
void mgl_progress_remind(void);
/* For loops over columns, with the number of the turn: now and then reminds the listener of this
 * thread. MGL_CANCELLED if the run is to end. */
mgl_status mgl_progress_poll(size_t turn, mgl_error *err);

#endif
