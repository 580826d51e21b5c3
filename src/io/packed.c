/* Packs and unpacks the binary files that only mingle reads, with a version and a checksum. */
#include "io/packed.h"

#include "text/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied as they are");

enum { SIZE_AT = 16, HEADER = 24, CHECKSUM = 16 };

void mgl_pack_begin(mgl_buffer *file, const char *kind)
{
    uint16_t version[2] = {MGL_PACKED_MAJOR, MGL_PACKED_MINOR};
    mgl_buffer_append(file, kind, MGL_PACKED_KIND);
    mgl_buffer_append(file, (const char *)version, sizeof version);
    mgl_pack_u32(file, 0);
    mgl_pack_u64(file, 0);
}

void mgl_pack_u32(mgl_buffer *file, uint32_t value)
{
    mgl_buffer_append(file, (const char *)&value, sizeof value);
}

void mgl_pack_u64(mgl_buffer *file, uint64_t value)
{
    mgl_buffer_append(file, (const char *)&value, sizeof value);
}

void mgl_pack_text(mgl_buffer *file, mgl_span text)
{
    mgl_pack_u32(file, (uint32_t)text.size);
    mgl_buffer_append(file, text.data, text.size);
}

void mgl_pack_u32s(mgl_buffer *file, const uint32_t *values, size_t n)
{
    mgl_buffer_append(file, (const char *)values, n * sizeof *values);
}

void mgl_pack_u64s(mgl_buffer *file, const uint64_t *values, size_t n)
{
    mgl_buffer_append(file, (const char *)values, n * sizeof *values);
}

void mgl_pack_columns(mgl_buffer *file, const char *const *columns, const mgl_role *roles, size_t n)
{
    mgl_pack_u64(file, n);
    for (size_t c = 0; c < n; c++) {
        mgl_pack_text(file, mgl_span_of(columns[c]));
        mgl_pack_u32(file, roles[c]);
    }
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

static mgl_status read_whole(mgl_unpacker *file, mgl_error *err)
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

static mgl_status refuse(const mgl_unpacker *file, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_DAMAGED, file->path, 0,
                       "the file is damaged or cut off; make it again");
}

static mgl_status check_header(mgl_unpacker *file, const char *kind, const char *what,
                               mgl_error *err)
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

mgl_status mgl_unpack_begin(mgl_unpacker *file, const char *path, const char *kind,
                            const char *what, mgl_arena *arena, mgl_error *err)
{
    *file = (mgl_unpacker){.path = path, .arena = arena};
    mgl_status status = read_whole(file, err);
    if (status == MGL_OK)
        status = check_header(file, kind, what, err);
    if (status != MGL_OK)
        mgl_unpack_end(file);
    return status;
}

void mgl_unpack_end(mgl_unpacker *file)
{
    mgl_free(file->data);
    *file = (mgl_unpacker){0};
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
static const char *take(mgl_unpacker *file, size_t size)
{
    if (file->failed || size > file->end - file->at) {
        file->failed = true;
        return NULL;
    }
    const char *data = file->data + file->at;
    file->at += size;
    return data;
}

uint32_t mgl_unpack_u32(mgl_unpacker *file)
{
    uint32_t value = 0;
    const char *data = take(file, sizeof value);
    if (data != NULL)
        memcpy(&value, data, sizeof value);
    return value;
}

uint64_t mgl_unpack_u64(mgl_unpacker *file)
{
    uint64_t value = 0;
    const char *data = take(file, sizeof value);
    if (data != NULL)
        memcpy(&value, data, sizeof value);
    return value;
}

mgl_span mgl_unpack_text(mgl_unpacker *file)
{
    size_t size = mgl_unpack_u32(file);
    const char *data = take(file, size);
    if (data != NULL && (mgl_utf8_valid(data, size) < size || memchr(data, '\0', size) != NULL))
        file->failed = true;
    return data != NULL ? (mgl_span){data, size} : mgl_span_of("");
}

size_t mgl_unpack_count(mgl_unpacker *file, size_t bytes_each)
{
    uint64_t n = mgl_unpack_u64(file);
    if (bytes_each > 0 && n > (file->end - file->at) / bytes_each)
        file->failed = true;
    return file->failed ? 0 : (size_t)n;
}

void mgl_unpack_u32s(mgl_unpacker *file, uint32_t *out, size_t n, uint32_t limit)
{
    const char *data =
        n <= SIZE_MAX / sizeof *out ? take(file, n * sizeof *out) : take(file, SIZE_MAX);
    if (data == NULL)
        return;
    memcpy(out, data, n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        file->failed = file->failed || out[i] >= limit;
}

static void unpack_u64s(mgl_unpacker *file, uint64_t *out, size_t n)
{
    const char *data =
        n <= SIZE_MAX / sizeof *out ? take(file, n * sizeof *out) : take(file, SIZE_MAX);
    if (data != NULL)
        memcpy(out, data, n * sizeof *out);
}

uint64_t mgl_unpack_counts(mgl_unpacker *file, uint64_t *out, size_t n)
{
    uint64_t sum = 0;
    unpack_u64s(file, out, n);
    for (size_t i = 0; i < n && !file->failed; i++) {
        file->failed = out[i] > MGL_PACKED_RECORDS - sum;
        sum += out[i];
    }
    return sum;
}

void *mgl_unpack_room(mgl_unpacker *file, size_t n, size_t size)
{
    void *data = mgl_arena_alloc(file->arena, n * size);
    file->out_of_memory = file->out_of_memory || data == NULL;
    if (data != NULL)
        memset(data, 0, n * size);
    return data;
}

const char *mgl_unpack_kept(mgl_unpacker *file)
{
    mgl_span text = mgl_unpack_text(file);
    const char *copy = mgl_arena_copy(file->arena, text.data, text.size);
    file->out_of_memory = file->out_of_memory || copy == NULL;
    return copy;
}

size_t mgl_unpack_columns(mgl_unpacker *file, const char ***columns, mgl_role **roles)
{
    enum { LEAST = 8 }; /* bytes of a column */
    size_t n = mgl_unpack_count(file, LEAST);
    *columns = mgl_unpack_room(file, n, sizeof **columns);
    *roles = mgl_unpack_room(file, n, sizeof **roles);
    for (size_t c = 0; mgl_unpack_goes_on(file) && c < n; c++) {
        uint32_t role = 0;
        (*columns)[c] = mgl_unpack_kept(file);
        mgl_unpack_u32s(file, &role, 1, MGL_ROLES);
        (*roles)[c] = (mgl_role)role;
    }
    return n;
}

mgl_status mgl_unpack_check(const mgl_unpacker *file, mgl_error *err)
{
    if (file->out_of_memory)
        return mgl_fail_memory(err);
    return file->failed || file->at != file->end ? refuse(file, err) : MGL_OK;
}
