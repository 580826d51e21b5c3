/* The inner loops for counts of two bytes, in vectors of 32 bytes. kernels.c chooses them where the
 * processor has AVX2. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define WIDTH 32
#define LANE uint16_t
#define KERNEL mgl_by_size_kernel16_avx2
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#include "search/fulldomain/by_size/kernel.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int mgl_by_size_kernel16_needs_an_x86;
#endif
