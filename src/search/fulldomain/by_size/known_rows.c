/* Knows how many rows each node must suppress at least, from the nodes that were looked at: what a
 * node suppresses every finer one does. And what finer nodes say about coarser ones.
 *
 * An item knows what it found itself and what the items of earlier rounds found, so that the search
 * does not depend on the number of threads. */
#include "search/fulldomain/by_size/counts.h"

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

/* A node of the block suppresses what each coarser one does. */
static void spread_in_block(const mgl_branch_block *block, uint32_t *rows)
{
    for (size_t b = block->n_nodes; b-- > 0;)
        for (size_t i = 0, step = 1; i < block->n_columns; step *= block->columns[i++]->n_levels)
            if (block->nodes[b].levels[i] > 0 && rows[b - step] < rows[b])
                rows[b - step] = rows[b];
}

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
    spread_in_block(&search->frame.block, found);
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
        worker->known = mgl_alloc_array(search->n_known, sizeof *worker->known);
    if (worker->known == NULL)
        return mgl_fail_memory(err);
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

mgl_status mgl_by_size_finer_begin(mgl_by_size_worker *worker, mgl_error *err)
{
    size_t n = worker->search->n_potentials;
    if (n == 0)
        return MGL_OK;
    if (worker->potentials == NULL)
        worker->potentials = mgl_alloc_array(n, sizeof *worker->potentials);
    if (worker->potentials == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        worker->potentials[i] = -INFINITY;
    return MGL_OK;
}

void mgl_by_size_note(mgl_by_size_worker *worker, const uint8_t *levels, uint64_t nodes,
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

uint64_t mgl_by_size_drop_by_finer(mgl_by_size_worker *worker, const uint8_t *lowest,
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
