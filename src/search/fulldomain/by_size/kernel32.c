/* The inner loops for counts of four bytes, for all other k. kernels.c chooses them. */
#define LANE uint32_t
#define KERNEL mgl_by_size_kernel32
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#include "search/fulldomain/by_size/kernel.h"
