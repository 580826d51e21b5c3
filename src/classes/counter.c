/* Counts keys in hash tables, and within a limit of memory in sorted runs that are spilled to a
 * file and merged. */
#include "classes/counter.h"

#include <stdlib.h>

enum {
    FIRST_SLOTS = 1024,
    FEW = 1 << 13,
    LARGE = 1 << 18,
    LEAST_COUNT_BITS = 16, /* with fewer bits, counts would outgrow them too often */
    MOST_COUNT_BITS = 32,
    /* Four million keys of 1.5 million kinds, x86-64: batches of 64, 512 and 4096 keys take 0.12,
     * 0.10 and 0.10 s; slots fetched 1, 8, 24 and 64 keys ahead 0.15, 0.11, 0.10 and 0.11 s. */
    AT_ONCE = 512,
    AHEAD = 24
};

/* Words of a slot. */
static size_t width_of(const mgl_counter *counter)
{
    return counter->count_bits > 0 ? 1 : counter->n_words + 1;
}

static mgl_status make_slots(mgl_counter *counter, size_t slots, mgl_error *err)
{
    size_t width = width_of(counter);
    uint64_t *fresh;
    MGL_TRY(mgl_new_array(slots, width * sizeof *fresh, err, &fresh));
    /* Not memory that the system zeroes on demand: a slot is read before it is written, and
     * each of its pages would be fetched twice. */
    memset(fresh, 0, slots * width * sizeof *fresh);
    counter->slots = fresh;
    counter->mask = slots - 1;
    return MGL_OK;
}

mgl_status mgl_counter_init(mgl_counter *counter, size_t n_words, unsigned zeros, mgl_error *err)
{
    *counter = (mgl_counter){.n_words = n_words};
    if (n_words == 1 && zeros >= LEAST_COUNT_BITS)
        counter->count_bits = zeros < MOST_COUNT_BITS ? zeros : MOST_COUNT_BITS;
    return make_slots(counter, FIRST_SLOTS, err);
}

void mgl_counter_free(mgl_counter *counter)
{
    if (counter->rest != NULL)
        mgl_counter_free(counter->rest);
    mgl_free(counter->rest);
    mgl_free(counter->slots);
    *counter = (mgl_counter){0};
}

/* Where the search for a key begins, in bytes from the first slot. */
MGL_SPECIALIZE size_t offset_of(const mgl_counter *counter, const uint64_t *key, size_t words,
                                size_t width)
{
    return (mgl_key_hash(key, words) & counter->mask) * width * sizeof *key;
}

/* The slot of the key: where it is, or the free one where it belongs. */
MGL_SPECIALIZE uint64_t *find_slot(const mgl_counter *counter, const uint64_t *key, size_t offset,
                                   size_t words)
{
    uint64_t *slot = counter->slots + offset / sizeof *slot;
    const uint64_t *end = counter->slots + (counter->mask + 1) * (words + 1);
    while (slot[words] != 0 && !mgl_key_equal(slot, key, words)) {
        slot += words + 1;
        if (slot == end)
            slot = counter->slots;
    }
    return slot;
}

/* The same for keys that share their word with the count. */
MGL_SPECIALIZE uint64_t *find_packed(const mgl_counter *counter, uint64_t key, size_t offset)
{
    uint64_t *slot = counter->slots + offset / sizeof *slot;
    const uint64_t *end = counter->slots + counter->mask + 1;
    while (*slot != 0 && (*slot ^ key) >> counter->count_bits != 0)
        if (++slot == end)
            slot = counter->slots;
    return slot;
}

/* Puts the used slots side by side, which may be in front of the slots themselves; without a branch
 * because whether a slot is used cannot be guessed, and so there must be room for one more. Returns
 * their number. */
MGL_SPECIALIZE size_t gather(const uint64_t *slots, size_t n_slots, size_t width, uint64_t *to)
{
    size_t n = 0;
    for (size_t s = 0; s < n_slots; s++) {
        bool used = slots[s * width + width - 1] != 0;
        memmove(to + n * width, slots + s * width, width * sizeof *slots);
        n += used;
    }
    return n;
}

/* Large steps while that is cheap; later memory that stays empty would cost more. */
static size_t larger(size_t slots)
{
    return slots * (slots <= LARGE ? 8 : 2);
}

