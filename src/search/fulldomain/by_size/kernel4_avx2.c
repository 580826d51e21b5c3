/* The inner loops for counts of half a byte, in vectors of 32 bytes. kernels.c chooses them where
 * the processor has AVX2. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define WIDTH 32
#define COUNT_BITS 4
#define KERNEL mgl_by_size_kernel4_avx2
#include "search/fulldomain/by_size/kernel.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int mgl_by_size_kernel4_needs_an_x86;
#endif
