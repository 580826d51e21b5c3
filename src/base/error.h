/* Errors: a status to return and a caller-owned message. */
#ifndef MGL_BASE_ERROR_H
#define MGL_BASE_ERROR_H

#include "mingle.h"

#ifdef __GNUC__
#define MGL_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define MGL_PRINTF(text, args)
#endif

/* Fills err (NULL allowed) and returns status, so that a caller can write
 * return mgl_fail(err, MGL_DATA, "...", ...). */
mgl_status mgl_fail(mgl_error *err, mgl_status status, const char *format, ...) MGL_PRINTF(3, 4);

/* The same with "FILE:LINE: " in front; line 0 leaves the line out. */
mgl_status mgl_fail_at(mgl_error *err, mgl_status status, const char *file, uint64_t line,
                       const char *format, ...) MGL_PRINTF(5, 6);

/* "out of memory", MGL_SYSTEM. */
mgl_status mgl_fail_memory(mgl_error *err);

/* "FILE: cannot DO: strerror(errno)". A file that is not there is MGL_DATA, all
 * else is MGL_SYSTEM. */
mgl_status mgl_fail_errno(mgl_error *err, const char *file, const char *what);

/* The same of a file of our own (mgl_sys_spool): MGL_SYSTEM, whatever is wrong with it. */
mgl_status mgl_fail_temporary(mgl_error *err, const char *what);

/* "interrupted", MGL_CANCELLED. */
mgl_status mgl_fail_cancelled(mgl_error *err);

/* Hands a failure on to the caller. */
#define MGL_TRY(call)                                                                              \
    do {                                                                                           \
        mgl_status mgl_try_status = (call);                                                        \
        if (mgl_try_status != MGL_OK)                                                              \
            return mgl_try_status;                                                                 \
    } while (0)

/* A step of a function that owns something: a failure goes to its label `done`, where everything
 * is freed and `status` is returned. */
#define MGL_GO(call)                                                                               \
    do {                                                                                           \
        if ((status = (call)) != MGL_OK)                                                           \
            goto done;                                                                             \
    } while (0)

#endif
