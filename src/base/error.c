/* Fills an mgl_error with what is wrong and where. Messages about system calls and memory are
 * worded here once. */
#include "base/error.h"

#include "base/memory_store.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A code belongs to the status of its hundred. */
enum { CODES_OF_STATUS = 100 };

static int code_of(int cause)
{
    return cause < CODES_OF_STATUS ? cause * CODES_OF_STATUS : cause;
}

/* As much as there is room for, and no part of a character. */
static void copy_text(char *to, size_t room, const char *text)
{
    size_t size = strlen(text);
    if (size >= room) {
        size = room - 1;
        while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80)
            size--;
    }
    memcpy(to, text, size);
    to[size] = '\0';
}

/* "FILE:LINE:POSITION: "; returns how long it is. */
static size_t write_place(char *text, size_t room, const mgl_where *where)
{
    if (where->file == NULL)
        return 0;
    unsigned long long line = where->line, position = where->position;
    int n = position > 0 ? snprintf(text, room, "%s:%llu:%llu: ", where->file, line, position)
            : line > 0   ? snprintf(text, room, "%s:%llu: ", where->file, line)
                         : snprintf(text, room, "%s: ", where->file);
    return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

static mgl_status fill(mgl_error *err, int cause, const mgl_where *where, const char *format,
                       va_list args)
{
    int code = code_of(cause);
    mgl_status status = (mgl_status)(code / CODES_OF_STATUS);
    if (err == NULL)
        return status;
    err->status = status;
    err->code = (mgl_code)code;
    err->line = where->line;
    err->position = where->position;
    err->key[0] = err->column[0] = '\0';
    copy_text(err->file, sizeof err->file, where->file != NULL ? where->file : "");
    size_t used = write_place(err->message, sizeof err->message, where);
    vsnprintf(err->message + used, sizeof err->message - used, format, args);
    return status;
}

mgl_status mgl_fail(mgl_error *err, int cause, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_status status = fill(err, cause, &(mgl_where){0}, format, args);
    va_end(args);
    return status;
}

mgl_status mgl_fail_key(mgl_error *err, int cause, const char *key, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_status status = fill(err, cause, &(mgl_where){0}, format, args);
    va_end(args);
    return mgl_blame_key(err, status, key);
}

mgl_status mgl_fail_attribute(mgl_error *err, int cause, const char *column, const char *field,
                              const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_status status = fill(err, cause, &(mgl_where){0}, format, args);
    va_end(args);
    return mgl_blame_attribute(err, status, column, field);
}

mgl_status mgl_fail_at(mgl_error *err, int cause, const char *file, uint64_t line,
                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_status status = fill(err, cause, &(mgl_where){file, line, 0}, format, args);
    va_end(args);
    return status;
}

mgl_status mgl_fail_in(mgl_error *err, int cause, const mgl_where *where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_status status = fill(err, cause, where, format, args);
    va_end(args);
    return status;
}

mgl_status mgl_fail_key_at(mgl_error *err, int cause, const char *file, const char *key,
                           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_status status = fill(err, cause, &(mgl_where){.file = file}, format, args);
    va_end(args);
    return mgl_blame_key(err, status, key);
}

mgl_status mgl_fail_column(mgl_error *err, int cause, const char *file, const char *column,
                           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_status status = fill(err, cause, &(mgl_where){.file = file}, format, args);
    va_end(args);
    return mgl_blame_column(err, status, column);
}

mgl_status mgl_fail_as(mgl_error *err, const mgl_error *own)
{
    if (err != NULL)
        *err = *own;
    return own->status;
}

static bool is_to_blame(const mgl_error *err, mgl_status status)
{
    return status != MGL_OK && err != NULL && err->code != MGL_CODE_MEMORY &&
           err->code != MGL_CODE_CANCELLED;
}

mgl_status mgl_blame_key(mgl_error *err, mgl_status status, const char *key)
{
    if (is_to_blame(err, status) && err->key[0] == '\0')
        copy_text(err->key, sizeof err->key, key);
    return status;
}

mgl_status mgl_blame_column(mgl_error *err, mgl_status status, const char *column)
{
    if (is_to_blame(err, status) && err->column[0] == '\0' && column != NULL)
        copy_text(err->column, sizeof err->column, column);
    return status;
}

mgl_status mgl_blame_place(mgl_error *err, mgl_status status, const mgl_where *where)
{
    if (!is_to_blame(err, status) || where->file == NULL)
        return status;
    copy_text(err->file, sizeof err->file, where->file);
    err->line = where->line;
    err->position = where->position;
    return status;
}

/* attributes.COLUMN.FIELD, with quotes around a name that has a dot or a quote. False: there is no
 * room, and half a key would be another one. */
static bool attribute_key(char *key, size_t room, const char *column, const char *field)
{
    bool plain = strpbrk(column, ".\"") == NULL;
    size_t n = (size_t)snprintf(key, room, "attributes.%s", plain ? "" : "\"");
    for (const char *c = column; *c != '\0' && n + 2 < room; c++) {
        if (*c == '"')
            key[n++] = '"';
        key[n++] = *c;
    }
    int rest = snprintf(key + n, room - n, "%s.%s", plain ? "" : "\"", field);
    return strlen(column) < room && (size_t)rest < room - n;
}

mgl_status mgl_blame_attribute(mgl_error *err, mgl_status status, const char *column,
                               const char *field)
{
    static const char attributes[] = "attributes.";
    if (!is_to_blame(err, status) || column == NULL)
        return status;
    char key[sizeof err->key];
    if (strncmp(err->key, attributes, sizeof attributes - 1) != 0 &&
        attribute_key(key, sizeof key, column, field))
        copy_text(err->key, sizeof err->key, key);
    return mgl_blame_column(err, status, column);
}

mgl_status mgl_fail_memory(mgl_error *err)
{
    return mgl_fail(err, MGL_CODE_MEMORY,
                    "out of memory; free some memory or use a machine with more of it");
}

mgl_status mgl_fail_errno(mgl_error *err, const char *file, const char *what)
{
    int number = errno;
    if (number == ENOMEM)
        return mgl_fail_memory(err);
    if (number == ENOENT && mgl_memory_name(file) != NULL)
        return mgl_fail_at(err, MGL_CODE_NOT_FOUND, file, 0,
                           mgl_memory_find(file) != NULL
                               ? "a table is in memory under this name, and bytes are wanted here; "
                                 "give the bytes of a file to the job"
                               : "nothing in memory has this name; name a file, or give the bytes "
                                 "to the job before it runs");
    if (number == ENOENT || number == ENOTDIR || number == EISDIR)
        return mgl_fail_at(err, MGL_CODE_NOT_FOUND, file, 0, "cannot %s: %s; check the path", what,
                           strerror(number));
    return mgl_fail_at(err, MGL_CODE_FILE, file, 0, "cannot %s: %s", what, strerror(number));
}

mgl_status mgl_fail_temporary(mgl_error *err, const char *what)
{
    if (errno == ENOMEM) /* it is in memory */
        return mgl_fail_memory(err);
    return mgl_fail(err, MGL_CODE_FILE,
                    "cannot %s a temporary file: %s; set TMPDIR to a folder with room for it", what,
                    strerror(errno));
}

mgl_status mgl_fail_cancelled(mgl_error *err)
{
    return mgl_fail(err, MGL_CODE_CANCELLED, "interrupted; nothing was written");
}
