/* Codes of values by their bytes, so that a value that was seen needs no text. Inside the room. */
#ifndef MGL_IO_ARROW_SOURCE_RAW_CODES_H
#define MGL_IO_ARROW_SOURCE_RAW_CODES_H

#include "base/base.h"

/* Up to 16 bytes, zeros behind them. */
typedef struct mgl_raw_key {
    uint64_t low, high;
} mgl_raw_key;

typedef struct mgl_raw_place {
    mgl_raw_key key;
    uint32_t code; /* MGL_NOT_FOUND: the place is free */
} mgl_raw_place;

/* All zero is empty, and finds nothing. */
typedef struct mgl_raw_codes {
    mgl_raw_place *places; /* a power of two of them, at most half of them used */
    size_t n, n_places;
    unsigned shift;
} mgl_raw_codes;

void mgl_raw_codes_free(mgl_raw_codes *codes);
/* Remembers the code of a key that is not there; beyond so many keys that a cache would not hold
 * them nothing is remembered. False when memory is out. */
bool mgl_raw_codes_put(mgl_raw_codes *codes, mgl_raw_key key, uint32_t code);

static inline size_t mgl_raw_place_of(const mgl_raw_codes *codes, mgl_raw_key key)
{
    uint64_t mixed = key.low ^ (key.high << 29 | key.high >> 35);
    return (mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15u >> codes->shift;
}

/* MGL_NOT_FOUND: it was not put there. */
static inline uint32_t mgl_raw_codes_find(const mgl_raw_codes *codes, mgl_raw_key key)
{
    if (codes->places == NULL)
        return MGL_NOT_FOUND;
    size_t i = mgl_raw_place_of(codes, key);
    for (;; i = (i + 1) & (codes->n_places - 1)) {
        const mgl_raw_place *place = &codes->places[i];
        if (place->code == MGL_NOT_FOUND ||
            (place->key.low == key.low && place->key.high == key.high))
            return place->code;
    }
}

#endif
