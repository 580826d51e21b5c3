/* Keeps tables of classes with their counts: rolling up, on all threads if a table is large, what
 * to roll up from, and the order of the first tables. */
#include "search/fulldomain/by_size/counts.h"

/* Memory of tables of counts. Small tables share pieces that live until the search ends: memory
 * that comes from the system and goes back table by table costs more than the search. A large table
 * has a block of its own, which goes back as soon as it is not needed.
 *
 * A large table is packed if most of its counts are 0. */

enum { LEAST_CHUNK = 1 << 16, MOST_CHUNK = 16 << 20, TABLES_IN_CHUNK = 32 };
enum {
    PACKED_RANGES = 32,
    SAMPLE = 8
};                              /* of each, records by which it is decided whether to pack */
enum { FEW_RECORDS = 1 << 14 }; /* slots for so many lie in a near cache */
enum { LARGE_TUPLES = 4 << 20, LEAST_BLOCK = 1 << 12 }; /* bytes */

static size_t usual_chunk(const mgl_by_size *search)
{
    size_t most = MOST_CHUNK / TABLES_IN_CHUNK / search->stride;
    if (search->frame.problem->list->n_tuples >= most)
        return MOST_CHUNK;
    size_t size = search->frame.problem->list->n_tuples * search->stride * TABLES_IN_CHUNK;
    return size < LEAST_CHUNK ? LEAST_CHUNK : size;
}

static void *take_bytes(mgl_by_size_worker *worker, size_t bytes)
{
    mgl_by_size_chunk *chunk = worker->chunks;
    bytes = (bytes + 15) / 16 * 16;
    if (chunk == NULL || chunk->size - chunk->used < bytes) {
        size_t size = usual_chunk(worker->search);
        size = bytes > size / 4 ? bytes : size;
        chunk = mgl_alloc(sizeof *chunk + size);
        if (chunk == NULL)
            return NULL;
        *chunk = (mgl_by_size_chunk){.next = worker->chunks, .size = size};
        worker->chunks = chunk;
        worker->taken += size;
    }
    void *taken = chunk->bytes + chunk->used;
    chunk->used += bytes;
    return taken;
}

static void link_block(mgl_by_size_worker *worker, mgl_by_size_block *block)
{
    block->next = worker->blocks;
    block->before = &worker->blocks;
    if (block->next != NULL)
        block->next->before = &block->next;
    worker->blocks = block;
    worker->taken += block->size;
}

static void unlink_block(mgl_by_size_worker *worker, mgl_by_size_block *block)
{
    *block->before = block->next;
    if (block->next != NULL)
        block->next->before = block->before;
    worker->taken -= block->size;
}

static mgl_by_size_block *new_block(mgl_by_size_worker *worker, size_t size)
{
    mgl_by_size_block *block = mgl_alloc(sizeof *block + size);
    if (block == NULL)
        return NULL;
    block->size = size;
    link_block(worker, block);
    return block;
}

static void free_block(mgl_by_size_worker *worker, mgl_by_size_block *block)
{
    if (block == NULL)
        return;
    unlink_block(worker, block);
    mgl_free(block);
}

static size_t bytes_for(const mgl_by_size *search, size_t n)
{
    return (n + 2) * search->stride;
}

/* If all tuples take no more than a few megabytes, no table is large, unless memory is less. */
static bool is_large(const mgl_by_size *search, size_t n)
{
    const mgl_problem *problem = search->frame.problem;
    uint64_t few = LARGE_TUPLES;
    if (problem->memory > 0 && problem->memory < few)
        few = problem->memory;
    return problem->list->n_tuples * search->stride > few && bytes_for(search, n) >= LEAST_BLOCK;
}

/* Room of at least this size; what was in it is lost. */
static mgl_status by_size_grow(mgl_by_size_worker *worker, mgl_by_size_block **block, size_t size,
                               mgl_error *err)
{
    if (*block != NULL && (*block)->size >= size)
        return MGL_OK;
    free_block(worker, *block);
    *block = new_block(worker, size);
    return *block != NULL ? MGL_OK : mgl_fail_memory(err);
}

/* Room for n records, for record 0, and for one that is cleared in advance. Slots hold 32-bit
 * numbers of words. What the table had is lost. */
