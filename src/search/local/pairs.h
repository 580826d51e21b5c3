/* Tuples that too few rows match, pair by pair. Inside the room only. */
#ifndef MGL_SEARCH_LOCAL_PAIRS_H
#define MGL_SEARCH_LOCAL_PAIRS_H

#include "search/local/patterns.h"

enum { MGL_PAIRS_BITS = 10 }; /* columns of a set */

/* Tuples are numbered 0..n-1 here. All others keep their cells. */
typedef struct mgl_local_pairs {
    mgl_local *l;
    size_t n, n_sets, bins;
    uint32_t *tuples;         /* [n] what they are in the table */
    uint32_t *patterns;       /* [n] */
    uint32_t *differ;         /* [v * n + w] columns */
    uint16_t *squeezed;       /* [set][byte][256] columns of the set, side by side */
    uint32_t *others;         /* [v][set][bin] rows of all others that match by this pattern */
    uint32_t *counts;         /* [v][set] rows that match */
    uint32_t *lacking;        /* [v] sets on which too few do */
    uint32_t *rows, *weights; /* [n] */
    uint32_t *given;          /* [n] */
    bool plain;               /* one set of all columns */
    uint32_t *touched;        /* [n] when its counts changed last */
    uint32_t now;             /* the caller's clock for that */
    uint64_t price;           /* of all patterns */
    uint64_t work;            /* done so far */
    /* Of mgl_pairs_choose. */
    uint32_t *matching; /* [set][bin] */
    float *cured;       /* [set][bin] */
} mgl_local_pairs;

/* *out is NULL if they are too many. Free with mgl_pairs_free. */
mgl_status mgl_pairs_new(mgl_local *l, mgl_error *err, mgl_local_pairs **out);
void mgl_pairs_free(mgl_local_pairs *pairs);

/* The columns of a pattern that are in a set, as a number below bins. */
static inline uint32_t mgl_pairs_bin(const mgl_local_pairs *p, size_t set, uint32_t pattern)
{
    const uint16_t *to = p->squeezed + set * 4 * 256;
    if (p->plain)
        return pattern;
    return (uint32_t)(to[pattern & 255] | to[256 + (pattern >> 8 & 255)] |
                      to[512 + (pattern >> 16 & 255)] | to[768 + (pattern >> 24)]);
}

void mgl_pairs_set(mgl_local_pairs *pairs, size_t v, uint32_t pattern);

/* May the cell be released after all? */
bool mgl_pairs_can_drop(mgl_local_pairs *pairs, size_t v, uint32_t column);

typedef struct mgl_local_option {
    uint32_t pattern;
    double worth; /* tuples cured per price, about; less than 0: there is none */
} mgl_local_option;

/* choose_pattern.c: a pattern by which enough rows match v, none of its columns left out, that is
 * worth most, worths being off by up to `noise` of themselves. */
mgl_local_option mgl_pairs_choose(mgl_local_pairs *pairs, size_t v, double noise,
                                  mgl_quick_random *random);

#endif
