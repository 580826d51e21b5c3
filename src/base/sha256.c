/* SHA-256 of bytes and of files, by instructions of the processor where it has them. */
#include "base/sha256.h"
#include "base/memory.h"
#include "base/sha256_paths.h"
#include "base/sys.h"

#include <stddef.h>
#include <string.h>

/* ---- In plain C --------------------------------------------------------------------------- */

const uint32_t mgl_sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void schedule(const unsigned char *block, uint32_t w[64])
{
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (size_t i = 16; i < 64; i++) {
        uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

/* Round i of eight: only d and h change; the next one takes the eight values one place further on.
 */
static inline void do_round(uint32_t v[8], unsigned i, uint32_t word)
{
    uint32_t a = v[(8 - i) % 8], b = v[(9 - i) % 8], c = v[(10 - i) % 8];
    uint32_t e = v[(12 - i) % 8], f = v[(13 - i) % 8], g = v[(14 - i) % 8];
    uint32_t *d = &v[(11 - i) % 8], *h = &v[(15 - i) % 8];
    uint32_t one =
        *h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + word;
    *d += one;
    *h = one + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void take_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], v[8];
    memcpy(v, state, sizeof v);
    schedule(block, w);
    for (size_t i = 0; i < 64; i += 8) { /* written out: the places are constants */
        do_round(v, 0, w[i] + mgl_sha256_constants[i]);
        do_round(v, 1, w[i + 1] + mgl_sha256_constants[i + 1]);
        do_round(v, 2, w[i + 2] + mgl_sha256_constants[i + 2]);
        do_round(v, 3, w[i + 3] + mgl_sha256_constants[i + 3]);
        do_round(v, 4, w[i + 4] + mgl_sha256_constants[i + 4]);
        do_round(v, 5, w[i + 5] + mgl_sha256_constants[i + 5]);
        do_round(v, 6, w[i + 6] + mgl_sha256_constants[i + 6]);
        do_round(v, 7, w[i + 7] + mgl_sha256_constants[i + 7]);
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += v[i];
}

static void take_blocks_portably(uint32_t state[8], const unsigned char *blocks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        take_block(state, blocks + i * MGL_SHA256_BLOCK);
}

enum { BLOCK = 1 << 20 };

const mgl_sha256_path *mgl_sha256_paths(size_t *n)
{
    static const mgl_sha256_path portable[] = {{"portable", take_blocks_portably}};
#if defined(__aarch64__) || defined(__x86_64__)
    static const mgl_sha256_path both[] = {{"portable", take_blocks_portably},
                                           {"instructions", mgl_sha256_instructions}};
    if (mgl_sys_has_sha256()) {
        *n = 2;
        return both;
    }
#endif
    *n = 1;
    return portable;
}

static void take_blocks(mgl_sha256 *hash, const unsigned char *blocks, size_t n)
{
    size_t n_paths;
    const mgl_sha256_path *paths = mgl_sha256_paths(&n_paths);
    paths[n_paths - 1].take(hash->state, blocks, n);
}

void mgl_sha256_begin(mgl_sha256 *hash)
{
    *hash = (mgl_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void mgl_sha256_add(mgl_sha256 *hash, const void *data, size_t size)
{
    const unsigned char *at = data;
    size_t filled = hash->size % sizeof hash->block;
    hash->size += size;
    if (filled > 0) {
        size_t some = sizeof hash->block - filled < size ? sizeof hash->block - filled : size;
        memcpy(hash->block + filled, at, some);
        at += some;
        size -= some;
        if (filled + some < sizeof hash->block)
            return;
        take_blocks(hash, hash->block, 1);
    }
    size_t n = size / sizeof hash->block;
    if (n > 0)
        take_blocks(hash, at, n);
    at += n * sizeof hash->block;
    size -= n * sizeof hash->block;
    if (size > 0)
        memcpy(hash->block, at, size);
}

void mgl_sha256_end(mgl_sha256 *hash, char text[MGL_SHA256_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char end[72] = {0x80}, length[8];
    uint64_t bits = hash->size * 8;
    size_t filled = hash->size % 64, padding = (filled < 56 ? 56 : 120) - filled;
    for (size_t i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    mgl_sha256_add(hash, end, padding);
    mgl_sha256_add(hash, length, sizeof length);
    for (size_t i = 0; i < 64; i++)
        text[i] = digits[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[64] = '\0';
}

mgl_status mgl_sha256_of_file(int fd, const char *name, mgl_error *err, char text[MGL_SHA256_TEXT],
                              uint64_t *bytes)
{
    mgl_sha256 hash;
    unsigned char *data = mgl_alloc(BLOCK);
    uint64_t offset = 0;
    ssize_t got = 1;
    MGL_TRY(mgl_check_memory(data != NULL, err));
    mgl_sha256_begin(&hash);
    while (got > 0) {
        got = mgl_sys_pread(fd, data, BLOCK, offset);
        if (got > 0)
            mgl_sha256_add(&hash, data, (size_t)got);
        offset += got > 0 ? (uint64_t)got : 0;
    }
    mgl_free(data);
    if (got < 0)
        return mgl_fail_errno(err, name, "read");
    mgl_sha256_end(&hash, text);
    *bytes = offset;
    return MGL_OK;
}