static mgl_status grow_slots(mgl_counter *counter, mgl_error *err)
{
    mgl_counter old = *counter;
    MGL_TRY(make_slots(counter, larger(old.mask + 1), err));
    if (old.count_bits > 0) {
        size_t n = gather(old.slots, old.mask + 1, 1, old.slots);
        for (size_t i = 0; i < n; i++) {
            uint64_t key = old.slots[i] >> old.count_bits << old.count_bits;
            *find_packed(counter, key, offset_of(counter, &key, 1, 1)) = old.slots[i];
        }
    } else {
        size_t words = old.n_words, width = words + 1;
        for (const uint64_t *from = old.slots; from < old.slots + (old.mask + 1) * width;
             from += width)
            if (from[words] != 0)
                memcpy(find_slot(counter, from, offset_of(counter, from, words, width), words),
                       from, width * sizeof *from);
    }
    mgl_free(old.slots);
    return MGL_OK;
}

/* Moves a count that has outgrown its slot, all but 1 of it, to the rest. */
static __attribute__((noinline)) mgl_status
move_to_rest(mgl_counter *counter, uint64_t *slot, uint64_t key, uint64_t count, mgl_error *err)
{
    if (counter->rest == NULL) {
        MGL_TRY(mgl_new_zeroed(1, sizeof *counter->rest, err, &counter->rest));
        MGL_TRY(mgl_counter_init(counter->rest, 1, 0, err));
    }
    count--;
    MGL_TRY(mgl_counter_add(counter->rest, &key, &count, 1, err));
    *slot = key | 1;
    return MGL_OK;
}

/* Large tables live outside the caches. The offset is in bytes because a prefetch that scales
 * it is slower than none on Neoverse V1. */
static inline void fetch(const mgl_counter *counter, size_t offset)
{
    __builtin_prefetch((const char *)counter->slots + offset, 1);
}

/* Both functions read a copy of the counter: the compiler must assume that a store into the
 * slots changes the counter itself, and would read it again for each key. */
MGL_SPECIALIZE void count_plain(mgl_counter *counter, const uint64_t *keys, const uint64_t *amounts,
                                const size_t *offsets, size_t n, size_t words, uint32_t *slots)
{
    const mgl_counter copy = *counter;
    for (size_t i = 0; i < n; i++) {
        fetch(&copy, offsets[i + AHEAD]);
        const uint64_t *key = keys + i * words;
        uint64_t amount = amounts != NULL ? amounts[i] : 1;
        uint64_t *slot = find_slot(&copy, key, offsets[i], words);
        if (slot[words] == 0 && amount > 0) {
            memcpy(slot, key, words * sizeof *key);
            counter->n_keys++;
        }
        slot[words] += amount;
        if (slots != NULL)
            slots[i] = (uint32_t)((size_t)(slot - copy.slots) / (words + 1));
    }
}

MGL_SPECIALIZE mgl_status count_packed(mgl_counter *counter, const uint64_t *keys,
                                       const uint64_t *amounts, const size_t *offsets, size_t n,
                                       mgl_error *err, uint32_t *slots)
{
    const mgl_counter copy = *counter;
    uint64_t most = (UINT64_C(1) << copy.count_bits) - 1;
    size_t n_keys = copy.n_keys;
    for (size_t i = 0; i < n; i++) {
        fetch(&copy, offsets[i + AHEAD]);
        uint64_t amount = amounts != NULL ? amounts[i] : 1;
        if (amount == 0)
            continue;
        uint64_t *slot = find_packed(&copy, keys[i], offsets[i]);
        uint64_t count = *slot & most;
        if (slots != NULL)
            slots[i] = (uint32_t)(slot - copy.slots);
        n_keys += count == 0;
        if (__builtin_expect(amount > most - count, 0))
            MGL_TRY(move_to_rest(counter, slot, keys[i], count + amount, err));
        else
            *slot = keys[i] | (count + amount);
    }
    counter->n_keys = n_keys;
    return MGL_OK;
}

/* Where the search for each of n keys begins. Behind the last there are AHEAD offsets more that can
 * be fetched. */
