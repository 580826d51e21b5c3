/* Looks ahead: what single columns and pairs of columns alone must suppress says which levels the
 * columns that are still open cannot have, long before they are refined. */
#include "search/fulldomain/by_size/counts.h"

#include <stdatomic.h>

static mgl_by_size_table *table_at(mgl_by_size_table *tables, const mgl_by_size *search, size_t i,
                                   size_t j)
{
    return &tables[i * search->frame.n_columns + j];
}

/* The table of columns i to j at their lowest levels, without those before and after, or a finer
 * one that does as well, if it was made already. */
static const mgl_by_size_table *made_range(const mgl_by_size_worker *worker, size_t i, size_t j)
{
    const mgl_by_size_cached_table *first = &worker->search->first[j + 1];
    const mgl_by_size_table *table = table_at(worker->ranges, worker->search, i, j);
    if (table->records != NULL)
        return table;
    if (i > 0)
        return NULL;
    return first->other == NULL ? &first->table : first->other;
}

static const mgl_by_size_table *smaller_of(const mgl_by_size_table *a, const mgl_by_size_table *b)
{
    return a == NULL || (b != NULL && b->n < a->n) ? b : a;
}

static mgl_status range_table(mgl_by_size_worker *worker, size_t i, size_t j, mgl_error *err,
                              const mgl_by_size_table **out);

/* What to make the table from: the smallest that has more columns at the end, or one more at the
 * beginning, which is made if there is none. */
static mgl_status longer_range(mgl_by_size_worker *worker, size_t i, size_t j, mgl_error *err,
                               const mgl_by_size_table **out)
{
    *out = i > 0 ? made_range(worker, i - 1, j) : worker->search->first[j + 1].other;
    for (size_t end = j + 1; i > 0 && end < worker->search->frame.n_columns; end++)
        *out = smaller_of(*out, made_range(worker, i, end));
    return *out != NULL ? MGL_OK : range_table(worker, i - 1, j, err, out);
}

/* The table of columns i to j at their lowest levels, without those before and after. */
static mgl_status range_table(mgl_by_size_worker *worker, size_t i, size_t j, mgl_error *err,
                              const mgl_by_size_table **out)
{
    const mgl_by_size *search = worker->search;
    const mgl_by_size_cached_table *first = &search->first[j + 1];
    mgl_by_size_table *table = table_at(worker->ranges, search, i, j);
    *out = i == 0 && first->other == NULL ? &first->table : table;
    if ((*out)->records != NULL)
        return MGL_OK;
    const mgl_by_size_table *longer;
    MGL_TRY(longer_range(worker, i, j, err, &longer));
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, search->frame.highest, search->frame.n_columns);
    memset(levels + i, 0, j + 1 - i);
    return mgl_by_size_roll_up(worker, longer, levels, err, table);
}

const mgl_by_size_table *mgl_by_size_range_made(const mgl_by_size_worker *worker, size_t same,
                                                size_t depth)
{
    const mgl_by_size *search = worker->search;
    if (same == 0 || same >= depth || worker->ranges == NULL)
        return NULL;
    for (size_t c = 0; c < same; c++)
        if (worker->path[c] != search->frame.highest[c])
            return NULL;
    const mgl_by_size_table *table = table_at(worker->ranges, search, same, depth - 1);
    return table->records != NULL ? table : NULL;
}

/* Columns that follow each other. */
typedef struct column_span {
    size_t first, end;
} column_span;

/* Makes the tables of column i with each of the later columns, but the next, from one that has all
 * of these at their lowest levels: half of them at a time, since tables of few columns are small.
 */
static mgl_status split_pairs(mgl_by_size_worker *worker, size_t i, column_span later,
                              const mgl_by_size_table *source, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    bool is_range = later.first == i + 1, is_pair = later.end - later.first == 1;
    mgl_by_size_table own = {0};
    if (is_range && is_pair)
        return MGL_OK;
    if (is_range) {
        source = made_range(worker, i, later.end - 1);
        if (source == NULL)
            MGL_TRY(range_table(worker, i, later.end - 1, err, &source));
    } else {
        mgl_by_size_table *made = is_pair ? table_at(worker->pairs, search, i, later.first) : &own;
        uint8_t levels[MGL_MOST_COLUMNS];
        memcpy(levels, search->frame.highest, search->frame.n_columns);
        memset(levels + later.first, 0, later.end - later.first);
        levels[i] = 0;
        MGL_TRY(mgl_by_size_roll_up(worker, source, levels, err, made));
        source = made;
    }
    if (is_pair)
        return MGL_OK;
    size_t middle = (later.first + later.end) / 2;
    MGL_TRY(split_pairs(worker, i, (column_span){later.first, middle}, source, err));
    return split_pairs(worker, i, (column_span){middle, later.end}, source, err);
}

