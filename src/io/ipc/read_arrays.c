/* Reads the messages of Arrow IPC and the arrays in a record batch: every buffer lies in the body,
 * is decompressed if necessary, and is as long as the cells need. Batches of a dictionary are
 * joined. */
#include "io/ipc/ipc.h"

#include <stdarg.h>
#include <stdio.h>
#include <zstd.h>

/* ---- Messages -------------------------------------------------------------------------------- */

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
    MGL_TRY(mgl_check_memory(bytes != NULL, err));
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

/* ---- Compression ----------------------------------------------------------------------------- */

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

/* What compressed bytes were: exactly so many. Free with mgl_free. */
static mgl_status ipc_unpack(int codec, mgl_span packed, uint64_t size, const mgl_ipc_file *file,
                             uint64_t at, mgl_error *err, char **out)
{
    enum { BEHIND = 8 };
    bool good = false;
    char *bytes = mgl_alloc((size_t)size + BEHIND);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(bytes != NULL, err));
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

/* ---- Arrays ---------------------------------------------------------------------------------- */

enum { NODE = 16, BUFFER = 16, LONGEST = INT32_MAX };

void mgl_ipc_array_release(mgl_ipc_array *array)
{
    if (array == NULL || --array->holders > 0)
        return;
    for (size_t i = 0; i < array->n_owned; i++)
        mgl_free(array->owned[i]);
    mgl_free(array);
}

mgl_status mgl_ipc_parts_begin(mgl_ipc_parts *parts, mgl_ipc_file *file,
                               const mgl_ipc_message *message, size_t table, mgl_error *err)
{
    mgl_flatbuffer fb = message->metadata;
    *parts = (mgl_ipc_parts){.file = file, .message = message, .table = table, .codec = -1};
    parts->length = mgl_fb_whole(&fb, table, 0, 8, 0);
    parts->nodes = mgl_fb_vector(&fb, table, 1, NODE, &parts->n_nodes);
    parts->buffers = mgl_fb_vector(&fb, table, 2, BUFFER, &parts->n_buffers);
    size_t compression = mgl_fb_table(&fb, table, 3);
    if (compression != 0) {
        parts->codec = (int)mgl_fb_whole(&fb, compression, 0, 1, MGL_IPC_LZ4);
        if (mgl_fb_whole(&fb, compression, 1, 1, 0) != 0 ||
            (parts->codec != MGL_IPC_LZ4 && parts->codec != MGL_IPC_ZSTD))
            return mgl_ipc_fail(file, message->at, err,
                                "the rows are compressed in an unknown way");
    }
    if (fb.bad || table == 0)
        return mgl_ipc_fail(file, message->at, err, "the description of rows is broken");
    if (parts->length < 0 || parts->length > LONGEST)
        return mgl_ipc_fail(file, message->at, err, "%lld rows in a batch cannot be",
                            (long long)parts->length);
    return MGL_OK;
}

mgl_status mgl_ipc_parts_end(const mgl_ipc_parts *parts, mgl_error *err)
{
    if (parts->n_nodes == 0 && parts->n_buffers == 0)
        return MGL_OK;
    return mgl_ipc_fail(parts->file, parts->message->at, err,
                        "a batch has more columns than the schema");
}

/* What limits an honest file does not reach keep out those that were made to fill the memory. */
static mgl_status count_unpacked(mgl_ipc_file *file, uint64_t size, uint64_t at, mgl_error *err)
{
    if (size > file->most_unpacked - file->unpacked)
        return mgl_ipc_fail(file, at, err,
                            "the compressed rows would take more than %llu bytes, which is taken "
                            "for a mistake",
                            (unsigned long long)file->most_unpacked);
    file->unpacked += size;
    return MGL_OK;
}

static mgl_status unpack(mgl_ipc_parts *parts, uint64_t at, char **bytes, uint64_t *size,
                         mgl_error *err)
{
    int64_t unpacked;
    char *out;
    if (*size < sizeof unpacked)
        return mgl_ipc_fail(parts->file, at, err, "a compressed buffer is cut off");
    memcpy(&unpacked, *bytes, sizeof unpacked);
    mgl_span packed = {*bytes + sizeof unpacked, (size_t)*size - sizeof unpacked};
    if (unpacked == -1) { /* it did not get smaller */
        memmove(*bytes, packed.data, packed.size);
        *size = packed.size;
        return MGL_OK;
    }
    if (unpacked < 0)
        return mgl_ipc_fail(parts->file, at, err, "a buffer of %lld bytes cannot be",
                            (long long)unpacked);
    MGL_TRY(count_unpacked(parts->file, (uint64_t)unpacked, at, err));
    MGL_TRY(ipc_unpack(parts->codec, packed, (uint64_t)unpacked, parts->file, at, err, &out));
    mgl_free(*bytes);
    *bytes = out;
    *size = (uint64_t)unpacked;
    return MGL_OK;
}

