#include "classes/counter.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1024, LARGE = 1 << 18, AT_ONCE = 512 };

static mgl_status make_slots(mgl_counter *counter, size_t slots, mgl_error *err)
{
    uint64_t *fresh = mgl_zeroed_array(slots, (counter->n_words + 1) * sizeof *fresh);
    if (fresh == NULL)
        return mgl_fail_memory(err);
    counter->slots = fresh;
    counter->mask = slots - 1;
    return MGL_OK;
}

mgl_status mgl_counter_init(mgl_counter *counter, size_t n_words, mgl_error *err)
{
    *counter = (mgl_counter){.n_words = n_words};
    return make_slots(counter, FIRST_SLOTS, err);
}

void mgl_counter_free(mgl_counter *counter)
{
    mgl_free(counter->slots);
    *counter = (mgl_counter){0};
}

/* The slot of the key: where it is, or the free one where it belongs. */
MGL_SPECIALIZE uint64_t *find_slot(const mgl_counter *counter, const uint64_t *key, uint64_t hash,
                                   size_t words)
{
    size_t number = hash & counter->mask;
    for (;;) {
        uint64_t *slot = counter->slots + number * (words + 1);
        if (slot[words] == 0 || mgl_key_equal(slot, key, words))
            return slot;
        number = (number + 1) & counter->mask;
    }
}

static mgl_status grow_slots(mgl_counter *counter, mgl_error *err)
{
    mgl_counter old = *counter;
    size_t words = old.n_words;
    /* Large steps while that is cheap; later memory that stays empty would cost more. */
    MGL_TRY(make_slots(counter, (old.mask + 1) * (old.mask < LARGE ? 8 : 2), err));
    for (size_t s = 0; s <= old.mask; s++) {
        const uint64_t *from = old.slots + s * (words + 1);
        if (from[words] != 0)
            memcpy(find_slot(counter, from, mgl_key_hash(from, words), words), from,
                   (words + 1) * sizeof *from);
    }
    mgl_free(old.slots);
    return MGL_OK;
}

/* At most AT_ONCE keys. Large tables live outside the caches: slots are fetched ahead. */
MGL_SPECIALIZE mgl_status add_some(mgl_counter *counter, const uint64_t *keys,
                                   const uint64_t *amounts, size_t n, size_t words, mgl_error *err)
{
    enum { AHEAD = 16 };
    uint64_t hashes[AT_ONCE + AHEAD] = {0};
    for (size_t i = 0; i < n; i++)
        hashes[i] = mgl_key_hash(keys + i * words, words);
    while ((counter->n_keys + n) * 2 > counter->mask)
        MGL_TRY(grow_slots(counter, err));
    for (size_t i = 0; i < n; i++) {
        size_t soon = hashes[i + AHEAD] & counter->mask;
        __builtin_prefetch(counter->slots + soon * (words + 1), 1);
        const uint64_t *key = keys + i * words;
        uint64_t amount = amounts != NULL ? amounts[i] : 1;
        uint64_t *slot = find_slot(counter, key, hashes[i], words);
        if (slot[words] == 0 && amount > 0) {
            memcpy(slot, key, words * sizeof *key);
            counter->n_keys++;
        }
        slot[words] += amount;
    }
    return MGL_OK;
}

mgl_status mgl_counter_add(mgl_counter *counter, const uint64_t *keys, const uint64_t *amounts,
                           size_t n, mgl_error *err)
{
    size_t words = counter->n_words;
    for (size_t done = 0; done < n; done += AT_ONCE) {
        size_t some = n - done < AT_ONCE ? n - done : AT_ONCE;
        const uint64_t *from = keys + done * words;
        const uint64_t *with = amounts != NULL ? amounts + done : NULL;
        /* One word is by far the most frequent case; as a constant it costs half the time. */
        if (words == 1)
            MGL_TRY(add_some(counter, from, with, some, 1, err));
        else
            MGL_TRY(add_some(counter, from, with, some, words, err));
    }
    return MGL_OK;
}

/* ---- Sorting ------------------------------------------------------------------ */

/* Sorts pairs of one-word keys and counts by digits of 11 bits, the lowest first, leaving
 * out digits that are the same in all keys. Returns where the sorted pairs are: from or to. */
