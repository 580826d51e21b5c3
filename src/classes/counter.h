/* Counting of equal keys: in memory, within some memory, by threads, by persons. Private to the
 * module. */
#ifndef MGL_CLASSES_COUNTER_H
#define MGL_CLASSES_COUNTER_H

#include "classes/row_keys.h"
#include "classes/classes.h"
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

/* Counts equal keys within some memory: what exceeds it is written to a file as a sorted run, and
 * the runs are merged at the end. */
typedef struct mgl_tally {
    mgl_counter counter;
    unsigned zeros;
    size_t most; /* keys in memory; SIZE_MAX: no limit */
    int fd;      /* of the runs; -1: none */
    uint64_t size;
    uint64_t *ends; /* [n_runs] of the runs, in entries */
    size_t n_runs, capacity;
} mgl_tally;

/* As mgl_counter_init; memory 0: no limit. Free with mgl_tally_free, also on failure. */
mgl_status mgl_tally_init(mgl_tally *tally, size_t n_words, unsigned zeros, uint64_t memory,
                          mgl_error *err);
void mgl_tally_free(mgl_tally *tally);
/* As mgl_counter_add. */
mgl_status mgl_tally_add(mgl_tally *tally, const uint64_t *keys, const uint64_t *amounts, size_t n,
                         mgl_error *err);
/* As mgl_counter_take. */
mgl_status mgl_tally_take(mgl_tally *tally, mgl_error *err, uint64_t **keys, uint64_t **counts,
                          size_t *n);

enum { MGL_KEY_RANGES = 16 }; /* of keys, each with a counter of its own */

/* More slots than these of a range cannot be remembered. */
enum { MGL_SLOT_BITS = 28 };

/* The slots that rows had when they were counted, and which tuples these became. */
void mgl_remembered_free(mgl_remembered *remembered);

/* Of tables with fewer rows one thread is as fast. */
enum { MGL_MANY_ROWS = 1 << 18 };

/* The rows of a table are counted by all threads. Each range of keys has a counter of its own, and
 * what the counters hold follows each other in order. times and zeros: as mgl_counter_add takes
 * them. */
typedef struct mgl_keyed_rows {
    const mgl_row_keys *keys;
    const uint64_t *times;
    size_t n_rows;
    unsigned zeros;
    bool remember; /* which tuple each row has; each counts once then */
} mgl_keyed_rows;

/* What mgl_counter_take gives, and what is remembered of the rows (NULL: nothing). */
typedef struct mgl_counted_keys {
    uint64_t *keys, *counts;
    size_t n;
    mgl_remembered *remembered;
} mgl_counted_keys;

/* All codes are in memory. */
mgl_status mgl_ranges_count(const mgl_keyed_rows *rows, mgl_pool *pool, mgl_error *err,
                            mgl_counted_keys *out);

void mgl_persons_free(mgl_persons *persons, size_t n_judged);
void mgl_joined_free(mgl_joined *joined);

/* Pairs of tuple and value, turned into one histogram per tuple. */
mgl_status mgl_sparse_take(mgl_tally *tally, size_t n_tuples, uint32_t n_values, mgl_error *err,
                           mgl_sparse *out);
void mgl_sparse_free(mgl_sparse *sparse);
/* How many rows of each tuple have which value of a column. */
mgl_status mgl_list_histogram(const mgl_frequency_list *list, const mgl_tuple_finder *finder,
                              const mgl_column *column, size_t n_rows, const uint64_t *times,
                              mgl_error *err, mgl_sparse *out);

#endif
