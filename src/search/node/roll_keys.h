/* Keys of rolled up tuples: finding equal ones, and raising codes. For roller.c and refiner.c
 * alone. */
#ifndef MGL_SEARCH_NODE_ROLL_KEYS_H
#define MGL_SEARCH_NODE_ROLL_KEYS_H

#include "search/node/roll.h"

static inline uint64_t mgl_roll_hash(const uint64_t *key, size_t words)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < words; w++) {
        hash = (hash ^ key[w] ^ key[w] >> 32) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* Puts tuple t with the key that lies at the end of the list into it. */
MGL_SPECIALIZE void mgl_roll_put(mgl_roll_maker *maker, mgl_rolled *to, size_t t, uint64_t count,
                                 size_t words, size_t mask)
{
    const uint64_t *key = to->keys + to->n * words;
    size_t slot = mgl_roll_hash(key, words) & mask;
    for (uint32_t found; (found = maker->slots[slot]) != 0; slot = (slot + 1) & mask) {
        const uint64_t *other = to->keys + (found - 1) * words;
        bool same = true;
        for (size_t w = 0; w < words; w++)
            same = same && other[w] == key[w];
        if (same) {
            to->counts[found - 1] += count;
            maker->of_tuple[t] = found - 1;
            return;
        }
    }
    maker->of_tuple[t] = (uint32_t)to->n;
    to->counts[to->n++] = count;
    maker->slots[slot] = (uint32_t)to->n;
}

/* Slots for n tuples at most; the mask of their numbers. */
static inline size_t mgl_roll_clear(mgl_roll_maker *maker, size_t n)
{
    size_t slots = 64;
    while (slots < n * 2)
        slots *= 2;
    memset(maker->slots, 0, slots * sizeof *maker->slots);
    return slots - 1;
}

/* What each code of a column becomes at a higher level: fills its codes of the map in. */
static inline void mgl_roll_map(mgl_roll_maker *maker, size_t c, size_t from, size_t to)
{
    const mgl_roll_column *column = &maker->codes.columns[c];
    uint32_t *map = maker->map + column->map_at;
    for (uint32_t code = 0; code < column->levels[from].n_codes; code++) {
        map[code] = code;
        for (size_t l = from; l < to; l++)
            map[code] = column->levels[l].above[map[code]];
    }
}

#endif
