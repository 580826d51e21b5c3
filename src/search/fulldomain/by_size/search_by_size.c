/* The search itself, depth first: a rung is refined by the next column, level by level.
 *
 * Mostly from the highest level down: coarse nodes are cheap to look at, some of them hold,
 * and what they must suppress bounds what the finer ones must. Measures of class sizes are
 * best at fine nodes; there it goes up. */
#include "search/fulldomain/by_size/counts.h"

/* The floor of a rung is looked at when no more columns than these are open: its table is
 * then small, or needed anyway. */
enum { FEW_OPEN = 2 };

static mgl_ladder_rung *rung_at(const mgl_ladder_worker *worker, size_t depth)
{
    return (mgl_ladder_rung *)(void *)(worker->rungs +
                                       depth * mgl_ladder_rung_size(worker->ladder));
}

static void set_best(mgl_ladder_worker *worker, double best)
{
    worker->hand->ties.best = best;
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
    if (!ladder->by_level)
        return mgl_ladder_bound(ladder, lowest, b, rows) > worker->worst;
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

/* Prices the node of the rung itself, with the open columns at their highest levels. */
static mgl_status offer(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                        const uint8_t *highest, size_t b, const mgl_ladder_counts *counts,
                        double surplus, mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    if (is_out(worker, highest, ladder->n_columns, b, counts->rows[b], surplus))
        return MGL_OK;
    bool holds;
    double cost, before = worker->hand->ties.best;
    MGL_TRY(mgl_ladder_price(worker, table, highest, b, counts, err, &holds, &cost));
    if (holds && ladder->holds != NULL)
        mgl_ladder_mark_above(ladder, highest, ladder->n_columns, UINT64_C(1) << b);
    else if (holds)
        MGL_TRY(mgl_ties_add(&worker->hand->ties, worker->node, cost, err));
    if (worker->hand->ties.best < before)
        set_best(worker, worker->hand->ties.best);
    return MGL_OK;
}

/* With too many classes too many rows must be suppressed, here and at every finer node: no class
 * need be looked at. */
static bool has_too_many_classes(const mgl_ladder *ladder, const mgl_ladder_table *table,
                                 mgl_ladder_rung *rung)
{
    uint64_t rows = mgl_demand_rows(&ladder->demand, table->n);
    if (rows <= ladder->limit)
        return false;
    for (uint64_t rest = rung->wanted; rest != 0; rest &= rest - 1)
        rung->rows[__builtin_ctzll(rest)] = (uint32_t)rows;
    rung->wanted = 0;
    return true;
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
    if (has_too_many_classes(ladder, table, rung))
        return MGL_OK;
    ladder->kernel->count(ladder, table, rung->wanted, &counts);
    worker->hand->checked += (uint64_t)__builtin_popcountll(rung->wanted);
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

/* ---- The floor of a rung ------------------------------------------------------------------ */

/* Measures of class sizes grow with every level. The finest node of a rung, with the open
 * columns at their lowest levels, bounds them; what it suppresses and the rung does not can
 * at best end up in classes of exactly k. */
static mgl_status drop_by_floor(mgl_ladder_worker *worker, size_t depth, mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    mgl_ladder_rung *rung = rung_at(worker, depth);
    mgl_ladder_floor *floor = &worker->floors[depth];
    const mgl_ladder_table *table;
    bool exact;
    MGL_TRY(mgl_ladder_shelved(worker, depth, ladder->n_columns, err, &table, &exact));
    if (depth > worker->first_floor && floor[-1].table == table) {
        *floor = floor[-1];
    } else {
        floor->table = table;
        ladder->kernel->count(ladder, table, rung->wanted, &floor->counts);
    }
    for (uint64_t rest = rung->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        if (mgl_ladder_bound_by_floor(ladder, &floor->counts, b, rung->rows[b]) > worker->worst)
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
    return mgl_ladder_roll_to_scratch(worker, source, highest, err, out);
}

static mgl_status climb(mgl_ladder_worker *worker, size_t c, mgl_error *err);

/* Drops the nodes of the block below which all are known to hold. */
static void drop_known(mgl_ladder_worker *worker, const uint8_t *lowest, size_t depth,
                       mgl_ladder_rung *rung)
{
    uint64_t known = mgl_ladder_known(worker->ladder, worker->n_fixed, lowest, rung->wanted);
    mgl_ladder_mark_above(worker->ladder, lowest, depth, known);
    rung->wanted &= ~known;
}

/* Looks at the rung with column c at a level, and climbs on from there. rows: what must be
 * suppressed at least; it is raised to what is found. */
static mgl_status take_level(mgl_ladder_worker *worker, size_t c, uint8_t level, uint32_t *rows,
                             mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    mgl_ladder_rung *next = rung_at(worker, c + 1);
    uint8_t highest[ladder->n_columns], lowest[ladder->n_columns];
    memset(lowest, 0, sizeof lowest);
    memcpy(lowest, worker->path, c);
    memcpy(highest, ladder->highest, sizeof highest);
    memcpy(highest, worker->path, c);
    lowest[c] = highest[c] = level;
    MGL_TRY(mgl_ladder_ahead_step(worker, c, level, err));
    mgl_ladder_recall(worker, highest, c + 1, rows);
    next->wanted = foresee(worker, lowest, c, rung_at(worker, c)->wanted, rows);
    mgl_ladder_remember(worker, highest, rung_at(worker, c)->wanted, rows);
    memcpy(next->rows, rows, ladder->block.n_nodes * sizeof *rows);
    uint64_t sure = 0; /* to hold at the rung itself */
    if (ladder->monotone) {
        drop_known(worker, lowest, c + 1, next);
        sure = mgl_ladder_known(ladder, worker->n_fixed, highest, next->wanted);
    }
    uint64_t looked_at = next->wanted & ~sure;
    if (looked_at != 0 && level < ladder->highest[c]) {
        const mgl_ladder_table *table;
        MGL_TRY(find_table(worker, highest, c, err, &table));
        next->wanted = looked_at;
        MGL_TRY(look(worker, table, highest, lowest, c + 1, next, err));
        next->wanted |= sure;
        mgl_ladder_remember(worker, highest, looked_at, next->rows);
        memcpy(rows, next->rows, ladder->block.n_nodes * sizeof *rows);
    }
    if (next->wanted == 0 || c + 1 == ladder->n_columns)
        return MGL_OK;
    mgl_ladder_step_to(worker, c, level);
    return climb(worker, c + 1, err);
}

/* The order of the levels. Where holding is monotone, it begins in the middle: what holds there
 * holds above, what fails there fails below. */
static uint8_t level_in_turn(const mgl_ladder *ladder, size_t c, size_t i)
{
    size_t high = ladder->highest[c];
    if (ladder->has_floor)
        return (uint8_t)i;
    if (!ladder->monotone)
        return (uint8_t)(high - i);
    return (uint8_t)(i <= high / 2 ? high / 2 - i : i);
}

static mgl_status climb(mgl_ladder_worker *worker, size_t c, mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    MGL_TRY(mgl_division_pause(&worker->ladder->division, worker->hand, err));
    if (ladder->has_floor && ladder->n_columns - c <= FEW_OPEN)
        MGL_TRY(drop_by_floor(worker, c, err));
    const mgl_ladder_rung *rung = rung_at(worker, c);
    size_t size = ladder->block.n_nodes * sizeof *rung->rows;
    uint32_t rows[MGL_BLOCK_NODES];
    memcpy(rows, rung->rows, size);
    for (size_t i = 0; i < ladder->columns[c]->n_levels && !worker->hand->stopped; i++) {
        if (rung->wanted == 0)
            break;
        uint8_t level = level_in_turn(ladder, c, i);
        if (i > 0 && level > level_in_turn(ladder, c, i - 1))
            memcpy(rows, rung->rows, size); /* the level before was finer and says nothing */
        MGL_TRY(take_level(worker, c, level, rows, err));
    }
    return MGL_OK;
}

mgl_status mgl_ladder_search(mgl_ladder_worker *worker, const uint8_t *levels, size_t n,
                             mgl_error *err)
{
    const mgl_ladder *ladder = worker->ladder;
    size_t many = ladder->n_columns > FEW_OPEN ? ladder->n_columns - FEW_OPEN : 0;
    worker->first_floor = n > many ? n : many;
    worker->n_fixed = n;
    set_best(worker, worker->hand->ties.best);
    if (worker->ahead == NULL)
        MGL_TRY(mgl_ladder_ahead_begin(worker, err));
    uint8_t highest[ladder->n_columns + 1], lowest[ladder->n_columns + 1];
    memset(lowest, 0, sizeof lowest);
    memcpy(lowest, levels, n);
    memcpy(highest, ladder->highest, ladder->n_columns);
    memcpy(highest, levels, n);
    if (worker->seen != NULL)
        memset(worker->seen, 0, ladder->n_seen * sizeof *worker->seen);
    for (size_t c = 0; c < n; c++) {
        mgl_ladder_step_to(worker, c, levels[c]);
        MGL_TRY(mgl_ladder_ahead_step(worker, c, levels[c], err));
    }
    const mgl_ladder_table *table;
    bool exact;
    MGL_TRY(mgl_ladder_shelved(worker, n, n, err, &table, &exact));
    if (!exact)
        MGL_TRY(mgl_ladder_roll_to_scratch(worker, table, highest, err, &table));
    mgl_ladder_rung *rung = rung_at(worker, n);
    rung->wanted = UINT64_MAX >> (64 - ladder->block.n_nodes);
    MGL_TRY(look(worker, table, highest, lowest, n, rung, err));
    return rung->wanted != 0 && n < ladder->n_columns ? climb(worker, n, err) : MGL_OK;
}