static mgl_status by_size_make_room(mgl_by_size_worker *worker, mgl_by_size_table *table, size_t n,
                                    mgl_error *err)
{
    size_t stride = worker->search->stride;
    if (!table->packed && n <= table->capacity && table->records != NULL)
        return MGL_OK;
    if (n + 2 > UINT32_MAX / (stride / 8))
        return mgl_fail_memory(err);
    mgl_by_size_empty(worker, table);
    if (is_large(worker->search, n)) {
        table->block = new_block(worker, bytes_for(worker->search, n));
        table->records = table->block != NULL ? table->block->bytes : NULL;
    } else {
        n = n < 2 * table->capacity ? 2 * table->capacity : n; /* the old memory is lost */
        table->records = take_bytes(worker, bytes_for(worker->search, n));
    }
    table->capacity = table->records != NULL ? n : 0;
    return table->records != NULL ? MGL_OK : mgl_fail_memory(err);
}

/* Gives back what a table that was just made does not need. */
static void by_size_give_back(mgl_by_size_worker *worker, mgl_by_size_table *table)
{
    const mgl_by_size *search = worker->search;
    mgl_by_size_chunk *chunk = worker->chunks;
    if (table->block != NULL) {
        mgl_by_size_block *block = table->block;
        size_t size = bytes_for(search, table->n);
        unlink_block(worker, block);
        mgl_by_size_block *smaller = mgl_realloc_array(block, sizeof *block + size, 1);
        table->block = smaller != NULL ? smaller : block;
        table->block->size = smaller != NULL ? size : block->size;
        table->records = table->block->bytes;
        table->capacity = smaller != NULL ? table->n : table->capacity;
        link_block(worker, table->block);
        return;
    }
    size_t had = (bytes_for(search, table->capacity) + 15) / 16 * 16;
    if (table->records + had != chunk->bytes + chunk->used)
        return;
    chunk->used -= had - (bytes_for(search, table->n) + 15) / 16 * 16;
    table->capacity = table->n;
}

void mgl_by_size_empty(mgl_by_size_worker *worker, mgl_by_size_table *table)
{
    table->n = 0;
    table->packed = false;
    if (table->block == NULL)
        return;
    free_block(worker, table->block);
    table->block = NULL;
    table->records = NULL;
    table->capacity = 0;
}

/* The same for a table that was just made and is not needed: a small one's memory is given back,
 * too. */
static void by_size_drop(mgl_by_size_worker *worker, mgl_by_size_table *table)
{
    mgl_by_size_empty(worker, table);
    if (table->records != NULL)
        by_size_give_back(worker, table);
}

typedef struct packing {
    const mgl_by_size *search;
    const mgl_by_size_table *table;
    size_t ranges[PACKED_RANGES]; /* counts that are not 0, then those of the ranges before */
    mgl_by_size_table packed;
} packing;

static mgl_by_size_range range_of(const mgl_by_size_table *table, size_t i)
{
    return (mgl_by_size_range){table->n * i / PACKED_RANGES, table->n * (i + 1) / PACKED_RANGES};
}

static void count_range(void *context, size_t i, unsigned thread)
{
    packing *p = context;
    (void)thread;
    p->ranges[i] = p->search->kernel->count_lanes(p->search, p->table, range_of(p->table, i));
}

static void pack_range(void *context, size_t i, unsigned thread)
{
    packing *p = context;
    (void)thread;
    p->search->kernel->pack(p->search, p->table, range_of(p->table, i), p->ranges[i], &p->packed);
}

/* Are so many counts of so many records worth packing? */
static bool is_sparse(const mgl_by_size *search, size_t counts, size_t n)
{
    size_t each = search->frame.words * sizeof(uint64_t) + search->kernel->lane_size;
    return 3 * counts * each <= n * search->stride;
}

/* Asks some records of each range: those of a table in order differ from place to place. */
static bool looks_sparse(const mgl_by_size *search, const mgl_by_size_table *table)
{
    size_t counts = 0, n = 0;
    for (size_t i = 0; i < PACKED_RANGES; i++) {
        mgl_by_size_range some = range_of(table, i);
        some.end = some.end - some.first < SAMPLE ? some.end : some.first + SAMPLE;
        counts += search->kernel->count_lanes(search, table, some);
        n += some.end - some.first;
    }
    return is_sparse(search, counts, n);
}