/* The table of columns i and j alone. */
static mgl_status pair_table(mgl_by_size_worker *worker, size_t i, size_t j, mgl_error *err,
                             const mgl_by_size_table **out)
{
    const mgl_by_size *search = worker->search;
    *out = table_at(worker->pairs, search, i, j);
    if ((*out)->records != NULL)
        return MGL_OK;
    if (j - i < 2)
        return range_table(worker, i, j, err, out);
    return split_pairs(worker, i, (column_span){i + 1, search->frame.n_columns}, NULL, err);
}

/* Tables of ranges of a large table would be many large ones: those that end at j follow each other
 * in scratch, and what is kept are the tables of column j alone and with each one before, for all
 * threads. */
static mgl_status make_pairs(mgl_by_size_worker *worker, size_t j, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    const mgl_by_size_cached_table *first = &search->first[j + 1];
    const mgl_by_size_table *range = first->other != NULL ? first->other : &first->table;
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, search->frame.highest, search->frame.n_columns);
    memset(levels, 0, j + 1);
    for (size_t i = 0; i <= j; i++) {
        if (i > 0)
            levels[i - 1] = search->frame.highest[i - 1];
        if (i > 0 || first->other != NULL)
            MGL_TRY(mgl_by_size_roll_to_scratch(worker, range, levels, err, &range));
        uint8_t pair[MGL_MOST_COLUMNS];
        memcpy(pair, search->frame.highest, search->frame.n_columns);
        pair[i] = pair[j] = 0;
        MGL_TRY(
            mgl_by_size_roll_up(worker, range, pair, err, table_at(search->pairs, search, i, j)));
    }
    return MGL_OK;
}

typedef struct pair_making {
    mgl_by_size *search;
    atomic_bool failed;
} pair_making;

/* The last column first: its tables are the largest. */
static void make_pairs_of(void *context, size_t item, unsigned thread)
{
    pair_making *making = context;
    mgl_by_size_worker *worker = &making->search->workers[thread];
    size_t j = making->search->frame.n_columns - 1 - item;
    if (make_pairs(worker, j, NULL) != MGL_OK)
        atomic_store(&making->failed, true);
}

mgl_status mgl_by_size_share_pairs(mgl_by_size *search, mgl_error *err)
{
    size_t n = search->frame.n_columns;
    pair_making making = {.search = search};
    if (!search->use_pairs || search->first[n].table.block == NULL)
        return MGL_OK;
    search->pairs = mgl_zeroed_array(n * n, sizeof *search->pairs);
    if (search->pairs == NULL)
        return mgl_fail_memory(err);
    search->frame.parallel.divided = true; /* each thread makes tables of its own */
    mgl_pool_run(search->frame.problem->pool, n, make_pairs_of, &making);
    search->frame.parallel.divided = false;
    for (unsigned i = 0; i < search->n_workers; i++)
        for (size_t s = 0; s < 2; s++)
            mgl_by_size_empty(&search->workers[i], &search->workers[i].scratch[s]);
    return making.failed ? mgl_fail_memory(err) : MGL_OK;
}

/* Rows to suppress for each level of column j but the highest, in the levels given. */
static mgl_status count_levels(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                               uint8_t *levels, size_t j, mgl_error *err, uint32_t *facts)
{
    const mgl_by_size *search = worker->search;
    const mgl_branch_column *column = search->frame.columns[j];
    size_t n = search->frame.block.n_nodes;
    bool finest = true;
    for (size_t c = 0; c < search->frame.n_columns; c++)
        finest = finest && (levels[c] == 0 || levels[c] == search->frame.highest[c]);
    for (uint8_t l = 0; l + 1 < column->n_levels; l++) {
        levels[j] = l;
        if (l > 0 || !finest)
            MGL_TRY(mgl_by_size_roll_to_scratch(worker, table, levels, err, &table));
        mgl_branch_counts counts;
        mgl_by_size_count(search, table, UINT64_MAX >> (64 - n), &counts);
        for (size_t b = 0; b < n; b++)
            facts[(column->first_place + l) * n + b] = (uint32_t)counts.rows[b];
    }
    levels[j] = search->frame.highest[j];
    return MGL_OK;
}

/* Facts about column i at this level together with each later column. */
static mgl_status find_facts(mgl_by_size_worker *worker, size_t i, uint8_t level, mgl_error *err,
                             uint32_t *facts)
{
    const mgl_by_size *search = worker->search;
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, search->frame.highest, search->frame.n_columns);
    levels[i] = level;
    for (size_t j = i + 1; j < search->frame.n_columns; j++) {
        const mgl_by_size_table *table;
        MGL_TRY(pair_table(worker, i, j, err, &table));
        MGL_TRY(count_levels(worker, table, levels, j, err, facts));
    }
    return MGL_OK;
}

