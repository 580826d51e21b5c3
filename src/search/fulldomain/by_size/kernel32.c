/* The inner loops for counts of four bytes, for all other k. kernels.c chooses them. */
#define COUNT_BITS 32
#define KERNEL mgl_by_size_kernel32
#include "search/fulldomain/by_size/kernel.h"
