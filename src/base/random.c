/* Random numbers from ChaCha, by a seed or from the system. The shuffle of a release and the random
 * queries draw from it. */
#include "base/random.h"

#include "base/sys.h"

#include <string.h>

enum { BLOCK = 16, AT_ONCE = MGL_RANDOM_WORDS / BLOCK };

/* Four blocks side by side: a vector type of gcc and clang, which becomes NEON or SSE. */
typedef uint32_t lanes __attribute__((vector_size(AT_ONCE * sizeof(uint32_t))));

static inline lanes rotate(lanes x, int by)
{
    return x << by | x >> (32 - by);
}

static inline void quarter(lanes *x, int a, int b, int c, int d)
{
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 7);
}

static inline void two_rounds(lanes *x)
{
    quarter(x, 0, 4, 8, 12);
    quarter(x, 1, 5, 9, 13);
    quarter(x, 2, 6, 10, 14);
    quarter(x, 3, 7, 11, 15);
    quarter(x, 0, 5, 10, 15);
    quarter(x, 1, 6, 11, 12);
    quarter(x, 2, 7, 8, 13);
    quarter(x, 3, 4, 9, 14);
}

static void refill(mgl_random *random)
{
    static const uint32_t words[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    lanes start[BLOCK], x[BLOCK];
    for (int i = 0; i < 4; i++)
        start[i] = (lanes){0} + words[i];
    for (int i = 0; i < 8; i++)
        start[4 + i] = (lanes){0} + random->key[i];
    for (int l = 0; l < AT_ONCE; l++) {
        uint64_t block = random->block++;
        start[12][l] = (uint32_t)block;
        start[13][l] = (uint32_t)(block >> 32);
    }
    start[14] = (lanes){0} + (uint32_t)random->stream;
    start[15] = (lanes){0} + (uint32_t)(random->stream >> 32);
    memcpy(x, start, sizeof x);
    for (int round = 0; round < 10; round++)
        two_rounds(x);
    for (int i = 0; i < BLOCK; i++) {
        x[i] += start[i];
        for (int l = 0; l < AT_ONCE; l++)
            random->words[l * BLOCK + i] = x[i][l];
    }
    random->used = 0;
}

mgl_status mgl_random_init(mgl_random *random, mgl_error *err)
{
    memset(random, 0, sizeof *random);
    MGL_TRY(mgl_sys_entropy(random->key, sizeof random->key, err));
    random->used = MGL_RANDOM_WORDS;
    return MGL_OK;
}

void mgl_random_seed(mgl_random *random, uint64_t seed)
{
    memset(random, 0, sizeof *random);
    random->key[0] = (uint32_t)seed;
    random->key[1] = (uint32_t)(seed >> 32);
    random->used = MGL_RANDOM_WORDS;
}

void mgl_random_stream(const mgl_random *random, uint64_t stream, mgl_random *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->key, random->key, sizeof out->key);
    out->stream = stream;
    out->used = MGL_RANDOM_WORDS;
}

void mgl_random_seek(mgl_random *random, uint64_t draw)
{
    random->block = draw / MGL_RANDOM_WORDS * AT_ONCE;
    refill(random);
    random->used = (unsigned)(draw % MGL_RANDOM_WORDS);
}

uint32_t mgl_random_u32(mgl_random *random)
{
    if (random->used == MGL_RANDOM_WORDS)
        refill(random);
    return random->words[random->used++];
}

static uint64_t next64(mgl_random *random)
{
    uint64_t low = mgl_random_u32(random);
    return low | (uint64_t)mgl_random_u32(random) << 32;
}

uint64_t mgl_random_below(mgl_random *random, uint64_t limit)
{
    /* Values below 2^64 mod limit are drawn again: what is left is a whole
     * number of runs of `limit`. */
    uint64_t reject = (0 - limit) % limit;
    uint64_t x;
    do
        x = next64(random);
    while (x < reject);
    return x % limit;
}

uint32_t mgl_random_below_32(mgl_random *random, uint32_t limit)
{
    /* The upper half of a product; draws whose lower half falls where the range does not divide
     * evenly are drawn again. */
    uint64_t product = (uint64_t)mgl_random_u32(random) * limit;
    if ((uint32_t)product < limit) {
        uint32_t reject = (0 - limit) % limit;
        while ((uint32_t)product < reject)
            product = (uint64_t)mgl_random_u32(random) * limit;
    }
    return (uint32_t)(product >> 32);
}

void mgl_random_permute(mgl_random *random, uint32_t *numbers, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = mgl_random_below_32(random, (uint32_t)i);
        uint32_t swap = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = swap;
    }
}
