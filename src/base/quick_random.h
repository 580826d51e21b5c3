/* Quick random numbers that guide searches; nothing secret depends on them. */
#ifndef MGL_BASE_QUICK_RANDOM_H
#define MGL_BASE_QUICK_RANDOM_H

#include <stddef.h>
#include <stdint.h>

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
