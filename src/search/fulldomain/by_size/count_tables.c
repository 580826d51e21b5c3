/* Keeps tables of classes with their counts: memory, rolling up, and what to roll up from.
 * search_by_size.c and look_ahead.c call it for each branch. */
#include "search/fulldomain/by_size/counts.h"

enum { LEAST_CHUNK = 1 << 16, MOST_CHUNK = 16 << 20, TABLES_IN_CHUNK = 32 };

/* ---- Memory ----------------------------------------------------------------------- */

static size_t usual_chunk(const mgl_by_size *search)
{
    size_t most = MOST_CHUNK / TABLES_IN_CHUNK / search->stride;
    if (search->frame.problem->list->n_tuples >= most)
        return MOST_CHUNK;
    size_t size = search->frame.problem->list->n_tuples * search->stride * TABLES_IN_CHUNK;
    return size < LEAST_CHUNK ? LEAST_CHUNK : size;
}

/* Tables live until the search ends. They are taken from a few large pieces: memory that
 * comes from the system and goes back piece by piece costs more than the search. */
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

static void free_chunks(mgl_by_size_worker *worker)
{
    while (worker->chunks != NULL) {
        mgl_by_size_chunk *next = worker->chunks->next;
        mgl_free(worker->chunks);
        worker->chunks = next;
    }
}

/* Room for n records, for record 0, and for one that is cleared in advance. Slots hold 32-bit
 * numbers of words. */
static mgl_status make_room(mgl_by_size_worker *worker, mgl_by_size_table *table, size_t n,
                            mgl_error *err)
{
    size_t stride = worker->search->stride;
    if (n <= table->capacity && table->records != NULL)
        return MGL_OK;
    if (n + 2 > UINT32_MAX / (stride / 8))
        return mgl_fail_memory(err);
    n = n < 2 * table->capacity ? 2 * table->capacity : n; /* the old memory is lost */
    *table = (mgl_by_size_table){.records = take_bytes(worker, (n + 2) * stride)};
    if (table->records == NULL)
        return mgl_fail_memory(err);
    table->capacity = n;
    return MGL_OK;
}

/* Gives back what a table that was just made, and is made once, does not need. */
static void give_back(mgl_by_size_worker *worker, mgl_by_size_table *table)
{
    size_t stride = worker->search->stride;
    mgl_by_size_chunk *chunk = worker->chunks;
    size_t had = ((table->capacity + 2) * stride + 15) / 16 * 16;
    if (table->records + had != chunk->bytes + chunk->used)
        return;
    chunk->used -= had - ((table->n + 2) * stride + 15) / 16 * 16;
    table->capacity = table->n;
}

typedef struct mgl_by_size_mark {
    mgl_by_size_chunk *chunk;
    size_t used;
} mgl_by_size_mark;

static mgl_by_size_mark mark_memory(const mgl_by_size_worker *worker)
{
    return (mgl_by_size_mark){worker->chunks, worker->chunks->used};
}

/* Gives back all that was taken since, which must not be slots. */
static void free_since(mgl_by_size_worker *worker, mgl_by_size_mark mark)
{
    while (worker->chunks != mark.chunk) {
        mgl_by_size_chunk *next = worker->chunks->next;
        worker->taken -= worker->chunks->size;
        mgl_free(worker->chunks);
        worker->chunks = next;
    }
    worker->chunks->used = mark.used;
}

/* A table hardly smaller than the one it was made from is not worth its memory. */
static bool is_worth_it(const mgl_by_size_table *table, const mgl_by_size_table *finer)
{
    return table->n <= finer->n - finer->n / 4;
}

/* Empty slots for up to n records, at most a quarter full. */
static mgl_status clear_slots(mgl_by_size_worker *worker, size_t n, mgl_error *err)
{
    mgl_by_size_slots *slots = &worker->slots;
    unsigned bits = 6;
    while (((size_t)1 << bits) < 4 * n)
        bits++;
    size_t size = (size_t)1 << bits;
    if (size > slots->capacity) {
        slots->capacity = 0;
        slots->numbers = take_bytes(worker, size * sizeof *slots->numbers);
        if (slots->numbers == NULL)
            return mgl_fail_memory(err);
        slots->capacity = size;
    }
    memset(slots->numbers, 0, size * sizeof *slots->numbers);
    slots->mask = size - 1;
    slots->shift = 64 - bits;
    return MGL_OK;
}

/* ---- Workers ---------------------------------------------------------------------- */