mgl_status mgl_by_size_pack(mgl_by_size_worker *worker, mgl_by_size_table *table, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    /* Floors are counted in tables as they are. */
    if (search->has_floor || !search->use_pairs || table->block == NULL)
        return MGL_OK;
    if (!looks_sparse(search, table))
        return MGL_OK;
    packing p = {.search = search, .table = table};
    mgl_pool *pool = mgl_by_size_helpers(search, table->n);
    mgl_pool_run(pool, PACKED_RANGES, count_range, &p);
    size_t n = 0;
    for (size_t i = 0; i < PACKED_RANGES; i++) {
        size_t more = p.ranges[i];
        p.ranges[i] = n;
        n += more;
    }
    if (!is_sparse(search, n, table->n))
        return MGL_OK;
    size_t each = search->frame.words * sizeof(uint64_t) + search->kernel->lane_size;
    mgl_by_size_block *block = new_block(worker, n * each);
    MGL_TRY(mgl_check_memory(block != NULL, err));
    p.packed = (mgl_by_size_table){.records = block->bytes,
                                   .n = n,
                                   .packed = true,
                                   .mask = table->mask,
                                   .ordered = table->ordered,
                                   .block = block};
    mgl_pool_run(pool, PACKED_RANGES, pack_range, &p);
    free_block(worker, table->block);
    *table = p.packed;
    return MGL_OK;
}

/* Empty slots for up to n records. */
static mgl_status by_size_clear_slots(mgl_by_size_worker *worker, size_t n, mgl_error *err)
{
    mgl_by_size_slots *slots = &worker->slots;
    unsigned bits = 6;
    size_t least = n < FEW_RECORDS ? 4 * n : 2 * n;
    while (((size_t)1 << bits) < least)
        bits++;
    size_t size = (size_t)1 << bits;
    if (size > slots->capacity) {
        slots->capacity = 0;
        MGL_TRY(by_size_grow(worker, &slots->block, size * sizeof *slots->numbers, err));
        slots->numbers = (uint32_t *)(void *)slots->block->bytes;
        slots->capacity = size;
    }
    memset(slots->numbers, 0, size * sizeof *slots->numbers);
    slots->mask = size - 1;
    slots->shift = 64 - bits;
    return MGL_OK;
}

/* Makes a large table on all threads of the pool. Keys are shared out among pieces by their hash,
 * so that equal ones meet in one piece; the records of a piece are numbered, and then they are
 * added up where they belong. The table is the same for any number of threads. */

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
    MGL_TRY(by_size_grow(worker, &worker->pieces, 2 * keys + lists + slots + starts, err));
    char *at = worker->pieces->bytes;
    r->keys = (uint64_t *)(void *)at;
    r->different = (uint64_t *)(void *)(at + keys);
    r->list = (uint32_t *)(void *)(at + 2 * keys);
    r->numbers = r->list + n;
    r->slots = r->numbers + n;
    r->starts = (range_starts *)(void *)(at + 2 * keys + lists + slots);
    return MGL_OK;
}

/* Makes a table of a source on all threads of the pool, with these masks of keys. most: records
 * that it has at most; room: what to make room for at least. */
static mgl_status roll_in_pieces(mgl_by_size_worker *worker, const mgl_by_size_source *source,
                                 const uint64_t *masks, size_t most, size_t room, mgl_error *err,
                                 mgl_by_size_table *out)
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
    MGL_TRY(by_size_make_room(worker, out, room > n ? room : n, err));
    r.records = out->records;
    mgl_pool_run(pool, PIECES, fill_piece, &r);
    out->n = n;
    out->mask = masks[0];
    out->ordered = 0;
    return MGL_OK;
}

/* Sorts the first tables by their keys. Tables that are rolled up from them keep the order of the
 * columns that come later in the key, so that classes of one kind lie side by side and are found in
 * a near cache. That pays where many tables are made of large ones. */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
enum { MANY_NODES = 1 << 14 };  /* outside the block */
enum { SMALL_GROUP = 1 << 12 }; /* classes that are found in a near cache in any order */

/* A key, and the number of its record or the count of a packed table. */
typedef struct keyed {
    uint64_t key;
    uint32_t of;
} keyed;

bool mgl_by_size_sorting_pays(const mgl_by_size *search)
{
    uint64_t nodes = 1;
    for (size_t c = 0; c < search->frame.n_columns && nodes < MANY_NODES; c++)
        nodes *= search->frame.columns[c]->n_levels;
    return nodes >= MANY_NODES && search->frame.words == 1 && search->n_planes == 0 &&
           mgl_by_size_is_large(search->frame.problem);
}