typedef struct pair {
    uint64_t key, count;
} pair;

static pair *sort_pairs(pair *from, pair *to, size_t n)
{
    enum { BITS = 11, DIGITS = 1 << BITS };
    for (int shift = 64 % BITS - BITS; shift < 64; shift += BITS) {
        /* The lowest digit is what is left of the word. */
        int down = shift > 0 ? shift : 0;
        uint64_t mask = shift < 0 ? (UINT64_C(1) << (shift + BITS)) - 1 : DIGITS - 1;
        size_t start[DIGITS + 1] = {0};
        for (size_t i = 0; i < n; i++)
            start[(from[i].key >> down & mask) + 1]++;
        if (n > 0 && start[(from[0].key >> down & mask) + 1] == n)
            continue;
        for (int b = 0; b < DIGITS; b++)
            start[b + 1] += start[b];
        for (size_t i = 0; i < n; i++)
            to[start[from[i].key >> down & mask]++] = from[i];
        pair *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static mgl_status take_single_words(mgl_counter *counter, mgl_error *err, uint64_t *keys,
                                    uint64_t *counts)
{
    size_t n = counter->n_keys;
    pair *pairs = mgl_alloc_array(n, 2 * sizeof *pairs);
    if (pairs == NULL)
        return mgl_fail_memory(err);
    size_t at = 0;
    for (size_t s = 0; s <= counter->mask; s++)
        if (counter->slots[s * 2 + 1] != 0)
            pairs[at++] = (pair){counter->slots[s * 2], counter->slots[s * 2 + 1]};
    const pair *sorted = sort_pairs(pairs, pairs + n, n);
    for (size_t i = 0; i < n; i++) {
        keys[i] = sorted[i].key;
        counts[i] = sorted[i].count;
    }
    mgl_free(pairs);
    return MGL_OK;
}

/* qsort has no context: a record carries its number of words. */
typedef struct record {
    const uint64_t *key;
    size_t n_words;
    uint64_t count;
} record;

static int compare_records(const void *a, const void *b)
{
    const record *x = a, *y = b;
    for (size_t w = 0; w < x->n_words; w++)
        if (x->key[w] != y->key[w])
            return x->key[w] < y->key[w] ? -1 : 1;
    return 0;
}

static mgl_status take_many_words(mgl_counter *counter, mgl_error *err, uint64_t *keys,
                                  uint64_t *counts)
{
    size_t n = counter->n_keys, words = counter->n_words;
    record *records = mgl_alloc_array(n, sizeof *records);
    if (records == NULL)
        return mgl_fail_memory(err);
    size_t at = 0;
    for (size_t s = 0; s <= counter->mask; s++) {
        const uint64_t *slot = counter->slots + s * (words + 1);
        if (slot[words] != 0)
            records[at++] = (record){slot, words, slot[words]};
    }
    qsort(records, n, sizeof *records, compare_records);
    for (size_t i = 0; i < n; i++) {
        memcpy(keys + i * words, records[i].key, words * sizeof *keys);
        counts[i] = records[i].count;
    }
    mgl_free(records);
    return MGL_OK;
}

mgl_status mgl_counter_take(mgl_counter *counter, mgl_error *err, uint64_t **keys,
                            uint64_t **counts, size_t *n)
{
    uint64_t *sorted_keys = mgl_alloc_array(counter->n_keys, counter->n_words * sizeof **keys);
    uint64_t *sorted_counts = mgl_alloc_array(counter->n_keys, sizeof **counts);
    mgl_status status;
    if (sorted_keys == NULL || sorted_counts == NULL)
        status = mgl_fail_memory(err);
    else if (counter->n_words == 1)
        status = take_single_words(counter, err, sorted_keys, sorted_counts);
    else
        status = take_many_words(counter, err, sorted_keys, sorted_counts);
    if (status != MGL_OK) {
        mgl_free(sorted_keys);
        mgl_free(sorted_counts);
        return status;
    }
    *n = counter->n_keys;
    *keys = sorted_keys;
    *counts = sorted_counts;
    mgl_counter_free(counter);
    return MGL_OK;
}