MGL_SPECIALIZE void find_offsets(const mgl_counter *counter, const uint64_t *keys, size_t n,
                                 size_t words, size_t width, size_t *offsets)
{
    for (size_t i = 0; i < n; i++)
        offsets[i] = offset_of(counter, keys + i * words, words, width);
    memset(offsets + n, 0, AHEAD * sizeof *offsets);
}

/* Room for n keys more, and where the search for each begins. */
MGL_SPECIALIZE mgl_status prepare(mgl_counter *counter, const uint64_t *keys, size_t n,
                                  size_t words, size_t width, mgl_error *err, size_t *offsets)
{
    while ((counter->n_keys + n) * 2 > counter->mask)
        MGL_TRY(grow_slots(counter, err));
    find_offsets(counter, keys, n, words, width, offsets);
    return MGL_OK;
}

/* At most AT_ONCE keys. words is a constant where this is inlined. */
MGL_SPECIALIZE mgl_status add_plain(mgl_counter *counter, const uint64_t *keys,
                                    const uint64_t *amounts, size_t n, size_t words, mgl_error *err)
{
    size_t offsets[AT_ONCE + AHEAD];
    MGL_TRY(prepare(counter, keys, n, words, words + 1, err, offsets));
    count_plain(counter, keys, amounts, offsets, n, words, NULL);
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
        if (counter->count_bits > 0) {
            size_t offsets[AT_ONCE + AHEAD];
            MGL_TRY(prepare(counter, from, some, 1, 1, err, offsets));
            MGL_TRY(count_packed(counter, from, with, offsets, some, err, NULL));
        } else if (words == 1) /* as a constant it costs half the time */
            MGL_TRY(add_plain(counter, from, with, some, 1, err));
        else
            MGL_TRY(add_plain(counter, from, with, some, words, err));
    }
    return MGL_OK;
}

/* ---- Keys that are found again --------------------------------------------------------------- */

/* Refills a larger table and notes where each slot has gone. */
static void refill_noting(mgl_counter *counter, const mgl_counter *old, uint32_t *moved)
{
    size_t words = old->n_words, width = width_of(old);
    for (size_t s = 0; s <= old->mask; s++) {
        const uint64_t *from = old->slots + s * width;
        uint64_t key = old->count_bits > 0 ? *from >> old->count_bits << old->count_bits : 0;
        if (from[width - 1] == 0)
            continue;
        uint64_t *to =
            old->count_bits > 0
                ? find_packed(counter, key, offset_of(counter, &key, 1, 1))
                : find_slot(counter, from, offset_of(counter, from, words, width), words);
        memcpy(to, from, width * sizeof *from);
        moved[s] = (uint32_t)((size_t)(to - counter->slots) / width);
    }
}

mgl_status mgl_counter_reserve(mgl_counter *counter, size_t n, mgl_error *err, uint32_t **moved)
{
    mgl_counter old = *counter;
    size_t slots = old.mask + 1;
    *moved = NULL;
    /* Each range of a large table has such a counter, and what stays empty in all of them costs
     * more than moving keys once more. */
    while ((old.n_keys + n) * 2 > slots - 1)
        slots *= slots < FEW ? 8 : 2;
    if (slots == old.mask + 1)
        return MGL_OK;
    uint32_t *noted;
    MGL_TRY(mgl_new_zeroed(old.mask + 1, sizeof *noted, err, &noted));
    mgl_status status = make_slots(counter, slots, err);
    if (status != MGL_OK) {
        mgl_free(noted);
        return status;
    }
    refill_noting(counter, &old, noted);
    mgl_free(old.slots);
    *moved = noted;
    return MGL_OK;
}

MGL_SPECIALIZE void place_plain(mgl_counter *counter, const uint64_t *keys, size_t n, size_t words,
                                uint32_t *slots)
{
    size_t offsets[AT_ONCE + AHEAD];
    find_offsets(counter, keys, n, words, words + 1, offsets);
    count_plain(counter, keys, NULL, offsets, n, words, slots);
}