static char *record_at(const mgl_by_size *search, const mgl_by_size_table *table, size_t i)
{
    return table->packed ? table->records + i * sizeof(uint64_t)
                         : table->records + (i + 1) * search->stride;
}

/* The bits that keys are in order by: those of the first columns, which come last in the key, make
 * small groups that need none. */
static unsigned order_of(const mgl_by_size *search)
{
    size_t group = 1, c = 0;
    for (; c < search->frame.n_columns; c++) {
        group *= search->frame.columns[c]->levels[0].n_values;
        if (group > SMALL_GROUP)
            break;
    }
    return c < search->frame.n_columns ? 64 - search->frame.columns[c]->shift : 0;
}

/* By their first bits, digit by digit, the last first; *list and *other change places. Digits that
 * no key has are left out. */
static void sort_records(keyed **list, keyed **other, size_t n, uint64_t mask, unsigned bits)
{
    for (unsigned shift = 64 - bits; shift < 64; shift += DIGIT_BITS) {
        if ((mask >> shift) % DIGITS == 0)
            continue;
        size_t at[DIGITS] = {0}, first = 0;
        for (size_t i = 0; i < n; i++)
            at[((*list)[i].key >> shift) % DIGITS]++;
        for (size_t digit = 0; digit < DIGITS; digit++) {
            size_t count = at[digit];
            at[digit] = first;
            first += count;
        }
        for (size_t i = 0; i < n; i++)
            (*other)[at[((*list)[i].key >> shift) % DIGITS]++] = (*list)[i];
        keyed *sorted = *other;
        *other = *list;
        *list = sorted;
    }
}

static uint32_t count_at(const mgl_by_size *search, const mgl_by_size_table *table, size_t i)
{
    uint32_t count = 0; /* only carried, as bytes */
    size_t lane = search->kernel->lane_size;
    memcpy(&count, table->records + table->n * sizeof(uint64_t) + i * lane, lane);
    return count;
}

static void sort_packed(const mgl_by_size *search, mgl_by_size_table *table, keyed *list,
                        keyed *other)
{
    size_t n = table->n, lane = search->kernel->lane_size;
    for (size_t i = 0; i < n; i++)
        list[i].of = count_at(search, table, i);
    sort_records(&list, &other, n, table->mask, table->ordered);
    for (size_t i = 0; i < n; i++) {
        memcpy(record_at(search, table, i), &list[i].key, sizeof list[i].key);
        memcpy(table->records + n * sizeof(uint64_t) + i * lane, &list[i].of, lane);
    }
}

/* By way of `room`. */
static void sort_unpacked(const mgl_by_size *search, mgl_by_size_table *table, keyed *list,
                          keyed *other, char *room)
{
    size_t n = table->n, stride = search->stride;
    for (size_t i = 0; i < n; i++)
        list[i].of = (uint32_t)i;
    sort_records(&list, &other, n, table->mask, table->ordered);
    for (size_t i = 0; i < n; i++)
        memcpy(room + i * stride, record_at(search, table, list[i].of), stride);
    memcpy(record_at(search, table, 0), room, n * stride);
}

/* A table that there is no memory for stays as it is: it serves as well, only more slowly. */
void mgl_by_size_sort(const mgl_by_size *search, unsigned bits, mgl_by_size_table *table)
{
    size_t n = table->n;
    if (n > UINT32_MAX || n * (2 * sizeof(keyed) + search->stride) > search->most_taken)
        return;
    keyed *list = mgl_alloc_array(n, sizeof *list), *other = mgl_alloc_array(n, sizeof *other);
    char *room = table->packed ? NULL : mgl_alloc_array(n, search->stride);
    if (list != NULL && other != NULL && (table->packed || room != NULL)) {
        table->ordered = bits;
        for (size_t i = 0; i < n; i++)
            memcpy(&list[i].key, record_at(search, table, i), sizeof list[i].key);
        if (table->packed)
            sort_packed(search, table, list, other);
        else
            sort_unpacked(search, table, list, other, room);
    }
    mgl_free(list);
    mgl_free(other);
    mgl_free(room);
}

