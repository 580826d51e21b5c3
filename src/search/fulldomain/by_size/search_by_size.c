/* Searches by class sizes, depth first: a branch is refined by the next column, level by level.
 *
 * Mostly from the highest level down: coarse nodes are cheap to look at, some of them hold, and
 * what they must suppress bounds what the finer ones must. Measures of class sizes are best at fine
 * nodes; there the first columns go up, and so does a first column that most of the cost depends
 * on: a good node that is found early excludes more than what coarser ones suppress. */
#include "search/fulldomain/by_size/counts.h"

#include <stdatomic.h>

/* ---- Known rows ----------------------------------------------------------------------------- */

/* Knows how many rows each node must suppress at least, from the nodes that were looked at: what a
 * node suppresses every finer one does. And what finer nodes say about coarser ones.
 *
 * An item knows what it found itself and what the items of earlier rounds found, so that the search
 * does not depend on the number of threads. */

/* Steps down from the highest levels number the nodes of the columns outside the block. */
static size_t steps_down(const mgl_by_size *search, const uint8_t *levels, size_t n)
{
    size_t number = 0;
    for (size_t c = 0; c < n; c++)
        number +=
            (size_t)(search->frame.highest[c] - levels[c]) * search->frame.columns[c]->known_stride;
    return number;
}

const uint32_t *mgl_by_size_known(const mgl_by_size_worker *worker, const uint8_t *levels,
                                  size_t depth)
{
    if (worker->known == NULL)
        return NULL;
    return worker->known +
           steps_down(worker->search, levels, depth) * worker->search->frame.block.n_nodes;
}

void mgl_by_size_recall(const mgl_by_size_worker *worker, const uint8_t *highest, size_t depth,
                        uint32_t *rows)
{
    const uint32_t *known = mgl_by_size_known(worker, highest, depth);
    for (size_t b = 0; known != NULL && b < worker->search->frame.block.n_nodes; b++)
        rows[b] = known[b] > rows[b] ? known[b] : rows[b];
}

/* ---- What was found ----------------------------------------------------------------------- */

/* Raises what is known at the node with this number and at all nodes that are finer in the columns
 * from `first` on. Nothing new at a node is nothing new below it. */
static void spread(mgl_by_size_worker *worker, uint8_t *levels, size_t first, size_t number,
                   const uint32_t *rows)
{
    const mgl_by_size *search = worker->search;
    size_t n = search->frame.block.n_nodes;
    uint32_t *known = worker->known + number * n;
    bool is_new = false;
    for (size_t b = 0; b < n; b++) {
        is_new |= rows[b] > known[b];
        known[b] = rows[b] > known[b] ? rows[b] : known[b];
    }
    for (size_t c = first; is_new && c < search->frame.n_columns; c++) {
        if (levels[c] == 0)
            continue;
        levels[c]--;
        spread(worker, levels, c, number + search->frame.columns[c]->known_stride, rows);
        levels[c]++;
    }
}

void mgl_by_size_remember(mgl_by_size_worker *worker, const uint8_t *highest, uint64_t nodes,
                          const uint32_t *rows)
{
    const mgl_by_size *search = worker->search;
    uint32_t found[MGL_BLOCK_NODES] = {0};
    uint8_t levels[MGL_MOST_COLUMNS];
    if (worker->known == NULL)
        return;
    for (uint64_t rest = nodes; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        found[b] = rows[b];
    }
    /* A node of the block suppresses what each coarser one does. */
    for (size_t b = search->frame.block.n_nodes; b-- > 0;)
        for (size_t i = 0, step = 1; i < search->frame.block.n_columns;
             step *= search->frame.block.columns[i++]->n_levels)
            if (search->frame.block.nodes[b].levels[i] > 0 && found[b - step] < found[b])
                found[b - step] = found[b];
    memcpy(levels, highest, search->frame.n_columns);
    spread(worker, levels, 0, steps_down(search, highest, search->frame.n_columns), found);
}

/* ---- Items -------------------------------------------------------------------------------- */

