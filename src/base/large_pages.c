/* Asks the system for large pages for large blocks of memory: a fresh block then costs one fault
 * for 2 MB instead of 512, and what is read and written here and there finds its pages sooner. */
#define _DEFAULT_SOURCE /* madvise; calls that only glibc has stay in base */
#include "base/large_pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Where the memory covers whole ones. Nothing happens where the system has none. */
void mgl_use_large_pages(void *memory, size_t size)
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
void *mgl_alloc_on_large_pages(size_t size)
{
#ifdef MADV_HUGEPAGE
    void *memory = NULL;
    if (posix_memalign(&memory, MGL_LARGE_PAGE, size) != 0)
        return NULL;
    mgl_use_large_pages(memory, size);
    return memory;
#else
    return malloc(size);
#endif
}
