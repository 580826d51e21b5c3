/* The inner loops for counts of one byte, as plain code. */
#define MGL_PORTABLE
#define LANE uint8_t
#define KERNEL portable_kernel8
#define ZIP_LOW(a, b)                                                                              \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b)                                                                             \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#include "portable_kernels.h"
#include "search/fulldomain/by_size/kernel.h"
