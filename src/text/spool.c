/* Copies what cannot be read at any place (a pipe, a compressed or converted file) into a private
 * file, in memory if it comes from there. file.c calls it when it opens one. */
#include "text/file.h"

enum { CHUNK = 256 * 1024 };

typedef struct file_sink {
    mgl_sink sink;
    int fd;
} file_sink;

static mgl_status take_to_file(mgl_sink *sink, const char *data, size_t size, bool last,
                               mgl_error *err)
{
    (void)last;
    if (size > 0 && mgl_sys_write(((file_sink *)sink)->fd, data, size) != 0)
        return mgl_fail_temporary(err, "write");
    return MGL_OK;
}

/* Fills the chunk unless the stream ends, so that the first bytes come together. */
static mgl_status read_chunk(int fd, const char *name, char *chunk, mgl_error *err, size_t *out)
{
    size_t size = 0;
    while (size < CHUNK) {
        ssize_t n = mgl_sys_read(fd, chunk + size, CHUNK - size);
        if (n < 0)
            return mgl_fail_errno(err, name, "read");
        if (n == 0)
            break;
        size += (size_t)n;
    }
    *out = size;
    return MGL_OK;
}

/* The steps between the stream and the file, made once its first bytes are known. */
typedef struct steps {
    const char *name, *encoding;
    uint64_t most_unpacked;
    file_sink file;
    mgl_sink *convert, *unpack; /* NULL where not needed */
    mgl_sink *first;
} steps;

static mgl_status set_up(steps *s, const char *chunk, size_t size, mgl_error *err)
{
    s->first = &s->file.sink;
    if (!mgl_encoding_is_utf8(s->encoding)) {
        MGL_TRY(mgl_sink_convert(s->encoding, s->name, s->first, err, &s->convert));
        s->first = s->convert;
    }
    mgl_packing packing = mgl_packing_of(chunk, size);
    if (packing != MGL_PACKED_NOT) {
        MGL_TRY(mgl_sink_unpack(packing, s->name, s->most_unpacked, s->first, err, &s->unpack));
        s->first = s->unpack;
    }
    return MGL_OK;
}

static mgl_status pump(int fd, char *chunk, steps *s, mgl_error *err)
{
    size_t size = 0;
    MGL_TRY(read_chunk(fd, s->name, chunk, err, &size));
    MGL_TRY(set_up(s, chunk, size, err));
    while (size > 0) {
        MGL_TRY(s->first->take(s->first, chunk, size, false, err));
        MGL_TRY(read_chunk(fd, s->name, chunk, err, &size));
    }
    return s->first->take(s->first, chunk, 0, true, err);
}

mgl_status mgl_text_spool(int fd, const char *name, const char *encoding, uint64_t most_unpacked,
                          mgl_error *err, int *out)
{
    char *chunk = mgl_alloc(CHUNK);
    if (chunk == NULL)
        return mgl_fail_memory(err);
    steps s = {.name = name,
               .encoding = encoding,
               .most_unpacked = most_unpacked,
               .file = {.sink = {.take = take_to_file}, .fd = mgl_sys_spool_of(fd)}};
    mgl_status status =
        s.file.fd < 0 ? mgl_fail_temporary(err, "create") : pump(fd, chunk, &s, err);
    if (s.unpack != NULL)
        s.unpack->free(s.unpack);
    if (s.convert != NULL)
        s.convert->free(s.convert);
    mgl_free(chunk);
    if (status != MGL_OK) {
        mgl_sys_close(s.file.fd);
        return status;
    }
    *out = s.file.fd;
    return MGL_OK;
}