static mgl_status init_worker(mgl_by_size *search, mgl_by_size_worker *worker, mgl_error *err)
{
    const mgl_problem *p = search->frame.problem;
    size_t m = p->list->n_attributes, n = search->frame.n_columns;
    worker->search = search;
    worker->masks = mgl_alloc_array(search->frame.words, sizeof *worker->masks);
    worker->path = mgl_alloc_array(n + 1, sizeof *worker->path);
    worker->levels = mgl_alloc_array(n + 1, sizeof *worker->levels);
    worker->node = mgl_alloc_array(m, sizeof *worker->node);
    worker->cache = mgl_zeroed_array((n + 1) * (n + 1), sizeof *worker->cache);
    worker->branches = mgl_alloc_array(n + 2, mgl_by_size_branch_size(search));
    worker->floors = mgl_alloc_array(n + 2, sizeof *worker->floors);

    if (worker->masks == NULL || worker->path == NULL || worker->levels == NULL ||
        worker->node == NULL || worker->cache == NULL || worker->branches == NULL ||
        worker->floors == NULL)
        return mgl_fail_memory(err);
    return mgl_statistics_init(&worker->statistics, p->columns, m, err);
}

/* Without a limit half of the machine is left to others. What is taken for a table that is made
 * again and again is about twice what it comes to use. */
static uint64_t most_taken(const mgl_problem *problem, unsigned n_workers)
{
    uint64_t memory = problem->memory > 0 ? problem->memory : mgl_sys_memory() / 2;
    return memory > 0 ? memory / 2 * 3 / n_workers : UINT64_MAX;
}

static mgl_status by_size_workers_make(mgl_by_size *search, mgl_error *err)
{
    unsigned n = mgl_pool_threads(search->frame.problem->pool);
    search->workers = mgl_zeroed_array(n, sizeof *search->workers);
    search->first = mgl_zeroed_array(search->frame.n_columns + 1, sizeof *search->first);
    if (search->workers == NULL || search->first == NULL)
        return mgl_fail_memory(err);
    search->n_workers = n;
    search->most_taken = most_taken(search->frame.problem, n);
    for (unsigned i = 0; i < n; i++) {
        search->workers[i].result = &search->frame.parallel.results[i];
        MGL_TRY(init_worker(search, &search->workers[i], err));
    }
    return MGL_OK;
}

void mgl_by_size_worker_free(mgl_by_size_worker *worker)
{
    free_chunks(worker);
    mgl_by_size_ahead_free(worker);
    mgl_free(worker->masks);
    mgl_free(worker->path);
    mgl_free(worker->levels);
    mgl_free(worker->node);
    mgl_free(worker->small);
    mgl_free(worker->surplus);
    mgl_free(worker->branches);
    mgl_free(worker->floors);
    mgl_free(worker->potentials);
    mgl_free(worker->cache);
    mgl_statistics_free(&worker->statistics);
    mgl_evaluator_free(worker->evaluator);
}

/* ---- Rolling up ------------------------------------------------------------------- */

/* No more classes than combinations of values. */
static size_t most_classes(const mgl_by_size *search, const uint8_t *levels, size_t most)
{
    size_t product = 1;
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        product *= search->frame.columns[c]->levels[levels[c]].n_values;
        if (product >= most)
            return most;
    }
    return product;
}

/* room: what to make room for if there is none yet; at least what is needed. */
static mgl_status roll_up(mgl_by_size_worker *worker, const mgl_by_size_table *source,
                          const uint8_t *levels, size_t room, mgl_error *err,
                          mgl_by_size_table *out)
{
    const mgl_by_size *search = worker->search;
    size_t most = most_classes(search, levels, source->n);
    MGL_TRY(clear_slots(worker, most, err));
    MGL_TRY(make_room(worker, out, room > most ? room : most, err));
    memset(worker->masks, 0, search->frame.words * sizeof *worker->masks);
    for (size_t c = 0; c < search->frame.n_columns; c++)
        worker->masks[search->frame.columns[c]->word] |=
            search->frame.columns[c]->levels[levels[c]].mask << search->frame.columns[c]->shift;
    search->kernel->roll_up(search, &worker->slots, source, worker->masks, out);
    return MGL_OK;
}

