/* The inner loops for counts of one byte: k up to 255. kernels.c chooses them. */
#define COUNT_BITS 8
#define KERNEL mgl_by_size_kernel8
#include "search/fulldomain/by_size/kernel.h"