/* The largest first. */
static void sort_first(void *context, size_t item, unsigned thread)
{
    const mgl_by_size *search = context;
    mgl_by_size_cached_table *first = &search->first[search->frame.n_columns - item];
    (void)thread;
    if (first->other == NULL && first->table.block != NULL)
        mgl_by_size_sort(search, order_of(search), &first->table);
}

enum { TIMES_TUPLES = 8, LEAST_MEMORY = 256 << 20 };
/* Records of a table worth asking first whether it shrinks, and how many of them are asked. */
enum { LEAST_SAMPLED = 1 << 12, SAMPLED = 1 << 8, SAMPLE_SLOTS = 1 << 11 };

/* A table hardly smaller than the one it was made from is not worth its memory. */
static bool is_worth_it(const mgl_by_size_table *table, const mgl_by_size_table *finer)
{
    return table->n <= finer->n - finer->n / 4;
}

static size_t places(const mgl_by_size *search)
{
    return (search->frame.n_columns + 1) * (search->frame.n_columns + 1);
}

static mgl_status init_worker(mgl_by_size *search, mgl_by_size_worker *worker, mgl_error *err)
{
    const mgl_problem *p = search->frame.problem;
    size_t m = p->list->n_attributes, n = search->frame.n_columns;
    worker->search = search;
    worker->masks = mgl_own_array(&worker->own, search->frame.words, sizeof *worker->masks);
    worker->path = mgl_own_array(&worker->own, n + 1, sizeof *worker->path);
    worker->lows = mgl_own_zeroed(&worker->own, (n + 1) * (n + 1), sizeof *worker->lows);
    worker->levels = mgl_own_array(&worker->own, n + 1, sizeof *worker->levels);
    worker->node = mgl_own_array(&worker->own, m, sizeof *worker->node);
    worker->cache = mgl_own_zeroed(&worker->own, places(search), sizeof *worker->cache);
    worker->branches = mgl_own_array(&worker->own, n + 2, mgl_by_size_branch_size(search));
    worker->floors = mgl_own_array(&worker->own, n + 2, sizeof *worker->floors);
    MGL_TRY(mgl_owned_check(&worker->own, err));
    return mgl_statistics_init(&worker->statistics, p->columns, m, err);
}

/* Without a limit, some times what all tuples take for each thread, so that what is kept does not
 * depend on their number, unless that is more than half of the machine. */
static uint64_t most_taken(const mgl_by_size *search, unsigned n_workers)
{
    const mgl_problem *problem = search->frame.problem;
    uint64_t most = TIMES_TUPLES * problem->list->n_tuples * search->stride;
    uint64_t machine = mgl_sys_memory() / 2 / n_workers;
    if (problem->memory > 0)
        return problem->memory / n_workers;
    most = most < LEAST_MEMORY ? LEAST_MEMORY : most;
    return machine > 0 && machine < most ? machine : most;
}

static mgl_status by_size_workers_make(mgl_by_size *search, mgl_error *err)
{
    unsigned n = mgl_pool_threads(search->frame.problem->pool);
    search->workers = mgl_zeroed_array(n, sizeof *search->workers);
    search->first = mgl_zeroed_array(search->frame.n_columns + 1, sizeof *search->first);
    MGL_TRY(mgl_check_memory(search->workers != NULL && search->first != NULL, err));
    search->n_workers = n;
    search->most_taken = most_taken(search, n);
    for (unsigned i = 0; i < n; i++) {
        search->workers[i].result = &search->frame.parallel.results[i];
        MGL_TRY(init_worker(search, &search->workers[i], err));
    }
    return MGL_OK;
}

void mgl_by_size_worker_free(mgl_by_size_worker *worker)
{
    while (worker->chunks != NULL) {
        mgl_by_size_chunk *next = worker->chunks->next;
        mgl_free(worker->chunks);
        worker->chunks = next;
    }
    while (worker->blocks != NULL)
        free_block(worker, worker->blocks);
    mgl_by_size_ahead_free(worker);
    mgl_free(worker->small);
    mgl_free(worker->surplus);
    mgl_free(worker->potentials);
    mgl_free(worker->known);
    mgl_owned_free(&worker->own);
    mgl_statistics_free(&worker->statistics);
    mgl_evaluator_free(worker->evaluator);
}

/* How many classes can have keys that begin with the same so many bits? No more than combinations
 * of values of the columns that have other bits. */
