/* Makes the n-th allocation or system call fail, in builds with MGL_FAULTS only. Tests arm it. */
#include "base/fault.h"

/* The one piece of global mutable state, and only in test builds: the point of
 * failure must be reachable from every allocation and system call. */
#ifdef MGL_FAULTS
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t seen[MGL_FAULT_KINDS];
static _Atomic uint64_t target[MGL_FAULT_KINDS];
static pthread_once_t environment_read = PTHREAD_ONCE_INIT;

static void read_environment(void)
{
    static const char *const names[MGL_FAULT_KINDS] = {"memory",    "open",   "read",  "write",
                                                       "sync",      "rename", "codes", "device",
                                                       "interrupt", "short",  "kill"};
    const char *wanted = getenv("MINGLE_FAULT");
    const char *colon = wanted != NULL ? strchr(wanted, ':') : NULL;
    if (colon == NULL)
        return;
    for (int kind = 0; kind < MGL_FAULT_KINDS; kind++)
        if (strlen(names[kind]) == (size_t)(colon - wanted) &&
            strncmp(names[kind], wanted, (size_t)(colon - wanted)) == 0)
            atomic_store(&target[kind], strtoull(colon + 1, NULL, 10));
}

bool mgl_fault_hits(mgl_fault_kind kind)
{
    pthread_once(&environment_read, read_environment);
    return atomic_fetch_add(&seen[kind], 1) + 1 == atomic_load(&target[kind]);
}

void mgl_fault_arm(mgl_fault_kind kind, uint64_t number)
{
    pthread_once(&environment_read, read_environment);
    atomic_store(&seen[kind], 0);
    atomic_store(&target[kind], number);
}

uint64_t mgl_fault_count(mgl_fault_kind kind)
{
    return atomic_load(&seen[kind]);
}

static mgl_clock_fn *_Atomic own_clock;

void mgl_fault_set_clock(mgl_clock_fn *clock)
{
    atomic_store(&own_clock, clock);
}

mgl_clock_fn *mgl_fault_clock(void)
{
    return atomic_load(&own_clock);
}
#else
typedef int mgl_fault_needs_no_code;
#endif
