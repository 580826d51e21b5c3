/* Searches by sensitive values, from branch to branch: the children of a branch fix the level of
 * the next column. */
#include "search/fulldomain/by_value/records.h"

enum {
    STEPS_BETWEEN_PAUSES = 64,
    WORDS_BETWEEN_PAUSES = 1 << 20, /* a few milliseconds: records of many values are long */
    ONLY_NODE = 1                   /* of the empty block, as a mask */
};

typedef struct child {
    uint8_t level;
    uint64_t rows;
    double bound;
} child;

static double worst_of(const mgl_by_value_worker *worker)
{
    return mgl_branch_worst(&worker->search->frame, worker->result->ties.best);
}

static mgl_status breathe(mgl_by_value_worker *worker, mgl_error *err)
{
    if (++worker->steps < STEPS_BETWEEN_PAUSES && worker->words < WORDS_BETWEEN_PAUSES)
        return MGL_OK;
    worker->steps = worker->words = 0;
    return mgl_parallel_pause(&worker->search->frame.parallel, worker->result, err);
}

/* Levels that bounds are made for: the path, then the lowest. */
static uint8_t *levels_at(mgl_by_value_worker *worker, size_t depth)
{
    return worker->lowest + depth * worker->search->frame.n_columns;
}

static mgl_status judge_node(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                             mgl_error *err)
{
    const mgl_by_value *search = worker->search;
    worker->result->checked++;
    uint64_t rows = mgl_by_value_violating(worker, table, search->frame.limit);
    if (rows <= search->frame.limit)
        MGL_TRY(mgl_by_value_violating_whole(worker, table, err, &rows));
    if (rows > search->frame.limit ||
        mgl_branch_bound(&search->frame, worker->path, 0, rows) > worker->worst)
        return MGL_OK;
    bool holds;
    double cost;
    MGL_TRY(mgl_by_value_evaluate(worker, table, rows, err, &holds, &cost));
    if (!holds)
        return MGL_OK;
    if (search->frame.holds == NULL) {
        MGL_TRY(mgl_ties_add(&worker->result->ties, worker->node, cost, err));
        worker->worst = worst_of(worker);
        return MGL_OK;
    }
    mgl_branch_mark_above(&search->frame, worker->path, search->frame.n_columns, ONLY_NODE);
    return MGL_OK;
}

/* Does every node that refines the table's break the limit, or a model of the whole table? *least:
 * rows that they suppress. */
static bool all_fail(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t *least)
{
    uint64_t limit = worker->search->frame.limit;
    *least = mgl_by_value_least(worker, table, limit);
    return *least > limit || !mgl_by_value_table_may_hold(worker, table);
}

static void sort_children(child *children, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && children[j].bound < children[j - 1].bound; j--) {
            child swapped = children[j];
            children[j] = children[j - 1];
            children[j - 1] = swapped;
        }
}

/* The children that are not excluded, with what is known about them. */
static mgl_status find_children(mgl_by_value_worker *worker, size_t depth, uint64_t rows,
                                mgl_error *err, child *children, size_t *n)
{
    const mgl_by_value *search = worker->search;
    const mgl_branching *frame = &search->frame;
    bool last = depth + 1 == frame->n_columns;
    uint8_t *levels = levels_at(worker, depth + 1);
    memcpy(levels, levels_at(worker, depth), frame->n_columns);
    *n = 0;
    for (uint8_t l = 0; l < frame->columns[depth]->n_levels && !worker->result->stopped; l++) {
        levels[depth] = l;
        child one = {l, rows, mgl_branch_bound(frame, levels, 0, rows)};
        if (one.bound > worker->worst)
            continue;
        if (!last && l < frame->highest[depth]) {
            const mgl_by_value_table *table;
            MGL_TRY(mgl_by_value_get(worker, depth, l, depth + 1, err, &table));
            uint64_t least;
            bool fails = all_fail(worker, table, &least);
            MGL_TRY(breathe(worker, err));
            if (fails)
                continue;
            one.rows = least > rows ? least : rows;
            one.bound = mgl_branch_bound(frame, levels, 0, one.rows);
            if (one.bound > worker->worst)
                continue;
        }
        children[(*n)++] = one;
    }
    sort_children(children, *n);
    return MGL_OK;
}

