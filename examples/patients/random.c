#include "random.h"

static uint64_t rotate_left(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t next_splitmix(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

void random_start(random_source *source, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        source->state[i] = next_splitmix(&seed);
}

static uint64_t next_xoshiro(random_source *source)
{
    uint64_t *s = source->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint32_t random_below(random_source *source, uint32_t bound)
{
    // The bias of at most bound / 2^32 does not matter for an example.
    return (uint32_t)((next_xoshiro(source) >> 32) * bound >> 32);
}

bool random_chance(random_source *source, uint32_t share)
{
    return random_below(source, 1000) < share;
}

size_t random_pick(random_source *source, const uint32_t *weights, size_t n)
{
    uint32_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += weights[i];
    uint32_t left = random_below(source, total);
    size_t picked = 0;
    while (left >= weights[picked])
        left -= weights[picked++];
    return picked;
}
