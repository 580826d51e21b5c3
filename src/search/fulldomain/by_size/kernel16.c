/* The inner loops for counts of two bytes: k up to 65535, or all sizes of such tables.
 * kernels.c chooses them. */
#define LANE uint16_t
#define KERNEL mgl_by_size_kernel16
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#include "search/fulldomain/by_size/kernel.h"
