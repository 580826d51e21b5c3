/* Starts threads once and runs numbered items on them. A run ends when its items are done: it does
 * not wait for threads that have not joined it yet. */
#include "base/pool.h"

#include "base/call.h"
#include "base/locale.h"
#include "base/memory.h"
#include "base/progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

typedef struct worker {
    mgl_pool *pool;
    unsigned number;
    pthread_t thread;
} worker;

/* Items that are taken, under the lock, by threads that would wait otherwise. */
typedef struct background {
    size_t items, next;
    unsigned busy;
    mgl_item_fn *run;
    void *context;
    const mgl_call *call;
} background;

struct mgl_pool {
    unsigned threads, started;
    worker *workers;
    pthread_mutex_t lock;
    pthread_cond_t begun, idle;
    unsigned seats; /* threads that may still join those at work */
    unsigned busy;  /* threads that joined */
    bool quit;
    size_t items;
    _Atomic size_t next;
    mgl_item_fn *run;
    void *context;
    const mgl_call *call; /* of who runs it */
    background background;
};

static void drain(mgl_pool *pool, unsigned number)
{
    size_t item;
    while ((item = atomic_fetch_add(&pool->next, 1)) < pool->items) {
        pool->run(pool->context, item, number);
        if (number == 0)
            mgl_progress_remind();
    }
}

/* A tenth of a second from now. */
static struct timespec soon(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += 100000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* Waits until no thread is busy, and repeats the last report of progress meanwhile. The lock is
 * held before and afterwards. */
static void wait_until_idle(mgl_pool *pool, const unsigned *busy)
{
    while (*busy > 0) {
        if (!mgl_progress_is_heard()) {
            pthread_cond_wait(&pool->idle, &pool->lock);
            continue;
        }
        struct timespec until = soon();
        pthread_cond_timedwait(&pool->idle, &pool->lock, &until);
        pthread_mutex_unlock(&pool->lock);
        mgl_progress_remind();
        pthread_mutex_lock(&pool->lock);
    }
}

/* One item; the lock is held before and afterwards. */
static void take_background(mgl_pool *pool, unsigned number)
{
    background *s = &pool->background;
    size_t item = s->next++;
    s->busy++;
    pthread_mutex_unlock(&pool->lock);
    const mgl_call *before = mgl_call_enter(s->call);
    s->run(s->context, item, number);
    mgl_call_leave(before);
    pthread_mutex_lock(&pool->lock);
    if (--s->busy == 0)
        pthread_cond_signal(&pool->idle);
}

static void *serve(void *argument)
{
    worker *self = argument;
    mgl_pool *pool = self->pool;
    mgl_locale locale = mgl_locale_enter();
    mgl_progress_mute();
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        if (!pool->quit && pool->seats == 0) {
            if (pool->background.next < pool->background.items)
                take_background(pool, self->number);
            else
                pthread_cond_wait(&pool->begun, &pool->lock);
            continue;
        }
        if (pool->quit)
            break;
        pool->seats--;
        pool->busy++;
        pthread_mutex_unlock(&pool->lock);
        const mgl_call *before = mgl_call_enter(pool->call);
        drain(pool, self->number);
        mgl_call_leave(before);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->idle);
    }
    pthread_mutex_unlock(&pool->lock);
    mgl_locale_leave(locale);
    return NULL;
}

/* More threads than cores would only take turns and memory from each other: 16 threads on two cores
 * needed up to 1.4 times the processor time of two. Builds for tests have as many as were asked
 * for, so that a small machine finds what only many threads do to each other. */
static unsigned useful_threads(unsigned wanted)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned most = cores > 0 && cores < 1024 ? (unsigned)cores : 1;
#ifdef MGL_FAULTS
    most = wanted > most ? wanted : most;
#endif
    return wanted == 0 || wanted > most ? most : wanted;
}

mgl_status mgl_pool_new(unsigned threads, mgl_error *err, mgl_pool **out)
{
    threads = useful_threads(threads);
    mgl_pool *pool = mgl_zeroed_array(1, sizeof *pool);
    worker *workers = mgl_zeroed_array(threads, sizeof *workers);
    if (pool == NULL || workers == NULL) {
        mgl_free(pool);
        mgl_free(workers);
        return mgl_fail_memory(err);
    }
    pool->threads = threads;
    pool->workers = workers;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begun, NULL);
    /* Waits by the clock that cannot be set. */
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->idle, &attributes);
    pthread_condattr_destroy(&attributes);
    for (unsigned i = 1; i < threads; i++) {
        workers[i] = (worker){.pool = pool, .number = i};
        if (pthread_create(&workers[i].thread, NULL, serve, &workers[i]) != 0) {
            pool->threads = i; /* where no more can be had, those that are there do */
            break;
        }
        pool->started++;
    }
    *out = pool;
    return MGL_OK;
}

