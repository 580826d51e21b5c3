/* Large pages of the system. */
#ifndef MGL_BASE_LARGE_PAGES_H
#define MGL_BASE_LARGE_PAGES_H

#include <stddef.h>

void mgl_use_large_pages(void *memory, size_t size);

#endif