static size_t most_in_group(const mgl_by_size *search, const uint8_t *levels, unsigned bits,
                            size_t most)
{
    size_t product = 1;
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        if (bits > 0 && search->frame.columns[c]->shift >= 64 - bits)
            continue;
        product *= search->frame.columns[c]->levels[levels[c]].n_values;
        if (product >= most)
            return most;
    }
    return product;
}

static void make_masks(mgl_by_size_worker *worker, const uint8_t *levels)
{
    const mgl_by_size *search = worker->search;
    memset(worker->masks, 0, search->frame.words * sizeof *worker->masks);
    for (size_t c = 0; c < search->frame.n_columns; c++)
        worker->masks[search->frame.columns[c]->word] |=
            search->frame.columns[c]->levels[levels[c]].mask << search->frame.columns[c]->shift;
}

/* room: what to make room for if there is none yet; at least what is needed. */
static mgl_status roll_up(mgl_by_size_worker *worker, const mgl_by_size_table *source,
                          const uint8_t *levels, size_t room, mgl_error *err,
                          mgl_by_size_table *out)
{
    const mgl_by_size *search = worker->search;
    size_t most = most_in_group(search, levels, 0, source->n);
    make_masks(worker, levels);
    if (mgl_by_size_helpers(search, source->n) != NULL) {
        size_t stride = source->packed ? search->frame.words * sizeof(uint64_t) : search->stride;
        const char *keys = source->packed ? source->records : source->records + stride;
        mgl_by_size_source from = (mgl_by_size_source){keys, stride, source->n, source};
        return roll_in_pieces(worker, &from, worker->masks, most, room, err, out);
    }
    /* How much of its order a table keeps: the bits before the first that is lost. */
    uint64_t lost = source->mask & ~worker->masks[0];
    unsigned kept = lost != 0 ? (unsigned)__builtin_clzll(lost) : 64;
    unsigned ordered = kept < source->ordered ? kept : source->ordered;
    MGL_TRY(by_size_clear_slots(worker, most_in_group(search, levels, ordered, most), err));
    MGL_TRY(by_size_make_room(worker, out, room > most ? room : most, err));
    out->mask = worker->masks[0];
    out->ordered = ordered;
    search->kernel->roll_up(search, &worker->slots, source, worker->masks, out);
    return MGL_OK;
}

mgl_status mgl_by_size_roll_up(mgl_by_size_worker *worker, const mgl_by_size_table *source,
                               const uint8_t *levels, mgl_error *err, mgl_by_size_table *out)
{
    bool once = out->records == NULL;
    MGL_TRY(roll_up(worker, source, levels, 0, err, out));
    if (once)
        by_size_give_back(worker, out);
    return MGL_OK;
}

mgl_status mgl_by_size_roll_to_scratch(mgl_by_size_worker *worker, const mgl_by_size_table *source,
                                       const uint8_t *levels, mgl_error *err,
                                       const mgl_by_size_table **out)
{
    mgl_by_size_table *scratch = &worker->scratch[source == &worker->scratch[0]];
    *out = scratch;
    return roll_up(worker, source, levels, source->n, err, scratch);
}

/* Would rolling up leave nearly as many records? Those of a share of the classes are counted,
 * chosen by the hashes of their keys. */
static bool hardly_shrinks(const mgl_by_size *search, const mgl_by_size_table *table,
                           const uint64_t *masks)
{
    uint32_t seen[SAMPLE_SLOTS] = {0};
    size_t records = 0, classes = 0;
    if (table->n < LEAST_SAMPLED || table->block != NULL)
        return false;
    uint64_t share = UINT64_MAX / table->n * SAMPLED;
    for (size_t i = 1; i <= table->n && records < SAMPLE_SLOTS / 2; i++) {
        const char *record = table->records + i * search->stride;
        uint64_t hash = 0, word;
        for (size_t w = 0; w < search->frame.words; w++) {
            memcpy(&word, record + w * sizeof word, sizeof word);
            hash = (hash ^ hash >> 29 ^ (word & masks[w])) * UINT64_C(0x9E3779B97F4A7C15);
        }
        if (hash > share)
            continue;
        uint32_t tag = (uint32_t)(hash >> 16) | 1; /* its first bits are alike */
        size_t slot = tag / 2 % SAMPLE_SLOTS;
        while (seen[slot] != 0 && seen[slot] != tag)
            slot = (slot + 1) % SAMPLE_SLOTS;
        classes += seen[slot] == 0;
        seen[slot] = tag;
        records++;
    }
    return classes > records - records / 5;
}

