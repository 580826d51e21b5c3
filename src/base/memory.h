/* All memory of the library comes from here, so that a test can make any one
 * allocation fail (see fault.h). */
#ifndef MGL_BASE_MEMORY_H
#define MGL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

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

/* An arena hands out memory that is freed all at once. */
typedef struct mgl_arena mgl_arena;
mgl_arena *mgl_arena_new(void); /* NULL when memory is out; free with mgl_arena_free */
void *mgl_arena_alloc(mgl_arena *arena, size_t size); /* 16-byte aligned, NULL when memory is out */
char *mgl_arena_copy(mgl_arena *arena, const char *data, size_t size); /* adds a NUL byte */
void mgl_arena_free(mgl_arena *arena);

#endif
