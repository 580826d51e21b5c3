/* Progress and cancellation. All zero: no callback, and nothing is cancelled.
 *
 * The callback gets one share for the whole call, which never decreases, and the stage that the
 * call is in. Loops report how much of their own work is done; report_progress.c alone computes the
 * share.
 *
 * The callback belongs to the program and is called on one thread, the one that called the library.
 * The threads of a pool report as well, but only learn whether to stop; while the caller's thread
 * works on items or waits for them, the pool repeats the last report. */
#ifndef MGL_BASE_PROGRESS_H
#define MGL_BASE_PROGRESS_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct mgl_progress {
    mgl_progress_fn *fn; /* optional */
    void *user;
    atomic_bool *stop; /* set by any thread when the run is to end; optional */
} mgl_progress;

static inline bool mgl_progress_stopped(const mgl_progress *progress)
{
    return progress != NULL && progress->stop != NULL &&
           atomic_load_explicit(progress->stop, memory_order_relaxed);
}

/* Reports that a loop has done so much of the total in a stage; total 0: unknown. The stage is a
 * row of the table in report_progress.c. A loop may begin again from 0, in another pass. Returns
 * MGL_CANCELLED if the callback or another thread stopped the run. From any thread. Outside a call,
 * and for callbacks that are not the call's own, the figures are passed on unchanged. */
mgl_status mgl_progress_report(const mgl_progress *progress, const char *stage, uint64_t done,
                               uint64_t total, mgl_error *err);

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
    const char *stage;            /* the last one reported */
    double share;                 /* that was reached */
    double end;                   /* of the furthest stage of the plan that was reached */
    double at;                    /* when the callback was called last */
    double turn_end;              /* of the turn of the stage that holds for all */
    mgl_progress_pass stages;     /* what is reported of stages themselves, */
    mgl_progress_pass turn;       /* and within one that holds for all */
} mgl_progress_state;

/* Begins a call: what this thread reports from now on belongs to it. Returns the state before, for
 * mgl_progress_leave. */
mgl_progress_state mgl_progress_enter(const mgl_progress *progress);
void mgl_progress_leave(const mgl_progress_state *before);
/* Reports the end of a successful call, which cannot be cancelled any more; nothing if it was. */
void mgl_progress_end(void);

/* The stages that the call goes through ("read search write"). The first plan of a call counts:
 * a command that runs another one has made its own before. */
void mgl_progress_plan(const char *stages);
/* What is reported from now on is part of this stage, unless it is part of another one already.
 * What is reported of the stage itself are steps: what other stages report meanwhile is a part of
 * the step. Returns the stage before, for mgl_progress_go_on. */
const char *mgl_progress_within(const char *stage);
void mgl_progress_go_on(const char *before);

/* This thread belongs to a pool: it never calls the callback. */
void mgl_progress_mute(void);
bool mgl_progress_is_mute(void);

/* Does this thread have a callback? */
bool mgl_progress_is_heard(void);
/* Repeats the last report to the callback, if that is a while ago. If it returns false, all threads
 * that report get MGL_CANCELLED. */
void mgl_progress_remind(void);
/* For loops over columns, with the number of the turn: now and then repeats the last report on this
 * thread. Returns MGL_CANCELLED if the run is to end. */
mgl_status mgl_progress_poll(size_t turn, mgl_error *err);

#endif