/* All columns are at their lowest levels. */
static mgl_status make_ground(mgl_by_size_worker *worker, const uint64_t *keys, mgl_error *err,
                              mgl_by_size_table *ground)
{
    const mgl_by_size *search = worker->search;
    size_t n = search->frame.problem->list->n_tuples;
    size_t most = most_in_group(search, worker->levels, 0, n);
    make_masks(worker, worker->levels);
    if (mgl_by_size_helpers(search, n) != NULL) {
        mgl_by_size_source tuples = {(const char *)keys, search->frame.words * sizeof *keys, n,
                                     NULL};
        return roll_in_pieces(worker, &tuples, worker->masks, most, 0, err, ground);
    }
    MGL_TRY(by_size_clear_slots(worker, most, err));
    MGL_TRY(by_size_make_room(worker, ground, most, err));
    ground->mask = worker->masks[0];
    search->kernel->gather(search, &worker->slots, keys, ground);
    by_size_give_back(worker, ground);
    return MGL_OK;
}

/* The table at the worker's levels, unless the finer one does as well. A large one is worth having
 * in an order of its own. */
static mgl_status make_coarser(mgl_by_size_worker *worker, const mgl_by_size_table *finer,
                               mgl_error *err, mgl_by_size_cached_table *out)
{
    const mgl_by_size *search = worker->search;
    make_masks(worker, worker->levels);
    bool worth = !hardly_shrinks(search, finer, worker->masks);
    if (worth) {
        MGL_TRY(mgl_by_size_roll_up(worker, finer, worker->levels, err, &out->table));
        MGL_TRY(mgl_by_size_pack(worker, &out->table, err));
        worth = is_worth_it(&out->table, finer) || (search->sorts && out->table.block != NULL);
    }
    if (worth)
        return MGL_OK;
    if (out->table.records != NULL)
        by_size_drop(worker, &out->table);
    *out = (mgl_by_size_cached_table){.other = finer};
    return MGL_OK;
}

mgl_status mgl_by_size_gather(mgl_by_size *search, const uint64_t *keys, mgl_error *err)
{
    MGL_TRY(by_size_workers_make(search, err));
    mgl_by_size_worker *worker = &search->workers[0];
    mgl_by_size_cached_table *first = search->first;
    mgl_by_size_table *ground = &first[search->frame.n_columns].table;
    memset(worker->levels, 0, search->frame.n_columns);
    MGL_TRY(make_ground(worker, keys, err, ground));
    MGL_TRY(mgl_by_size_pack(worker, ground, err));
    const mgl_by_size_table *finer = ground;
    for (size_t depth = search->frame.n_columns; depth-- > 0;) {
        worker->levels[depth] = search->frame.highest[depth];
        MGL_TRY(make_coarser(worker, finer, err, &first[depth]));
        finer = first[depth].other != NULL ? finer : &first[depth].table;
    }
    if (search->sorts)
        mgl_pool_run(mgl_by_size_helpers(search, ground->n), search->frame.n_columns + 1,
                     sort_first, search);
    worker->needed = worker->taken;
    return MGL_OK;
}

static mgl_by_size_cached_table *place_of(const mgl_by_size_worker *worker, size_t same,
                                          size_t depth)
{
    return &worker->cache[same * (worker->search->frame.n_columns + 1) + depth];
}

static void forget(mgl_by_size_worker *worker, mgl_by_size_cached_table *place)
{
    if (place->made)
        mgl_by_size_empty(worker, &place->table);
    place->made = false;
}

void mgl_by_size_step_to(mgl_by_size_worker *worker, size_t c, uint8_t level)
{
    const mgl_by_size *search = worker->search;
    if (worker->n_path > c && worker->path[c] == level)
        return;
    for (size_t same = c + 1; same <= worker->n_path; same++)
        for (size_t depth = same; depth <= search->frame.n_columns; depth++)
            forget(worker, place_of(worker, same, depth));
    worker->path[c] = level;
    worker->n_path = c + 1;
}

/* With little memory, tables are rolled up from finer ones that are there already. Tables with few
 * columns as on the path are large and seldom needed: they leave room for the others. */
