/* Threads of DuckDB that call functions of ours, each of which needs something of its own to work
 * with. Inside the io room. */
#ifndef MGL_IO_DUCKDB_ENGINE_THREADS_H
#define MGL_IO_DUCKDB_ENGINE_THREADS_H

#include "io/intake/intake.h"

#include <pthread.h>

enum { MGL_ENGINE_THREADS = 256 }; /* at most */

typedef mgl_status mgl_make_state_fn(const void *context, mgl_error *err, void **out);

/* What one thread at a time works with. */
typedef struct mgl_engine_thread {
    void *state;
    const mgl_call *before; /* of the thread that works with it */
    bool busy;
} mgl_engine_thread;

typedef struct mgl_engine_threads {
    const mgl_call *call;         /* of who waits: the engine calls from threads of its own */
    const mgl_progress *progress; /* NULL: nobody can stop it */
    mgl_make_state_fn *make;
    const void *context; /* of make */
    pthread_mutex_t lock;
    mgl_engine_thread list[MGL_ENGINE_THREADS];
    size_t n;
    mgl_status status; /* the first failure */
    mgl_error error;
} mgl_engine_threads;

/* In the call of who waits. What was made is freed by who has it made. */
void mgl_engine_threads_init(mgl_engine_threads *threads, mgl_make_state_fn *make,
                             const void *context, const mgl_progress *progress);
void mgl_engine_threads_free(mgl_engine_threads *threads);

/* False after a failure, or when somebody wants it to stop. */
bool mgl_engine_threads_go_on(mgl_engine_threads *threads);
/* A state that no other thread has, within the call; NULL after a failure, or when somebody wants
 * it to stop. */
mgl_engine_thread *mgl_engine_threads_begin(mgl_engine_threads *threads);
/* Gives it back; error tells of a status other than MGL_OK. */
void mgl_engine_threads_end(mgl_engine_threads *threads, mgl_engine_thread *thread,
                            mgl_status status, const mgl_error *error);
/* Keeps a failure unless there was one before. */
void mgl_engine_threads_fail(mgl_engine_threads *threads, mgl_status status,
                             const mgl_error *error);
/* How a statement ended that had functions called: what failed here is told first. */
mgl_status mgl_engine_threads_failure(const mgl_engine_threads *threads, mgl_status status,
                                      mgl_error *err);

#endif