mgl_status mgl_counter_place(mgl_counter *counter, const uint64_t *keys, size_t n, mgl_error *err,
                             uint32_t *slots)
{
    size_t words = counter->n_words;
    for (size_t done = 0; done < n; done += AT_ONCE) {
        size_t some = n - done < AT_ONCE ? n - done : AT_ONCE;
        const uint64_t *from = keys + done * words;
        if (counter->count_bits > 0) {
            size_t offsets[AT_ONCE + AHEAD];
            find_offsets(counter, from, some, 1, 1, offsets);
            MGL_TRY(count_packed(counter, from, NULL, offsets, some, err, slots + done));
        } else if (words == 1)
            place_plain(counter, from, some, 1, slots + done);
        else
            place_plain(counter, from, some, words, slots + done);
    }
    return MGL_OK;
}

/* ---- Sorting ------------------------------------------------------------------ */

enum { BITS = 11, DIGITS = 1 << BITS };

static inline size_t digit(uint64_t key, unsigned shift)
{
    return key >> shift & (DIGITS - 1);
}

/* Where the entries with each digit start when they are sorted by it. */
MGL_SPECIALIZE void find_starts(const uint64_t *from, size_t n, size_t width, unsigned shift,
                                size_t *start)
{
    memset(start, 0, (DIGITS + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++)
        start[digit(from[i * width], shift) + 1]++;
    for (size_t d = 0; d < DIGITS; d++)
        start[d + 1] += start[d];
}

/* Sorts entries of one-word keys by digits of 11 bits, the lowest first, from the lowest bit
 * that is not the same in all keys to the highest. width: words of an entry; count_bits: as in
 * the counter. Both from and to have room for all entries. */
MGL_SPECIALIZE void sort_entries(uint64_t *from, uint64_t *to, size_t n, size_t width,
                                 unsigned count_bits, uint64_t *keys, uint64_t *counts)
{
    size_t start[DIGITS + 1];
    uint64_t varying = 0;
    for (size_t i = 0; i < n; i++)
        varying |= (from[i * width] ^ from[0]) >> count_bits;
    varying |= varying == 0; /* a single key */
    unsigned shift = count_bits + (unsigned)__builtin_ctzll(varying);
    unsigned end = count_bits + 64 - (unsigned)__builtin_clzll(varying);
    for (; shift + BITS < end; shift += BITS) {
        find_starts(from, n, width, shift, start);
        for (size_t i = 0; i < n; i++) {
            const uint64_t *entry = from + i * width;
            memcpy(to + start[digit(*entry, shift)]++ * width, entry, width * sizeof *entry);
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    find_starts(from, n, width, shift, start);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *entry = from + i * width;
        size_t at = start[digit(*entry, shift)]++;
        keys[at] = *entry >> count_bits << count_bits;
        counts[at] = width > 1 ? entry[1] : *entry - keys[at];
    }
}

/* room: for twice the entries, and one more; it may be the slots, of which half are free. */
MGL_SPECIALIZE void take_single_words(const mgl_counter *counter, size_t width, uint64_t *room,
                                      uint64_t *keys, uint64_t *counts)
{
    size_t n = gather(counter->slots, counter->mask + 1, width, room);
    sort_entries(room, room + n * width, n, width, counter->count_bits, keys, counts);
}

/* qsort has no context: a record carries its number of words. Most keys differ in the first, which
 * is looked up once. */
typedef struct record {
    uint64_t first;
    const uint64_t *key;
    size_t n_words;
    uint64_t count;
} record;

static int compare_records(const void *a, const void *b)
{
    const record *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    for (size_t w = 1; w < x->n_words; w++)
        if (x->key[w] != y->key[w])
            return x->key[w] < y->key[w] ? -1 : 1;
    return 0;
}

static mgl_status take_many_words(const mgl_counter *counter, mgl_error *err, uint64_t *keys,
                                  uint64_t *counts)
{
    size_t n = counter->n_keys, words = counter->n_words;
    record *records;
    MGL_TRY(mgl_new_array(n, sizeof *records, err, &records));
    size_t at = 0;
    for (size_t s = 0; s <= counter->mask; s++) {
        const uint64_t *slot = counter->slots + s * (words + 1);
        if (slot[words] != 0)
            records[at++] = (record){slot[0], slot, words, slot[words]};
    }
    qsort(records, n, sizeof *records, compare_records);
    for (size_t i = 0; i < n; i++) {
        memcpy(keys + i * words, records[i].key, words * sizeof *keys);
        counts[i] = records[i].count;
    }
    mgl_free(records);
    return MGL_OK;
}

/* Adds the counts of the rest to those of the same keys; all keys of the rest are there. */
static mgl_status add_rest(mgl_counter *rest, const uint64_t *keys, uint64_t *counts,
                           mgl_error *err)
{
    uint64_t *rest_keys, *rest_counts;
    size_t n, at = 0;
    MGL_TRY(mgl_counter_take(rest, err, &rest_keys, &rest_counts, &n));
    for (size_t i = 0; i < n; i++) {
        while (keys[at] != rest_keys[i])
            at++;
        counts[at] += rest_counts[i];
    }
    mgl_free(rest_keys);
    mgl_free(rest_counts);
    return MGL_OK;
}

/* room: NULL: the slots are of no use afterwards. */
static mgl_status take_sorted(mgl_counter *counter, uint64_t *room, mgl_error *err, uint64_t *keys,
                              uint64_t *counts)
{
    room = room != NULL ? room : counter->slots;
    if (counter->n_words > 1)
        return take_many_words(counter, err, keys, counts);
    if (counter->count_bits == 0)
        take_single_words(counter, 2, room, keys, counts);
    else
        take_single_words(counter, 1, room, keys, counts);
    return counter->rest != NULL ? add_rest(counter->rest, keys, counts, err) : MGL_OK;
}

/* The counter is left; of its slots nothing may be left. */
static mgl_status take(mgl_counter *counter, uint64_t *room, mgl_error *err, uint64_t **keys,
                       uint64_t **counts, size_t *n)
{
    uint64_t *sorted_keys, *sorted_counts = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_new_array(counter->n_keys, counter->n_words * sizeof **keys, err, &sorted_keys));
    MGL_GO(mgl_new_array(counter->n_keys, sizeof **counts, err, &sorted_counts));
    MGL_GO(take_sorted(counter, room, err, sorted_keys, sorted_counts));
    *n = counter->n_keys;
    *keys = sorted_keys;
    *counts = sorted_counts;
    return MGL_OK;
done:
    mgl_free(sorted_keys);
    mgl_free(sorted_counts);
    return status;
}

mgl_status mgl_counter_take(mgl_counter *counter, mgl_error *err, uint64_t **keys,
                            uint64_t **counts, size_t *n)
{
    MGL_TRY(take(counter, NULL, err, keys, counts, n));
    mgl_counter_free(counter);
    return MGL_OK;
}

/* Which key is in each slot. */
static void rank_slots(const mgl_counter *table, const uint64_t *keys, size_t n, uint32_t *ranks)
{
    size_t words = table->n_words, width = width_of(table);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *key = keys + i * words;
        const uint64_t *slot =
            table->count_bits > 0
                ? find_packed(table, *key, offset_of(table, key, 1, 1))
                : find_slot(table, key, offset_of(table, key, words, width), words);
        ranks[(size_t)(slot - table->slots) / width] = (uint32_t)i;
    }
}

