/* Chooses how the bytes that separate cells are found, and finds them eight at a time where there
 * is no SIMD. */
#include "text/scan.h"

#define EACH_BYTE 0x0101010101010101u

/* The top bit of each byte of word that equals the byte. */
static inline uint64_t equal_bytes(uint64_t word, unsigned char byte)
{
    uint64_t x = word ^ (EACH_BYTE * byte);
    const uint64_t low = EACH_BYTE * 0x7f;
    return ~(((x & low) + low) | x | low);
}

/* The eight top bits gathered into a byte. */
static inline uint64_t gather(uint64_t tops)
{
    return ((tops >> 7) * 0x0102040810204080u) >> 56;
}

static void scan_portable(const char *block64, char delimiter, mgl_scan_masks *out)
{
    uint64_t nul = 0, high = 0;
    mgl_scan_masks masks = {0};
    for (int i = 0; i < 8; i++) {
        uint64_t word;
        memcpy(&word, block64 + 8 * i, sizeof word);
        int shift = 8 * i;
        masks.delimiter |= gather(equal_bytes(word, (unsigned char)delimiter)) << shift;
        masks.newline |= gather(equal_bytes(word, '\n')) << shift;
        masks.quote |= gather(equal_bytes(word, '"')) << shift;
        masks.carriage_return |= gather(equal_bytes(word, '\r')) << shift;
        nul |= equal_bytes(word, 0);
        high |= word & (EACH_BYTE << 7);
    }
    masks.nul = nul != 0;
    masks.high = high != 0;
    *out = masks;
}

static mgl_scan_run scan_run_portable(const char *data, size_t size, char delimiter, uint32_t base,
                                      uint32_t *ends)
{
    mgl_scan_run run = {0};
    for (; run.bytes + 64 <= size; run.bytes += 64) {
        mgl_scan_masks masks;
        scan_portable(data + run.bytes, delimiter, &masks);
        uint64_t stray =
            masks.carriage_return & ~mgl_scan_before_newline(masks.newline, data + run.bytes);
        if (masks.quote != 0 || stray != 0 || masks.nul)
            break;
        run.high |= masks.high;
        run.carriage_returns |= masks.carriage_return != 0;
        run.n_ends += mgl_scan_places(masks.delimiter | masks.newline, base + (uint32_t)run.bytes,
                                      ends + run.n_ends);
        run.n_newlines += (size_t)__builtin_popcountll(masks.newline);
    }
    return run;
}

static const mgl_scan_path paths[] = {
    {"portable", scan_portable, scan_run_portable},
#if defined(__aarch64__)
    {"neon", mgl_scan_neon, mgl_scan_run_neon},
#elif defined(__x86_64__)
    {"avx2", mgl_scan_avx2, mgl_scan_run_avx2},
#endif
};

size_t mgl_scan_paths(const mgl_scan_path **out)
{
    *out = paths;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi"))
        return 1;
#endif
    return sizeof paths / sizeof *paths;
}

const mgl_scan_path *mgl_scan_best(void)
{
    const mgl_scan_path *all;
    size_t n = mgl_scan_paths(&all);
    return &all[n - 1];
}
