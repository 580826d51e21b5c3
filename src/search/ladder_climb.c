/* The search itself, depth first: a rung is refined by the next column, from its highest
 * level down. Coarse nodes first: they are cheap to look at, some of them hold, and what
 * they must suppress bounds what the finer ones must. */
#include "search/ladder.h"

static mgl_ladder_rung *rung_at(const mgl_ladder_worker *worker, size_t depth)
{
    return (mgl_ladder_rung *)(void *)(worker->rungs +
                                       depth * mgl_ladder_rung_size(worker->ladder));
}

static void set_best(mgl_ladder_worker *worker, double best)
{
    worker->ties.best = best;
    worker->worst = mgl_ladder_worst(worker->ladder, best);
    worker->worst_line = mgl_ladder_worst_line(worker->ladder, worker->worst);
}

/* ---- Bounds ---------------------------------------------------------------------------- */

/* Can no node be as good as the best that has the block's node b, the first `depth` columns
 * at the lowest levels given, the others at these or higher ones, and suppresses these rows? */
static bool is_out(const mgl_ladder_worker *worker, const uint8_t *lowest, size_t depth, size_t b,
                   uint64_t rows, double surplus)
{
    const mgl_ladder *ladder = worker->ladder;
    if (rows > ladder->limit)
        return true;
    if (worker->worst == INFINITY)
        return false;
    uint8_t lifted[ladder->n_columns + 1];
    memcpy(lifted, lowest, ladder->n_columns);
    mgl_ladder_lift(worker, depth, b, rows, lifted);
    mgl_ladder_line line = mgl_ladder_line_of(ladder, lifted, b);
    return mgl_ladder_line_at(ladder, line, rows, surplus) > worker->worst_line ||
           mgl_ladder_bound(ladder, lifted, b, rows) > worker->worst;
}

/* Which nodes of the block are worth a look with column c at this level, given the rows
 * that a coarser rung must suppress? */
static uint64_t foresee(const mgl_ladder_worker *worker, const uint8_t *lowest, size_t c,
                        uint64_t wanted, uint32_t *rows)
{
    const mgl_ladder *ladder = worker->ladder;
    uint64_t left = 0;
    for (uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        if (lowest[c] < ladder->highest[c]) {
            uint32_t ahead = mgl_ladder_rows_ahead(worker, c, c, lowest[c], b);
            rows[b] = ahead > rows[b] ? ahead : rows[b];
        }
        if (!is_out(worker, lowest, c + 1, b, rows[b], 0))
            left |= UINT64_C(1) << b;
    }
    return left;
}

/* ---- Looking at a rung -------------------------------------------------------------------- */

static void mark_holding(const mgl_ladder_worker *worker)
{
    const mgl_problem *p = worker->ladder->problem;
    uint64_t number = 0;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        number = number * (p->max_level[a] - p->min_level[a] + 1) + worker->node[a] -
                 p->min_level[a];
    worker->ladder->holds[number] = 1;
}

/* Prices the node of the rung itself, with the open columns at their highest levels. */
static mgl_status offer(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                        const uint8_t *highest, size_t b, const mgl_ladder_counts *counts,
                        double surplus, mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    if (is_out(worker, highest, ladder->n_columns, b, counts->rows[b], surplus))
        return MGL_OK;
    bool holds;
    double cost, before = worker->ties.best;
    MGL_TRY(mgl_ladder_price(worker, table, highest, b, counts, err, &holds, &cost));
    if (holds && ladder->holds != NULL)
        mark_holding(worker);
    else if (holds)
        MGL_TRY(mgl_ties_add(&worker->ties, worker->node, cost, err));
    if (worker->ties.best < before)
        set_best(worker, worker->ties.best);
    return MGL_OK;
}

/* Looks at the wanted nodes of a rung whose first `depth` columns have their levels. Then
 * rung->rows are what they suppress, and only those are wanted that open columns may yet
 * improve upon. */
static mgl_status look(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                       const uint8_t *highest, const uint8_t *lowest, size_t depth,
                       mgl_ladder_rung *rung, mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    mgl_ladder_counts counts;
    double surplus[MGL_BLOCK_NODES] = {0};
    uint64_t uneven = 0;
    ladder->kernel->count(ladder, table, rung->wanted, &counts);
    worker->checked += (uint64_t)__builtin_popcountll(rung->wanted);
    for (uint64_t rest = rung->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        rung->rows[b] = (uint32_t)counts.rows[b];
        if (is_out(worker, lowest, depth, b, counts.rows[b], 0))
            rung->wanted &= ~(UINT64_C(1) << b);
        else if (counts.rows[b] > 0 && mgl_ladder_is_uneven(ladder, highest, depth, b))
            uneven |= UINT64_C(1) << b;
    }
    if (uneven != 0)
        MGL_TRY(mgl_ladder_surplus(worker, table, highest, depth, uneven, err, surplus));
    for (uint64_t rest = rung->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        MGL_TRY(offer(worker, table, highest, b, &counts, surplus[b], err));
        if (is_out(worker, lowest, depth, b, counts.rows[b], surplus[b]))
            rung->wanted &= ~(UINT64_C(1) << b);
    }
    return MGL_OK;
}