mgl_status mgl_counter_take_ranked(mgl_counter *counter, mgl_error *err, uint64_t **keys,
                                   uint64_t **counts, size_t *n, uint32_t **ranks)
{
    size_t size = width_of(counter) * sizeof *counter->slots;
    mgl_status status = MGL_OK;
    uint32_t *fresh = mgl_zeroed_array(counter->mask + 1, sizeof *fresh);
    uint64_t *room = mgl_alloc_array(2 * counter->n_keys + 1, size);
    MGL_GO(mgl_check_memory(fresh != NULL && room != NULL, err));
    MGL_GO(take(counter, room, err, keys, counts, n));
    rank_slots(counter, *keys, *n, fresh);
    mgl_counter_free(counter);
    *ranks = fresh;
    fresh = NULL;
done:
    mgl_free(fresh);
    mgl_free(room);
    return status;
}

enum {
    FEWEST_KEYS = 4096,
    BYTES_PER_KEY = 6, /* words of a slot times the slots that a key has while the table grows */
    ENTRIES_AT_ONCE = 1024 /* entries that are read or written together */
};

mgl_status mgl_tally_init(mgl_tally *tally, size_t n_words, unsigned zeros, uint64_t memory,
                          mgl_error *err)
{
    *tally = (mgl_tally){.zeros = zeros, .most = SIZE_MAX, .fd = -1};
    if (memory > 0) {
        tally->most = (size_t)(memory / (BYTES_PER_KEY * (n_words + 1) * sizeof(uint64_t)));
        tally->most = tally->most < FEWEST_KEYS ? FEWEST_KEYS : tally->most;
    }
    return mgl_counter_init(&tally->counter, n_words, zeros, err);
}

