/* SHA-256 of bytes and of files, by instructions of the processor where it has them. Audit trails,
 * digests of rows and certificates call it. */
#include "base/sha256.h"

#include "base/memory.h"
#include "base/sha256_paths.h"
#include "base/sys.h"

#include <string.h>

enum { BLOCK = 1 << 20 };

const mgl_sha256_path *mgl_sha256_paths(size_t *n)
{
    static const mgl_sha256_path portable[] = {{"portable", mgl_sha256_portable}};
#if defined(__aarch64__) || defined(__x86_64__)
    static const mgl_sha256_path both[] = {{"portable", mgl_sha256_portable},
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
