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

/* What stands in front of the body, into a buffer that remembers a failure; at the end the size is
 * filled in and the checksum appended. */
void mgl_pack_begin(mgl_buffer *file, const char *kind);
mgl_status mgl_pack_end(mgl_buffer *file, mgl_error *err);

/* Is it a file of that kind? 1: yes, 0: no, -1: it cannot be read (errno). */
int mgl_is_packed(const char *path, const char *kind);

typedef struct mgl_packed {
    mgl_buffer *out; /* NULL: it is read, and what is read becomes what is pointed to */
    const char *path;
    char *data; /* the whole file */
    size_t at, end;
    mgl_arena *arena;   /* where what is read is kept; borrowed */
    bool failed;        /* the file announces more than it holds, or is inconsistent */
    bool out_of_memory; /* there was no room for it */
} mgl_packed;

typedef void mgl_body_fn(mgl_packed *file, void *content);
/* Reads the file by `body` into the content, and refuses it (MGL_DATA) unless it is whole and of
 * that kind; what names it in messages. */
mgl_status mgl_packed_read(const char *path, const char *kind, const char *what, mgl_arena *arena,
                           mgl_body_fn *body, void *content, mgl_error *err);
/* The file as bytes. Of the content nothing changes. */
mgl_status mgl_packed_write(const char *kind, mgl_body_fn *body, const void *content,
                            mgl_error *err, mgl_buffer *out);

static inline bool mgl_packed_goes_on(const mgl_packed *file)
{
    return file->out != NULL || (!file->failed && !file->out_of_memory);
}

/* Is there more of the body to read? */
static inline bool mgl_packed_has_more(const mgl_packed *file)
{
    return file->out == NULL && mgl_packed_goes_on(file) && file->at < file->end;
}

void mgl_packed_u32(mgl_packed *file, uint32_t *value);
/* The same below a limit; or MGL_NOT_FOUND. */
void mgl_packed_below(mgl_packed *file, uint32_t *value, uint32_t limit);
void mgl_packed_choice(mgl_packed *file, uint32_t *value, uint32_t limit);
void mgl_packed_u64(mgl_packed *file, uint64_t *value);
void mgl_packed_double(mgl_packed *file, double *value);
/* UTF-8 without NUL. */
void mgl_packed_text(mgl_packed *file, const char **text);
void mgl_packed_span(mgl_packed *file, mgl_span *text);
/* A number of elements of at least so many bytes each; 0 and failed if the file is too short for
 * them. */
void mgl_packed_count(mgl_packed *file, size_t *n, size_t bytes_each);
/* n numbers, each below the limit; or with *values made where they are read. */
void mgl_packed_numbers(mgl_packed *file, uint32_t *values, size_t n, uint32_t limit);
void mgl_packed_u32s(mgl_packed *file, uint32_t **values, size_t n, uint32_t limit);
/* The same for counts of records; returns their sum, which is at most MGL_PACKED_RECORDS, so that
 * sums and products of counts stay within their types. */
#define MGL_PACKED_RECORDS ((uint64_t)1 << 40)
uint64_t mgl_packed_counts(mgl_packed *file, uint64_t *values, size_t n);
/* Zeroed room in the arena where it is read; data points to the pointer to it. */
void mgl_packed_room(mgl_packed *file, void *data, size_t n, size_t size);
/* The columns of a table with their roles. */
void mgl_packed_columns(mgl_packed *file, const char ***columns, mgl_role **roles, size_t *n);
/* The number of the missing value and of all values of a dictionary, of at least so many bytes
 * each, and its value of a code. */
void mgl_packed_values(mgl_packed *file, const mgl_dictionary *values, uint32_t *missing, size_t *n,
                       size_t bytes_each);
void mgl_packed_value(mgl_packed *file, mgl_dictionary *values, uint32_t code, uint32_t missing);

#endif