/* ---- Refining ----------------------------------------------------------------------------- */

/* The table of the path with column c at a level and the rest at their highest. */
static mgl_status find_table(mgl_ladder_worker *worker, const uint8_t *highest, size_t c,
                             mgl_error *err, const mgl_ladder_table **out)
{
    const mgl_ladder *ladder = worker->ladder;
    const mgl_ladder_table *source;
    bool exact, shared = highest[c] == 0 || ladder->columns[c]->n_levels > 2;
    MGL_TRY(mgl_ladder_shelved(worker, shared || c == 0 ? c : c - 1, c + 1, err, &source, &exact));
    *out = source;
    if (highest[c] == 0 && exact)
        return MGL_OK;
    *out = &worker->scratch[0];
    return mgl_ladder_roll_up(worker, source, highest, err, &worker->scratch[0]);
}

static mgl_status climb(mgl_ladder_worker *worker, size_t c, mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    if (c == ladder->n_columns)
        return MGL_OK;
    MGL_TRY(mgl_ladder_pause(worker, err));
    const mgl_ladder_rung *rung = rung_at(worker, c);
    mgl_ladder_rung *next = rung_at(worker, c + 1);
    uint8_t highest[ladder->n_columns], lowest[ladder->n_columns];
    memset(lowest, 0, sizeof lowest);
    memcpy(lowest, worker->path, c);
    memcpy(highest, ladder->highest, sizeof highest);
    memcpy(highest, worker->path, c);
    uint32_t rows[MGL_BLOCK_NODES];
    memcpy(rows, rung->rows, ladder->block.n_nodes * sizeof *rows);
    for (uint8_t l = ladder->highest[c];; l--) {
        lowest[c] = highest[c] = l;
        next->wanted = foresee(worker, lowest, c, rung->wanted, rows);
        memcpy(next->rows, rows, ladder->block.n_nodes * sizeof *rows);
        if (next->wanted != 0 && l < ladder->highest[c]) {
            const mgl_ladder_table *table;
            MGL_TRY(find_table(worker, highest, c, err, &table));
            MGL_TRY(look(worker, table, highest, lowest, c + 1, next, err));
            memcpy(rows, next->rows, ladder->block.n_nodes * sizeof *rows);
        }
        if (next->wanted != 0) {
            mgl_ladder_step_to(worker, c, l);
            MGL_TRY(mgl_ladder_ahead_step(worker, c, l, err));
            MGL_TRY(climb(worker, c + 1, err));
        }
        if (l == 0 || worker->stopped)
            return MGL_OK;
    }
}

mgl_status mgl_ladder_search(mgl_ladder_worker *worker, const uint8_t *levels, size_t n,
                             mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    set_best(worker, worker->ties.best);
    if (worker->ahead == NULL)
        MGL_TRY(mgl_ladder_ahead_begin(worker, err));
    uint8_t highest[ladder->n_columns + 1], lowest[ladder->n_columns + 1];
    memset(lowest, 0, sizeof lowest);
    memcpy(lowest, levels, n);
    memcpy(highest, ladder->highest, ladder->n_columns);
    memcpy(highest, levels, n);
    for (size_t c = 0; c < n; c++) {
        mgl_ladder_step_to(worker, c, levels[c]);
        MGL_TRY(mgl_ladder_ahead_step(worker, c, levels[c], err));
    }
    const mgl_ladder_table *table;
    bool exact;
    MGL_TRY(mgl_ladder_shelved(worker, n, n, err, &table, &exact));
    if (!exact) {
        MGL_TRY(mgl_ladder_roll_up(worker, table, highest, err, &worker->scratch[0]));
        table = &worker->scratch[0];
    }
    mgl_ladder_rung *rung = rung_at(worker, n);
    rung->wanted = UINT64_MAX >> (64 - ladder->block.n_nodes);
    MGL_TRY(look(worker, table, highest, lowest, n, rung, err));
    return rung->wanted != 0 ? climb(worker, n, err) : MGL_OK;
}
