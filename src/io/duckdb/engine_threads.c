/* Hands the threads of DuckDB what they work with, keeps the first failure, and stops them when
 * somebody asks for it. Functions that count groups and that keep rows call it. */
#include "io/duckdb/engine_threads.h"

void mgl_engine_threads_init(mgl_engine_threads *t, mgl_make_state_fn *make, const void *context,
                             const mgl_progress *progress)
{
    *t = (mgl_engine_threads){
        .call = mgl_call_current(), .progress = progress, .make = make, .context = context};
    pthread_mutex_init(&t->lock, NULL);
}

void mgl_engine_threads_free(mgl_engine_threads *t)
{
    pthread_mutex_destroy(&t->lock);
}

static mgl_engine_thread *make_state(mgl_engine_threads *t)
{
    mgl_engine_thread *made = &t->list[t->n];
    t->status = t->n < MGL_ENGINE_THREADS
                    ? t->make(t->context, &t->error, &made->state)
                    : mgl_fail(&t->error, MGL_CODE_LIMIT,
                               "more than %d threads of DuckDB work at once; set `threads`",
                               MGL_ENGINE_THREADS);
    t->n += t->status == MGL_OK;
    return made;
}

/* The engine's statement ends when a function fails; the listener is heard on its own thread, where
 * the engine works as well. */
static bool heed_stop(mgl_engine_threads *t)
{
    if (t->status == MGL_OK && mgl_progress_stopped(t->progress))
        t->status = mgl_fail_cancelled(&t->error);
    return t->status == MGL_OK;
}

bool mgl_engine_threads_go_on(mgl_engine_threads *t)
{
    mgl_progress_remind();
    pthread_mutex_lock(&t->lock);
    bool go_on = heed_stop(t);
    pthread_mutex_unlock(&t->lock);
    return go_on;
}

mgl_engine_thread *mgl_engine_threads_begin(mgl_engine_threads *t)
{
    const mgl_call *before = mgl_call_enter(t->call);
    mgl_engine_thread *mine = NULL;
    mgl_progress_remind();
    pthread_mutex_lock(&t->lock);
    (void)heed_stop(t);
    for (size_t i = 0; mine == NULL && i < t->n; i++)
        mine = t->list[i].busy ? NULL : &t->list[i];
    if (mine == NULL && t->status == MGL_OK)
        mine = make_state(t);
    mine = t->status == MGL_OK ? mine : NULL;
    if (mine != NULL) {
        mine->busy = true;
        mine->before = before;
    }
    pthread_mutex_unlock(&t->lock);
    if (mine == NULL)
        mgl_call_leave(before);
    return mine;
}

static void keep_failure(mgl_engine_threads *t, mgl_status status, const mgl_error *error)
{
    if (t->status == MGL_OK && status != MGL_OK) {
        t->status = status;
        t->error = *error;
    }
}

void mgl_engine_threads_end(mgl_engine_threads *t, mgl_engine_thread *thread, mgl_status status,
                            const mgl_error *error)
{
    const mgl_call *before = thread->before;
    pthread_mutex_lock(&t->lock);
    thread->busy = false;
    keep_failure(t, status, error);
    pthread_mutex_unlock(&t->lock);
    mgl_call_leave(before);
}

void mgl_engine_threads_fail(mgl_engine_threads *t, mgl_status status, const mgl_error *error)
{
    pthread_mutex_lock(&t->lock);
    keep_failure(t, status, error);
    pthread_mutex_unlock(&t->lock);
}

mgl_status mgl_engine_threads_failure(const mgl_engine_threads *t, mgl_status status,
                                      mgl_error *err)
{
    if (t->status == MGL_OK)
        return status;
    if (err != NULL)
        *err = t->error;
    return t->status;
}
