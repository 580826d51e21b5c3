/* Finds the bytes that separate cells with NEON. */
#include "text/scan.h"

#if defined(__aarch64__)
#include <arm_neon.h>

/* 64 bytes of 0x00 or 0xff as 64 bits. */
static inline uint64_t to_bits(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t ab = vpaddq_u8(vandq_u8(a, bit), vandq_u8(b, bit));
    uint8x16_t cd = vpaddq_u8(vandq_u8(c, bit), vandq_u8(d, bit));
    uint8x16_t all = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

static inline bool any(uint8x16_t a)
{
    return vmaxvq_u8(a) != 0;
}

static inline uint64_t equal_bits(const uint8x16_t v[4], uint8x16_t byte)
{
    return to_bits(vceqq_u8(v[0], byte), vceqq_u8(v[1], byte), vceqq_u8(v[2], byte),
                   vceqq_u8(v[3], byte));
}

static inline void load(const char *data, uint8x16_t v[4])
{
    for (int i = 0; i < 4; i++)
        v[i] = vld1q_u8((const uint8_t *)data + 16 * i);
}

void mgl_scan_neon(const char *block64, char delimiter, mgl_scan_masks *out)
{
    uint8x16_t v[4];
    load(block64, v);
    out->delimiter = equal_bits(v, vdupq_n_u8((uint8_t)delimiter));
    out->newline = equal_bits(v, vdupq_n_u8('\n'));
    out->quote = equal_bits(v, vdupq_n_u8('"'));
    out->carriage_return = equal_bits(v, vdupq_n_u8('\r'));
    uint8x16_t least = vminq_u8(vminq_u8(v[0], v[1]), vminq_u8(v[2], v[3]));
    uint8x16_t most = vmaxq_u8(vmaxq_u8(v[0], v[1]), vmaxq_u8(v[2], v[3]));
    out->nul = vminvq_u8(least) == 0;
    out->high = vmaxvq_u8(most) >= 0x80;
}

/* What a run looks for, 16 bytes at a time. gcc keeps these in registers; arrays over
 * the four quarters of a block it would put on the stack. */
typedef struct quarter {
    uint8x16_t bytes, line, end, carriage_return, special;
} quarter;

static inline quarter look(const char *data, uint8x16_t delimiter)
{
    const uint8x16_t newline = vdupq_n_u8('\n');
    quarter q;
    q.bytes = vld1q_u8((const uint8_t *)data);
    q.line = vceqq_u8(q.bytes, newline);
    q.end = vorrq_u8(q.line, vceqq_u8(q.bytes, delimiter));
    q.carriage_return = vceqq_u8(q.bytes, vdupq_n_u8('\r'));
    uint8x16_t next_line = vceqq_u8(vld1q_u8((const uint8_t *)data + 1), newline);
    q.special =
        vorrq_u8(vceqq_u8(q.bytes, vdupq_n_u8('"')), vbicq_u8(q.carriage_return, next_line));
    return q;
}

static inline uint8x16_t either(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    return vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d));
}

mgl_scan_run mgl_scan_run_neon(const char *data, size_t size, char delimiter, uint32_t base,
                               uint32_t *ends)
{
    const uint8x16_t wanted = vdupq_n_u8((uint8_t)delimiter);
    uint16x8_t n_newlines = vdupq_n_u16(0); /* enough for MGL_SCAN_RUN bytes */
    uint8x16_t returns = vdupq_n_u8(0), bytes = vdupq_n_u8(0);
    mgl_scan_run run = {0};
    for (; run.bytes + 64 <= size; run.bytes += 64) {
        const char *block64 = data + run.bytes;
        quarter a = look(block64, wanted), b = look(block64 + 16, wanted),
                c = look(block64 + 32, wanted), d = look(block64 + 48, wanted);
        uint8x16_t special = either(a.special, b.special, c.special, d.special);
        uint8x16_t least = vminq_u8(vminq_u8(a.bytes, b.bytes), vminq_u8(c.bytes, d.bytes));
        if (any(vorrq_u8(special, vceqzq_u8(least))))
            break;
        bytes = vorrq_u8(bytes, either(a.bytes, b.bytes, c.bytes, d.bytes));
        returns = either(returns, vorrq_u8(a.carriage_return, b.carriage_return), c.carriage_return,
                         d.carriage_return);
        uint8x16_t lines = vaddq_u8(vaddq_u8(a.line, b.line), vaddq_u8(c.line, d.line));
        n_newlines =
            vpadalq_u8(n_newlines, vreinterpretq_u8_s8(vnegq_s8(vreinterpretq_s8_u8(lines))));
        run.n_ends += mgl_scan_places(to_bits(a.end, b.end, c.end, d.end),
                                      base + (uint32_t)run.bytes, ends + run.n_ends);
    }
    run.n_newlines = vaddlvq_u16(n_newlines);
    run.carriage_returns = any(returns);
    run.high = vmaxvq_u8(bytes) >= 0x80;
    return run;
}
#else
typedef int scan_neon_needs_an_arm;
#endif
