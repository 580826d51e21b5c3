/* SHA-256 with the instructions of ARMv8. Compiled for processors that have them: nothing here may
 * run before mgl_sys_has_sha256 returned true. sha256.c chooses it. */
#include "base/sha256_paths.h"

#if defined(__aarch64__)
#include <arm_neon.h>

typedef struct halves {
    uint32x4_t abcd, efgh;
} halves;

/* Four rounds. */
static inline halves four_rounds(halves h, uint32x4_t words, size_t round)
{
    uint32x4_t sum = vaddq_u32(words, vld1q_u32(mgl_sha256_constants + round));
    return (halves){vsha256hq_u32(h.abcd, h.efgh, sum), vsha256h2q_u32(h.efgh, h.abcd, sum)};
}

static inline uint32x4_t load_words(const unsigned char *bytes)
{
    return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes)));
}

/* The sixteen words that follow from the sixteen before, four at a time. */
static inline uint32x4_t next_words(const uint32x4_t w[4], size_t i)
{
    uint32x4_t sum = vsha256su0q_u32(w[i], w[(i + 1) % 4]);
    return vsha256su1q_u32(sum, w[(i + 2) % 4], w[(i + 3) % 4]);
}

/* Written out: in a loop the words would not stay in registers. */
static inline halves sixteen_rounds(halves h, const uint32x4_t w[4], size_t round)
{
    h = four_rounds(h, w[0], round);
    h = four_rounds(h, w[1], round + 4);
    h = four_rounds(h, w[2], round + 8);
    return four_rounds(h, w[3], round + 12);
}

static inline void next_sixteen(uint32x4_t w[4])
{
    w[0] = next_words(w, 0);
    w[1] = next_words(w, 1);
    w[2] = next_words(w, 2);
    w[3] = next_words(w, 3);
}

void mgl_sha256_instructions(uint32_t state[8], const unsigned char *blocks, size_t n)
{
    halves h = {vld1q_u32(state), vld1q_u32(state + 4)};
    for (; n > 0; n--, blocks += MGL_SHA256_BLOCK) {
        const halves before = h;
        uint32x4_t w[4] = {load_words(blocks), load_words(blocks + 16), load_words(blocks + 32),
                           load_words(blocks + 48)};
        h = sixteen_rounds(h, w, 0);
        next_sixteen(w);
        h = sixteen_rounds(h, w, 16);
        next_sixteen(w);
        h = sixteen_rounds(h, w, 32);
        next_sixteen(w);
        h = sixteen_rounds(h, w, 48);
        h.abcd = vaddq_u32(h.abcd, before.abcd);
        h.efgh = vaddq_u32(h.efgh, before.efgh);
    }
    vst1q_u32(state, h.abcd);
    vst1q_u32(state + 4, h.efgh);
}
#endif