void mgl_tally_free(mgl_tally *tally)
{
    mgl_counter_free(&tally->counter);
    mgl_sys_close(tally->fd);
    mgl_free(tally->ends);
    *tally = (mgl_tally){.fd = -1};
}

/* ---- Runs ---------------------------------------------------------------------------------- */

/* An entry is a key and its count. */
static mgl_status write_run(mgl_tally *tally, const uint64_t *keys, const uint64_t *counts,
                            size_t n, size_t words, mgl_error *err)
{
    size_t width = words + 1;
    uint64_t *block = mgl_alloc_array(ENTRIES_AT_ONCE, width * sizeof *block);
    mgl_status status = block == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t done = 0; status == MGL_OK && done < n;) {
        size_t some = n - done < ENTRIES_AT_ONCE ? n - done : ENTRIES_AT_ONCE;
        for (size_t i = 0; i < some; i++) {
            memcpy(block + i * width, keys + (done + i) * words, words * sizeof *block);
            block[i * width + words] = counts[done + i];
        }
        size_t bytes = some * width * sizeof *block;
        if (mgl_sys_pwrite(tally->fd, block, bytes, tally->size) != 0)
            status = mgl_fail_temporary(err, "write");
        tally->size += bytes;
        done += some;
    }
    mgl_free(block);
    return status;
}

/* What was counted so far becomes a run. */
static mgl_status spill(mgl_tally *tally, mgl_error *err)
{
    uint64_t *keys, *counts;
    size_t n, words = tally->counter.n_words;
    if (tally->fd < 0)
        tally->fd = mgl_sys_spool();
    if (tally->fd < 0)
        return mgl_fail_temporary(err, "create");
    MGL_TRY(mgl_check_memory(
        mgl_grow(&tally->ends, &tally->capacity, tally->n_runs + 1, sizeof *tally->ends), err));
    MGL_TRY(mgl_counter_take(&tally->counter, err, &keys, &counts, &n));
    mgl_status status = write_run(tally, keys, counts, n, words, err);
    mgl_free(keys);
    mgl_free(counts);
    if (status == MGL_OK) {
        tally->ends[tally->n_runs++] = tally->size / ((words + 1) * sizeof(uint64_t));
        status = mgl_counter_init(&tally->counter, words, tally->zeros, err);
    }
    return status;
}

mgl_status mgl_tally_add(mgl_tally *tally, const uint64_t *keys, const uint64_t *amounts, size_t n,
                         mgl_error *err)
{
    if (tally->counter.n_keys + n > tally->most && tally->counter.n_keys > 0)
        MGL_TRY(spill(tally, err));
    return mgl_counter_add(&tally->counter, keys, amounts, n, err);
}

/* ---- Merging ------------------------------------------------------------------------------- */

/* A run, read block by block. */
typedef struct reader {
    uint64_t next, end; /* entries of the file that are not read yet */
    uint64_t *block;
    size_t at, n; /* in the block */
} reader;

typedef struct merger {
    const mgl_tally *tally;
    reader *readers;
    size_t *heap;   /* readers that are not at their end, the one with the smallest key first */
    uint64_t *last; /* [words] the key before */
    size_t n_heap;
    size_t words;
    mgl_owned own;
} merger;

static const uint64_t *key_of(const merger *m, size_t r)
{
    return m->readers[r].block + m->readers[r].at * (m->words + 1);
}

static bool comes_first(const merger *m, size_t a, size_t b)
{
    const uint64_t *x = key_of(m, a), *y = key_of(m, b);
    for (size_t w = 0; w < m->words; w++)
        if (x[w] != y[w])
            return x[w] < y[w];
    return a < b;
}

static void sift(merger *m, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < m->n_heap; at = child) {
        child += child + 1 < m->n_heap && comes_first(m, m->heap[child + 1], m->heap[child]);
        if (!comes_first(m, m->heap[child], m->heap[at]))
            return;
        size_t swap = m->heap[at];
        m->heap[at] = m->heap[child];
        m->heap[child] = swap;
    }
}

