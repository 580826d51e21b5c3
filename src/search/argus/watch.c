/* Lets threads stop together at the time limit, at a cancelled run or without memory. outliers.c
 * and choose_cells.c poll it. */
#include "search/argus/units.h"

void mgl_argus_watch_begin(mgl_argus_watch *watch, const mgl_problem *problem, uint64_t total)
{
    *watch = (mgl_argus_watch){.problem = problem, .total = total};
    pthread_mutex_init(&watch->lock, NULL);
}

void mgl_argus_watch_end(mgl_argus_watch *watch)
{
    pthread_mutex_destroy(&watch->lock);
}

bool mgl_argus_must_stop(mgl_argus_watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    if (mgl_problem_is_late(watch->problem))
        watch->timed_out = true;
    bool stop = watch->status != MGL_OK || watch->timed_out;
    pthread_mutex_unlock(&watch->lock);
    return stop;
}

void mgl_argus_done(mgl_argus_watch *watch, bool out_of_memory)
{
    pthread_mutex_lock(&watch->lock);
    mgl_error error = {0};
    mgl_status status = out_of_memory ? mgl_fail_memory(&error)
                                      : mgl_progress_report(watch->problem->progress, "search",
                                                            ++watch->done, watch->total, &error);
    if (status != MGL_OK && watch->status == MGL_OK) {
        watch->status = status;
        watch->error = error;
    }
    pthread_mutex_unlock(&watch->lock);
}

mgl_status mgl_argus_watch_status(const mgl_argus_watch *watch, mgl_error *err)
{
    if (watch->status != MGL_OK && err != NULL)
        *err = watch->error;
    if (watch->status != MGL_OK)
        return watch->status;
    if (watch->timed_out)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_TIME_LIMIT,
                     "the time limit came before all rare combinations were dealt with; raise "
                     "`time-limit`, or give fewer `combinations`"),
            "time-limit");
    return MGL_OK;
}
