#include "base/random.h"

#include "base/sys.h"

#include <string.h>

static uint32_t rotate(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static void quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b, *d = rotate(*d ^ *a, 16);
    *c += *d, *b = rotate(*b ^ *c, 12);
    *a += *b, *d = rotate(*d ^ *a, 8);
    *c += *d, *b = rotate(*b ^ *c, 7);
}

static void refill(mgl_random *random)
{
    uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    memcpy(start + 4, random->key, sizeof random->key);
    start[12] = (uint32_t)random->block;
    start[13] = (uint32_t)(random->block >> 32);
    random->block++;
    uint32_t x[16];
    memcpy(x, start, sizeof x);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++)
            quarter(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
        for (int i = 0; i < 4; i++)
            quarter(&x[i], &x[4 + (i + 1) % 4], &x[8 + (i + 2) % 4], &x[12 + (i + 3) % 4]);
    }
    for (int i = 0; i < 16; i++)
        random->words[i] = x[i] + start[i];
    random->used = 0;
}

mgl_status mgl_random_init(mgl_random *random, mgl_error *err)
{
    memset(random, 0, sizeof *random);
    MGL_TRY(mgl_sys_entropy(random->key, sizeof random->key, err));
    random->used = 16;
    return MGL_OK;
}

void mgl_random_seed(mgl_random *random, uint64_t seed)
{
    memset(random, 0, sizeof *random);
    random->key[0] = (uint32_t)seed;
    random->key[1] = (uint32_t)(seed >> 32);
    random->used = 16;
}

uint32_t mgl_random_u32(mgl_random *random)
{
    if (random->used == 16)
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

double mgl_random_unit(mgl_random *random)
{
    return (double)(next64(random) >> 11) * 0x1p-53;
}
