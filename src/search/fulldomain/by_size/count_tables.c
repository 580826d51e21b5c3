/* Keeps tables of classes with their counts: memory, rolling up, and what to roll up from.
 * search_by_size.c and look_ahead.c call it for each branch. */
#include "search/fulldomain/by_size/counts.h"

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

/* ---- Workers ---------------------------------------------------------------------- */

static mgl_status init_worker(mgl_by_size *search, mgl_by_size_worker *worker, mgl_error *err)
{
    const mgl_problem *p = search->frame.problem;
    size_t m = p->list->n_attributes, n = search->frame.n_columns;
    worker->search = search;
    worker->masks = mgl_alloc_array(search->frame.words, sizeof *worker->masks);
    worker->path = mgl_alloc_array(n + 1, sizeof *worker->path);
    worker->lows = mgl_zeroed_array((n + 1) * (n + 1), sizeof *worker->lows);
    worker->levels = mgl_alloc_array(n + 1, sizeof *worker->levels);
    worker->node = mgl_alloc_array(m, sizeof *worker->node);
    worker->cache = mgl_zeroed_array(places(search), sizeof *worker->cache);
    worker->branches = mgl_alloc_array(n + 2, mgl_by_size_branch_size(search));
    worker->floors = mgl_alloc_array(n + 2, sizeof *worker->floors);

    if (worker->masks == NULL || worker->path == NULL || worker->lows == NULL ||
        worker->levels == NULL || worker->node == NULL || worker->cache == NULL ||
        worker->branches == NULL || worker->floors == NULL)
        return mgl_fail_memory(err);
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
    if (search->workers == NULL || search->first == NULL)
        return mgl_fail_memory(err);
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
    mgl_by_size_memory_free(worker);
    mgl_by_size_ahead_free(worker);
    mgl_free(worker->masks);
    mgl_free(worker->path);
    mgl_free(worker->lows);
    mgl_free(worker->levels);
    mgl_free(worker->node);
    mgl_free(worker->small);
    mgl_free(worker->surplus);
    mgl_free(worker->branches);
    mgl_free(worker->floors);
    mgl_free(worker->potentials);
    mgl_free(worker->known);
    mgl_free(worker->cache);
    mgl_statistics_free(&worker->statistics);
    mgl_evaluator_free(worker->evaluator);
}

/* ---- Rolling up ------------------------------------------------------------------- */

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

static mgl_by_size_source source_of(const mgl_by_size *search, const mgl_by_size_table *table)
{
    size_t stride = table->packed ? search->frame.words * sizeof(uint64_t) : search->stride;
    const char *keys = table->packed ? table->records : table->records + stride;
    return (mgl_by_size_source){keys, stride, table->n, table};
}

/* How much of its order a table keeps: the bits before the first that is lost. */
static unsigned order_left(const mgl_by_size_table *source, uint64_t mask)
{
    uint64_t lost = source->mask & ~mask;
    unsigned kept = lost != 0 ? (unsigned)__builtin_clzll(lost) : 64;
    return kept < source->ordered ? kept : source->ordered;
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
        mgl_by_size_source from = source_of(search, source);
        return mgl_by_size_roll_in_pieces(worker, &from, worker->masks, most, room, err, out);
    }
    unsigned ordered = order_left(source, worker->masks[0]);
    MGL_TRY(mgl_by_size_clear_slots(worker, most_in_group(search, levels, ordered, most), err));
    MGL_TRY(mgl_by_size_make_room(worker, out, room > most ? room : most, err));
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
        mgl_by_size_give_back(worker, out);
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
        return mgl_by_size_roll_in_pieces(worker, &tuples, worker->masks, most, 0, err, ground);
    }
    MGL_TRY(mgl_by_size_clear_slots(worker, most, err));
    MGL_TRY(mgl_by_size_make_room(worker, ground, most, err));
    ground->mask = worker->masks[0];
    search->kernel->gather(search, &worker->slots, keys, ground);
    mgl_by_size_give_back(worker, ground);
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
        mgl_by_size_drop(worker, &out->table);
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
        mgl_by_size_sort_first(search);
    worker->needed = worker->taken;
    return MGL_OK;
}

/* ---- The cache ------------------------------------------------------------------------ */

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
        mgl_by_size_give_back(worker, table);
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
