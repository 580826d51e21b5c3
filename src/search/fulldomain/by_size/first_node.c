/* Finds a good node before a search is divided, so that all items know a bound from the beginning.
 *
 *
 * Columns that distinguish little for what their lowest levels save come first. Each takes the
 * lowest level at which the node gets better, with those before it at the levels that they took and
 * those after it at their highest. */
#include "search/fulldomain/by_size/counts.h"

#include <stdlib.h>

/* A column and the bits that it distinguishes for what its lowest level saves. */
typedef struct turn {
    size_t column;
    double bits;
} turn;

typedef struct descent {
    mgl_by_size_worker *worker;
    turn turns[MGL_MOST_COLUMNS];
    mgl_by_size_table *tables; /* [n_columns] the columns of so many turns at their lowest levels */
    uint8_t levels[MGL_MOST_COLUMNS];
    double best; /* what a node of the block costs at these levels, by the linear bound */
} descent;

/* ---- The order ---------------------------------------------------------------------------- */

/* The entropy of the column's values at its lowest level. */
static double bits_of(const mgl_branching *frame, const mgl_branch_column *column)
{
    const mgl_problem *p = frame->problem;
    const mgl_released_column *released = p->columns[column->attribute];
    double sum = 0, n = (double)frame->n_rows;
    for (uint32_t v = 0; v < released->hierarchy->levels[column->low].n_values; v++) {
        double rows = (double)mgl_rows_at(p->costs, released, column->attribute, column->low, v);
        sum += rows > 0 ? rows * log2(n / rows) : 0;
    }
    return sum / n;
}

static int fewer_bits_first(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    if (x->bits != y->bits)
        return x->bits < y->bits ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static void choose_turns(descent *d)
{
    const mgl_branching *frame = &d->worker->search->frame;
    for (size_t c = 0; c < frame->n_columns; c++) {
        const mgl_branch_column *column = frame->columns[c];
        double saved = column->levels[frame->highest[c]].line.base - column->levels[0].line.base;
        d->turns[c] = (turn){c, saved > 0 ? bits_of(frame, column) / saved : INFINITY};
    }
    qsort(d->turns, frame->n_columns, sizeof *d->turns, fewer_bits_first);
}

/* ---- Tables ------------------------------------------------------------------------------- */

/* Each from the one with a column more. */
static mgl_status make_tables(descent *d, mgl_error *err)
{
    const mgl_by_size *search = d->worker->search;
    const mgl_by_size_table *finer = &search->first[search->frame.n_columns].table;
    uint8_t levels[MGL_MOST_COLUMNS] = {0};
    for (size_t n = search->frame.n_columns - 1; n > 0; n--) {
        size_t c = d->turns[n].column;
        levels[c] = search->frame.highest[c];
        MGL_TRY(mgl_by_size_roll_up(d->worker, finer, levels, err, &d->tables[n]));
        MGL_TRY(mgl_by_size_pack(d->worker, &d->tables[n], err));
        finer = &d->tables[n];
    }
    return MGL_OK;
}

static const mgl_by_size_table *table_after(const descent *d, size_t n)
{
    const mgl_by_size *search = d->worker->search;
    return n < search->frame.n_columns ? &d->tables[n] : &search->first[n].table;
}

/* ---- Going down --------------------------------------------------------------------------- */

/* What the cheapest node of the block costs that suppresses no more than it may. */
static double least_cost(const descent *d, const mgl_by_size_table *table,
                         mgl_branch_counts *counts)
{
    const mgl_by_size *search = d->worker->search;
    size_t n = search->frame.block.n_nodes;
    double least = INFINITY;
    mgl_by_size_count(search, table, UINT64_MAX >> (64 - n), counts);
    d->worker->result->checked += n;
    for (size_t b = 0; b < n; b++) {
        mgl_bound_line line = mgl_bound_line_of(&search->frame, d->levels, b);
        if (counts->rows[b] <= search->frame.limit)
            least = fmin(least, mgl_bound_line_at(&search->frame, line, counts->rows[b], 0));
    }
    return least;
}

static mgl_status take_turn(descent *d, size_t n, mgl_error *err)
{
    const mgl_by_size *search = d->worker->search;
    const mgl_by_size_table *table = table_after(d, n + 1);
    size_t c = d->turns[n].column;
    mgl_branch_counts counts;
    for (d->levels[c] = 0; d->levels[c] < search->frame.highest[c]; d->levels[c]++) {
        MGL_TRY(mgl_by_size_roll_to_scratch(d->worker, table, d->levels, err, &table));
        double cost = least_cost(d, table, &counts);
        if (cost >= d->best)
            continue;
        d->best = cost;
        return MGL_OK;
    }
    return MGL_OK;
}

static mgl_status find_cost(descent *d, mgl_error *err, mgl_ties *out)
{
    const mgl_by_size *search = d->worker->search;
    const mgl_by_size_table *table = table_after(d, search->frame.n_columns);
    mgl_branch_counts counts;
    MGL_TRY(mgl_by_size_roll_to_scratch(d->worker, table, d->levels, err, &table));
    least_cost(d, table, &counts);
    for (size_t b = 0; b < search->frame.block.n_nodes; b++) {
        mgl_by_size_evaluated evaluated;
        MGL_TRY(mgl_by_size_evaluate(d->worker, table, d->levels, b, &counts, err, &evaluated));
        if (evaluated.holds)
            MGL_TRY(mgl_ties_add(out, d->worker->node, evaluated.cost, err));
    }
    return MGL_OK;
}

static mgl_status go_down(descent *d, mgl_error *err, mgl_ties *out)
{
    mgl_by_size_worker *worker = d->worker;
    size_t n = worker->search->frame.n_columns;
    MGL_TRY(make_tables(d, err));
    for (size_t i = 0; i < n && !worker->result->stopped; i++) {
        MGL_TRY(mgl_parallel_pause(&worker->search->frame.parallel, worker->result, err));
        MGL_TRY(take_turn(d, i, err));
    }
    return find_cost(d, err, out);
}

mgl_status mgl_by_size_first_node(mgl_by_size *search, mgl_error *err, mgl_ties *out)
{
    descent d = {.worker = &search->workers[0], .best = INFINITY};
    size_t n = search->frame.n_columns;
    if (!search->by_level || search->has_floor || search->frame.holds != NULL)
        return MGL_OK;
    choose_turns(&d);
    memcpy(d.levels, search->frame.highest, n);
    d.tables = mgl_zeroed_array(n + 1, sizeof *d.tables);
    if (d.tables == NULL)
        return mgl_fail_memory(err);
    mgl_status status = go_down(&d, err, out);
    for (size_t i = 0; i < n; i++)
        mgl_by_size_empty(d.worker, &d.tables[i]);
    mgl_by_size_empty(d.worker, &d.worker->scratch[0]);
    mgl_by_size_empty(d.worker, &d.worker->scratch[1]);
    mgl_free(d.tables);
    return status;
}