void mgl_pool_free(mgl_pool *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 1; i <= pool->started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->begun);
    pthread_mutex_destroy(&pool->lock);
    mgl_free(pool->workers);
    mgl_free(pool);
}

unsigned mgl_pool_threads(const mgl_pool *pool)
{
    return pool != NULL ? pool->threads : 1;
}

void mgl_pool_run(mgl_pool *pool, size_t items, mgl_item_fn *run, void *context)
{
    if (pool == NULL || pool->threads == 1 || items <= 1) {
        for (size_t item = 0; item < items; item++) {
            run(context, item, 0);
            mgl_progress_remind();
        }
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->items = items;
    pool->run = run;
    pool->context = context;
    pool->call = mgl_call_current();
    atomic_store(&pool->next, 0);
    pool->seats = items - 1 < pool->started ? (unsigned)(items - 1) : pool->started;
    for (unsigned i = 0; i < pool->seats; i++)
        pthread_cond_signal(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    drain(pool, 0);
    pthread_mutex_lock(&pool->lock);
    /* There are no items left: threads that have not come yet need not come any more, which matters
     * where there are more threads than cores. */
    pool->seats = 0;
    wait_until_idle(pool, &pool->busy);
    pthread_mutex_unlock(&pool->lock);
}

typedef struct trials {
    mgl_trial_fn *run;
    void *context;
    pthread_mutex_t lock;
    size_t failed; /* the first item that did; SIZE_MAX: none */
    mgl_status status;
    mgl_error error;
} trials;

static void run_trial(void *context, size_t item, unsigned worker)
{
    trials *t = context;
    mgl_error error;
    mgl_status status = t->run(t->context, item, worker, &error);
    if (status == MGL_OK)
        return;
    pthread_mutex_lock(&t->lock);
    if (item < t->failed) {
        t->failed = item;
        t->status = status;
        t->error = error;
    }
    pthread_mutex_unlock(&t->lock);
}

mgl_status mgl_pool_try(mgl_pool *pool, size_t items, mgl_trial_fn *run, void *context,
                        mgl_error *err)
{
    trials t = {.run = run, .context = context, .failed = SIZE_MAX};
    pthread_mutex_init(&t.lock, NULL);
    mgl_pool_run(pool, items, run_trial, &t);
    pthread_mutex_destroy(&t.lock);
    if (t.status != MGL_OK && err != NULL)
        *err = t.error;
    return t.status;
}

void mgl_background_begin(mgl_pool *pool, size_t items, mgl_item_fn *run, void *context)
{
    pthread_mutex_lock(&pool->lock);
    pool->background =
        (background){.items = items, .run = run, .context = context, .call = mgl_call_current()};
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
}

void mgl_background_end(mgl_pool *pool, bool needed)
{
    background *s = &pool->background;
    pthread_mutex_lock(&pool->lock);
    while (needed && s->next < s->items)
        take_background(pool, 0);
    s->next = s->items;
    wait_until_idle(pool, &s->busy);
    pthread_mutex_unlock(&pool->lock);
}

enum { LEAST_ELEMENTS = 1 << 15 }; /* below that waking a thread takes longer */

typedef struct sharing {
    size_t n;
    mgl_range_fn *run;
    void *context;
} sharing;

static void run_range(void *context, size_t i, unsigned worker)
{
    const sharing *s = context;
    (void)worker;
    s->run(s->context, (mgl_range){i, s->n * i / MGL_RANGES, s->n * (i + 1) / MGL_RANGES});
}

void mgl_pool_run_ranges(mgl_pool *pool, size_t n, mgl_range_fn *run, void *context)
{
    sharing s = {n, run, context};
    if (n < LEAST_ELEMENTS || mgl_pool_threads(pool) == 1)
        run(context, (mgl_range){0, 0, n});
    else
        mgl_pool_run(pool, MGL_RANGES, run_range, &s);
}