static bool has_room(const mgl_by_size_worker *worker, size_t same, const mgl_by_size_table *table,
                     size_t n)
{
    const mgl_by_size *search = worker->search;
    size_t most = search->frame.n_columns;
    uint64_t share = 2 * same < most ? search->most_taken / most * 2 * same : search->most_taken;
    return table->capacity >= n || worker->taken + n * search->stride <= worker->needed + share;
}

/* Makes the table of a place from the finer one with a column less as on the path. */
static mgl_status fill_place(mgl_by_size_worker *worker, size_t same, size_t depth,
                             const mgl_by_size_table *finer, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    mgl_by_size_table *table = &place_of(worker, same, depth)->table;
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, search->frame.highest, search->frame.n_columns);
    memcpy(levels, mgl_by_size_lows(worker, same), depth);
    MGL_TRY(roll_up(worker, finer, levels, finer->n, err, table));
    MGL_TRY(mgl_by_size_pack(worker, table, err));
    if (table->block != NULL && !table->packed)
        by_size_give_back(worker, table);
    return MGL_OK;
}

/* Columns at the end of the path that are at their lowest levels change nothing, if the levels of
 * those after them are worth as much a look without them. */
static size_t changed_on_path(const mgl_by_size_worker *worker, size_t same, size_t depth)
{
    while (same > 0 &&
           memcmp(mgl_by_size_lows(worker, same), mgl_by_size_lows(worker, same - 1), depth) == 0)
        same--;
    return same;
}

bool mgl_by_size_is_cached(const mgl_by_size_worker *worker, size_t same, size_t depth)
{
    same = changed_on_path(worker, same, depth);
    return same == 0 || place_of(worker, same, depth)->made;
}

/* The smallest table to roll up from: that with one column less of the path, or one of the same
 * path with more columns that was made already. */
static mgl_status find_finer(mgl_by_size_worker *worker, size_t same, size_t depth, mgl_error *err,
                             const mgl_by_size_table **out)
{
    const mgl_by_size_table *longer = NULL;
    bool exact;
    *out = mgl_by_size_range_made(worker, same, depth);
    if (*out != NULL)
        return MGL_OK;
    for (size_t d = depth + 1; d <= worker->search->frame.n_columns && longer == NULL; d++) {
        const mgl_by_size_cached_table *place = place_of(worker, same, d);
        if (place->made)
            longer = place->other == NULL ? &place->table : place->other;
    }
    if (longer == NULL || mgl_by_size_is_cached(worker, same - 1, depth)) {
        MGL_TRY(mgl_by_size_cached(worker, same - 1, depth, err, out, &exact));
        if (longer == NULL || (*out)->n <= longer->n)
            return MGL_OK;
    }
    *out = longer;
    return MGL_OK;
}

/* Are the columns from `same` to before `depth` worth a look at their very lowest levels? */
static bool all_at_lowest(const mgl_by_size_worker *worker, size_t same, size_t depth)
{
    const uint8_t *lows = mgl_by_size_lows(worker, same);
    for (size_t c = same; c < depth; c++)
        if (lows[c] > 0)
            return false;
    return true;
}

mgl_status mgl_by_size_cached(mgl_by_size_worker *worker, size_t same, size_t depth, mgl_error *err,
                              const mgl_by_size_table **out, bool *exact)
{
    const mgl_by_size *search = worker->search;
    *out = mgl_by_size_range_made(worker, same, depth);
    *exact = true;
    if (*out != NULL && all_at_lowest(worker, same, depth))
        return MGL_OK;
    same = changed_on_path(worker, same, depth);
    mgl_by_size_cached_table *place =
        same > 0 ? place_of(worker, same, depth) : &search->first[depth];
    if (same > 0 && !place->made) {
        const mgl_by_size_table *finer;
        MGL_TRY(find_finer(worker, same, depth, err, &finer));
        place->made = true;
        place->other = finer;
        if (finer->n > MGL_SMALL_TABLE && has_room(worker, same, &place->table, finer->n)) {
            MGL_TRY(fill_place(worker, same, depth, finer, err));
            if (is_worth_it(&place->table, finer))
                place->other = NULL;
            else
                mgl_by_size_empty(worker, &place->table);
        }
    }
    *out = place->other == NULL ? &place->table : place->other;
    *exact = place->other == NULL && !place->table.packed;
    return MGL_OK;
}
