/* Reads the messages of Arrow IPC: their metadata, and where their bodies lie. read_ipc.c calls it.
 */
#include "io/ipc/ipc.h"

#include <stdarg.h>
#include <stdio.h>

mgl_status mgl_ipc_fail(const mgl_ipc_file *file, uint64_t at, mgl_error *err, const char *format,
                        ...)
{
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return mgl_fail_at(err, MGL_CODE_FORMAT, file->name, 0,
                       "byte %llu: %s; copy the file or write it once more", (unsigned long long)at,
                       what);
}

mgl_status mgl_ipc_read(const mgl_ipc_file *file, uint64_t at, uint64_t size, mgl_error *err,
                        char **out)
{
    enum { BEHIND = 8 };
    if (at > file->state.size || size > file->state.size - at)
        return mgl_ipc_fail(file, at, err, "%llu bytes should be here, and the file ends before",
                            (unsigned long long)size);
    char *bytes = mgl_alloc((size_t)size + BEHIND);
    if (bytes == NULL)
        return mgl_fail_memory(err);
    memset(bytes + size, 0, BEHIND);
    for (uint64_t done = 0; done < size;) {
        ssize_t n = mgl_sys_pread(file->fd, bytes + done, (size_t)(size - done), at + done);
        if (n <= 0) {
            mgl_free(bytes);
            return n < 0 ? mgl_fail_errno(err, file->name, "read the file")
                         : mgl_fail_at(err, MGL_CODE_CHANGED, file->name, 0,
                                       "the file became shorter while it was read; run again when "
                                       "it is complete");
        }
        done += (uint64_t)n;
    }
    *out = bytes;
    return MGL_OK;
}

void mgl_ipc_message_free(mgl_ipc_message *message)
{
    mgl_free(message->bytes);
    message->bytes = NULL;
}

/* The size of the metadata, behind a mark that older writers leave out. */
static mgl_status read_size(const mgl_ipc_file *file, uint64_t at, mgl_error *err, uint64_t *begin,
                            uint32_t *size)
{
    char *bytes;
    uint32_t words[2] = {0, 0};
    uint64_t left = file->state.size - (at < file->state.size ? at : file->state.size);
    *begin = at;
    *size = 0;
    if (left == 0)
        return MGL_OK; /* a stream may just end */
    MGL_TRY(mgl_ipc_read(file, at, left < 8 ? left : 8, err, &bytes));
    memcpy(words, bytes, left < 8 ? (size_t)left : 8);
    mgl_free(bytes);
    if (left < 4 || (words[0] == UINT32_MAX && left < 8))
        return mgl_ipc_fail(file, at, err, "a message is cut off");
    bool marked = words[0] == UINT32_MAX;
    *size = words[marked];
    *begin = at + 4 + (marked ? 4 : 0);
    return MGL_OK;
}

static mgl_status read_header(const mgl_ipc_file *file, mgl_ipc_message *m, mgl_error *err)
{
    mgl_flatbuffer *fb = &m->metadata;
    size_t root = mgl_fb_root(fb);
    m->version = (int)mgl_fb_whole(fb, root, 0, 2, 0);
    m->kind = (int)mgl_fb_whole(fb, root, 1, 1, 0);
    m->header = mgl_fb_table(fb, root, 2);
    int64_t body = mgl_fb_whole(fb, root, 3, 8, 0);
    if (fb->bad || m->header == 0)
        return mgl_ipc_fail(file, m->at, err, "the description of a message is broken");
    if (m->version < MGL_IPC_V4)
        return mgl_ipc_fail(file, m->at, err,
                            "a message has the metadata version V%d, which is older than Arrow 0.8 "
                            "and is not read",
                            m->version + 1);
    if (m->version > MGL_IPC_V5)
        return mgl_ipc_fail(file, m->at, err, "a message has an unknown metadata version, %d",
                            m->version + 1);
    if (body < 0 || (uint64_t)body > file->state.size - m->body)
        return mgl_ipc_fail(file, m->at, err, "a message has %lld bytes, and the file ends before",
                            (long long)body);
    m->body_size = (uint64_t)body;
    m->end = m->body + m->body_size;
    return MGL_OK;
}

mgl_status mgl_ipc_message_read(const mgl_ipc_file *file, uint64_t at, mgl_error *err,
                                mgl_ipc_message *out, bool *there)
{
    uint32_t size;
    uint64_t begin;
    MGL_TRY(read_size(file, at, err, &begin, &size));
    *there = size > 0;
    if (!*there)
        return MGL_OK;
    if (size > INT32_MAX || (at == 0 && size > file->state.size))
        return mgl_ipc_fail(file, at, err, "no message of Arrow begins here");
    *out = (mgl_ipc_message){.at = at, .body = begin + size};
    MGL_TRY(mgl_ipc_read(file, begin, size, err, &out->bytes));
    out->metadata = (mgl_flatbuffer){.data = out->bytes, .size = size};
    mgl_status status = read_header(file, out, err);
    if (status != MGL_OK)
        mgl_ipc_message_free(out);
    return status;
}
