/* Makes a large table on all threads of the pool. Keys are shared out among pieces by their hash,
 * so that equal ones meet in one piece; the records of a piece are numbered, and then they are
 * added up where they belong. The table is the same for any number of threads. count_tables.c
 * calls it. */
#include "search/fulldomain/by_size/counts.h"

enum {
    PIECE_BITS = 4,
    PIECES = 1 << PIECE_BITS,
    RANGE = 1 << 10, /* keys that are shared out at a time: they lie in the nearest cache */
    AT_ONCE = 8,     /* ranges of an item */
    LEAST_BITS = 4
};

/* Keys whose hashes begin alike. */
typedef struct piece {
    size_t n;         /* in all ranges */
    size_t first;     /* those of the pieces before */
    size_t n_records; /* different ones */
    size_t base;      /* records of the pieces before */
    size_t first_slot;
    unsigned bits; /* of the number of a slot */
} piece;

/* Where the keys of each piece begin among those of a range, and the end of the last. */
typedef uint32_t range_starts[PIECES + 1];

typedef struct rolling {
    const mgl_by_size *search;
    const mgl_by_size_source *source;
    const uint64_t *masks;
    size_t words, n_ranges;
    range_starts *starts;     /* [n_ranges] */
    uint64_t *keys;           /* [n] masked, by range and piece */
    uint64_t *different;      /* [n] without repetition, from the first of each piece on */
    uint32_t *list, *numbers; /* [n] of the key in the source; of its record within the piece */
    uint32_t *slots;          /* numbers of records, from 1 on */
    piece pieces[PIECES];
    char *records;
} rolling;

/* ---- Sharing out -------------------------------------------------------------------------- */

MGL_SPECIALIZE uint64_t hash_of(const uint64_t *key, size_t words)
{
    uint64_t hash = key[0] * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t w = 1; w < words; w++)
        hash = (hash ^ hash >> 29 ^ key[w]) * UINT64_C(0xBF58476D1CE4E5B9);
    return hash;
}

/* Masks the keys of a range and says which piece each belongs to. */
MGL_SPECIALIZE void sort_keys(const rolling *r, size_t first, size_t n, size_t words,
                              uint32_t *starts)
{
    uint8_t of_key[RANGE];
    uint32_t at[PIECES + 1] = {0};
    uint64_t key[MGL_BRANCH_MOST_WORDS];
    const char *from = r->source->keys + first * r->source->stride;
    for (size_t i = 0; i < n; i++) {
        memcpy(key, from + i * r->source->stride, words * sizeof *key);
        for (size_t w = 0; w < words; w++)
            key[w] &= r->masks[w];
        of_key[i] = (uint8_t)(hash_of(key, words) >> (64 - PIECE_BITS));
        at[of_key[i] + 1]++;
    }
    for (size_t p = 0; p < PIECES; p++)
        at[p + 1] += at[p];
    memcpy(starts, at, sizeof at);
    for (size_t i = 0; i < n; i++) {
        size_t to = first + at[of_key[i]]++;
        for (size_t w = 0; w < words; w++) {
            memcpy(key, from + i * r->source->stride + w * sizeof *key, sizeof *key);
            r->keys[to * words + w] = key[0] & r->masks[w];
        }
        r->list[to] = (uint32_t)(first + i);
    }
}

static void sort_ranges(void *context, size_t item, unsigned thread)
{
    const rolling *r = context;
    (void)thread;
    for (size_t range = item * AT_ONCE; range < r->n_ranges && range < (item + 1) * AT_ONCE;
         range++) {
        size_t first = range * RANGE, left = r->source->n - first, n = left < RANGE ? left : RANGE;
        if (r->words == 1)
            sort_keys(r, first, n, 1, r->starts[range]);
        else
            sort_keys(r, first, n, r->words, r->starts[range]);
    }
}

/* Slots are half full at most. */
static void lay_out(rolling *r, size_t most)
{
    size_t slot = 0, first = 0;
    for (size_t p = 0; p < PIECES; p++) {
        piece *x = &r->pieces[p];
        *x = (piece){.first = first, .first_slot = slot, .bits = LEAST_BITS};
        for (size_t range = 0; range < r->n_ranges; range++)
            x->n += r->starts[range][p + 1] - r->starts[range][p];
        while (((size_t)1 << x->bits) < 2 * (x->n < most ? x->n : most))
            x->bits++;
        slot += (size_t)1 << x->bits;
        first += x->n;
    }
}

/* ---- Numbering ---------------------------------------------------------------------------- */

MGL_SPECIALIZE bool differ(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t bits = 0;
    for (size_t w = 0; w < words; w++)
        bits |= a[w] ^ b[w];
    return bits != 0;
}

