/* Counts rows by what is passed through and by label and ground value of a generalized attribute:
 * in a plain array where that is small, else in a hash table. */
#include "risk/recovery.h"

#include <stdlib.h>

/* A plain array is cleared and read as a whole: it may be so much larger than there are rows. */
enum { ARRAY_PER_ROW = 4, SMALL_ARRAY = 1 << 14, LARGEST_ARRAY = 1 << 22 };

typedef struct counter {
    uint64_t key;
    uint64_t times;
    bool used; /* also by a row that counts 0 times */
} counter;

typedef struct counters {
    counter *slots; /* [n_slots] */
    size_t n, n_slots, most;
} counters;

void mgl_cells_free(mgl_cells *cells)
{
    mgl_free(cells->values);
    mgl_free(cells->codes);
    mgl_free(cells->pairs);
    mgl_free(cells->times);
    mgl_free(cells->by_bytes);
    mgl_free(cells->by_worth);
    *cells = (mgl_cells){0};
}

static uint64_t value_of(const mgl_coded_rows *rows, size_t row)
{
    return rows->other != NULL ? (uint64_t)rows->codes[row] * rows->n_other + rows->other[row]
                               : rows->codes[row];
}

static uint64_t times_of(const mgl_coded_rows *rows, size_t row)
{
    return rows->times != NULL ? rows->times[row] : 1;
}

static bool allocate(mgl_cells *out, size_t n)
{
    out->values = mgl_alloc_array(n, sizeof *out->values);
    out->codes = mgl_alloc_array(n, sizeof *out->codes);
    out->pairs = mgl_alloc_array(n, sizeof *out->pairs);
    out->times = mgl_alloc_array(n, sizeof *out->times);
    return out->values != NULL && out->codes != NULL && out->pairs != NULL && out->times != NULL;
}

/* Adds the next cell, in the order of keys. */
static void add_cell(mgl_cells *out, bool of_two, uint64_t value, uint32_t pair, uint64_t times)
{
    size_t i = out->n++;
    uint32_t before = i > 0 ? out->codes[i - 1] : 0;
    bool same = i == 0 || out->values[i - 1] == value;
    out->values[i] = value;
    out->codes[i] = of_two ? before + !same : (uint32_t)value;
    out->pairs[i] = pair;
    out->times[i] = times;
}

/* ---- In an array --------------------------------------------------------------------------- */

/* One more than the rows' times, so that a cell whose rows count 0 times is one. */
static mgl_counted_cells count_in_array(const mgl_coded_rows *rows, const mgl_told *told,
                                        size_t size, mgl_cells *out)
{
    uint64_t *times = mgl_zeroed_array(size, sizeof *times);
    uint32_t n_pairs = told->n_pairs;
    size_t n = 0;
    if (times == NULL)
        return MGL_CELLS_NO_MEMORY;
    for (size_t row = 0; row < rows->n; row++) {
        uint32_t pair = told->pair_of_tuple[rows->tuples[row]];
        if (pair == MGL_NOT_FOUND)
            continue;
        uint64_t *at = &times[value_of(rows, row) * n_pairs + pair];
        n += *at == 0;
        *at += times_of(rows, row) + (*at == 0);
    }
    bool whole = allocate(out, n);
    for (size_t i = 0; whole && out->n < n; i++)
        if (times[i] > 0)
            add_cell(out, rows->other != NULL, i / n_pairs, (uint32_t)(i % n_pairs), times[i] - 1);
    mgl_free(times);
    return whole ? MGL_CELLS_COUNTED : MGL_CELLS_NO_MEMORY;
}

/* ---- In a hash table ----------------------------------------------------------------------- */

static counter *find(const counters *c, uint64_t key)
{
    size_t slot = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & (c->n_slots - 1);
    while (c->slots[slot].used && c->slots[slot].key != key)
        slot = (slot + 1) & (c->n_slots - 1);
    return &c->slots[slot];
}

