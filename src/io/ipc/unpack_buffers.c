/* Unpacks buffers of Arrow IPC that are compressed: zstd is linked, lz4 is loaded when it is
 * needed. read_arrays.c calls it. */
#include "io/ipc/ipc.h"

#include <zstd.h>

typedef struct lz4_calls {
    size_t (*create)(void **context, unsigned version);
    size_t (*free)(void *context);
    size_t (*decompress)(void *context, void *out, size_t *out_size, const void *in,
                         size_t *in_size, const void *options);
    unsigned (*is_error)(size_t code);
} lz4_calls;

enum { LZ4_VERSION = 100 };

static mgl_status load_lz4(lz4_calls *calls, mgl_error *err)
{
    static const char *const functions[] = {"LZ4F_createDecompressionContext",
                                            "LZ4F_freeDecompressionContext", "LZ4F_decompress",
                                            "LZ4F_isError"};
    const mgl_library library = {.file = "liblz4.so.1",
                                 .package = "liblz4-1",
                                 .use = "a Feather or Arrow file that is compressed with lz4",
                                 .functions = functions,
                                 .n_functions = sizeof functions / sizeof functions[0]};
    return mgl_library_load(&library, calls, err);
}

/* One frame after the other until all bytes are there. */
static bool unpack_lz4(const lz4_calls *calls, void *context, mgl_span packed, char *out,
                       uint64_t size)
{
    size_t at = 0;
    uint64_t done = 0;
    while (at < packed.size) {
        size_t in = packed.size - at, got = (size_t)(size - done);
        size_t left = calls->decompress(context, out + done, &got, packed.data + at, &in, NULL);
        if (calls->is_error(left) || (in == 0 && got == 0))
            return false;
        at += in;
        done += got;
    }
    return done == size;
}

static mgl_status run_lz4(mgl_span packed, uint64_t size, mgl_error *err, char *out, bool *good)
{
    lz4_calls calls;
    void *context = NULL;
    MGL_TRY(load_lz4(&calls, err));
    if (calls.is_error(calls.create(&context, LZ4_VERSION)))
        return mgl_fail_memory(err);
    *good = unpack_lz4(&calls, context, packed, out, size);
    calls.free(context);
    return MGL_OK;
}

mgl_status mgl_ipc_unpack(int codec, mgl_span packed, uint64_t size, const mgl_ipc_file *file,
                          uint64_t at, mgl_error *err, char **out)
{
    enum { BEHIND = 8 };
    bool good = false;
    char *bytes = mgl_alloc((size_t)size + BEHIND);
    mgl_status status = MGL_OK;
    if (bytes == NULL)
        return mgl_fail_memory(err);
    memset(bytes + size, 0, BEHIND);
    if (codec == MGL_IPC_ZSTD) {
        size_t got = ZSTD_decompress(bytes, (size_t)size, packed.data, packed.size);
        good = !ZSTD_isError(got) && got == size;
    } else {
        MGL_GO(run_lz4(packed, size, err, bytes, &good));
    }
    if (!good)
        MGL_GO(mgl_ipc_fail(file, at, err, "a compressed buffer is broken"));
    *out = bytes;
    bytes = NULL;
done:
    mgl_free(bytes);
    return status;
}
