/* A growing byte buffer. A failed allocation is remembered in `failed` and
 * checked once at the end. All zero is an empty buffer. */
#ifndef MGL_BASE_BUFFER_H
#define MGL_BASE_BUFFER_H

#include "base/error.h"
#include "base/memory.h"
#include "base/span.h"

typedef struct mgl_buffer {
    char *data;
    size_t size, capacity;
    bool failed;
} mgl_buffer;

bool mgl_buffer_reserve(mgl_buffer *buffer, size_t more);
void mgl_buffer_append(mgl_buffer *buffer, const char *data, size_t size);
void mgl_buffer_span(mgl_buffer *buffer, mgl_span span);
void mgl_buffer_text(mgl_buffer *buffer, const char *text);
void mgl_buffer_format(mgl_buffer *buffer, const char *format, ...) MGL_PRINTF(2, 3);
void mgl_buffer_free(mgl_buffer *buffer);

/* Ends the text with a NUL byte and hands it over (free with mgl_free); the
 * buffer is empty afterwards. */
mgl_status mgl_buffer_take(mgl_buffer *buffer, mgl_error *err, char **out);
/* The same, and the text lives in the arena. */
mgl_status mgl_buffer_keep(mgl_buffer *buffer, mgl_arena *arena, mgl_error *err, const char **out);

#endif