/* Below the branch at this depth, where `rows` must be suppressed. */
static mgl_status refine(mgl_by_value_worker *worker, size_t depth, uint64_t rows, mgl_error *err)
{
    const mgl_branching *frame = &worker->search->frame;
    child children[UINT8_MAX];
    size_t n;
    MGL_TRY(find_children(worker, depth, rows, err, children, &n));
    for (size_t i = 0; i < n && !worker->result->stopped; i++) {
        if (children[i].bound > worker->worst)
            break;
        mgl_by_value_step_to(worker, depth, children[i].level);
        levels_at(worker, depth + 1)[depth] = children[i].level;
        if (depth + 1 < frame->n_columns) {
            MGL_TRY(refine(worker, depth + 1, children[i].rows, err));
            continue;
        }
        const mgl_by_value_table *table;
        MGL_TRY(mgl_by_value_get(worker, depth, children[i].level, depth + 1, err, &table));
        MGL_TRY(judge_node(worker, table, err));
        MGL_TRY(breathe(worker, err));
    }
    return MGL_OK;
}

/* ---- Which nodes hold --------------------------------------------------------------- */

/* Must every node below the branch with column `depth` at this level pass the limit? */
static mgl_status branch_fails(mgl_by_value_worker *worker, size_t depth, uint8_t level,
                               mgl_error *err, bool *fails)
{
    const mgl_branching *frame = &worker->search->frame;
    uint8_t highest[MGL_MOST_COLUMNS];
    memcpy(highest, frame->highest, frame->n_columns);
    memcpy(highest, worker->path, depth + 1);
    *fails = false;
    /* The same node as the branch above, or one that is known to hold. */
    if (level == frame->highest[depth] ||
        (frame->monotone && mgl_branch_known(frame, worker->n_fixed, highest, ONLY_NODE)))
        return MGL_OK;
    const mgl_by_value_table *table;
    MGL_TRY(mgl_by_value_get(worker, depth, level, depth + 1, err, &table));
    uint64_t least;
    *fails = all_fail(worker, table, &least);
    return MGL_OK;
}

static mgl_status find_holding(mgl_by_value_worker *worker, size_t depth, mgl_error *err)
{
    const mgl_branching *frame = &worker->search->frame;
    uint8_t lowest[MGL_MOST_COLUMNS];
    memset(lowest, 0, frame->n_columns);
    memcpy(lowest, worker->path, depth);
    for (uint8_t l = 0; l < frame->columns[depth]->n_levels && !worker->result->stopped; l++) {
        mgl_by_value_step_to(worker, depth, l);
        lowest[depth] = l;
        if (frame->monotone && mgl_branch_known(frame, worker->n_fixed, lowest, ONLY_NODE)) {
            mgl_branch_mark_above(frame, lowest, depth + 1, ONLY_NODE);
            continue;
        }
        bool fails = false;
        if (depth + 1 == frame->n_columns) {
            const mgl_by_value_table *table;
            MGL_TRY(mgl_by_value_get(worker, depth, l, depth + 1, err, &table));
            MGL_TRY(judge_node(worker, table, err));
        } else {
            MGL_TRY(branch_fails(worker, depth, l, err, &fails));
            if (!fails)
                MGL_TRY(find_holding(worker, depth + 1, err));
        }
        MGL_TRY(breathe(worker, err));
    }
    return MGL_OK;
}

/* ---- All nodes below a branch --------------------------------------------------------- */

mgl_status mgl_by_value_search(mgl_by_value_worker *worker, const uint8_t *levels, size_t n,
                               mgl_error *err)
{
    const mgl_branching *frame = &worker->search->frame;
    worker->n_fixed = n;
    worker->worst = worst_of(worker);
    uint64_t rows;
    if (all_fail(worker, &worker->search->first[0], &rows))
        return MGL_OK;
    memset(worker->lowest, 0, frame->n_columns);
    for (size_t c = 0; c < n; c++) {
        mgl_by_value_step_to(worker, c, levels[c]);
        const mgl_by_value_table *table;
        MGL_TRY(mgl_by_value_get(worker, c, levels[c], c + 1, err, &table));
        uint64_t least;
        if (all_fail(worker, table, &least))
            return MGL_OK;
        rows = least > rows ? least : rows;
        uint8_t *known = levels_at(worker, c + 1);
        memcpy(known, levels_at(worker, c), frame->n_columns);
        known[c] = levels[c];
    }
    if (mgl_branch_bound(frame, levels_at(worker, n), 0, rows) > worker->worst)
        return MGL_OK;
    return worker->search->frame.holds != NULL ? find_holding(worker, n, err)
                                               : refine(worker, n, rows, err);
}
