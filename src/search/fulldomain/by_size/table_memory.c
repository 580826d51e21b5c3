/* Memory of tables of counts. Small tables share pieces that live until the search ends: memory
 * that comes from the system and goes back table by table costs more than the search. A large table
 * has a block of its own, which goes back as soon as it is not needed.
 *
 * A large table is packed if most of its counts are 0. */
#include "search/fulldomain/by_size/counts.h"

enum { LEAST_CHUNK = 1 << 16, MOST_CHUNK = 16 << 20, TABLES_IN_CHUNK = 32 };
enum {
    PACKED_RANGES = 32,
    SAMPLE = 8
};                              /* of each, records by which it is decided whether to pack */
enum { FEW_RECORDS = 1 << 14 }; /* slots for so many lie in a near cache */
enum { LARGE_TUPLES = 4 << 20, LEAST_BLOCK = 1 << 12 }; /* bytes */

/* ---- Chunks ------------------------------------------------------------------------- */

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

/* ---- Blocks ------------------------------------------------------------------------- */

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

/* ---- Tables ------------------------------------------------------------------------- */

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

mgl_status mgl_by_size_make_room(mgl_by_size_worker *worker, mgl_by_size_table *table, size_t n,
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

void mgl_by_size_give_back(mgl_by_size_worker *worker, mgl_by_size_table *table)
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

void mgl_by_size_drop(mgl_by_size_worker *worker, mgl_by_size_table *table)
{
    mgl_by_size_empty(worker, table);
    if (table->records != NULL)
        mgl_by_size_give_back(worker, table);
}

/* ---- Packing ------------------------------------------------------------------------ */

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
    if (block == NULL)
        return mgl_fail_memory(err);
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

/* ---- Slots -------------------------------------------------------------------------- */

mgl_status mgl_by_size_grow(mgl_by_size_worker *worker, mgl_by_size_block **block, size_t size,
                            mgl_error *err)
{
    if (*block != NULL && (*block)->size >= size)
        return MGL_OK;
    free_block(worker, *block);
    *block = new_block(worker, size);
    return *block != NULL ? MGL_OK : mgl_fail_memory(err);
}

mgl_status mgl_by_size_clear_slots(mgl_by_size_worker *worker, size_t n, mgl_error *err)
{
    mgl_by_size_slots *slots = &worker->slots;
    unsigned bits = 6;
    size_t least = n < FEW_RECORDS ? 4 * n : 2 * n;
    while (((size_t)1 << bits) < least)
        bits++;
    size_t size = (size_t)1 << bits;
    if (size > slots->capacity) {
        slots->capacity = 0;
        MGL_TRY(mgl_by_size_grow(worker, &slots->block, size * sizeof *slots->numbers, err));
        slots->numbers = (uint32_t *)(void *)slots->block->bytes;
        slots->capacity = size;
    }
    memset(slots->numbers, 0, size * sizeof *slots->numbers);
    slots->mask = size - 1;
    slots->shift = 64 - bits;
    return MGL_OK;
}

void mgl_by_size_memory_free(mgl_by_size_worker *worker)
{
    while (worker->chunks != NULL) {
        mgl_by_size_chunk *next = worker->chunks->next;
        mgl_free(worker->chunks);
        worker->chunks = next;
    }
    while (worker->blocks != NULL)
        free_block(worker, worker->blocks);
}
