/* Progress that can cancel. All zero: nobody listens, nothing is cancelled. */
#ifndef MGL_BASE_PROGRESS_H
#define MGL_BASE_PROGRESS_H

#include "base/error.h"

#include <locale.h>

typedef struct mgl_progress {
    mgl_progress_fn *fn;
    void *user;
} mgl_progress;

/* MGL_CANCELLED if the listener says stop. Called from one thread at a time. */
static inline mgl_status mgl_progress_report(const mgl_progress *progress, const char *stage,
                                             uint64_t done, uint64_t total, mgl_error *err)
{
    if (progress == NULL || progress->fn == NULL)
        return MGL_OK;
    locale_t ours = uselocale(LC_GLOBAL_LOCALE); /* the listener is the program's */
    int stop = progress->fn(progress->user, stage, done, total);
    (void)uselocale(ours);
    return stop != 0 ? mgl_fail_cancelled(err) : MGL_OK;
}

#endif
