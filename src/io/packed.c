/* Writes and reads the binary files that only mingle reads, with a version and a checksum. */
#include "io/packed.h"

#include "text/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied as they are");

enum { SIZE_AT = 16, HEADER = 24, CHECKSUM = 16 };

static void append_u32(mgl_buffer *file, uint32_t value)
{
    mgl_buffer_append(file, (const char *)&value, sizeof value);
}

void mgl_pack_begin(mgl_buffer *file, const char *kind)
{
    uint16_t version[2] = {MGL_PACKED_MAJOR, MGL_PACKED_MINOR};
    uint64_t size = 0;
    mgl_buffer_append(file, kind, MGL_PACKED_KIND);
    mgl_buffer_append(file, (const char *)version, sizeof version);
    append_u32(file, 0);
    mgl_buffer_append(file, (const char *)&size, sizeof size);
}

static void checksum_of(const char *data, size_t size, uint64_t out[2])
{
    XXH128_hash_t hash = XXH3_128bits(data, size);
    out[0] = hash.low64;
    out[1] = hash.high64;
}

mgl_status mgl_pack_end(mgl_buffer *file, mgl_error *err)
{
    if (file->failed)
        return mgl_fail_memory(err);
    uint64_t size = file->size - HEADER, sum[2];
    memcpy(file->data + SIZE_AT, &size, sizeof size);
    checksum_of(file->data, file->size, sum);
    mgl_buffer_append(file, (const char *)sum, sizeof sum);
    return file->failed ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_packed_write(const char *kind, mgl_body_fn *body, const void *content,
                            mgl_error *err, mgl_buffer *out)
{
    mgl_packed file = {.out = out};
    mgl_pack_begin(out, kind);
    body(&file, (void *)(uintptr_t)content); /* it is only read, despite its type */
    return mgl_pack_end(out, err);
}

static mgl_status read_whole(mgl_packed *file, mgl_error *err)
{
    mgl_file_state state;
    int fd = mgl_sys_open_read(file->path);
    if (fd < 0)
        return mgl_fail_errno(err, file->path, "open");
    mgl_status status = MGL_OK;
    if (mgl_sys_state(fd, &state) != 0)
        MGL_GO(mgl_fail_errno(err, file->path, "read"));
    file->data = mgl_alloc(state.size);
    if (file->data == NULL)
        MGL_GO(mgl_fail_memory(err));
    ssize_t size = mgl_sys_pread(fd, file->data, state.size, 0);
    file->end = size > 0 ? (size_t)size : 0;
    if (size < 0)
        MGL_GO(mgl_fail_errno(err, file->path, "read"));
done:
    mgl_sys_close(fd);
    return status;
}

static mgl_status refuse(const mgl_packed *file, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_DAMAGED, file->path, 0,
                       "the file is damaged or cut off; make it again");
}

static mgl_status check_header(mgl_packed *file, const char *kind, const char *what, mgl_error *err)
{
    uint16_t major;
    uint64_t size, sum[2];
    if (file->end < HEADER + CHECKSUM || memcmp(file->data, kind, MGL_PACKED_KIND) != 0)
        return mgl_fail_at(err, MGL_CODE_DAMAGED, file->path, 0, "this is not %s", what);
    memcpy(&major, file->data + MGL_PACKED_KIND, sizeof major);
    memcpy(&size, file->data + SIZE_AT, sizeof size);
    if (major != MGL_PACKED_MAJOR)
        return mgl_fail_at(err, MGL_CODE_DAMAGED, file->path, 0,
                           "the file has format version %u and this mingle reads version %d; use "
                           "the mingle that wrote it, or make the file again",
                           major, MGL_PACKED_MAJOR);
    if (size != file->end - HEADER - CHECKSUM)
        return refuse(file, err);
    checksum_of(file->data, HEADER + size, sum);
    if (memcmp(sum, file->data + HEADER + size, CHECKSUM) != 0)
        return refuse(file, err);
    file->at = HEADER;
    file->end = HEADER + size;
    return MGL_OK;
}

mgl_status mgl_packed_read(const char *path, const char *kind, const char *what, mgl_arena *arena,
                           mgl_body_fn *body, void *content, mgl_error *err)
{
    mgl_packed file = {.path = path, .arena = arena};
    mgl_status status = MGL_OK;
    MGL_GO(read_whole(&file, err));
    MGL_GO(check_header(&file, kind, what, err));
    body(&file, content);
    if (file.out_of_memory)
        MGL_GO(mgl_fail_memory(err));
    if (file.failed || file.at != file.end)
        MGL_GO(refuse(&file, err));
done:
    mgl_free(file.data);
    return status;
}

int mgl_is_packed(const char *path, const char *kind)
{
    char start[MGL_PACKED_KIND];
    mgl_file_state state;
    if (mgl_sys_state_of(path, &state) != 0 || !state.regular)
        return 0;
    int fd = mgl_sys_open_read(path);
    if (fd < 0)
        return -1;
    ssize_t size = mgl_sys_pread(fd, start, sizeof start, 0);
    mgl_sys_close(fd);
    if (size < 0)
        return -1;
    return size == sizeof start && memcmp(start, kind, sizeof start) == 0;
}

/* The next so many bytes; NULL if they are not there. */
static const char *take(mgl_packed *file, size_t size)
{
    if (file->failed || size > file->end - file->at) {
        file->failed = true;
        return NULL;
    }
    const char *data = file->data + file->at;
    file->at += size;
    return data;
}

