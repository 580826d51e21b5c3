/* The files that only mingle reads: parts and recodings. Private to io.
 *
 *     8 bytes   which kind of file
 *     u16 u16   version: major, minor; a reader refuses a major it does not know
 *     u32       0
 *     u64       bytes of the body
 *     body
 *     2 u64     XXH3 (128 bits) of all before, the lower half first
 *
 * Numbers are little-endian. A text is a u32, its size in bytes, and the bytes. */
#ifndef MGL_IO_PACKED_H
#define MGL_IO_PACKED_H

#include "table/table.h"

enum { MGL_PACKED_MAJOR = 1, MGL_PACKED_MINOR = 2, MGL_PACKED_KIND = 8 };

/* ---- Writing: into a buffer, which remembers a failure -------------------------- */

void mgl_pack_begin(mgl_buffer *file, const char *kind);
void mgl_pack_u32(mgl_buffer *file, uint32_t value);
void mgl_pack_u64(mgl_buffer *file, uint64_t value);
void mgl_pack_text(mgl_buffer *file, mgl_span text);
void mgl_pack_u32s(mgl_buffer *file, const uint32_t *values, size_t n);
void mgl_pack_u64s(mgl_buffer *file, const uint64_t *values, size_t n);
void mgl_pack_columns(mgl_buffer *file, const char *const *columns, const mgl_role *roles,
                      size_t n);
/* Fills in the size and appends the checksum. */
mgl_status mgl_pack_end(mgl_buffer *file, mgl_error *err);

/* ---- Reading: what is beyond the end reads as 0 and sets failed ------------------ */

typedef struct mgl_unpacker {
    const char *path;
    char *data; /* the whole file */
    size_t at, end;
    mgl_arena *arena;   /* where what is read is kept; borrowed */
    bool failed;        /* the file announces more than it holds, or is inconsistent */
    bool out_of_memory; /* there was no room for it */
} mgl_unpacker;

/* Reads the file, and refuses it (MGL_DATA) unless it is whole and of that kind; what names it in
 * messages. End with mgl_unpack_end. */
mgl_status mgl_unpack_begin(mgl_unpacker *file, const char *path, const char *kind,
                            const char *what, mgl_arena *arena, mgl_error *err);
void mgl_unpack_end(mgl_unpacker *file);
/* Is it a file of that kind? 1: yes, 0: no, -1: it cannot be read (errno). */
int mgl_is_packed(const char *path, const char *kind);

uint32_t mgl_unpack_u32(mgl_unpacker *file);
uint64_t mgl_unpack_u64(mgl_unpacker *file);
/* UTF-8 without NUL; lives as long as the unpacker. */
mgl_span mgl_unpack_text(mgl_unpacker *file);
/* A number of elements of at least so many bytes each; 0 and failed if the file is too short for
 * them. */
size_t mgl_unpack_count(mgl_unpacker *file, size_t bytes_each);
/* Copies n numbers, each below limit. */
void mgl_unpack_u32s(mgl_unpacker *file, uint32_t *out, size_t n, uint32_t limit);
/* The same for counts of records; returns their sum, which is at most MGL_PACKED_RECORDS, so that
 * sums and products of counts stay within their types. */
#define MGL_PACKED_RECORDS ((uint64_t)1 << 40)
uint64_t mgl_unpack_counts(mgl_unpacker *file, uint64_t *out, size_t n);
/* Zeroed room in the arena, and a text kept there; NULL when memory is out. */
void *mgl_unpack_room(mgl_unpacker *file, size_t n, size_t size);
const char *mgl_unpack_kept(mgl_unpacker *file);
/* The columns of a table with their roles, as mgl_pack_columns writes them; returns how many. */
size_t mgl_unpack_columns(mgl_unpacker *file, const char ***columns, mgl_role **roles);
static inline bool mgl_unpack_goes_on(const mgl_unpacker *file)
{
    return !file->failed && !file->out_of_memory;
}
/* MGL_SYSTEM if memory was out, MGL_DATA if something was wrong or is left over. */
mgl_status mgl_unpack_check(const mgl_unpacker *file, mgl_error *err);

#endif
