/* Errors: a status to return, and a caller-owned mgl_error with what is wrong and where. */
#ifndef MGL_BASE_ERROR_H
#define MGL_BASE_ERROR_H

#include "mingle.h"

#ifdef __GNUC__
#define MGL_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define MGL_PRINTF(text, args)
#endif

/* Fills err (NULL allowed) and returns the status, so that a caller can write
 * return mgl_fail(err, MGL_CODE_NO_RELEASE, "...", ...). The cause is an mgl_code; a plain
 * mgl_status is its general code. All other fields of err are empty afterwards. */
mgl_status mgl_fail(mgl_error *err, int cause, const char *format, ...) MGL_PRINTF(3, 4);

/* The same with the key that is to blame: a key of a job, or the field of a column
 * (attributes.COLUMN.FIELD), with the column. */
mgl_status mgl_fail_key(mgl_error *err, int cause, const char *key, const char *format, ...)
    MGL_PRINTF(4, 5);
mgl_status mgl_fail_attribute(mgl_error *err, int cause, const char *column, const char *field,
                              const char *format, ...) MGL_PRINTF(5, 6);

/* The same with "FILE:LINE: " in front, and in the fields; line 0 leaves the line out. */
mgl_status mgl_fail_at(mgl_error *err, int cause, const char *file, uint64_t line,
                       const char *format, ...) MGL_PRINTF(5, 6);

/* The same for a character of the line: "FILE:LINE:POSITION: ". No file: nothing in front. */
typedef struct mgl_where {
    const char *file;
    uint64_t line, position;
} mgl_where;
mgl_status mgl_fail_in(mgl_error *err, int cause, const mgl_where *where, const char *format, ...)
    MGL_PRINTF(4, 5);

/* The same, whose file stands in front. */
mgl_status mgl_fail_key_at(mgl_error *err, int cause, const char *file, const char *key,
                           const char *format, ...) MGL_PRINTF(5, 6);
mgl_status mgl_fail_column(mgl_error *err, int cause, const char *file, const char *column,
                           const char *format, ...) MGL_PRINTF(5, 6);

/* Passes on the failure of a step that had an error of its own. */
mgl_status mgl_fail_as(mgl_error *err, const mgl_error *own);

/* Note what is to blame, if status is a failure and the field is still empty, and return status.
 * They are written around a step that fails:
 *     return mgl_blame_key(err, mgl_source_open(...), "data");
 * Lack of memory and cancelling blame nothing. No field holds a cell of the
 * data. */
mgl_status mgl_blame_key(mgl_error *err, mgl_status status, const char *key);
mgl_status mgl_blame_column(mgl_error *err, mgl_status status, const char *column);
/* The column, and the key attributes.COLUMN.FIELD, also in place of one that names no column. */
mgl_status mgl_blame_attribute(mgl_error *err, mgl_status status, const char *column,
                               const char *field);

/* A place that the message names in another way than FILE:LINE. */
mgl_status mgl_blame_place(mgl_error *err, mgl_status status, const mgl_where *where);

/* "out of memory". */
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
