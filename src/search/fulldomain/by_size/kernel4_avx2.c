/* The inner loops for counts of half a byte, in vectors of 32 bytes. kernels.c chooses them where
 * the processor has AVX2. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define WIDTH 32
#define HALF_BYTES 1
#define LANE uint8_t
#define KERNEL mgl_by_size_kernel4_avx2
#define ZIP_LOW(a, b)                                                                              \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b)                                                                             \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#include "search/fulldomain/by_size/kernel.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int mgl_by_size_kernel4_needs_an_x86;
#endif
