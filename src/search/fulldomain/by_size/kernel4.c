/* The inner loops for counts of half a byte: k up to 15. kernels.c chooses them. */
#define COUNT_BITS 4
#define KERNEL mgl_by_size_kernel4
#include "search/fulldomain/by_size/kernel.h"
