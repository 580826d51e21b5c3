/* Tells a listener how far things are, on the thread that called the library and on no other. Loops
 * everywhere report; pools remind. */
#include "base/progress.h"

#include "base/call.h"
#include "base/sys.h"

#include <locale.h>

/* Seconds after which a listener is reminded. */
#define A_WHILE 0.5

/* Of this thread. */
static _Thread_local struct {
    bool mute;
    const mgl_progress *progress; /* of the call that the thread is in; NULL: of none */
    const char *stage;            /* what was told last */
    uint64_t done, total;
    double at; /* and when */
} here;

static bool tell(const mgl_progress *progress, const char *stage, uint64_t done, uint64_t total)
{
    locale_t ours = uselocale(LC_GLOBAL_LOCALE); /* the listener is the program's */
    const mgl_call *call = mgl_call_enter(NULL);
    int stop = progress->fn(progress->user, stage, done, total);
    mgl_call_leave(call);
    (void)uselocale(ours);
    return stop != 0;
}

static void remember(const char *stage, uint64_t done, uint64_t total)
{
    here.stage = stage;
    here.done = done;
    here.total = total;
    here.at = mgl_sys_seconds();
}

mgl_status mgl_progress_report(const mgl_progress *progress, const char *stage, uint64_t done,
                               uint64_t total, mgl_error *err)
{
    if (mgl_progress_stopped(progress))
        return mgl_fail_cancelled(err);
    if (progress == NULL || progress->fn == NULL || here.mute)
        return MGL_OK;
    if (here.progress != NULL)
        remember(stage, done, total);
    if (!tell(progress, stage, done, total))
        return MGL_OK;
    if (progress->stop != NULL) /* the other threads hear of it */
        atomic_store(progress->stop, true);
    return mgl_fail_cancelled(err);
}

const mgl_progress *mgl_progress_enter(const mgl_progress *progress)
{
    const mgl_progress *before = here.progress;
    here.progress = progress;
    remember("read", 0, 0);
    return before;
}

void mgl_progress_leave(const mgl_progress *before)
{
    here.progress = before;
}

void mgl_progress_mute(void)
{
    here.mute = true;
}

bool mgl_progress_is_mute(void)
{
    return here.mute;
}

bool mgl_progress_is_heard(void)
{
    return here.progress != NULL && here.progress->fn != NULL && here.progress->stop != NULL;
}

void mgl_progress_remind(void)
{
    if (!mgl_progress_is_heard() || mgl_sys_seconds() - here.at < A_WHILE)
        return;
    here.at = mgl_sys_seconds();
    if (!mgl_progress_stopped(here.progress) &&
        tell(here.progress, here.stage, here.done, here.total))
        atomic_store(here.progress->stop, true);
}

mgl_status mgl_progress_poll(size_t turn, mgl_error *err)
{
    enum { TURNS = 256 };
    if (turn % TURNS != TURNS - 1 || here.mute)
        return MGL_OK;
    mgl_progress_remind();
    return mgl_progress_stopped(here.progress) ? mgl_fail_cancelled(err) : MGL_OK;
}
