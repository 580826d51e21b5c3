/* What holds for one call of the library: where its memory comes from, and what is given to it and
 * made by it in memory. The public functions enter a call and leave it again; it is bound to the
 * thread, and the threads of a pool enter the call of the thread that runs it. Without a call
 * memory comes from malloc, and nothing is in memory. */
#ifndef MGL_BASE_CALL_H
#define MGL_BASE_CALL_H

#include "base/memory_store.h"

#include <pthread.h>

/* Files in memory that are open, by their descriptors. */
typedef struct mgl_open_files {
    pthread_mutex_t lock; /* the threads of a pool use descriptors at the same time */
    mgl_allocator allocator;
    struct mgl_open_file *list;
    size_t n, capacity;
} mgl_open_files;
void mgl_open_files_init(mgl_open_files *files, const mgl_allocator *allocator);
void mgl_open_files_free(mgl_open_files *files);

typedef struct mgl_call {
    mgl_allocator allocator;       /* all zero: malloc, realloc, free */
    const mgl_memory_store *given; /* by the job; NULL: nothing */
    const mgl_memory_store
        *kept;              /* what a session was opened with, looked at after `given`; NULL */
    mgl_memory_store *made; /* gets what is written to memory; NULL: nothing can be */
    mgl_open_files *files;  /* files in memory that are open; a session keeps them between calls.
                               NULL: none can be opened */
    double begun;           /* mgl_sys_seconds: time limits count from there */
    bool in_memory;         /* data or release are in memory: nothing may touch a disk that the job
                               does not name itself */
} mgl_call;

/* Returns the call before, to be handed to mgl_call_leave. The call must outlive its use. */
const mgl_call *mgl_call_enter(const mgl_call *call);
void mgl_call_leave(const mgl_call *before);
const mgl_call *mgl_call_current(void); /* NULL: there is none */
mgl_allocator mgl_call_allocator(void); /* of the current call; all zero without one */
/* The current call as if it began now: for a run that has a time limit of its own. */
mgl_call mgl_call_anew(void);

#endif
