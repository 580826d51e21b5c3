/* Random numbers: the ChaCha20 stream, because the order of released rows must
 * not be guessable from a part of it. */
#ifndef MGL_BASE_RANDOM_H
#define MGL_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

enum { MGL_RANDOM_WORDS = 64 };

typedef struct mgl_random {
    uint32_t key[8];
    uint64_t block, stream;
    uint32_t words[MGL_RANDOM_WORDS];
    unsigned used;
} mgl_random;

/* Seeded by the system. */
mgl_status mgl_random_init(mgl_random *random, mgl_error *err);
/* Seeded by a number: for tests and reproducible workloads only. */
void mgl_random_seed(mgl_random *random, uint64_t seed);

/* Another stream of the same key: streams are drawn from apart, in any order. Stream 0 is the one
 * that init and seed begin. */
void mgl_random_stream(const mgl_random *random, uint64_t stream, mgl_random *out);

/* Goes to the draw of 32 bits with this number, counted from the beginning of the stream. */
void mgl_random_seek(mgl_random *random, uint64_t draw);

uint32_t mgl_random_u32(mgl_random *random);
/* Uniform in 0..limit-1; limit > 0. */
uint64_t mgl_random_below(mgl_random *random, uint64_t limit);
/* The same, faster, from a draw of 32 bits. */
uint32_t mgl_random_below_32(mgl_random *random, uint32_t limit);
/* Puts n numbers, fewer than 2^32, into random order. */
void mgl_random_permute(mgl_random *random, uint32_t *numbers, size_t n);

typedef struct mgl_quick_random {
    uint64_t state; /* any number seeds it */
} mgl_quick_random;

/* SplitMix64. */
static inline uint64_t mgl_quick_random_next(mgl_quick_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* About uniform in 0..limit-1; 0 < limit < 2^32. */
static inline uint32_t mgl_quick_random_below(mgl_quick_random *random, size_t limit)
{
    return (uint32_t)((mgl_quick_random_next(random) >> 32) * limit >> 32);
}

/* Uniform in [0,1). */
static inline double mgl_quick_random_unit(mgl_quick_random *random)
{
    return (double)(mgl_quick_random_next(random) >> 11) * 0x1p-53;
}

#endif