static bool widen(counters *c)
{
    counters wider = {
        .n = c->n, .n_slots = c->n_slots > 0 ? 4 * c->n_slots : 4096, .most = c->most};
    wider.slots = mgl_zeroed_array(wider.n_slots, sizeof *wider.slots);
    if (wider.slots == NULL)
        return false;
    for (size_t i = 0; i < c->n_slots; i++)
        if (c->slots[i].used)
            *find(&wider, c->slots[i].key) = c->slots[i];
    mgl_free(c->slots);
    *c = wider;
    return true;
}

static mgl_counted_cells count_rows(counters *c, const mgl_coded_rows *rows, const mgl_told *told)
{
    for (size_t row = 0; row < rows->n; row++) {
        uint32_t pair = told->pair_of_tuple[rows->tuples[row]];
        if (pair == MGL_NOT_FOUND)
            continue;
        if (2 * c->n >= c->n_slots && !widen(c))
            return MGL_CELLS_NO_MEMORY;
        uint64_t key = value_of(rows, row) * told->n_pairs + pair;
        counter *at = find(c, key);
        c->n += !at->used;
        at->key = key;
        at->used = true;
        at->times += times_of(rows, row);
        if (c->n > c->most)
            return MGL_CELLS_TOO_MANY;
    }
    return MGL_CELLS_COUNTED;
}

static int by_key(const void *a, const void *b)
{
    const counter *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static mgl_counted_cells count_hashed(const mgl_coded_rows *rows, const mgl_told *told, size_t most,
                                      mgl_cells *out)
{
    counters c = {.most = most};
    mgl_counted_cells counted = count_rows(&c, rows, told);
    if (counted == MGL_CELLS_COUNTED && !allocate(out, c.n))
        counted = MGL_CELLS_NO_MEMORY;
    size_t n = 0;
    for (size_t i = 0; counted == MGL_CELLS_COUNTED && i < c.n_slots; i++)
        if (c.slots[i].used)
            c.slots[n++] = c.slots[i];
    if (n > 1)
        qsort(c.slots, n, sizeof *c.slots, by_key);
    for (size_t i = 0; i < n; i++)
        add_cell(out, rows->other != NULL, c.slots[i].key / told->n_pairs,
                 (uint32_t)(c.slots[i].key % told->n_pairs), c.slots[i].times);
    mgl_free(c.slots);
    return counted;
}

mgl_counted_cells mgl_cells_count(const mgl_coded_rows *rows, const mgl_told *told, size_t most,
                                  mgl_cells *out)
{
    double n_keys = (double)rows->n_values * (rows->other != NULL ? (double)rows->n_other : 1) *
                    (double)told->n_pairs;
    double largest = (double)ARRAY_PER_ROW * (double)rows->n + SMALL_ARRAY;
    *out = (mgl_cells){0};
    if (n_keys >= 0x1p63)
        return MGL_CELLS_TOO_MANY;
    if (n_keys <= largest && n_keys <= LARGEST_ARRAY)
        return count_in_array(rows, told, (size_t)n_keys, out);
    return count_hashed(rows, told, most, out);
}

/* ---- Persons ------------------------------------------------------------------------------- */

uint64_t *mgl_count_persons_once(const mgl_coded_rows *rows, const uint32_t *persons)
{
    uint64_t *times = mgl_alloc_array(rows->n, sizeof *times);
    mgl_map *seen = mgl_map_new();
    bool whole = times != NULL && seen != NULL;
    for (size_t row = 0; whole && row < rows->n; row++) {
        uint64_t key[2] = {persons[row], value_of(rows, row)};
        uint32_t before = mgl_map_size(seen);
        uint32_t number = mgl_map_add(seen, (mgl_span){(const char *)key, sizeof key});
        times[row] = number < before ? 0 : times_of(rows, row);
        whole = number != MGL_NOT_FOUND;
    }
    mgl_map_free(seen);
    if (whole)
        return times;
    mgl_free(times);
    return NULL;
}