mgl_status mgl_by_size_roll_up(mgl_by_size_worker *worker, const mgl_by_size_table *source,
                               const uint8_t *levels, mgl_error *err, mgl_by_size_table *out)
{
    bool once = out->records == NULL;
    MGL_TRY(roll_up(worker, source, levels, 0, err, out));
    if (once)
        give_back(worker, out);
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

/* ---- The first tables --------------------------------------------------------------- */

mgl_status mgl_by_size_gather(mgl_by_size *search, const uint64_t *keys, mgl_error *err)
{
    MGL_TRY(by_size_workers_make(search, err));
    mgl_by_size_worker *worker = &search->workers[0];
    mgl_by_size_cached_table *first = search->first;
    mgl_by_size_table *ground = &first[search->frame.n_columns].table;
    memset(worker->levels, 0, search->frame.n_columns);
    size_t most = most_classes(search, worker->levels, search->frame.problem->list->n_tuples);
    MGL_TRY(clear_slots(worker, most, err));
    MGL_TRY(make_room(worker, ground, most, err));
    search->kernel->gather(search, &worker->slots, keys, ground);
    give_back(worker, ground);
    const mgl_by_size_table *finer = ground;
    for (size_t depth = search->frame.n_columns; depth-- > 0;) {
        worker->levels[depth] = search->frame.highest[depth];
        mgl_by_size_mark mark = mark_memory(worker);
        MGL_TRY(mgl_by_size_roll_up(worker, finer, worker->levels, err, &first[depth].table));
        if (is_worth_it(&first[depth].table, finer)) {
            finer = &first[depth].table;
        } else {
            free_since(worker, mark);
            first[depth] = (mgl_by_size_cached_table){.other = finer};
        }
    }
    return MGL_OK;
}

/* ---- The cache ------------------------------------------------------------------------ */

static mgl_by_size_cached_table *place_of(const mgl_by_size_worker *worker, size_t same,
                                          size_t depth)
{
    return &worker->cache[same * (worker->search->frame.n_columns + 1) + depth];
}

void mgl_by_size_step_to(mgl_by_size_worker *worker, size_t c, uint8_t level)
{
    const mgl_by_size *search = worker->search;
    if (worker->n_path > c && worker->path[c] == level)
        return;
    for (size_t same = c + 1; same <= worker->n_path; same++)
        for (size_t depth = same; depth <= search->frame.n_columns; depth++)
            place_of(worker, same, depth)->made = false;
    worker->path[c] = level;
    worker->n_path = c + 1;
}

/* With little memory, tables are rolled up from finer ones that are there already. */
static bool has_room(const mgl_by_size_worker *worker, const mgl_by_size_table *table, size_t n)
{
    const mgl_by_size *search = worker->search;
    return table->capacity >= n || worker->taken + n * search->stride <= search->most_taken;
}

/* Columns at the end of the path that are at their lowest levels change nothing. */
static size_t changed_on_path(const mgl_by_size_worker *worker, size_t same)
{
    while (same > 0 && worker->path[same - 1] == 0)
        same--;
    return same;
}

bool mgl_by_size_is_cached(const mgl_by_size_worker *worker, size_t same, size_t depth)
{
    same = changed_on_path(worker, same);
    return same == 0 || place_of(worker, same, depth)->made;
}

/* The smallest table to roll up from: that with one column less of the path, or one of the same
 * path with more columns that was made already. */
static mgl_status find_finer(mgl_by_size_worker *worker, size_t same, size_t depth, mgl_error *err,
                             const mgl_by_size_table **out)
{
    const mgl_by_size_table *longer = NULL;
    bool exact;
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

mgl_status mgl_by_size_cached(mgl_by_size_worker *worker, size_t same, size_t depth, mgl_error *err,
                              const mgl_by_size_table **out, bool *exact)
{
    const mgl_by_size *search = worker->search;
    *out = mgl_by_size_range(worker, same, depth);
    *exact = true;
    if (*out != NULL)
        return MGL_OK;
    same = changed_on_path(worker, same);
    mgl_by_size_cached_table *place =
        same > 0 ? place_of(worker, same, depth) : &search->first[depth];
    if (same > 0 && !place->made) {
        const mgl_by_size_table *finer;
        MGL_TRY(find_finer(worker, same, depth, err, &finer));
        place->made = true;
        place->other = finer;
        if (finer->n > MGL_SMALL_TABLE && has_room(worker, &place->table, finer->n)) {
            uint8_t levels[MGL_MOST_COLUMNS];
            memcpy(levels, search->frame.highest, search->frame.n_columns);
            memset(levels, 0, depth);
            memcpy(levels, worker->path, same);
            MGL_TRY(roll_up(worker, finer, levels, finer->n, err, &place->table));
            if (is_worth_it(&place->table, finer))
                place->other = NULL;
        }
    }
    *exact = place->other == NULL;
    *out = *exact ? &place->table : place->other;
    return MGL_OK;
}
