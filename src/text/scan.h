/* The ways to find separators, one file each; see text.h. */
#ifndef MGL_TEXT_SCAN_H
#define MGL_TEXT_SCAN_H

#include "text/text.h"

#if defined(__aarch64__)
mgl_scan_fn mgl_scan_neon;
mgl_scan_run_fn mgl_scan_run_neon;
#elif defined(__x86_64__)
mgl_scan_fn mgl_scan_avx2;
mgl_scan_run_fn mgl_scan_run_avx2;
#endif

/* The bytes of the 64 that a line feed follows. */
static inline uint64_t mgl_scan_before_newline(uint64_t newline, const char *block64)
{
    return newline >> 1 | (uint64_t)(block64[64] == '\n') << 63;
}

/* Writes the places of the set bits and returns their number. Eight are written
 * whether they are there or not: that is cheaper than a loop whose length the
 * processor cannot guess. The top bit is set so that there always is one to find. */
static inline size_t mgl_scan_places(uint64_t mask, uint32_t base, uint32_t *ends)
{
    const uint64_t top = (uint64_t)1 << 63;
    size_t n = (size_t)__builtin_popcountll(mask);
    for (int i = 0; i < 8; i++) {
        ends[i] = base + (uint32_t)__builtin_ctzll(mask | top);
        mask &= mask - 1;
    }
    for (size_t i = 8; i < n; i++) {
        ends[i] = base + (uint32_t)__builtin_ctzll(mask);
        mask &= mask - 1;
    }
    return n;
}

#endif