static mgl_status make_shared(mgl_by_size *search, mgl_error *err)
{
    mgl_by_size_shared *shared = &search->shared;
    if (shared->before == NULL) /* another item may have failed after it */
        shared->before = mgl_zeroed_array(search->n_known, sizeof *shared->before);
    shared->all = mgl_zeroed_array(search->n_known, sizeof *shared->all);
    return shared->before != NULL && shared->all != NULL ? MGL_OK : mgl_fail_memory(err);
}

/* The first item of a round takes over what the rounds before found. */
static mgl_status begin_round(mgl_by_size *search, mgl_error *err)
{
    mgl_by_size_shared *shared = &search->shared;
    if (shared->all == NULL)
        MGL_TRY(make_shared(search, err));
    if (shared->round != search->frame.parallel.round)
        memcpy(shared->before, shared->all, search->n_known * sizeof *shared->all);
    shared->round = search->frame.parallel.round;
    return MGL_OK;
}

mgl_status mgl_by_size_known_begin(mgl_by_size_worker *worker, mgl_error *err)
{
    mgl_by_size *search = worker->search;
    size_t size = search->n_known * sizeof *worker->known;
    if (size == 0)
        return MGL_OK;
    if (worker->known == NULL)
        MGL_TRY(mgl_new_array(search->n_known, sizeof *worker->known, err, &worker->known));
    if (!search->frame.parallel.divided) {
        memset(worker->known, 0, size);
        return MGL_OK;
    }
    pthread_mutex_lock(&search->frame.parallel.lock);
    mgl_status status = begin_round(search, err);
    pthread_mutex_unlock(&search->frame.parallel.lock);
    if (status == MGL_OK)
        memcpy(worker->known, search->shared.before, size);
    return status;
}

void mgl_by_size_known_end(mgl_by_size_worker *worker)
{
    mgl_by_size *search = worker->search;
    if (worker->known == NULL || !search->frame.parallel.divided)
        return;
    uint32_t *all = search->shared.all;
    pthread_mutex_lock(&search->frame.parallel.lock);
    for (size_t i = 0; i < search->n_known; i++)
        all[i] = worker->known[i] > all[i] ? worker->known[i] : all[i];
    pthread_mutex_unlock(&search->frame.parallel.lock);
}

/* ---- Finer nodes ----------------------------------------------------------------------------- */

/* Remembers what finer nodes say about coarser ones, for measures of class sizes, which grow with
 * every level.
 *
 * A node's potential (cost_bounds.c) bounds the cost of the node and of all above it. So a node has
 * at least the potential of each node just below it, whether that was looked at itself or has its
 * potential from others. */

static double *potentials_at(const mgl_by_size_worker *worker, const uint8_t *levels)
{
    const mgl_by_size *search = worker->search;
    size_t number = 0;
    for (size_t c = 0; c < search->frame.n_columns; c++)
        number += levels[c] * search->frame.columns[c]->known_stride;
    return worker->potentials + number * search->frame.block.n_nodes;
}

/* An item begins: nothing is known. */
static mgl_status by_size_finer_begin(mgl_by_size_worker *worker, mgl_error *err)
{
    size_t n = worker->search->n_potentials;
    if (n == 0)
        return MGL_OK;
    if (worker->potentials == NULL)
        MGL_TRY(mgl_new_array(n, sizeof *worker->potentials, err, &worker->potentials));
    for (size_t i = 0; i < n; i++)
        worker->potentials[i] = -INFINITY;
    return MGL_OK;
}

/* These nodes of the block were counted at these levels. */
static void by_size_note(mgl_by_size_worker *worker, const uint8_t *levels, uint64_t nodes,
                         const mgl_branch_counts *counts)
{
    if (worker->potentials == NULL)
        return;
    double *own = potentials_at(worker, levels);
    for (uint64_t rest = nodes; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        own[b] = fmax(own[b], mgl_branch_potential(&worker->search->frame, counts, b));
    }
}

/* From the nodes one level lower in a column outside the block, and in one of the block: these have
 * lower numbers and are done before. */
