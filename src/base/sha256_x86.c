/* SHA-256 with the SHA extensions of x86-64. Nothing here may run before mgl_sys_has_sha256 says
 * so. sha256.c chooses it. */
#include "base/sha256_paths.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define WITH_SHA __attribute__((target("sha,sse4.1,ssse3")))

/* The instructions want the eight values as abef and cdgh, the highest first. */
typedef struct halves {
    __m128i abef, cdgh;
} halves;

WITH_SHA static inline halves load_state(const uint32_t state[8])
{
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)state), 0xb1);
    __m128i hgfe =
        _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)(state + 4)), 0x1b);
    return (halves){_mm_alignr_epi8(badc, hgfe, 8), _mm_blend_epi16(hgfe, badc, 0xf0)};
}

WITH_SHA static inline void store_state(halves h, uint32_t state[8])
{
    __m128i feba = _mm_shuffle_epi32(h.abef, 0x1b), dchg = _mm_shuffle_epi32(h.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

WITH_SHA static inline halves four_rounds(halves h, __m128i words, size_t round)
{
    const __m128i *constants = (const __m128i *)(const void *)(mgl_sha256_constants + round);
    __m128i sum = _mm_add_epi32(words, _mm_loadu_si128(constants));
    h.cdgh = _mm_sha256rnds2_epu32(h.cdgh, h.abef, sum);
    h.abef = _mm_sha256rnds2_epu32(h.abef, h.cdgh, _mm_shuffle_epi32(sum, 0x0e));
    return h;
}

WITH_SHA static inline __m128i load_words(const unsigned char *bytes)
{
    const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)bytes), order);
}

WITH_SHA static inline __m128i next_words(const __m128i w[4], size_t i)
{
    __m128i sum = _mm_sha256msg1_epu32(w[i], w[(i + 1) % 4]);
    sum = _mm_add_epi32(sum, _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
    return _mm_sha256msg2_epu32(sum, w[(i + 3) % 4]);
}

WITH_SHA void mgl_sha256_instructions(uint32_t state[8], const unsigned char *blocks, size_t n)
{
    halves h = load_state(state);
    for (; n > 0; n--, blocks += MGL_SHA256_BLOCK) {
        const halves before = h;
        __m128i w[4];
        for (size_t i = 0; i < 4; i++)
            w[i] = load_words(blocks + 16 * i);
        for (size_t round = 0; round < 48; round += 16)
            for (size_t i = 0; i < 4; i++) {
                h = four_rounds(h, w[i], round + 4 * i);
                w[i] = next_words(w, i);
            }
        for (size_t i = 0; i < 4; i++)
            h = four_rounds(h, w[i], 48 + 4 * i);
        h.abef = _mm_add_epi32(h.abef, before.abef);
        h.cdgh = _mm_add_epi32(h.cdgh, before.cdgh);
    }
    store_state(h, state);
}
#endif
