/* Progress that can cancel. All zero: nobody listens, nothing is cancelled.
 *
 * A listener is told one share for the whole call, which never goes back, and the stage that the
 * call is in. Loops report what they know, how much of their own work is done; tell_progress.c
 * makes the share of it, and nobody else does.
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

/* So much is done of what a loop has to do in a stage; total 0: nobody knows how much there is. The
 * stage is a row of the table in tell_progress.c. A loop may begin again from 0, in another pass.
 * MGL_CANCELLED if the listener says stop, or somebody has. From any thread. Outside a call, and to
 * listeners that are not the call's own, the figures are told as they are. */
mgl_status mgl_progress_report(const mgl_progress *progress, const char *stage, uint64_t done,
                               uint64_t total, mgl_error *err);

/* ---- The thread that called the library ------------------------------------------------------ */

/* One loop that reports, and what of the whole is its own. */
typedef struct mgl_progress_pass {
    const char *stage;
    uint64_t done;
    double from, to;
} mgl_progress_pass;

/* Of a call: how far it is. */
typedef struct mgl_progress_state {
    const mgl_progress *progress; /* NULL: the thread is in no call */
    const char *plan;             /* names of the stages that it goes through; NULL: not known */
    const char *within;           /* the stage that holds for all that is reported; NULL: none */
    const char *stage;            /* that was told last */
    double share;                 /* that was reached */
    double end;                   /* of the furthest stage of the plan that was reached */
    double at;                    /* when the listener was called last */
    double turn_end;              /* of the turn of the stage that holds for all */
    mgl_progress_pass stages;     /* what is reported of stages themselves, */
    mgl_progress_pass turn;       /* and within one that holds for all */
} mgl_progress_state;

/* What this thread tells from now on is of one call, from its beginning. Returns what was before,
 * to be given to mgl_progress_leave. */
mgl_progress_state mgl_progress_enter(const mgl_progress *progress);
void mgl_progress_leave(const mgl_progress_state *before);
/* The call was successful: the listener hears that all is done, and can stop nothing any more. Who
 * asked to stop is told nothing. */
void mgl_progress_end(void);

/* The stages that the call goes through ("read search write"). The first plan of a call counts:
 * a command that runs another one has made its own before. */
void mgl_progress_plan(const char *stages);
/* Whatever is reported from now on is part of this stage, unless it is part of another one already.
 * What is reported of the stage itself are turns: what other stages report meanwhile is a part of
 * the turn. Returns what was before, to be given to mgl_progress_go_on. */
const char *mgl_progress_within(const char *stage);
void mgl_progress_go_on(const char *before);

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
