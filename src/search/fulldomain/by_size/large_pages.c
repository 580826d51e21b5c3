/* Asks the system for large pages for tables, which are read and written here and there: finding a
 * page takes as long as reading it otherwise. table_memory.c calls it. */
#include "search/fulldomain/by_size/counts.h"

#include <sys/mman.h>

/* Where the memory covers whole ones. Nothing happens where the system has none. */
void mgl_by_size_use_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = UINTPTR_C(2) << 20;
    uintptr_t start = (uintptr_t)memory;
    uintptr_t first = (start + page - 1) / page * page, end = (start + size) / page * page;
    if (first < end)
        madvise((char *)memory + (first - start), end - first, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}
