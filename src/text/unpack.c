/* Unpacks .gz (several members too) and .zst (several frames too). spool.c puts it between a file
 * and its private copy. */
#include "text/file.h"

#include <zlib.h>
#include <zstd.h>

enum { UNPACKED = 256 * 1024 };

mgl_packing mgl_packing_of(const char *data, size_t size)
{
    if (size >= 2 && memcmp(data, "\x1f\x8b", 2) == 0)
        return MGL_PACKED_GZIP;
    if (size >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0)
        return MGL_PACKED_ZSTD;
    /* A frame to be skipped, as pzstd writes in front: 0x184D2A50 to 0x184D2A5F. */
    if (size >= 4 && (data[0] & 0xf0) == 0x50 && memcmp(data + 1, "\x2a\x4d\x18", 3) == 0)
        return MGL_PACKED_ZSTD;
    return MGL_PACKED_NOT;
}

typedef struct unpack_sink {
    mgl_sink sink;
    const char *name;
    mgl_sink *next;
    bool within; /* a member or frame has begun and not ended */
    bool started;
    uint64_t most;         /* as the caller says; 0: the usual limit */
    uint64_t taken, given; /* bytes */
    z_stream gzip;
    bool gzip_ready;
    ZSTD_DCtx *zstd;
    char data[UNPACKED];
} unpack_sink;

static mgl_status fail_broken(const unpack_sink *sink, const char *what, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_FORMAT, sink->name, 0,
                       "the compressed data are broken (%s); compress or copy the file again",
                       what);
}

static mgl_status fail_truncated(const unpack_sink *sink, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_FORMAT, sink->name, 0,
                       "the compressed data end too early; compress or copy the file again");
}

/* Hands on what was unpacked, unless it is so much more than came in that the file must have been
 * made to fill the disk. */
static mgl_status give(unpack_sink *sink, size_t size, mgl_error *err)
{
    sink->given += size;
    uint64_t usual = sink->taken * MGL_UNPACKED_TIMES;
    usual = usual > MGL_UNPACKED_MOST ? usual : MGL_UNPACKED_MOST;
    if (sink->given > (sink->most > 0 ? sink->most : usual))
        return mgl_blame_key(
            err,
            mgl_fail_at(err, MGL_CODE_FORMAT, sink->name, 0,
                        "the compressed data become more than %llu MB, %llu times their size; "
                        "if they are what you expect, allow more by `unpack: SIZE`",
                        (unsigned long long)(sink->given >> 20),
                        (unsigned long long)(sink->given / (sink->taken + 1))),
            "unpack");
    return sink->next->take(sink->next, sink->data, size, false, err);
}

/* zlib's memory comes from base as well. */
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

/* What stands between members: nothing, another member, or zeros as padding. */
static mgl_status start_member(unpack_sink *sink, mgl_error *err)
{
    z_stream *gzip = &sink->gzip;
    if (sink->started) {
        while (gzip->avail_in > 0 && *gzip->next_in == 0)
            gzip->next_in++, gzip->avail_in--;
        if (gzip->avail_in == 0)
            return MGL_OK;
        if (*gzip->next_in != 0x1f)
            return fail_broken(sink, "other data follow", err);
        inflateReset(gzip);
    }
    sink->within = sink->started = true;
    return MGL_OK;
}

static mgl_status take_gzip(mgl_sink *self, const char *data, size_t size, bool last,
                            mgl_error *err)
{
    unpack_sink *sink = (unpack_sink *)self;
    z_stream *gzip = &sink->gzip;
    sink->taken += size;
    gzip->next_in = (z_const Bytef *)(uintptr_t)data;
    gzip->avail_in = (uInt)size;
    while (gzip->avail_in > 0) {
        if (!sink->within) {
            MGL_TRY(start_member(sink, err));
            continue;
        }
        int status;
        do {
            gzip->next_out = (Bytef *)sink->data;
            gzip->avail_out = UNPACKED;
            status = inflate(gzip, Z_NO_FLUSH);
            if (status == Z_MEM_ERROR)
                return mgl_fail_memory(err);
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
                return fail_broken(sink, gzip->msg != NULL ? gzip->msg : "gzip", err);
            MGL_TRY(give(sink, UNPACKED - gzip->avail_out, err));
        } while (status != Z_STREAM_END && gzip->avail_out == 0);
        if (status == Z_STREAM_END)
            sink->within = false;
    }
    if (!last)
        return MGL_OK;
    if (sink->within)
        return fail_truncated(sink, err);
    return sink->next->take(sink->next, sink->data, 0, true, err);
}

static mgl_status take_zstd(mgl_sink *self, const char *data, size_t size, bool last,
                            mgl_error *err)
{
    unpack_sink *sink = (unpack_sink *)self;
    ZSTD_inBuffer in = {data, size, 0};
    sink->taken += size;
    bool more = false; /* the output was full: there may be more without input */
    while (in.pos < in.size || more) {
        ZSTD_outBuffer out = {sink->data, UNPACKED, 0};
        size_t status = ZSTD_decompressStream(sink->zstd, &out, &in);
        if (ZSTD_isError(status))
            return fail_broken(sink, ZSTD_getErrorName(status), err);
        sink->within = status != 0;
        more = out.pos == out.size && status != 0;
        MGL_TRY(give(sink, out.pos, err));
    }
    if (!last)
        return MGL_OK;
    if (sink->within)
        return fail_truncated(sink, err);
    return sink->next->take(sink->next, sink->data, 0, true, err);
}

static void free_unpack(mgl_sink *self)
{
    unpack_sink *sink = (unpack_sink *)self;
    if (sink->gzip_ready)
        inflateEnd(&sink->gzip);
    ZSTD_freeDCtx(sink->zstd);
    mgl_free(sink);
}

mgl_status mgl_sink_unpack(mgl_packing packing, const char *name, uint64_t most, mgl_sink *next,
                           mgl_error *err, mgl_sink **out)
{
    unpack_sink *sink = mgl_zeroed_array(1, sizeof *sink);
    if (sink == NULL)
        return mgl_fail_memory(err);
    sink->sink.free = free_unpack;
    sink->name = name;
    sink->most = most;
    sink->next = next;
    bool ready;
    if (packing == MGL_PACKED_GZIP) {
        sink->sink.take = take_gzip;
        sink->gzip.zalloc = zlib_alloc;
        sink->gzip.zfree = zlib_free;
        ready = sink->gzip_ready = inflateInit2(&sink->gzip, 15 + 16) == Z_OK;
    } else {
        sink->sink.take = take_zstd;
        sink->zstd = ZSTD_createDCtx();
        /* zstd --long=31, or on 32 bits --long=30, is the largest window there is. */
        int widest = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound;
        ready = sink->zstd != NULL &&
                !ZSTD_isError(ZSTD_DCtx_setParameter(sink->zstd, ZSTD_d_windowLogMax, widest));
    }
    if (!ready) {
        free_unpack(&sink->sink);
        return mgl_fail_memory(err);
    }
    *out = &sink->sink;
    return MGL_OK;
}
