/* All memory of the library comes from here, so that a test can make any one
 * allocation fail (see fault.h). */
#ifndef MGL_BASE_MEMORY_H
#define MGL_BASE_MEMORY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void *mgl_alloc(size_t size);                 /* never NULL for size 0 unless memory is out */
void *mgl_alloc_array(size_t n, size_t size); /* NULL when n * size overflows */
/* The same for what will be filled from its beginning to its end: large blocks begin with a large
 * page, which is there as a whole as soon as some of it is written. */
void *mgl_alloc_to_fill(size_t n, size_t size);
void *mgl_zeroed_array(size_t n, size_t size);
void *mgl_realloc_array(void *data, size_t n, size_t size);
void mgl_free(void *data);

/* Makes room for at least needed elements, growing by half. data points to the
 * pointer, which keeps its old value on failure. */
bool mgl_grow(void *data, size_t *capacity, size_t needed, size_t element_size);

/* The same as statuses: "out of memory" unless there is enough. `out` points to the pointer, which
 * is NULL after a failure. */
static inline mgl_status mgl_check_memory(bool enough, mgl_error *err)
{
    return enough ? MGL_OK : mgl_fail_memory(err);
}

static inline mgl_status mgl_new_array(size_t n, size_t size, mgl_error *err, void *out)
{
    void *data = mgl_alloc_array(n, size);
    memcpy(out, &data, sizeof data);
    return mgl_check_memory(data != NULL, err);
}

static inline mgl_status mgl_new_zeroed(size_t n, size_t size, mgl_error *err, void *out)
{
    void *data = mgl_zeroed_array(n, size);
    memcpy(out, &data, sizeof data);
    return mgl_check_memory(data != NULL, err);
}

static inline mgl_status mgl_grow_array(void *data, size_t *capacity, size_t needed,
                                        size_t element_size, mgl_error *err)
{
    return mgl_check_memory(mgl_grow(data, capacity, needed, element_size), err);
}

/* An arena hands out memory that is freed all at once. */
typedef struct mgl_arena mgl_arena;
mgl_arena *mgl_arena_new(void); /* NULL when memory is out; free with mgl_arena_free */
void *mgl_arena_alloc(mgl_arena *arena, size_t size); /* 16-byte aligned, NULL when memory is out */
char *mgl_arena_copy(mgl_arena *arena, const char *data, size_t size); /* adds a NUL byte */
char *mgl_arena_format(mgl_arena *arena, const char *format, ...) MGL_PRINTF(2, 3); /* likewise */
void mgl_arena_free(mgl_arena *arena);

/* Arrays of one owner, which are freed together. All zero in the beginning. An array that there is
 * no memory for is NULL, as all are from then on; mgl_owned_check says so, and is to be asked
 * before any of them is used. */
typedef struct mgl_owned {
    struct mgl_owned_block *last;
    bool missing;
} mgl_owned;

void *mgl_own_array(mgl_owned *owned, size_t n, size_t size);
void *mgl_own_zeroed(mgl_owned *owned, size_t n, size_t size);
void *mgl_own_rows(mgl_owned *owned, size_t n_rows, size_t n, size_t size); /* pointers to arrays */
static inline mgl_status mgl_owned_check(const mgl_owned *owned, mgl_error *err)
{
    return mgl_check_memory(!owned->missing, err);
}
void mgl_owned_free(mgl_owned *owned); /* all zero again */

#endif
