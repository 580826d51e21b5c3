/* Fills an mgl_error with status and message. Everything that can fail calls it; messages about
 * system calls and memory are worded here once. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void write_message(mgl_error *err, mgl_status status, const char *file, uint64_t line,
                          const char *format, va_list args)
{
    if (err == NULL)
        return;
    err->status = status;
    size_t used = 0;
    if (file != NULL) {
        int n = line > 0 ? snprintf(err->message, sizeof err->message, "%s:%llu: ", file,
                                    (unsigned long long)line)
                         : snprintf(err->message, sizeof err->message, "%s: ", file);
        used = n < 0 ? 0 : (size_t)n;
        if (used >= sizeof err->message)
            used = sizeof err->message - 1;
    }
    vsnprintf(err->message + used, sizeof err->message - used, format, args);
}

mgl_status mgl_fail(mgl_error *err, mgl_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_message(err, status, NULL, 0, format, args);
    va_end(args);
    return status;
}

mgl_status mgl_fail_at(mgl_error *err, mgl_status status, const char *file, uint64_t line,
                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_message(err, status, file, line, format, args);
    va_end(args);
    return status;
}

mgl_status mgl_fail_memory(mgl_error *err)
{
    return mgl_fail(err, MGL_SYSTEM,
                    "out of memory; free some memory or use a machine with more of it");
}

mgl_status mgl_fail_errno(mgl_error *err, const char *file, const char *what)
{
    int number = errno;
    if (number == ENOENT || number == ENOTDIR || number == EISDIR)
        return mgl_fail_at(err, MGL_DATA, file, 0, "cannot %s: %s; check the path", what,
                           strerror(number));
    return mgl_fail_at(err, MGL_SYSTEM, file, 0, "cannot %s: %s", what, strerror(number));
}

mgl_status mgl_fail_temporary(mgl_error *err, const char *what)
{
    return mgl_fail(err, MGL_SYSTEM,
                    "cannot %s a temporary file: %s; set TMPDIR to a folder with room for it", what,
                    strerror(errno));
}

mgl_status mgl_fail_cancelled(mgl_error *err)
{
    return mgl_fail(err, MGL_CANCELLED, "interrupted; nothing was written");
}
