/* Bytes that grow: appending, formatting, taking them over. */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>

bool mgl_buffer_reserve(mgl_buffer *buffer, size_t more)
{
    if (buffer->failed || more > (size_t)-1 - buffer->size ||
        !mgl_grow(&buffer->data, &buffer->capacity, buffer->size + more, 1))
        buffer->failed = true;
    return !buffer->failed;
}

void mgl_buffer_append(mgl_buffer *buffer, const char *data, size_t size)
{
    if (size == 0 || !mgl_buffer_reserve(buffer, size))
        return;
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
}

void mgl_buffer_span(mgl_buffer *buffer, mgl_span span)
{
    mgl_buffer_append(buffer, span.data, span.size);
}

void mgl_buffer_text(mgl_buffer *buffer, const char *text)
{
    mgl_buffer_append(buffer, text, strlen(text));
}

void mgl_buffer_format(mgl_buffer *buffer, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size >= 0 && mgl_buffer_reserve(buffer, (size_t)size + 1)) {
        vsnprintf(buffer->data + buffer->size, (size_t)size + 1, format, again);
        buffer->size += (size_t)size;
    }
    va_end(again);
}

void mgl_buffer_free(mgl_buffer *buffer)
{
    mgl_free(buffer->data);
    *buffer = (mgl_buffer){0};
}

mgl_status mgl_buffer_keep(mgl_buffer *buffer, mgl_arena *arena, mgl_error *err, const char **out)
{
    *out = buffer->failed ? NULL : mgl_arena_copy(arena, buffer->data, buffer->size);
    mgl_buffer_free(buffer);
    return mgl_check_memory(*out != NULL, err);
}

mgl_status mgl_buffer_take(mgl_buffer *buffer, mgl_error *err, char **out)
{
    mgl_buffer_append(buffer, "", 1);
    if (buffer->failed) {
        mgl_buffer_free(buffer);
        return mgl_fail_memory(err);
    }
    *out = buffer->data;
    *buffer = (mgl_buffer){0};
    return MGL_OK;
}
