/* Counts equal keys. Private to the module. */
#ifndef MGL_CLASSES_COUNTER_H
#define MGL_CLASSES_COUNTER_H

#include "base/base.h"

typedef struct mgl_counter {
    size_t n_words;      /* words per key */
    unsigned count_bits; /* the count lies in so many lowest bits of the key's only word; 0: it has
                       a word of its own behind the key */
    size_t n_keys;       /* distinct keys so far */
    size_t mask;         /* slots - 1; at most half of them are used */
    uint64_t *slots;     /* key and count side by side, so that a look costs one trip to memory;
                            count 0: the slot is free */
    struct mgl_counter *rest; /* what did not fit into the bits of the count; NULL: nothing */
} mgl_counter;

/* zeros: so many lowest bits of the last word are 0 in all keys. Free with mgl_counter_free. */
mgl_status mgl_counter_init(mgl_counter *counter, size_t n_words, unsigned zeros, mgl_error *err);
void mgl_counter_free(mgl_counter *counter);

/* Adds n keys; amounts[i] each (NULL: 1). */
mgl_status mgl_counter_add(mgl_counter *counter, const uint64_t *keys, const uint64_t *amounts,
                           size_t n, mgl_error *err);

/* Makes room for n keys more: until so many were added, keys stay in their slots. *moved: where
 * each slot has gone, by its number, if that took a larger table, and else NULL; the caller's. */
mgl_status mgl_counter_reserve(mgl_counter *counter, size_t n, mgl_error *err, uint32_t **moved);
/* Adds n keys, for which room was made, and notes the slot that each has. */
mgl_status mgl_counter_place(mgl_counter *counter, const uint64_t *keys, size_t n, mgl_error *err,
                             uint32_t *slots);
/* As mgl_counter_take; (*ranks)[slot] is the place of the slot's key among the keys, and the
 * caller's as well. */
mgl_status mgl_counter_take_ranked(mgl_counter *counter, mgl_error *err, uint64_t **keys,
                                   uint64_t **counts, size_t *n, uint32_t **ranks);

/* The distinct keys in ascending order with their counts. The counter is empty afterwards;
 * the arrays are the caller's (mgl_free). */
mgl_status mgl_counter_take(mgl_counter *counter, mgl_error *err, uint64_t **keys,
                            uint64_t **counts, size_t *n);

/* Spreads a key over the hash slots. Keys may differ in their highest bits only, and slots
 * are taken from the lowest: a multiplication carries upwards, so the halves are folded
 * before and after it. */
static inline uint64_t mgl_key_hash(const uint64_t *key, size_t n_words)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < n_words; w++) {
        hash ^= key[w];
        hash = (hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

static inline bool mgl_key_equal(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    for (size_t w = 0; w < n_words; w++)
        if (a[w] != b[w])
            return false;
    return true;
}

#endif
