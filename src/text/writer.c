/* Writes delimited text: quotes values, and compresses the file if its name ends so. */
#include "text/text.h"

#include <zlib.h>
#include <zstd.h>

static bool needs_quotes(mgl_span value, char delimiter)
{
    for (size_t i = 0; i < value.size; i++) {
        char byte = value.data[i];
        if (byte == delimiter || byte == '"' || byte == '\n' || byte == '\r')
            return true;
    }
    return false;
}

void mgl_text_quote(mgl_buffer *out, mgl_span value, char delimiter, bool alone)
{
    if (value.size == 0) {
        /* An empty field alone would be a blank line. */
        if (alone)
            mgl_buffer_append(out, "\"\"", 2);
        return;
    }
    if (!needs_quotes(value, delimiter)) {
        mgl_buffer_span(out, value);
        return;
    }
    mgl_buffer_append(out, "\"", 1);
    for (size_t i = 0, start = 0; i < value.size; i++)
        if (value.data[i] == '"' || i + 1 == value.size) {
            mgl_buffer_append(out, value.data + start, i + 1 - start);
            if (value.data[i] == '"')
                mgl_buffer_append(out, "\"", 1);
            start = i + 1;
        }
    mgl_buffer_append(out, "\"", 1);
}

enum { OUTPUT = 256 * 1024 };

typedef enum packing { PLAIN, GZIP, ZSTD } packing;

struct mgl_text_writer {
    int fd;
    char *name;
    packing packing;
    z_stream gzip;
    bool gzip_ready;
    ZSTD_CCtx *zstd;
    size_t used; /* of data */
    char data[OUTPUT];
};

static bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

static voidpf zlib_alloc(voidpf context, uInt n, uInt size)
{
    (void)context;
    return mgl_alloc_array(n, size);
}

static void zlib_free(voidpf context, voidpf data)
{
    (void)context;
    mgl_free(data);
}

static bool prepare(mgl_text_writer *writer)
{
    switch (writer->packing) {
    case GZIP:
        writer->gzip.zalloc = zlib_alloc;
        writer->gzip.zfree = zlib_free;
        writer->gzip_ready = deflateInit2(&writer->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16,
                                          8, Z_DEFAULT_STRATEGY) == Z_OK;
        return writer->gzip_ready;
    case ZSTD:
        writer->zstd = ZSTD_createCCtx();
        return writer->zstd != NULL &&
               !ZSTD_isError(ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_checksumFlag, 1));
    default:
        return true;
    }
}

mgl_status mgl_text_writer_new(int fd, const char *name, mgl_error *err, mgl_text_writer **out)
{
    mgl_text_writer *writer = mgl_zeroed_array(1, sizeof *writer);
    MGL_TRY(mgl_check_memory(writer != NULL, err));
    writer->fd = fd;
    writer->packing = ends_in(name, ".gz") ? GZIP : ends_in(name, ".zst") ? ZSTD : PLAIN;
    writer->name = mgl_alloc(strlen(name) + 1);
    if (writer->name != NULL)
        strcpy(writer->name, name);
    if (writer->name == NULL || !prepare(writer)) {
        mgl_text_writer_free(writer);
        return mgl_fail_memory(err);
    }
    *out = writer;
    return MGL_OK;
}

void mgl_text_writer_free(mgl_text_writer *writer)
{
    if (writer == NULL)
        return;
    if (writer->gzip_ready)
        deflateEnd(&writer->gzip);
    ZSTD_freeCCtx(writer->zstd);
    mgl_free(writer->name);
    mgl_free(writer);
}

static mgl_status put(mgl_text_writer *writer, const char *data, size_t size, mgl_error *err)
{
    if (size > 0 && mgl_sys_write(writer->fd, data, size) != 0)
        return mgl_fail_errno(err, writer->name, "write");
    return MGL_OK;
}

static mgl_status write_plain(mgl_text_writer *writer, const char *data, size_t size, bool last,
                              mgl_error *err)
{
    if (last || size > OUTPUT - writer->used) {
        MGL_TRY(put(writer, writer->data, writer->used, err));
        writer->used = 0;
    }
    if (size > OUTPUT)
        return put(writer, data, size, err);
    if (size > 0)
        memcpy(writer->data + writer->used, data, size);
    writer->used += size;
    return MGL_OK;
}

static mgl_status write_gzip(mgl_text_writer *writer, const char *data, size_t size, bool last,
                             mgl_error *err)
{
    z_stream *gzip = &writer->gzip;
    do {
        size_t some = size < (1u << 30) ? size : 1u << 30;
        gzip->next_in = (z_const Bytef *)(uintptr_t)data;
        gzip->avail_in = (uInt)some;
        int status;
        do {
            gzip->next_out = (Bytef *)writer->data;
            gzip->avail_out = OUTPUT;
            status = deflate(gzip, last && some == size ? Z_FINISH : Z_NO_FLUSH);
            MGL_TRY(put(writer, writer->data, OUTPUT - gzip->avail_out, err));
        } while (gzip->avail_out == 0 || (last && some == size && status == Z_OK));
        data += some;
        size -= some;
    } while (size > 0);
    return MGL_OK;
}

static mgl_status write_zstd(mgl_text_writer *writer, const char *data, size_t size, bool last,
                             mgl_error *err)
{
    ZSTD_inBuffer in = {data, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {writer->data, OUTPUT, 0};
        left = ZSTD_compressStream2(writer->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return mgl_fail_at(err, MGL_CODE_FILE, writer->name, 0, "cannot compress: %s",
                               ZSTD_getErrorName(left));
        MGL_TRY(put(writer, writer->data, out.pos, err));
    } while (in.pos < in.size || (last && left > 0));
    return MGL_OK;
}

static mgl_status write_some(mgl_text_writer *writer, const char *data, size_t size, bool last,
                             mgl_error *err)
{
    switch (writer->packing) {
    case GZIP:
        return write_gzip(writer, data, size, last, err);
    case ZSTD:
        return write_zstd(writer, data, size, last, err);
    default:
        return write_plain(writer, data, size, last, err);
    }
}

mgl_status mgl_text_write(mgl_text_writer *writer, const char *data, size_t size, mgl_error *err)
{
    return size > 0 ? write_some(writer, data, size, false, err) : MGL_OK;
}

mgl_status mgl_text_writer_end(mgl_text_writer *writer, mgl_error *err)
{
    return write_some(writer, "", 0, true, err);
}
