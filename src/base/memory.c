/* Allocation with a check for overflow, arrays that grow, and arenas, which are freed as a whole.
 * All modules allocate here, from the allocator of the current call, so that tests can make any
 * allocation fail. */
#define _DEFAULT_SOURCE /* madvise; calls that only glibc has stay in base */
#include "base/memory.h"
#include "base/call.h"
#include "base/fault.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- Large pages -------------------------------------------------------------------------- */

enum { MGL_LARGE_PAGE = 2 << 20 };

/* Where the memory covers whole ones. Nothing happens where the system has none. */
static void use_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = MGL_LARGE_PAGE;
    uintptr_t start = (uintptr_t)memory;
    uintptr_t first = (start + page - 1) / page * page, end = (start + size) / page * page;
    if (first < end)
        madvise((char *)memory + (first - start), end - first, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}

/* Wherever else it began, a block of 3 MB might have room for none of them. */
static void *alloc_on_large_pages(size_t size)
{
#ifdef MADV_HUGEPAGE
    void *memory = NULL;
    if (posix_memalign(&memory, MGL_LARGE_PAGE, size) != 0)
        return NULL;
    use_large_pages(memory, size);
    return memory;
#else
    return malloc(size);
#endif
}

enum { LARGE = 2 * MGL_LARGE_PAGE }; /* a whole large page lies in it, wherever it begins */

/* NULL: malloc and its like. */
static const mgl_allocator *own_allocator(void)
{
    const mgl_call *call = mgl_call_current();
    return call != NULL && call->allocator.allocate != NULL ? &call->allocator : NULL;
}

/* Memory of malloc and its like on large pages, if there is much of it. */
static void *on_large_pages(void *data, size_t size)
{
    if (data != NULL && size >= LARGE)
        use_large_pages(data, size);
    return data;
}

void *mgl_alloc(size_t size)
{
    if (mgl_fault_hits(MGL_FAULT_MEMORY))
        return NULL;
    const mgl_allocator *own = own_allocator();
    size = size > 0 ? size : 1;
    return own != NULL ? own->allocate(own->user, size) : on_large_pages(malloc(size), size);
}

void *mgl_alloc_to_fill(size_t n, size_t size)
{
    bool small = size == 0 || n < MGL_LARGE_PAGE / size, too_large = !small && n > SIZE_MAX / size;
    if (own_allocator() != NULL || small || too_large)
        return mgl_alloc_array(n, size);
    return mgl_fault_hits(MGL_FAULT_MEMORY) ? NULL : alloc_on_large_pages(n * size);
}

void *mgl_alloc_array(size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / size)
        return NULL;
    return mgl_alloc(n * size);
}

void *mgl_zeroed_array(size_t n, size_t size)
{
    if (own_allocator() != NULL) {
        void *data = mgl_alloc_array(n, size);
        return data != NULL ? memset(data, 0, n * size) : NULL;
    }
    if (mgl_fault_hits(MGL_FAULT_MEMORY))
        return NULL;
    void *data = calloc(n > 0 ? n : 1, size > 0 ? size : 1);
    return on_large_pages(data, n * size);
}

void *mgl_realloc_array(void *data, size_t n, size_t size)
{
    if (data == NULL)
        return mgl_alloc_array(n, size);
    if (mgl_fault_hits(MGL_FAULT_MEMORY) || (size != 0 && n > SIZE_MAX / size))
        return NULL;
    const mgl_allocator *own = own_allocator();
    size_t wanted = n * size > 0 ? n * size : 1;
    return own != NULL ? own->reallocate(own->user, data, wanted)
                       : on_large_pages(realloc(data, wanted), wanted);
}

void mgl_free(void *data)
{
    const mgl_allocator *own = own_allocator();
    if (own == NULL)
        free(data);
    else if (data != NULL)
        own->release(own->user, data);
}

bool mgl_grow(void *data, size_t *capacity, size_t needed, size_t element_size)
{
    if (needed <= *capacity)
        return true;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < needed)
        wanted = needed;
    if (wanted < 16)
        wanted = 16;
    void *old;
    memcpy(&old, data, sizeof old);
    void *grown = mgl_realloc_array(old, wanted, element_size);
    if (grown == NULL)
        return false;
    memcpy(data, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

enum { BLOCK_SIZE = 64 * 1024, ALIGNMENT = 16 };

typedef struct block {
    struct block *next;
    size_t used, size;
    _Alignas(ALIGNMENT) char data[];
} block;

struct mgl_arena {
    block *first;
};

mgl_arena *mgl_arena_new(void)
{
    return mgl_zeroed_array(1, sizeof(mgl_arena));
}

void *mgl_arena_alloc(mgl_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block *first = arena->first;
    if (first == NULL || first->size - first->used < rounded) {
        size_t room = rounded > BLOCK_SIZE ? rounded : BLOCK_SIZE;
        block *fresh = mgl_alloc(sizeof(block) + room);
        if (fresh == NULL)
            return NULL;
        *fresh = (block){.next = first, .used = 0, .size = room};
        arena->first = first = fresh;
    }
    void *result = first->data + first->used;
    first->used += rounded;
    return result;
}

char *mgl_arena_copy(mgl_arena *arena, const char *data, size_t size)
{
    char *copy = mgl_arena_alloc(arena, size + 1);
    if (copy == NULL)
        return NULL;
    if (size > 0)
        memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}

char *mgl_arena_format(mgl_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = size >= 0 ? mgl_arena_alloc(arena, (size_t)size + 1) : NULL;
    if (text != NULL)
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

void mgl_arena_free(mgl_arena *arena)
{
    if (arena == NULL)
        return;
    for (block *b = arena->first, *next; b != NULL; b = next) {
        next = b->next;
        mgl_free(b);
    }
    mgl_free(arena);
}

typedef struct mgl_owned_block {
    struct mgl_owned_block *before;
    _Alignas(ALIGNMENT) char data[];
} mgl_owned_block;

static void *own(mgl_owned *owned, mgl_owned_block *fresh)
{
    owned->missing = fresh == NULL;
    if (fresh == NULL)
        return NULL;
    fresh->before = owned->last;
    owned->last = fresh;
    return fresh->data;
}

/* Of the array with its header; 0: it cannot be, or nothing can any more. */
static size_t owned_size(const mgl_owned *owned, size_t n, size_t size)
{
    bool too_large = size != 0 && n > (SIZE_MAX - sizeof(mgl_owned_block)) / size;
    return owned->missing || too_large ? 0 : sizeof(mgl_owned_block) + n * size;
}

void *mgl_own_array(mgl_owned *owned, size_t n, size_t size)
{
    size_t whole = owned_size(owned, n, size);
    return own(owned, whole > 0 ? mgl_alloc(whole) : NULL);
}

void *mgl_own_zeroed(mgl_owned *owned, size_t n, size_t size)
{
    size_t whole = owned_size(owned, n, size);
    return own(owned, whole > 0 ? mgl_zeroed_array(1, whole) : NULL);
}

void *mgl_own_rows(mgl_owned *owned, size_t n_rows, size_t n, size_t size)
{
    void **rows = mgl_own_array(owned, n_rows, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < n_rows; i++)
        rows[i] = mgl_own_array(owned, n, size);
    return rows;
}

void mgl_owned_free(mgl_owned *owned)
{
    for (mgl_owned_block *b = owned->last, *before; b != NULL; b = before) {
        before = b->before;
        mgl_free(b);
    }
    *owned = (mgl_owned){0};
}