/* The next buffer, read and unpacked; *bytes NULL: it is empty. */
static mgl_status take_buffer(mgl_ipc_parts *parts, mgl_error *err, char **bytes, uint64_t *size)
{
    const mgl_ipc_message *m = parts->message;
    *bytes = NULL;
    *size = 0;
    if (parts->n_buffers == 0)
        return mgl_ipc_fail(parts->file, m->at, err, "a batch has fewer buffers than its columns");
    int64_t offset = mgl_fb_long_at(&m->metadata, parts->buffers);
    int64_t length = mgl_fb_long_at(&m->metadata, parts->buffers + 8);
    parts->buffers += BUFFER;
    parts->n_buffers--;
    if (offset < 0 || length < 0 || (uint64_t)offset > m->body_size ||
        (uint64_t)length > m->body_size - (uint64_t)offset)
        return mgl_ipc_fail(parts->file, m->at, err, "a buffer lies outside of its message");
    if (length == 0)
        return MGL_OK;
    uint64_t at = m->body + (uint64_t)offset;
    if ((uint64_t)length > parts->file->state.size - parts->file->taken)
        return mgl_ipc_fail(parts->file, at, err, "buffers lie over each other");
    parts->file->taken += (uint64_t)length;
    *size = (uint64_t)length;
    MGL_TRY(mgl_ipc_read(parts->file, at, *size, err, bytes));
    mgl_status status = parts->codec >= 0 ? unpack(parts, at, bytes, size, err) : MGL_OK;
    if (status != MGL_OK) {
        mgl_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

/* Takes a buffer into the array. least: bytes that it must have. */
static mgl_status add_buffer(mgl_ipc_parts *parts, mgl_ipc_array *array, uint64_t least,
                             const char *column, mgl_error *err, uint64_t *size)
{
    char *bytes;
    MGL_TRY(take_buffer(parts, err, &bytes, size));
    if (bytes != NULL)
        array->owned[array->n_owned++] = bytes;
    array->buffers[array->array.n_buffers++] = bytes;
    if (*size < least)
        return mgl_ipc_fail(parts->file, parts->message->at, err,
                            "column %.60s: a buffer has %llu bytes where its cells need %llu",
                            column, (unsigned long long)*size, (unsigned long long)least);
    return MGL_OK;
}

/* The last offset is the number of bytes; that offsets rise is checked with the cells. */
static uint64_t bytes_of_texts(const mgl_ipc_array *array, const mgl_arrow_type *type)
{
    const char *offsets = array->buffers[1];
    uint64_t last = 0;
    if (array->array.length > 0)
        memcpy(&last, offsets + (size_t)array->array.length * type->width, type->width);
    return last;
}

static const int64_t no_offsets[2] = {0, 0};

static mgl_status add_cells(mgl_ipc_parts *parts, mgl_ipc_array *array, const mgl_arrow_type *type,
                            const char *column, mgl_error *err)
{
    uint64_t n = (uint64_t)array->array.length, size;
    bool texts = type->kind == MGL_ARROW_TEXT || type->kind == MGL_ARROW_LARGE_TEXT;
    uint64_t least = type->kind == MGL_ARROW_BOOL ? (n + 7) / 8
                     : texts                      ? (n > 0 ? (n + 1) * type->width : 0)
                                                  : n * type->width;
    MGL_TRY(add_buffer(parts, array, least, column, err, &size));
    if (array->buffers[1] == NULL)
        array->buffers[1] = no_offsets; /* there are no cells */
    if (!texts)
        return MGL_OK;
    MGL_TRY(add_buffer(parts, array, bytes_of_texts(array, type), column, err, &size));
    if (array->buffers[2] == NULL)
        array->buffers[2] = no_offsets;
    return MGL_OK;
}

static mgl_status fill(mgl_ipc_parts *parts, mgl_ipc_array *array, const mgl_arrow_type *type,
                       const char *column, mgl_error *err)
{
    const mgl_ipc_message *m = parts->message;
    uint64_t size;
    if (parts->n_nodes == 0)
        return mgl_ipc_fail(parts->file, m->at, err, "a batch has fewer columns than the schema");
    array->array.length = mgl_fb_long_at(&m->metadata, parts->nodes);
    array->array.null_count = mgl_fb_long_at(&m->metadata, parts->nodes + 8);
    parts->nodes += NODE;
    parts->n_nodes--;
    if (array->array.length != parts->length)
        return mgl_ipc_fail(parts->file, m->at, err, "column %.60s has %lld cells in %lld rows",
                            column, (long long)array->array.length, (long long)parts->length);
    if (type->kind == MGL_ARROW_NULL)
        return MGL_OK;
    uint64_t bits = ((uint64_t)array->array.length + 7) / 8;
    MGL_TRY(add_buffer(parts, array, array->array.null_count > 0 ? bits : 0, column, err, &size));
    if (size < bits) /* all cells are there */
        array->buffers[0] = NULL;
    return add_cells(parts, array, type, column, err);
}

mgl_status mgl_ipc_parts_next(mgl_ipc_parts *parts, const mgl_arrow_type *type, const char *column,
                              mgl_error *err, mgl_ipc_array **out)
{
    mgl_ipc_array *array = mgl_zeroed_array(1, sizeof *array);
    MGL_TRY(mgl_check_memory(array != NULL, err));
    array->holders = 1;
    array->array.buffers = array->buffers;
    mgl_status status = fill(parts, array, type, column, err);
    if (status != MGL_OK) {
        mgl_ipc_array_release(array);
        return status;
    }
    *out = array;
    return MGL_OK;
}

/* ---- Dictionaries in several batches --------------------------------------------------------- */

static bool is_there(const mgl_ipc_array *array, size_t i)
{
    return array->buffers[0] == NULL || mgl_bit_at(array->buffers[0], i);
}

static void *own(mgl_ipc_array *array, size_t size)
{
    void *memory = mgl_zeroed_array(size + 8, 1);
    if (memory != NULL)
        array->owned[array->n_owned++] = memory;
    return memory;
}

static void copy_bits(uint8_t *to, size_t at, const mgl_ipc_array *from, bool valid)
{
    for (size_t i = 0; i < (size_t)from->array.length; i++)
        if (valid ? is_there(from, i) : mgl_bit_at(from->buffers[1], i))
            to[(at + i) / 8] |= (uint8_t)(1u << (at + i) % 8);
}

static uint64_t offset_at(const mgl_ipc_array *array, const mgl_arrow_type *type, size_t i)
{
    uint64_t offset = 0;
    if (array->array.length > 0)
        memcpy(&offset, (const char *)array->buffers[1] + i * type->width, type->width);
    return offset;
}

/* Offsets begin anywhere and need not be looked at: the ends were found to lie in the bytes. */
static bool join_texts(mgl_ipc_array *out, const mgl_ipc_array *const from[2],
                       const mgl_arrow_type *type)
{
    uint64_t sizes[2], all;
    for (size_t k = 0; k < 2; k++)
        sizes[k] = offset_at(from[k], type, (size_t)from[k]->array.length);
    all = sizes[0] + sizes[1];
    if (type->width == 4 && all > INT32_MAX)
        return false;
    char *offsets = own(out, ((size_t)out->array.length + 1) * type->width);
    char *bytes = own(out, (size_t)all);
    if (offsets == NULL || bytes == NULL)
        return false;
    size_t at = 0;
    for (size_t k = 0; k < 2; k++) {
        uint64_t before = k == 0 ? 0 : sizes[0];
        memcpy(bytes + before, from[k]->buffers[2], (size_t)sizes[k]);
        for (size_t i = 0; i < (size_t)from[k]->array.length; i++, at++) {
            uint64_t offset = before + offset_at(from[k], type, i);
            memcpy(offsets + at * type->width, &offset, type->width);
        }
    }
    memcpy(offsets + at * type->width, &all, type->width);
    out->buffers[1] = offsets;
    out->buffers[2] = bytes;
    return true;
}

static bool join_cells(mgl_ipc_array *out, const mgl_ipc_array *const from[2],
                       const mgl_arrow_type *type)
{
    size_t n[2] = {(size_t)from[0]->array.length, (size_t)from[1]->array.length};
    if (type->kind == MGL_ARROW_TEXT || type->kind == MGL_ARROW_LARGE_TEXT)
        return join_texts(out, from, type);
    bool bits = type->kind == MGL_ARROW_BOOL;
    char *cells = own(out, bits ? (n[0] + n[1]) / 8 + 1 : (n[0] + n[1]) * type->width);
    if (cells == NULL)
        return false;
    for (size_t k = 0; k < 2; k++) {
        if (bits)
            copy_bits((uint8_t *)cells, k * n[0], from[k], false);
        else
            memcpy(cells + k * n[0] * type->width, from[k]->buffers[1], n[k] * type->width);
    }
    out->buffers[1] = cells;
    return true;
}

static bool join(mgl_ipc_array *out, const mgl_ipc_array *const from[2], const mgl_arrow_type *type)
{
    out->array.length = from[0]->array.length + from[1]->array.length;
    if (type->kind == MGL_ARROW_NULL)
        return true;
    out->array.n_buffers = from[0]->array.n_buffers;
    out->array.null_count = -1;
    if (from[0]->buffers[0] != NULL || from[1]->buffers[0] != NULL) {
        uint8_t *valid = own(out, (size_t)out->array.length / 8 + 1);
        if (valid == NULL)
            return false;
        copy_bits(valid, 0, from[0], true);
        copy_bits(valid, (size_t)from[0]->array.length, from[1], true);
        out->buffers[0] = valid;
    }
    return join_cells(out, from, type);
}

mgl_status mgl_ipc_join(const mgl_ipc_array *first, const mgl_ipc_array *second,
                        const mgl_arrow_type *type, mgl_error *err, mgl_ipc_array **out)
{
    const mgl_ipc_array *const from[2] = {first, second};
    mgl_ipc_array *joined = mgl_zeroed_array(1, sizeof *joined);
    MGL_TRY(mgl_check_memory(joined != NULL, err));
    joined->holders = 1;
    joined->array.buffers = joined->buffers;
    if (!join(joined, from, type)) {
        mgl_ipc_array_release(joined);
        return mgl_fail_memory(err);
    }
    *out = joined;
    return MGL_OK;
}