static void take_from_below(const mgl_by_size_worker *worker, const uint8_t *levels, double *own)
{
    const mgl_by_size *search = worker->search;
    const mgl_branch_block *block = &search->frame.block;
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        const double *below = own - search->frame.columns[c]->known_stride * block->n_nodes;
        for (size_t b = 0; levels[c] > 0 && b < block->n_nodes; b++)
            own[b] = below[b] > own[b] ? below[b] : own[b];
    }
    for (size_t b = 1; b < block->n_nodes; b++)
        for (size_t i = 0, step = 1; i < block->n_columns; step *= block->columns[i++]->n_levels)
            if (block->nodes[b].levels[i] > 0 && own[b - step] > own[b])
                own[b] = own[b - step];
}

/* The wanted nodes without those that cannot be good enough at these levels or above, if they
 * suppress these rows. */
static uint64_t by_size_drop_by_finer(mgl_by_size_worker *worker, const uint8_t *lowest,
                                      uint64_t wanted, const uint32_t *rows)
{
    if (worker->potentials == NULL)
        return wanted;
    double *own = potentials_at(worker, lowest);
    take_from_below(worker, lowest, own);
    for (uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        if (mgl_branch_bound_by_potential(&worker->search->frame, own[b], rows[b]) > worker->worst)
            wanted &= ~(UINT64_C(1) << b);
    }
    return wanted;
}

/* ---- Look ahead ----------------------------------------------------------------------------- */

/* Looks ahead: what single columns and pairs of columns alone must suppress says which levels the
 * columns that are still open cannot have, long before they are refined. */

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
    MGL_TRY(mgl_new_zeroed(n * n, sizeof *search->pairs, err, &search->pairs));
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

static mgl_status by_size_ahead_begin(mgl_by_size_worker *worker, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    size_t n = search->frame.n_columns, size = search->frame.n_places * search->frame.block.n_nodes;
    worker->ranges = mgl_zeroed_array(n * n, sizeof *worker->ranges);
    worker->pairs =
        search->pairs != NULL ? search->pairs : mgl_zeroed_array(n * n, sizeof *worker->pairs);
    worker->facts = mgl_zeroed_array(search->frame.n_places, sizeof *worker->facts);
    worker->ahead =
        mgl_zeroed_array(search->use_pairs ? (n + 1) * size : size, sizeof *worker->ahead);
    MGL_TRY(mgl_check_memory(worker->ranges != NULL && worker->pairs != NULL &&
                                 worker->facts != NULL && worker->ahead != NULL,
                             err));
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, search->frame.highest, n);
    for (size_t j = n; j-- > 0;) { /* the others are made from those that end later */
        const mgl_by_size_table *table;
        MGL_TRY(pair_table(worker, j, j, err, &table));
        MGL_TRY(count_levels(worker, table, levels, j, err, worker->ahead));
    }
    return MGL_OK;
}

