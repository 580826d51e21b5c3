/* Takes the arrays of a record batch apart: every buffer lies in the body, is unpacked if it must
 * be, and is as long as the cells need. read_ipc.c calls it. */
#include "io/ipc/ipc.h"

enum { NODE = 16, BUFFER = 16, LONGEST = INT32_MAX };

void mgl_ipc_array_let_go(mgl_ipc_array *array)
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
    MGL_TRY(mgl_ipc_unpack(parts->codec, packed, (uint64_t)unpacked, parts->file, at, err, &out));
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

/* The last offset says how many bytes there must be; that they rise is checked with the cells. */
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
    if (array == NULL)
        return mgl_fail_memory(err);
    array->holders = 1;
    array->array.buffers = array->buffers;
    mgl_status status = fill(parts, array, type, column, err);
    if (status != MGL_OK) {
        mgl_ipc_array_let_go(array);
        return status;
    }
    *out = array;
    return MGL_OK;
}
