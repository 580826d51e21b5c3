// Random numbers that are the same on every machine: xoshiro256**, integers only.
#ifndef PATIENTS_RANDOM_H
#define PATIENTS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t state[4];
} random_source;

void random_start(random_source *source, uint64_t seed);

// A number from 0 to bound - 1; bound is at least 1.
uint32_t random_below(random_source *source, uint32_t bound);

// True in `share` of 1000 cases.
bool random_chance(random_source *source, uint32_t share);

// An index below n, each in proportion to its weight; at least one weight is above 0.
size_t random_pick(random_source *source, const uint32_t *weights, size_t n);

#endif
