/* Large pages of the system. */
#ifndef MGL_BASE_LARGE_PAGES_H
#define MGL_BASE_LARGE_PAGES_H

#include <stddef.h>

enum { MGL_LARGE_PAGE = 2 << 20 };

void mgl_use_large_pages(void *memory, size_t size);

/* From malloc or its like, so that free and realloc take it; it begins with a large page. */
void *mgl_alloc_on_large_pages(size_t size);

#endif
