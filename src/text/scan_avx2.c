/* Finds the bytes that separate cells with AVX2. */
#include "text/scan.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,popcnt,bmi")))

AVX2 static inline uint64_t to_bits(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high)
                                                     << 32;
}

AVX2 static inline uint64_t equal_bits(__m256i low, __m256i high, char byte)
{
    __m256i wanted = _mm256_set1_epi8(byte);
    return to_bits(_mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted));
}

AVX2 void mgl_scan_avx2(const char *block64, char delimiter, mgl_scan_masks *out)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)block64);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(block64 + 32));
    out->delimiter = equal_bits(low, high, delimiter);
    out->newline = equal_bits(low, high, '\n');
    out->quote = equal_bits(low, high, '"');
    out->carriage_return = equal_bits(low, high, '\r');
    out->nul = equal_bits(low, high, '\0') != 0;
    out->high = _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0;
}

/* The places of the set bits, as mgl_scan_places; written again because a function
 * without the target attribute would do without tzcnt and popcnt. */
AVX2 static inline size_t places(uint64_t mask, uint32_t base, uint32_t *ends)
{
    size_t n = (size_t)_mm_popcnt_u64(mask);
    for (int i = 0; i < 8; i++) {
        ends[i] = base + (uint32_t)_tzcnt_u64(mask);
        mask = _blsr_u64(mask);
    }
    for (size_t i = 8; i < n; i++) {
        ends[i] = base + (uint32_t)_tzcnt_u64(mask);
        mask = _blsr_u64(mask);
    }
    return n;
}

AVX2 mgl_scan_run mgl_scan_run_avx2(const char *data, size_t size, char delimiter, uint32_t base,
                                    uint32_t *ends)
{
    const __m256i wanted = _mm256_set1_epi8(delimiter), newline = _mm256_set1_epi8('\n'),
                  quote = _mm256_set1_epi8('"'), carriage_return = _mm256_set1_epi8('\r'),
                  zero = _mm256_setzero_si256();
    mgl_scan_run run = {0};
    for (; run.bytes + 64 <= size; run.bytes += 64) {
        const char *block64 = data + run.bytes;
        __m256i line[2], end[2], returns[2], rare = zero, bytes = zero;
        for (int i = 0; i < 2; i++) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(block64 + 32 * i));
            line[i] = _mm256_cmpeq_epi8(v, newline);
            end[i] = _mm256_or_si256(line[i], _mm256_cmpeq_epi8(v, wanted));
            returns[i] = _mm256_cmpeq_epi8(v, carriage_return);
            rare = _mm256_or_si256(rare, _mm256_cmpeq_epi8(v, quote));
            rare = _mm256_or_si256(rare, _mm256_cmpeq_epi8(v, zero));
            bytes = _mm256_or_si256(bytes, v);
        }
        uint64_t lines = to_bits(line[0], line[1]), cr = to_bits(returns[0], returns[1]);
        if (_mm256_movemask_epi8(rare) != 0 || (cr & ~mgl_scan_before_newline(lines, block64)) != 0)
            break;
        run.carriage_returns |= cr != 0;
        run.high |= _mm256_movemask_epi8(bytes) != 0; /* top bits only */
        run.n_newlines += (size_t)_mm_popcnt_u64(lines);
        run.n_ends +=
            places(to_bits(end[0], end[1]), base + (uint32_t)run.bytes, ends + run.n_ends);
    }
    return run;
}
#else
typedef int scan_avx2_needs_an_x86;
#endif
