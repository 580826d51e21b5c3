/* Searches by class sizes, depth first: a branch is refined by the next column, level by level.
 *
 *
 * Mostly from the highest level down: coarse nodes are cheap to look at, some of them hold, and
 * what they must suppress bounds what the finer ones must. Measures of class sizes are best at fine
 * nodes; there the first columns go up, and so does a first column that most of the cost depends
 * on: a good node that is found early excludes more than what coarser ones suppress. */
#include "search/fulldomain/by_size/counts.h"

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
    mgl_by_size_lift(worker, depth, b, rows, lifted);
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
            uint32_t ahead = mgl_by_size_rows_ahead(worker, c, c, lowest[c], b);
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
    mgl_by_size_note(worker, highest, branch->wanted, &counts);
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
        mgl_by_size_note(worker, finest, branch->wanted, &floor->counts);
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

/* Drops the nodes of the block below which all are known to hold. */
static void drop_known(mgl_by_size_worker *worker, const uint8_t *lowest, size_t depth,
                       mgl_by_size_branch *branch)
{
    uint64_t known =
        mgl_branch_known(&worker->search->frame, worker->n_fixed, lowest, branch->wanted);
    mgl_branch_mark_above(&worker->search->frame, lowest, depth, known);
    branch->wanted &= ~known;
}

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
        mgl_by_size_lift(worker, depth, b, branch->rows[b], lifted);
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
    MGL_TRY(mgl_by_size_ahead_step(worker, c, level, err));
    mgl_by_size_recall(worker, highest, c + 1, rows);
    next->wanted = foresee(worker, lowest, c, rung_at(worker, c)->wanted, rows);
    next->wanted = mgl_by_size_drop_by_finer(worker, lowest, next->wanted, rows);
    memcpy(next->rows, rows, search->frame.block.n_nodes * sizeof *rows);
    uint64_t sure = 0; /* to hold at the branch itself */
    if (search->frame.monotone) {
        drop_known(worker, lowest, c + 1, next);
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
        MGL_TRY(mgl_by_size_ahead_begin(worker, err));
    MGL_TRY(mgl_by_size_known_begin(worker, err));
    MGL_TRY(mgl_by_size_finer_begin(worker, err));
    for (size_t c = 0; c <= n; c++) {
        memset(mgl_by_size_lows(worker, c), 0, search->frame.n_columns);
        memcpy(mgl_by_size_lows(worker, c), levels, c);
    }
    for (size_t c = 0; c < n; c++) {
        mgl_by_size_step_to(worker, c, levels[c]);
        MGL_TRY(mgl_by_size_ahead_step(worker, c, levels[c], err));
    }
    MGL_TRY(begin_item(worker, levels, n, err));
    if (rung_at(worker, n)->wanted != 0 && n < search->frame.n_columns)
        MGL_TRY(refine(worker, n, err));
    mgl_by_size_known_end(worker);
    return MGL_OK;
}
