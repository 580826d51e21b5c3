/* Faults on demand, for tests. In an ordinary build mgl_fault_hits is a
 * constant; built with MGL_FAULTS it counts the calls of each kind and fails the
 * one that mgl_fault_arm (or the variable MINGLE_FAULT=kind:number) names. */
#ifndef MGL_BASE_FAULT_H
#define MGL_BASE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum mgl_fault_kind {
    MGL_FAULT_MEMORY,
    MGL_FAULT_OPEN,
    MGL_FAULT_READ,
    MGL_FAULT_WRITE,
    MGL_FAULT_SYNC,
    MGL_FAULT_RENAME,
    MGL_FAULT_CODES,     /* a map has no number left for a new text */
    MGL_FAULT_DEVICE,    /* a write that fails with EIO; the others do with ENOSPC */
    MGL_FAULT_INTERRUPT, /* EINTR: no failure, the call is made again */
    MGL_FAULT_SHORT,     /* one byte is read or written: no failure either */
    MGL_FAULT_KILL,      /* the program is gone: SIGKILL at any of the calls above but memory */
    MGL_FAULT_KINDS
} mgl_fault_kind;

#ifdef MGL_FAULTS
bool mgl_fault_hits(mgl_fault_kind kind);
/* Fails call number `number` of this kind, counted from 1; 0 disarms. Resets the count. */
void mgl_fault_arm(mgl_fault_kind kind, uint64_t number);
/* Calls of this kind since it was armed. */
uint64_t mgl_fault_count(mgl_fault_kind kind);
/* The clock of mgl_sys_seconds, from any thread; NULL: the system's. */
typedef double mgl_clock_fn(void);
void mgl_fault_set_clock(mgl_clock_fn *clock);
mgl_clock_fn *mgl_fault_clock(void);
#else
static inline bool mgl_fault_hits(mgl_fault_kind kind)
{
    (void)kind;
    return false;
}
#endif

#endif
