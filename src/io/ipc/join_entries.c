/* Puts entries behind the entries of a dictionary, as deltas of Arrow IPC tell it. read_ipc.c calls
 * it. */
#include "io/ipc/ipc.h"

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
    if (joined == NULL)
        return mgl_fail_memory(err);
    joined->holders = 1;
    joined->array.buffers = joined->buffers;
    if (!join(joined, from, type)) {
        mgl_ipc_array_let_go(joined);
        return mgl_fail_memory(err);
    }
    *out = joined;
    return MGL_OK;
}