/* A number of so many bytes; read, it is 0 where there is none. */
static void pass_bytes(mgl_packed *file, void *value, size_t size)
{
    if (file->out != NULL) {
        mgl_buffer_append(file->out, value, size);
        return;
    }
    const char *data = take(file, size);
    if (data != NULL)
        memcpy(value, data, size);
    else
        memset(value, 0, size);
}

void mgl_packed_u32(mgl_packed *file, uint32_t *value)
{
    pass_bytes(file, value, sizeof *value);
}

void mgl_packed_below(mgl_packed *file, uint32_t *value, uint32_t limit)
{
    mgl_packed_u32(file, value);
    file->failed = file->failed || *value >= limit;
}

void mgl_packed_choice(mgl_packed *file, uint32_t *value, uint32_t limit)
{
    mgl_packed_u32(file, value);
    file->failed = file->failed || (*value != MGL_NOT_FOUND && *value >= limit);
}

void mgl_packed_u64(mgl_packed *file, uint64_t *value)
{
    pass_bytes(file, value, sizeof *value);
}

void mgl_packed_double(mgl_packed *file, double *value)
{
    pass_bytes(file, value, sizeof *value);
}

/* Read, it lives as long as the bytes of the file. */
static void pass_text(mgl_packed *file, mgl_span *text)
{
    uint32_t size = (uint32_t)text->size;
    mgl_packed_u32(file, &size);
    if (file->out != NULL) {
        mgl_buffer_span(file->out, *text);
        return;
    }
    const char *data = take(file, size);
    if (data != NULL && (mgl_utf8_valid(data, size) < size || memchr(data, '\0', size) != NULL))
        file->failed = true;
    *text = data != NULL ? (mgl_span){data, size} : mgl_span_of("");
}

void mgl_packed_span(mgl_packed *file, mgl_span *text)
{
    pass_text(file, text);
    if (file->out != NULL)
        return;
    text->data = mgl_arena_copy(file->arena, text->data, text->size);
    file->out_of_memory = file->out_of_memory || text->data == NULL;
    text->size = text->data != NULL ? text->size : 0;
}

void mgl_packed_text(mgl_packed *file, const char **text)
{
    mgl_span span = mgl_span_of(file->out != NULL ? *text : "");
    mgl_packed_span(file, &span);
    *text = span.data;
}

void mgl_packed_count(mgl_packed *file, size_t *n, size_t bytes_each)
{
    uint64_t number = *n;
    mgl_packed_u64(file, &number);
    if (file->out != NULL)
        return;
    file->failed = file->failed || number > (file->end - file->at) / bytes_each;
    *n = file->failed ? 0 : (size_t)number;
}

void mgl_packed_room(mgl_packed *file, void *data, size_t n, size_t size)
{
    if (file->out != NULL)
        return;
    void *room = mgl_arena_alloc(file->arena, n * size);
    file->out_of_memory = file->out_of_memory || room == NULL;
    if (room != NULL)
        memset(room, 0, n * size);
    memcpy(data, &room, sizeof room);
}

void mgl_packed_numbers(mgl_packed *file, uint32_t *values, size_t n, uint32_t limit)
{
    pass_bytes(file, values, n * sizeof *values);
    for (size_t i = 0; file->out == NULL && i < n; i++)
        file->failed = file->failed || values[i] >= limit;
}

void mgl_packed_u32s(mgl_packed *file, uint32_t **values, size_t n, uint32_t limit)
{
    if (mgl_packed_goes_on(file))
        mgl_packed_room(file, values, n, sizeof **values);
    if (mgl_packed_goes_on(file))
        mgl_packed_numbers(file, *values, n, limit);
}

uint64_t mgl_packed_counts(mgl_packed *file, uint64_t *values, size_t n)
{
    uint64_t sum = 0;
    pass_bytes(file, values, n * sizeof *values);
    for (size_t i = 0; i < n && !file->failed; i++) {
        file->failed = values[i] > MGL_PACKED_RECORDS - sum;
        sum += values[i];
    }
    return sum;
}

void mgl_packed_columns(mgl_packed *file, const char ***columns, mgl_role **roles, size_t *n)
{
    enum { LEAST = 8 }; /* bytes of a column */
    mgl_packed_count(file, n, LEAST);
    mgl_packed_room(file, columns, *n, sizeof **columns);
    mgl_packed_room(file, roles, *n, sizeof **roles);
    for (size_t c = 0; mgl_packed_goes_on(file) && c < *n; c++) {
        uint32_t role = (*roles)[c];
        mgl_packed_text(file, &(*columns)[c]);
        mgl_packed_below(file, &role, MGL_ROLES);
        (*roles)[c] = (mgl_role)role;
    }
}

void mgl_packed_values(mgl_packed *file, const mgl_dictionary *values, uint32_t *missing, size_t *n,
                       size_t bytes_each)
{
    bool writes = file->out != NULL;
    *missing = writes ? mgl_dictionary_missing(values) : MGL_NOT_FOUND;
    *n = writes ? mgl_dictionary_size(values) : 0;
    mgl_packed_u32(file, missing);
    mgl_packed_count(file, n, bytes_each);
    file->failed = file->failed || (*missing != MGL_NOT_FOUND && *missing >= *n);
}

void mgl_packed_value(mgl_packed *file, mgl_dictionary *values, uint32_t code, uint32_t missing)
{
    mgl_span text = {"", 0};
    if (file->out != NULL)
        text = mgl_dictionary_value(values, code);
    pass_text(file, &text);
    if (file->out != NULL)
        return;
    uint32_t added = code == missing ? mgl_dictionary_add_missing(values, text)
                                     : mgl_dictionary_add(values, text);
    file->out_of_memory = file->out_of_memory || added == MGL_NOT_FOUND;
    file->failed = file->failed || added != code;
}
