/* SHA-256 with the instructions of ARMv8. Compiled for processors that have them: nothing here may
 * run before mgl_sys_has_sha256 says so. */
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

void mgl_sha256_instructions(uint32_t state[8], const unsigned char *blocks, size_t n)
{
    halves h = {vld1q_u32(state), vld1q_u32(state + 4)};
    for (; n > 0; n--, blocks += MGL_SHA256_BLOCK) {
        const halves before = h;
        uint32x4_t w[4];
        for (size_t i = 0; i < 4; i++)
            w[i] = load_words(blocks + 16 * i);
        for (size_t round = 0; round < 48; round += 16)
            for (size_t i = 0; i < 4; i++) {
                h = four_rounds(h, w[i], round + 4 * i);
                w[i] = next_words(w, i);
            }
        for (size_t i = 0; i < 4; i++)
            h = four_rounds(h, w[i], 48 + 4 * i);
        h.abcd = vaddq_u32(h.abcd, before.abcd);
        h.efgh = vaddq_u32(h.efgh, before.efgh);
    }
    vst1q_u32(state, h.abcd);
    vst1q_u32(state + 4, h.efgh);
}
#endif
