/* Reads lines as they are, without cutting them into cells. The source of mu-Argus calls it for
 * lines of fixed width. */
#include "text/file.h"

enum { BLOCK = 1 << 18 };

struct mgl_raw_lines {
    const mgl_text_file *file;
    mgl_buffer bytes;
    size_t at;       /* where the next line begins in the buffer */
    size_t searched; /* bytes behind it that hold no line feed */
    uint64_t offset; /* in the file, of what comes after the buffer */
    uint64_t number;
    bool ended; /* the buffer holds the last bytes of the file */
};

mgl_status mgl_raw_lines_new(const mgl_text_file *file, mgl_error *err, mgl_raw_lines **out)
{
    mgl_raw_lines *lines = mgl_zeroed_array(1, sizeof *lines);
    if (lines == NULL)
        return mgl_fail_memory(err);
    lines->file = file;
    *out = lines;
    return MGL_OK;
}

void mgl_raw_lines_free(mgl_raw_lines *lines)
{
    if (lines == NULL)
        return;
    mgl_buffer_free(&lines->bytes);
    mgl_free(lines);
}

uint64_t mgl_raw_lines_number(const mgl_raw_lines *lines)
{
    return lines->number;
}

static mgl_status fill(mgl_raw_lines *lines, mgl_error *err)
{
    mgl_buffer *bytes = &lines->bytes;
    if (lines->at > 0)
        memmove(bytes->data, bytes->data + lines->at, bytes->size - lines->at);
    bytes->size -= lines->at;
    lines->at = 0;
    if (!mgl_buffer_reserve(bytes, BLOCK))
        return mgl_fail_memory(err);
    size_t got;
    MGL_TRY(
        mgl_text_read_at(lines->file, lines->offset, bytes->data + bytes->size, BLOCK, err, &got));
    bytes->size += got;
    lines->offset += got;
    lines->ended = got < BLOCK;
    return MGL_OK;
}

mgl_status mgl_raw_lines_next(mgl_raw_lines *lines, mgl_error *err, mgl_span *line, bool *there)
{
    const char *newline = NULL;
    for (;;) {
        size_t from = lines->at + lines->searched, left = lines->bytes.size - from;
        newline = left > 0 ? memchr(lines->bytes.data + from, '\n', left) : NULL;
        if (newline != NULL || lines->ended)
            break;
        lines->searched += left;
        MGL_TRY(fill(lines, err));
    }
    *there = lines->at < lines->bytes.size;
    if (!*there)
        return MGL_OK;
    const char *text = lines->bytes.data + lines->at;
    size_t left = lines->bytes.size - lines->at;
    size_t size = newline != NULL ? (size_t)(newline - text) : left;
    lines->at += size + (newline != NULL);
    lines->searched = 0;
    lines->number++;
    if (size > 0 && text[size - 1] == '\r')
        size--;
    *line = (mgl_span){text, size};
    return MGL_OK;
}
