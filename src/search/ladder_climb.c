/* The search itself: rungs are refined column by column, depth first, the least bound first
 * among those that differ in one column only. */
#include "search/ladder.h"

/* ---- Bounds ---------------------------------------------------------------------------- */

/* The bound of a rung before its classes are known: those of the coarser rung it refines
 * are. Nodes of the block above the worst are no longer wanted. */
static void foresee(const mgl_ladder_worker *worker, const mgl_ladder_rung *coarser,
                    const uint8_t *lowest, mgl_ladder_rung *rung)
{
    rung->bound = INFINITY;
    rung->wanted = 0;
    for (uint64_t rest = coarser->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        rung->rows[b] = coarser->rows[b];
        double bound = mgl_ladder_bound(worker->ladder, lowest, b, rung->rows[b], NULL);
        if (bound > worker->worst)
            continue;
        rung->wanted |= UINT64_C(1) << b;
        rung->bound = bound < rung->bound ? bound : rung->bound;
    }
}

/* ---- Looking at a rung -------------------------------------------------------------------- */

/* Prices the node of the rung itself, with the open columns at their highest levels. */
static mgl_status offer(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                        const uint8_t *highest, size_t b, const mgl_ladder_counts *counts,
                        const double *penalties, mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    if (mgl_ladder_bound(ladder, highest, b, counts->rows[b], penalties) > worker->worst)
        return MGL_OK;
    bool holds;
    double cost, before = worker->ties.best;
    MGL_TRY(mgl_ladder_price(worker, table, highest, b, counts, err, &holds, &cost));
    if (holds)
        MGL_TRY(mgl_ties_add(&worker->ties, worker->node, cost, err));
    if (worker->ties.best < before)
        worker->worst = mgl_ladder_worst(ladder, worker->ties.best);
    return MGL_OK;
}

mgl_status mgl_ladder_look(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                           const uint8_t *highest, const uint8_t *lowest, mgl_ladder_rung *rung,
                           mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    mgl_ladder_counts counts;
    ladder->kernel->count(ladder, table, rung->wanted, &counts);
    worker->checked += (uint64_t)__builtin_popcountll(rung->wanted);
    rung->bound = INFINITY;
    for (uint64_t rest = rung->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        uint64_t rows = counts.rows[b];
        const double *penalties = NULL;
        double bound = INFINITY;
        if (rows <= ladder->limit)
            bound = mgl_ladder_bound(ladder, lowest, b, rows, NULL);
        if (bound <= worker->worst && ladder->cells != MGL_LADDER_NOTHING && rows > 0) {
            MGL_TRY(mgl_ladder_find_small(worker, table, b, err));
            mgl_ladder_penalties(worker, table, highest, b, rows);
            penalties = worker->penalties;
            bound = mgl_ladder_bound(ladder, lowest, b, rows, penalties);
        }
        if (bound <= worker->worst)
            MGL_TRY(offer(worker, table, highest, b, &counts, penalties, err));
        if (bound > worker->worst)
            rung->wanted &= ~(UINT64_C(1) << b);
        else if (bound < rung->bound)
            rung->bound = bound;
        rung->rows[b] = (uint32_t)rows;
    }
    return MGL_OK;
}

/* ---- Refining ----------------------------------------------------------------------------- */

static void sort_rungs(mgl_ladder_rung *const *rungs, uint8_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0 && rungs[order[at - 1]]->bound > rungs[i]->bound; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)i;
    }
}

/* The rungs that have the next column at each of its levels. The highest is the rung itself,
 * with one open column less. */
static mgl_status make_rungs(mgl_ladder_worker *worker, const mgl_ladder_rung *rung, size_t c,
                             mgl_ladder_rung *const *rungs, mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    size_t n = ladder->columns[c]->n_levels;
    uint8_t highest[ladder->n_columns], lowest[ladder->n_columns];
    memset(lowest, 0, sizeof lowest);
    memcpy(lowest, worker->path, c);
    memcpy(highest, ladder->highest, sizeof highest);
    memcpy(highest, worker->path, c);
    const mgl_ladder_table *table = NULL;
    for (uint8_t l = 0; l < n; l++) {
        lowest[c] = highest[c] = l;
        foresee(worker, rung, lowest, rungs[l]);
        if (rungs[l]->wanted == 0 || l + 1u == n)
            continue;
        bool exact = false;
        if (table == NULL) /* for the lowest level this is the table itself */
            MGL_TRY(mgl_ladder_shelved(worker, l == 0 || c == 0 ? c : c - 1, c + 1, err, &table,
                                       &exact));
        if (l > 0 || !exact) {
            mgl_ladder_table *out = &worker->scratch[table == &worker->scratch[0]];
            MGL_TRY(mgl_ladder_roll_up(worker, table, highest, err, out));
            table = out;
        }
        MGL_TRY(mgl_ladder_look(worker, table, highest, lowest, rungs[l], err));
    }
    return MGL_OK;
}

mgl_status mgl_ladder_climb(mgl_ladder_worker *worker, const mgl_ladder_rung *rung, size_t c,
                            mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    if (c == ladder->n_columns)
        return MGL_OK;
    MGL_TRY(mgl_ladder_pause(worker->ladder, worker, err));
    size_t n = ladder->columns[c]->n_levels, size = mgl_ladder_rung_size(ladder);
    mgl_ladder_rung *rungs[UINT8_MAX];
    uint8_t order[UINT8_MAX];
    char *memory = mgl_alloc_array(n, size);
    if (memory == NULL)
        return mgl_fail_memory(err);
    for (size_t l = 0; l < n; l++)
        rungs[l] = (mgl_ladder_rung *)(void *)(memory + l * size);
    mgl_status status = make_rungs(worker, rung, c, rungs, err);
    sort_rungs(rungs, order, n);
    for (size_t i = 0; i < n && status == MGL_OK && !worker->stopped; i++) {
        const mgl_ladder_rung *next = rungs[order[i]];
        if (next->wanted == 0 || next->bound > worker->worst)
            continue;
        mgl_ladder_step_to(worker, c, order[i]);
        status = mgl_ladder_climb(worker, next, c + 1, err);
    }
    mgl_free(memory);
    return status;
}