static uint32_t *facts_at(const mgl_by_size_worker *worker, size_t i)
{
    size_t depth = worker->search->use_pairs ? i : 0;
    return worker->ahead +
           depth * worker->search->frame.n_places * worker->search->frame.block.n_nodes;
}

mgl_status mgl_by_size_ahead_begin(mgl_by_size_worker *worker, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    size_t n = search->frame.n_columns, size = search->frame.n_places * search->frame.block.n_nodes;
    worker->ranges = mgl_zeroed_array(n * n, sizeof *worker->ranges);
    worker->pairs =
        search->pairs != NULL ? search->pairs : mgl_zeroed_array(n * n, sizeof *worker->pairs);
    worker->facts = mgl_zeroed_array(search->frame.n_places, sizeof *worker->facts);
    worker->ahead =
        mgl_zeroed_array(search->use_pairs ? (n + 1) * size : size, sizeof *worker->ahead);
    if (worker->ranges == NULL || worker->pairs == NULL || worker->facts == NULL ||
        worker->ahead == NULL)
        return mgl_fail_memory(err);
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, search->frame.highest, n);
    for (size_t j = n; j-- > 0;) { /* the others are made from those that end later */
        const mgl_by_size_table *table;
        MGL_TRY(pair_table(worker, j, j, err, &table));
        MGL_TRY(count_levels(worker, table, levels, j, err, worker->ahead));
    }
    return MGL_OK;
}

mgl_status mgl_by_size_ahead_step(mgl_by_size_worker *worker, size_t c, uint8_t level,
                                  mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    size_t size = search->frame.n_places * search->frame.block.n_nodes;
    const uint32_t *before = facts_at(worker, c);
    uint32_t *after = facts_at(worker, c + 1);
    if (!search->use_pairs)
        return MGL_OK;
    if (level == search->frame.highest[c]) { /* nothing new */
        memcpy(after, before, size * sizeof *after);
        return MGL_OK;
    }
    uint32_t **facts = &worker->facts[search->frame.columns[c]->first_place + level];
    if (*facts == NULL) {
        *facts = mgl_zeroed_array(size, sizeof **facts);
        if (*facts == NULL)
            return mgl_fail_memory(err);
        MGL_TRY(find_facts(worker, c, level, err, *facts));
    }
    const uint32_t *more = *facts;
    for (size_t i = 0; i < size; i++)
        after[i] = before[i] > more[i] ? before[i] : more[i];
    return MGL_OK;
}

void mgl_by_size_ahead_free(mgl_by_size_worker *worker)
{
    const mgl_by_size *search = worker->search;
    if (search == NULL)
        return;
    for (size_t i = 0; worker->facts != NULL && i < search->frame.n_places; i++)
        mgl_free(worker->facts[i]);
    mgl_free(worker->ranges);
    if (worker->pairs != search->pairs)
        mgl_free(worker->pairs);
    mgl_free(worker->facts);
    mgl_free(worker->ahead);
}

/* ---- What follows ------------------------------------------------------------------------ */

uint32_t mgl_by_size_rows_ahead(const mgl_by_size_worker *worker, size_t depth, size_t c,
                                size_t level, size_t b)
{
    const mgl_by_size *search = worker->search;
    return facts_at(
        worker,
        depth)[(search->frame.columns[c]->first_place + level) * search->frame.block.n_nodes + b];
}

void mgl_by_size_lift(const mgl_by_size_worker *worker, size_t depth, size_t b, uint64_t rows,
                      uint8_t *lowest)
{
    const mgl_by_size *search = worker->search;
    mgl_bound_line line = mgl_bound_line_of(&search->frame, lowest, b);
    const uint32_t *known = mgl_by_size_known(worker, lowest, depth);
    size_t n = search->frame.block.n_nodes;
    for (size_t c = depth; c < search->frame.n_columns; c++) {
        const mgl_branch_column *column = search->frame.columns[c];
        size_t l = lowest[c];
        for (; l < search->frame.highest[c]; l++) {
            uint64_t ahead = mgl_by_size_rows_ahead(worker, depth, c, l, b);
            uint64_t seen =
                known != NULL ? known[(search->frame.highest[c] - l) * column->known_stride * n + b]
                              : 0;
            ahead = ahead > seen ? ahead : seen;
            ahead = ahead > rows ? ahead : rows;
            if (ahead <= search->frame.limit &&
                mgl_bound_line_at(&search->frame, line, ahead, 0) <= worker->worst_line)
                break;
            line.base += column->levels[l + 1].line.base - column->levels[l].line.base;
            line.slope += column->levels[l + 1].line.slope - column->levels[l].line.slope;
        }
        lowest[c] = (uint8_t)l;
    }
}