/* What is known once column c has this level. */
static mgl_status by_size_ahead_step(mgl_by_size_worker *worker, size_t c, uint8_t level,
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
        MGL_TRY(mgl_new_zeroed(size, sizeof **facts, err, facts));
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

/* Rows that must be suppressed if column c takes this level; the first `depth` have theirs. */
static uint32_t by_size_rows_ahead(const mgl_by_size_worker *worker, size_t depth, size_t c,
                                   size_t level, size_t b)
{
    const mgl_by_size *search = worker->search;
    return facts_at(
        worker,
        depth)[(search->frame.columns[c]->first_place + level) * search->frame.block.n_nodes + b];
}

/* Raises the lowest levels of the columns from `depth` on past those that are out. */
static void by_size_lift(const mgl_by_size_worker *worker, size_t depth, size_t b, uint64_t rows,
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
            uint64_t ahead = by_size_rows_ahead(worker, depth, c, l, b);
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

/* The floor of a branch is looked at when no more columns than these are open: its table is
 * then small, or needed anyway. */
enum { FEW_OPEN = 2 };

static mgl_by_size_branch *rung_at(const mgl_by_size_worker *worker, size_t depth)
{
    return (mgl_by_size_branch *)(void *)(worker->branches +
                                          depth * mgl_by_size_branch_size(worker->search));
}

static void set_best(mgl_by_size_worker *worker, double best)
{
    worker->result->ties.best = best;
    worker->worst = mgl_branch_worst(&worker->search->frame, best);
    worker->worst_line = mgl_bound_worst_line(&worker->search->frame, worker->worst);
}

/* ---- Bounds ---------------------------------------------------------------------------- */

/* Can no node be as good as the best that has the block's node b, the first `depth` columns
 * at the lowest levels given, the others at these or higher ones, and suppresses these rows? */
static bool is_out(const mgl_by_size_worker *worker, const uint8_t *lowest, size_t depth, size_t b,
                   uint64_t rows, double surplus)
{
    const mgl_by_size *search = worker->search;
    if (rows > search->frame.limit)
        return true;
    if (worker->worst == INFINITY)
        return false;
    if (!search->by_level)
        return mgl_branch_bound(&search->frame, lowest, b, rows) > worker->worst;
    uint8_t lifted[MGL_MOST_COLUMNS];
    memcpy(lifted, lowest, search->frame.n_columns);
    by_size_lift(worker, depth, b, rows, lifted);
    mgl_bound_line line = mgl_bound_line_of(&search->frame, lifted, b);
    return mgl_bound_line_at(&search->frame, line, rows, surplus) > worker->worst_line ||
           mgl_branch_bound(&search->frame, lifted, b, rows) > worker->worst;
}

/* Which nodes of the block are worth a look with column c at this level, given the rows
 * that a coarser branch must suppress? */
static uint64_t foresee(const mgl_by_size_worker *worker, const uint8_t *lowest, size_t c,
                        uint64_t wanted, uint32_t *rows)
{
    const mgl_by_size *search = worker->search;
    uint64_t left = 0;
    for (uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        if (lowest[c] < search->frame.highest[c]) {
            uint32_t ahead = by_size_rows_ahead(worker, c, c, lowest[c], b);
            rows[b] = ahead > rows[b] ? ahead : rows[b];
        }
        if (!is_out(worker, lowest, c + 1, b, rows[b], 0))
            left |= UINT64_C(1) << b;
    }
    return left;
}

/* ---- Looking at a branch -------------------------------------------------------------------- */

/* Is the node too expensive by what it suppresses, or by its counts? */
static bool costs_too_much(const mgl_by_size_worker *worker, const uint8_t *highest, size_t b,
                           const mgl_branch_counts *counts, double surplus)
{
    const mgl_branching *frame = &worker->search->frame;
    uint64_t rows = counts->rows[b];
    if (is_out(worker, highest, frame->n_columns, b, rows, surplus))
        return true;
    return worker->search->has_floor &&
           mgl_branch_bound_by_potential(frame, mgl_branch_potential(frame, counts, b), rows) >
               worker->worst;
}

/* Evaluates the node of the branch itself, with the open columns at their highest levels. */
static mgl_status evaluate_highest(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                                   const uint8_t *highest, size_t b,
                                   const mgl_branch_counts *counts, double surplus, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    if (costs_too_much(worker, highest, b, counts, surplus))
        return MGL_OK;
    mgl_by_size_evaluated evaluated;
    double before = worker->result->ties.best;
    MGL_TRY(mgl_by_size_evaluate(worker, table, highest, b, counts, err, &evaluated));
    if (evaluated.holds && search->frame.holds != NULL)
        mgl_branch_mark_above(&search->frame, highest, search->frame.n_columns, UINT64_C(1) << b);
    else if (evaluated.holds)
        MGL_TRY(mgl_ties_add(&worker->result->ties, worker->node, evaluated.cost, err));
    if (worker->result->ties.best < before)
        set_best(worker, worker->result->ties.best);
    return MGL_OK;
}

/* With too many classes too many rows must be suppressed, here and at every finer node: no class
 * need be looked at. */
static bool has_too_many_classes(const mgl_by_size *search, const mgl_by_size_table *table,
                                 mgl_by_size_branch *branch)
{
    uint64_t rows = mgl_demand_rows(&search->frame.demand, table->n);
    if (rows <= search->frame.limit)
        return false;
    for (uint64_t rest = branch->wanted; rest != 0; rest &= rest - 1)
        branch->rows[__builtin_ctzll(rest)] = (uint32_t)rows;
    branch->wanted = 0;
    return true;
}

/* Looks at the wanted nodes of a branch whose first `depth` columns have their levels. Then
 * branch->rows are what they suppress, and only those are wanted that open columns may yet
 * improve upon. */
static mgl_status look(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                       const uint8_t *highest, const uint8_t *lowest, size_t depth,
                       mgl_by_size_branch *branch, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    mgl_branch_counts counts;
    double surplus[MGL_BLOCK_NODES] = {0};
    uint64_t uneven = 0;
    if (has_too_many_classes(search, table, branch))
        return MGL_OK;
    mgl_by_size_count(search, table, branch->wanted, &counts);
    worker->result->checked += (uint64_t)__builtin_popcountll(branch->wanted);
    by_size_note(worker, highest, branch->wanted, &counts);
    for (uint64_t rest = branch->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        branch->rows[b] = (uint32_t)counts.rows[b];
        if (is_out(worker, lowest, depth, b, counts.rows[b], 0))
            branch->wanted &= ~(UINT64_C(1) << b);
        else if (counts.rows[b] > 0 && mgl_by_size_is_uneven(search, highest, depth, b))
            uneven |= UINT64_C(1) << b;
    }
    if (uneven != 0)
        MGL_TRY(mgl_by_size_surplus(worker, table, highest, depth, uneven, err, surplus));
    for (uint64_t rest = branch->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        MGL_TRY(evaluate_highest(worker, table, highest, b, &counts, surplus[b], err));
        if (is_out(worker, lowest, depth, b, counts.rows[b], surplus[b]))
            branch->wanted &= ~(UINT64_C(1) << b);
    }
    return MGL_OK;
}

/* ---- The floor of a branch ------------------------------------------------------------------ */

/* Measures of class sizes grow with every level. The finest node of a branch, with the open
 * columns at their lowest levels, bounds them; what it suppresses and the branch does not can
 * at best end up in classes of exactly k. */
static mgl_status drop_by_floor(mgl_by_size_worker *worker, size_t depth, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    mgl_by_size_branch *branch = rung_at(worker, depth);
    mgl_by_size_floor *floor = &worker->floors[depth];
    const mgl_by_size_table *table;
    uint8_t finest[MGL_MOST_COLUMNS];
    bool exact;
    MGL_TRY(mgl_by_size_cached(worker, depth, search->frame.n_columns, err, &table, &exact));
    if (depth > worker->first_floor && floor[-1].table == table) {
        *floor = floor[-1];
    } else {
        floor->table = table;
        mgl_by_size_count(search, table, branch->wanted, &floor->counts);
        memcpy(finest, mgl_by_size_lows(worker, depth), search->frame.n_columns);
        by_size_note(worker, finest, branch->wanted, &floor->counts);
    }
    for (uint64_t rest = branch->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        double potential = mgl_branch_potential(&search->frame, &floor->counts, b);
        if (mgl_branch_bound_by_potential(&search->frame, potential, branch->rows[b]) >
            worker->worst)
            branch->wanted &= ~(UINT64_C(1) << b);
    }
    return MGL_OK;
}

/* ---- Refining ----------------------------------------------------------------------------- */

/* The table of the path with column c at a level and the rest at their highest. */
static mgl_status find_table(mgl_by_size_worker *worker, const uint8_t *highest, size_t c,
                             mgl_error *err, const mgl_by_size_table **out)
{
    const mgl_by_size *search = worker->search;
    const mgl_by_size_table *source;
    uint8_t low = mgl_by_size_lows(worker, c)[c];
    bool exact, shared = highest[c] == low || search->frame.highest[c] - low > 1 ||
                         mgl_by_size_is_cached(worker, c, c + 1);
    MGL_TRY(mgl_by_size_cached(worker, shared || c == 0 ? c : c - 1, c + 1, err, &source, &exact));
    *out = source;
    if (highest[c] == low && exact && shared)
        return MGL_OK;
    return mgl_by_size_roll_to_scratch(worker, source, highest, err, out);
}

static mgl_status refine(mgl_by_size_worker *worker, size_t c, mgl_error *err);

/* Finds the lowest levels that are worth a look at any wanted node of a branch, from what is known
 * of the branch around it. Tables that leave out the others are smaller. */
static void raise_lows(mgl_by_size_worker *worker, size_t depth, const uint8_t *lowest)
{
    const mgl_by_size_branch *branch = rung_at(worker, depth);
    size_t n = worker->search->frame.n_columns;
    uint8_t *lows = mgl_by_size_lows(worker, depth), lifted[MGL_MOST_COLUMNS];
    memcpy(lows, worker->search->frame.highest, n);
    memcpy(lows, lowest, depth);
    for (uint64_t rest = branch->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        memcpy(lifted, lowest, n);
        by_size_lift(worker, depth, b, branch->rows[b], lifted);
        for (size_t c = depth; c < n; c++)
            lows[c] = lifted[c] < lows[c] ? lifted[c] : lows[c];
    }
}

/* Looks at the branch with column c at a level, and refines it further. rows: what must be
 * suppressed at least; it is raised to what is found. */
static mgl_status take_level(mgl_by_size_worker *worker, size_t c, uint8_t level, uint32_t *rows,
                             mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    mgl_by_size_branch *next = rung_at(worker, c + 1);
    uint8_t highest[MGL_MOST_COLUMNS], lowest[MGL_MOST_COLUMNS];
    memcpy(lowest, mgl_by_size_lows(worker, c), search->frame.n_columns);
    memcpy(highest, search->frame.highest, search->frame.n_columns);
    memcpy(highest, worker->path, c);
    lowest[c] = highest[c] = level;
    MGL_TRY(by_size_ahead_step(worker, c, level, err));
    mgl_by_size_recall(worker, highest, c + 1, rows);
    next->wanted = foresee(worker, lowest, c, rung_at(worker, c)->wanted, rows);
    next->wanted = by_size_drop_by_finer(worker, lowest, next->wanted, rows);
    memcpy(next->rows, rows, search->frame.block.n_nodes * sizeof *rows);
    uint64_t sure = 0; /* to hold at the branch itself */
    if (search->frame.monotone) {
        /* Drops the nodes of the block below which all are known to hold. */
        uint64_t known =
            mgl_branch_known(&worker->search->frame, worker->n_fixed, lowest, next->wanted);
        mgl_branch_mark_above(&worker->search->frame, lowest, c + 1, known);
        next->wanted &= ~known;
        sure = mgl_branch_known(&search->frame, worker->n_fixed, highest, next->wanted);
    }
    uint64_t looked_at = next->wanted & ~sure;
    if (looked_at != 0 && level < search->frame.highest[c]) {
        const mgl_by_size_table *table;
        MGL_TRY(find_table(worker, highest, c, err, &table));
        next->wanted = looked_at;
        MGL_TRY(look(worker, table, highest, lowest, c + 1, next, err));
        next->wanted |= sure;
        mgl_by_size_remember(worker, highest, looked_at, next->rows);
        memcpy(rows, next->rows, search->frame.block.n_nodes * sizeof *rows);
    }
    if (next->wanted == 0 || c + 1 == search->frame.n_columns)
        return MGL_OK;
    mgl_by_size_step_to(worker, c, level);
    raise_lows(worker, c + 1, lowest);
    return refine(worker, c + 1, err);
}

/* The order of the levels. Where holding is monotone, it begins in the middle: what holds there
 * holds above, what fails there fails below. */
static uint8_t level_in_turn(const mgl_by_size *search, size_t c, size_t i)
{
    size_t high = search->frame.highest[c];
    if (c < search->n_up)
        return (uint8_t)i;
    if (!search->frame.monotone)
        return (uint8_t)(high - i);
    return (uint8_t)(i <= high / 2 ? high / 2 - i : i);
}

static mgl_status refine(mgl_by_size_worker *worker, size_t c, mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    MGL_TRY(mgl_parallel_pause(&worker->search->frame.parallel, worker->result, err));
    if (search->has_floor && search->frame.n_columns - c <= FEW_OPEN)
        MGL_TRY(drop_by_floor(worker, c, err));
    const mgl_by_size_branch *branch = rung_at(worker, c);
    size_t size = search->frame.block.n_nodes * sizeof *branch->rows;
    uint32_t rows[MGL_BLOCK_NODES];
    memcpy(rows, branch->rows, size);
    for (size_t i = 0; i < search->frame.columns[c]->n_levels && !worker->result->stopped; i++) {
        if (branch->wanted == 0)
            break;
        uint8_t level = level_in_turn(search, c, i);
        if (level < mgl_by_size_lows(worker, c)[c])
            continue;
        if (i > 0 && level > level_in_turn(search, c, i - 1))
            memcpy(rows, branch->rows, size); /* the level before was finer and says nothing */
        MGL_TRY(take_level(worker, c, level, rows, err));
    }
    return MGL_OK;
}

/* Looks at the item itself, unless earlier rounds know that all of it is out. */
static mgl_status begin_item(mgl_by_size_worker *worker, const uint8_t *levels, size_t n,
                             mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    mgl_by_size_branch *branch = rung_at(worker, n);
    uint8_t highest[MGL_MOST_COLUMNS], lowest[MGL_MOST_COLUMNS];
    memset(lowest, 0, search->frame.n_columns);
    memcpy(lowest, levels, n);
    memcpy(highest, search->frame.highest, search->frame.n_columns);
    memcpy(highest, levels, n);
    memset(branch->rows, 0, search->frame.block.n_nodes * sizeof *branch->rows);
    mgl_by_size_recall(worker, highest, n, branch->rows);
    branch->wanted = 0;
    for (size_t b = 0; b < search->frame.block.n_nodes; b++)
        if (!is_out(worker, lowest, n, b, branch->rows[b], 0))
            branch->wanted |= UINT64_C(1) << b;
    if (branch->wanted == 0)
        return MGL_OK;
    const mgl_by_size_table *table;
    bool exact;
    MGL_TRY(mgl_by_size_cached(worker, n, n, err, &table, &exact));
    if (!exact)
        MGL_TRY(mgl_by_size_roll_to_scratch(worker, table, highest, err, &table));
    uint64_t looked_at = branch->wanted;
    MGL_TRY(look(worker, table, highest, lowest, n, branch, err));
    mgl_by_size_remember(worker, highest, looked_at, branch->rows);
    return MGL_OK;
}

mgl_status mgl_by_size_search(mgl_by_size_worker *worker, const uint8_t *levels, size_t n,
                              mgl_error *err)
{
    const mgl_by_size *search = worker->search;
    size_t many = search->frame.n_columns > FEW_OPEN ? search->frame.n_columns - FEW_OPEN : 0;
    worker->first_floor = n > many ? n : many;
    worker->n_fixed = n;
    set_best(worker, worker->result->ties.best);
    if (worker->ahead == NULL)
        MGL_TRY(by_size_ahead_begin(worker, err));
    MGL_TRY(mgl_by_size_known_begin(worker, err));
    MGL_TRY(by_size_finer_begin(worker, err));
    for (size_t c = 0; c <= n; c++) {
        memset(mgl_by_size_lows(worker, c), 0, search->frame.n_columns);
        memcpy(mgl_by_size_lows(worker, c), levels, c);
    }
    for (size_t c = 0; c < n; c++) {
        mgl_by_size_step_to(worker, c, levels[c]);
        MGL_TRY(by_size_ahead_step(worker, c, levels[c], err));
    }
    MGL_TRY(begin_item(worker, levels, n, err));
    if (rung_at(worker, n)->wanted != 0 && n < search->frame.n_columns)
        MGL_TRY(refine(worker, n, err));
    mgl_by_size_known_end(worker);
    return MGL_OK;
}
