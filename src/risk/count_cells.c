/* Counts rows by the value that is passed through and by label and ground value of a generalized
 * attribute: in an array where that is small, else with a hash index. */
#include "risk/recovery.h"

/* A plain array is cleared and read as a whole: it may be so much larger than there are rows. */
enum { ARRAY_PER_ROW = 4, SMALL_ARRAY = 1 << 14, LARGEST_ARRAY = 1 << 22 };

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

/* Counts are stored plus one, so that a cell whose rows count 0 times is kept. */
static mgl_counted_cells count_in_array(const mgl_coded_rows *rows,
                                        const mgl_label_pairs *label_pairs, size_t size,
                                        mgl_cells *out)
{
    uint64_t *times = mgl_zeroed_array(size, sizeof *times);
    uint32_t n_pairs = label_pairs->n_pairs;
    size_t n = 0;
    if (times == NULL)
        return MGL_CELLS_NO_MEMORY;
    for (size_t row = 0; row < rows->n; row++) {
        uint32_t pair = label_pairs->pair_of_tuple[rows->tuples[row]];
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

typedef struct counter {
    uint64_t key;
    uint64_t times;
} counter;

static const mgl_sort_key by_key[] = {MGL_ASCENDING(counter, key), MGL_SORT_END};

typedef struct counters {
    mgl_hash_index index;
    counter *list; /* [n] as they come */
    size_t n, room;
} counters;

typedef struct sought {
    const counter *list;
    uint64_t key;
} sought;

static inline bool is_same_key(const void *context, uint32_t number)
{
    const sought *s = context;
    return s->list[number].key == s->key;
}

/* The counter of the key, which is added if it is new. NULL if memory is out. */
static counter *counter_of(counters *c, uint64_t key)
{
    uint64_t hash = (key * UINT64_C(0x9E3779B97F4A7C15)) >> 20;
    uint32_t number = mgl_hash_index_find(&c->index, hash, is_same_key, &(sought){c->list, key});
    if (number != MGL_NOT_FOUND)
        return &c->list[number];
    if (!mgl_grow(&c->list, &c->room, c->n + 1, sizeof *c->list) ||
        !mgl_hash_index_add(&c->index, hash, (uint32_t)c->n))
        return NULL;
    c->list[c->n] = (counter){.key = key};
    return &c->list[c->n++];
}

static mgl_counted_cells count_rows(counters *c, const mgl_coded_rows *rows,
                                    const mgl_label_pairs *label_pairs, size_t most)
{
    for (size_t row = 0; row < rows->n; row++) {
        uint32_t pair = label_pairs->pair_of_tuple[rows->tuples[row]];
        if (pair == MGL_NOT_FOUND)
            continue;
        counter *at = counter_of(c, value_of(rows, row) * label_pairs->n_pairs + pair);
        if (at == NULL)
            return MGL_CELLS_NO_MEMORY;
        at->times += times_of(rows, row);
        if (c->n > most)
            return MGL_CELLS_TOO_MANY;
    }
    return MGL_CELLS_COUNTED;
}

static mgl_counted_cells count_hashed(const mgl_coded_rows *rows,
                                      const mgl_label_pairs *label_pairs, size_t most,
                                      mgl_cells *out)
{
    counters c = {.n = 0};
    mgl_counted_cells counted = count_rows(&c, rows, label_pairs, most);
    if (counted == MGL_CELLS_COUNTED && !allocate(out, c.n))
        counted = MGL_CELLS_NO_MEMORY;
    if (counted == MGL_CELLS_COUNTED) {
        mgl_sort(c.list, c.n, sizeof *c.list, by_key);
        for (size_t i = 0; i < c.n; i++)
            add_cell(out, rows->other != NULL, c.list[i].key / label_pairs->n_pairs,
                     (uint32_t)(c.list[i].key % label_pairs->n_pairs), c.list[i].times);
    }
    mgl_hash_index_free(&c.index);
    mgl_free(c.list);
    return counted;
}

mgl_counted_cells mgl_cells_count(const mgl_coded_rows *rows, const mgl_label_pairs *label_pairs,
                                  size_t most, mgl_cells *out)
{
    double n_keys = (double)rows->n_values * (rows->other != NULL ? (double)rows->n_other : 1) *
                    (double)label_pairs->n_pairs;
    double largest = (double)ARRAY_PER_ROW * (double)rows->n + SMALL_ARRAY;
    *out = (mgl_cells){0};
    if (n_keys >= 0x1p63)
        return MGL_CELLS_TOO_MANY;
    if (n_keys <= largest && n_keys <= LARGEST_ARRAY)
        return count_in_array(rows, label_pairs, (size_t)n_keys, out);
    return count_hashed(rows, label_pairs, most, out);
}

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
