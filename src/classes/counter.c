#include "classes/counter.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1024 };

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
MGL_SPECIALIZE uint64_t *find_slot(const mgl_counter *counter, const uint64_t *key, size_t words)
{
    size_t number = mgl_key_hash(key, words) & counter->mask;
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
    MGL_TRY(make_slots(counter, (old.mask + 1) * 4, err));
    for (size_t s = 0; s <= old.mask; s++) {
        const uint64_t *from = old.slots + s * (words + 1);
        if (from[words] != 0)
            memcpy(find_slot(counter, from, words), from, (words + 1) * sizeof *from);
    }
    mgl_free(old.slots);
    return MGL_OK;
}

MGL_SPECIALIZE mgl_status add_keys(mgl_counter *counter, const uint64_t *keys,
                                  const uint64_t *amounts, size_t n, size_t words,
                                  mgl_error *err)
{
    enum { AHEAD = 16 };
    for (size_t i = 0; i < n; i++) {
        if (counter->n_keys * 2 > counter->mask)
            MGL_TRY(grow_slots(counter, err));
        if (i + AHEAD < n) { /* large tables live outside the caches */
            size_t soon = mgl_key_hash(keys + (i + AHEAD) * words, words) & counter->mask;
            __builtin_prefetch(counter->slots + soon * (words + 1), 1);
        }
        const uint64_t *key = keys + i * words;
        uint64_t amount = amounts != NULL ? amounts[i] : 1;
        uint64_t *slot = find_slot(counter, key, words);
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
    /* One word is by far the most frequent case; as a constant it costs half the time. */
    if (counter->n_words == 1)
        return add_keys(counter, keys, amounts, n, 1, err);
    return add_keys(counter, keys, amounts, n, counter->n_words, err);
}

/* ---- Sorting ------------------------------------------------------------------ */

/* Sorts pairs of one-word keys and counts by their bytes, the lowest first, leaving out
 * bytes that are the same in all keys. Returns where the sorted pairs are: from or to. */
typedef struct pair {
    uint64_t key, count;
} pair;

static pair *sort_pairs(pair *from, pair *to, size_t n)
{
    for (int shift = 0; shift < 64; shift += 8) {
        size_t start[257] = {0};
        for (size_t i = 0; i < n; i++)
            start[(from[i].key >> shift & 255) + 1]++;
        if (n > 0 && start[(from[0].key >> shift & 255) + 1] == n)
            continue;
        for (int b = 0; b < 256; b++)
            start[b + 1] += start[b];
        for (size_t i = 0; i < n; i++)
            to[start[from[i].key >> shift & 255]++] = from[i];
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