static mgl_status fill(const merger *m, reader *r, mgl_error *err)
{
    size_t width = (m->words + 1) * sizeof(uint64_t);
    uint64_t left = r->end - r->next;
    r->n = left < ENTRIES_AT_ONCE ? (size_t)left : ENTRIES_AT_ONCE;
    r->at = 0;
    ssize_t got = mgl_sys_pread(m->tally->fd, r->block, r->n * width, r->next * width);
    if (got < 0 || (size_t)got != r->n * width)
        return mgl_fail_temporary(err, "read");
    r->next += r->n;
    return MGL_OK;
}

static mgl_status begin(merger *m, mgl_error *err)
{
    const mgl_tally *tally = m->tally;
    m->n_heap = 0;
    for (size_t r = 0; r < tally->n_runs; r++) {
        reader *x = &m->readers[r];
        x->next = r > 0 ? tally->ends[r - 1] : 0;
        x->end = tally->ends[r];
        MGL_TRY(fill(m, x, err));
        if (x->n > 0)
            m->heap[m->n_heap++] = r;
    }
    for (size_t i = m->n_heap / 2; i-- > 0;)
        sift(m, i);
    return MGL_OK;
}

/* Goes once through all entries in order; keys and counts get what is different, if they are not
 * NULL. *n: how many keys there are. */
static mgl_status go_through(merger *m, mgl_error *err, uint64_t *keys, uint64_t *counts, size_t *n)
{
    uint64_t *last = m->last;
    *n = 0;
    MGL_TRY(begin(m, err));
    while (m->n_heap > 0) {
        reader *r = &m->readers[m->heap[0]];
        const uint64_t *key = key_of(m, m->heap[0]);
        if (*n == 0 || !mgl_key_equal(last, key, m->words)) {
            memcpy(last, key, m->words * sizeof *last);
            if (keys != NULL) {
                memcpy(keys + *n * m->words, key, m->words * sizeof *keys);
                counts[*n] = 0;
            }
            ++*n;
        }
        if (counts != NULL)
            counts[*n - 1] += key[m->words];
        if (++r->at == r->n) {
            MGL_TRY(fill(m, r, err));
            if (r->n == 0)
                m->heap[0] = m->heap[--m->n_heap];
        }
        sift(m, 0);
    }
    return MGL_OK;
}

/* Twice: memory is taken for just what there is. */
static mgl_status merge_runs(merger *m, mgl_error *err, uint64_t **keys, uint64_t **counts,
                             size_t *n)
{
    MGL_TRY(go_through(m, err, NULL, NULL, n));
    uint64_t *all = mgl_alloc_array(*n, m->words * sizeof *all);
    uint64_t *amounts = mgl_alloc_array(*n, sizeof *amounts);
    mgl_status status =
        all == NULL || amounts == NULL ? mgl_fail_memory(err) : go_through(m, err, all, amounts, n);
    if (status != MGL_OK) {
        mgl_free(all);
        mgl_free(amounts);
        return status;
    }
    *keys = all;
    *counts = amounts;
    return MGL_OK;
}

mgl_status mgl_tally_take(mgl_tally *tally, mgl_error *err, uint64_t **keys, uint64_t **counts,
                          size_t *n)
{
    if (tally->n_runs == 0)
        return mgl_counter_take(&tally->counter, err, keys, counts, n);
    merger m = {.tally = tally, .words = tally->counter.n_words};
    MGL_TRY(spill(tally, err));
    mgl_counter_free(&tally->counter);
    m.readers = mgl_own_zeroed(&m.own, tally->n_runs, sizeof *m.readers);
    m.heap = mgl_own_array(&m.own, tally->n_runs, sizeof *m.heap);
    m.last = mgl_own_array(&m.own, m.words, sizeof *m.last);
    size_t width = (m.words + 1) * sizeof(uint64_t);
    for (size_t r = 0; m.readers != NULL && r < tally->n_runs; r++)
        m.readers[r].block = mgl_own_array(&m.own, ENTRIES_AT_ONCE, width);
    mgl_status status = mgl_owned_check(&m.own, err);
    if (status == MGL_OK)
        status = merge_runs(&m, err, keys, counts, n);
    mgl_owned_free(&m.own);
    return status;
}