MGL_SPECIALIZE void number_keys(const rolling *r, piece *x, size_t p, size_t words)
{
    uint64_t *different = r->different + x->first * words;
    uint32_t *slots = r->slots + x->first_slot, n = 0;
    size_t mask = ((size_t)1 << x->bits) - 1;
    memset(slots, 0, (mask + 1) * sizeof *slots);
    for (size_t range = 0; range < r->n_ranges; range++) {
        size_t i = range * RANGE + r->starts[range][p];
        size_t end = range * RANGE + r->starts[range][p + 1];
        for (; i < end; i++) {
            const uint64_t *key = r->keys + i * words;
            size_t slot = (size_t)(hash_of(key, words) << PIECE_BITS >> (64 - x->bits));
            while (slots[slot] != 0 && differ(different + (slots[slot] - 1) * words, key, words))
                slot = (slot + 1) & mask;
            if (slots[slot] == 0) {
                memcpy(different + n * words, key, words * sizeof *key);
                slots[slot] = ++n;
            }
            r->numbers[i] = slots[slot] - 1;
        }
    }
    x->n_records = n;
}

static void number_piece(void *context, size_t p, unsigned thread)
{
    rolling *r = context;
    (void)thread;
    if (r->words == 1)
        number_keys(r, &r->pieces[p], p, 1);
    else
        number_keys(r, &r->pieces[p], p, r->words);
}

/* ---- Adding up ---------------------------------------------------------------------------- */

static void fill_piece(void *context, size_t p, unsigned thread)
{
    const rolling *r = context;
    const piece *x = &r->pieces[p];
    size_t stride = r->search->stride, size = r->words * sizeof(uint64_t);
    char *first = r->records + (1 + x->base) * stride;
    (void)thread;
    for (size_t i = 0; i < x->n_records; i++) {
        memcpy(first + i * stride, r->different + (x->first + i) * r->words, size);
        memset(first + i * stride + size, 0, stride - size);
    }
    for (size_t range = 0; range < r->n_ranges; range++) {
        size_t begin = range * RANGE + r->starts[range][p];
        r->search->kernel->add_listed(r->search, r->source, r->list + begin, r->numbers + begin,
                                      r->starts[range][p + 1] - r->starts[range][p], first);
    }
}

/* ---- The whole ---------------------------------------------------------------------------- */

/* Threads that search branches of their own have no others to help them. */
mgl_pool *mgl_by_size_helpers(const mgl_by_size *search, size_t n)
{
    mgl_pool *pool = search->frame.problem->pool;
    bool large = n >= search->least_in_pieces && !search->frame.parallel.divided;
    return large && mgl_pool_threads(pool) > 1 ? pool : NULL;
}

/* Slots take the most: two to four per key. */
static mgl_status make_room(mgl_by_size_worker *worker, rolling *r, mgl_error *err)
{
    size_t n = r->source->n, keys = n * r->words * sizeof *r->keys;
    size_t slots = (4 * n + ((size_t)PIECES << LEAST_BITS)) * sizeof *r->slots;
    size_t lists = 2 * n * sizeof *r->list, starts = r->n_ranges * sizeof *r->starts;
    MGL_TRY(mgl_by_size_grow(worker, &worker->pieces, 2 * keys + lists + slots + starts, err));
    char *at = worker->pieces->bytes;
    r->keys = (uint64_t *)(void *)at;
    r->different = (uint64_t *)(void *)(at + keys);
    r->list = (uint32_t *)(void *)(at + 2 * keys);
    r->numbers = r->list + n;
    r->slots = r->numbers + n;
    r->starts = (range_starts *)(void *)(at + 2 * keys + lists + slots);
    return MGL_OK;
}

mgl_status mgl_by_size_roll_in_pieces(mgl_by_size_worker *worker, const mgl_by_size_source *source,
                                      const uint64_t *masks, size_t most, size_t room,
                                      mgl_error *err, mgl_by_size_table *out)
{
    mgl_pool *pool = worker->search->frame.problem->pool;
    rolling r = {.search = worker->search,
                 .source = source,
                 .masks = masks,
                 .words = worker->search->frame.words,
                 .n_ranges = (source->n + RANGE - 1) / RANGE};
    MGL_TRY(make_room(worker, &r, err));
    mgl_pool_run(pool, (r.n_ranges + AT_ONCE - 1) / AT_ONCE, sort_ranges, &r);
    lay_out(&r, most);
    mgl_pool_run(pool, PIECES, number_piece, &r);
    size_t n = 0;
    for (size_t p = 0; p < PIECES; p++) {
        r.pieces[p].base = n;
        n += r.pieces[p].n_records;
    }
    MGL_TRY(mgl_by_size_make_room(worker, out, room > n ? room : n, err));
    r.records = out->records;
    mgl_pool_run(pool, PIECES, fill_piece, &r);
    out->n = n;
    out->mask = masks[0];
    out->ordered = 0;
    return MGL_OK;
}
