/* Remembers what finer nodes say about coarser ones, for measures of class sizes, which grow with
 * every level. search_by_size.c asks it before it looks at a branch and tells it what it found.
 *
 * A node's potential (cost_bounds.c) bounds the cost of the node and of all above it. So a node has
 * at least the potential of each node just below it, whether that was looked at itself or has its
 * potential from others. */
#include "search/fulldomain/by_size/counts.h"

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
