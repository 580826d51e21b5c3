/* What a node costs, exactly: the same sums over the same whole numbers as the plain
 * evaluation makes, or the plain evaluation itself. */
#include "search/fulldomain/by_size/counts.h"

static inline uint64_t code_of(const mgl_ladder_column *column, size_t level, const char *record)
{
    uint64_t word;
    memcpy(&word, record + column->word * sizeof word, sizeof word);
    return (word >> column->shift & column->levels[level].mask) >> column->levels[level].shift;
}

/* ---- What suppressing adds -------------------------------------------------------------- */

bool mgl_ladder_is_uneven(const mgl_ladder *ladder, const uint8_t *levels, size_t depth, size_t b)
{
    if (ladder->cells == MGL_CELLS_NONE)
        return false;
    for (size_t i = 0; i < ladder->block.n_columns; i++)
        if (!ladder->block.columns[i]->levels[ladder->block.nodes[b].levels[i]].uniform)
            return true;
    for (size_t c = 0; c < depth; c++)
        if (!ladder->columns[c]->levels[levels[c]].uniform)
            return true;
    return false;
}

static void add_surplus(const mgl_ladder *ladder, const mgl_ladder_table *table,
                        const mgl_ladder_column *column, size_t l, double *surplus)
{
    const mgl_ladder_level *level = &column->levels[l];
    const char *record = table->records;
    for (size_t i = 0; i < table->n; i++) {
        record += ladder->stride;
        uint64_t code = code_of(column, l, record);
        surplus[i] +=
            level->surplus_of_code != NULL
                ? level->surplus_of_code[code]
                : mgl_ladder_surplus_of(column, l, mgl_ladder_value(ladder, column, l, code));
    }
}

mgl_status mgl_ladder_surplus(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                              const uint8_t *levels, size_t depth, uint64_t wanted, mgl_error *err,
                              double *sums)
{
    const mgl_ladder *ladder = worker->ladder;
    size_t room = table->n + MGL_LANES * 2; /* the kernel reads whole chunks */
    if (worker->n_surplus < room) {
        mgl_free(worker->surplus);
        worker->n_surplus = 0;
        worker->surplus = mgl_alloc_array(room, sizeof *worker->surplus);
        if (worker->surplus == NULL)
            return mgl_fail_memory(err);
        worker->n_surplus = room;
    }
    memset(worker->surplus, 0, room * sizeof *worker->surplus);
    for (size_t c = 0; c < depth; c++)
        if (!ladder->columns[c]->levels[levels[c]].uniform)
            add_surplus(ladder, table, ladder->columns[c], levels[c], worker->surplus);
    ladder->kernel->weigh(ladder, table, wanted, worker->surplus, sums);
    return MGL_OK;
}

/* ---- The price ---------------------------------------------------------------------- */

/* Rows with each released value when nothing is suppressed. */
static void fill_rows(const mgl_ladder *ladder, const mgl_ladder_column *column, size_t level,
                      uint64_t *rows)
{
    const mgl_problem *p = ladder->problem;
    const mgl_released_column *released = p->columns[column->attribute];
    uint32_t l = column->low + (uint32_t)level;
    const mgl_level *values = &released->hierarchy->levels[l];
    memset(rows, 0, released->n_values * sizeof *rows);
    for (uint32_t v = 0; v < values->n_values; v++) {
        uint32_t number = released->of_leaf[l][values->first_leaf[v]];
        rows[number] = mgl_rows_at(p->costs, released, column->attribute, l, v);
    }
}

static void finish_column(mgl_ladder_worker *worker, const mgl_ladder_column *column,
                          uint64_t suppressed)
{
    const mgl_problem *p = worker->ladder->problem;
    const mgl_released_column *released = p->columns[column->attribute];
    worker->statistics.scratch[released->top] += suppressed;
    mgl_statistics_column(&worker->statistics, p->costs, column->attribute,
                          worker->statistics.scratch, released->n_values);
}

static mgl_status find_small(mgl_ladder_worker *worker, const mgl_ladder_table *table, size_t b,
                             mgl_error *err)
{
    if (table->n > worker->n_small) {
        mgl_free(worker->small);
        worker->n_small = 0;
        worker->small = mgl_alloc_array(table->n, sizeof *worker->small);
        if (worker->small == NULL)
            return mgl_fail_memory(err);
        worker->n_small = table->n;
    }
    worker->ladder->kernel->find_small(worker->ladder, table, b, worker->small, worker->of_group);
    return MGL_OK;
}

static void sum_cells(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                      const uint8_t *levels, size_t b, uint64_t suppressed)
{
    const mgl_ladder *ladder = worker->ladder;
    const mgl_ladder_block *block = &ladder->block;
    const mgl_ladder_node *node = &block->nodes[b];
    uint64_t *rows = worker->statistics.scratch;
    for (size_t i = 0; i < block->n_columns; i++) {
        fill_rows(ladder, block->columns[i], node->levels[i], rows);
        for (size_t g = 0; suppressed > 0 && g < node->n_groups; g++)
            rows[block->values[node->first_row + g][i]] -= worker->of_group[g];
        finish_column(worker, block->columns[i], suppressed);
    }
    for (size_t c = 0; c < ladder->n_columns; c++) {
        const mgl_ladder_column *column = ladder->columns[c];
        fill_rows(ladder, column, levels[c], rows);
        const char *record = table->records;
        for (size_t i = 0; suppressed > 0 && i < table->n; i++) {
            record += ladder->stride;
            if (worker->small[i] > 0)
                rows[mgl_ladder_value(ladder, column, levels[c],
                                      code_of(column, levels[c], record))] -= worker->small[i];
        }
        finish_column(worker, column, suppressed);
    }
}

static void name_node(mgl_ladder_worker *worker, const uint8_t *levels, size_t b)
{
    const mgl_ladder *ladder = worker->ladder;
    for (size_t i = 0; i < ladder->block.n_columns; i++)
        worker->node[ladder->block.columns[i]->attribute] =
            ladder->block.columns[i]->low + ladder->block.nodes[b].levels[i];
    for (size_t c = 0; c < ladder->n_columns; c++)
        worker->node[ladder->columns[c]->attribute] = ladder->columns[c]->low + levels[c];
}

static mgl_status evaluate_plainly(mgl_ladder_worker *worker, mgl_error *err, bool *holds,
                                   double *cost)
{
    if (worker->evaluator == NULL)
        MGL_TRY(mgl_evaluator_new(worker->ladder->problem, err, &worker->evaluator));
    mgl_evaluation evaluation;
    if (mgl_evaluate_node(worker->evaluator, worker->node, &evaluation) != MGL_OK)
        return mgl_fail_memory(err);
    *holds = evaluation.holds;
    *cost = evaluation.cost;
    return MGL_OK;
}

/* Complementary suppression is for the plain evaluation, and so are measures whose sums
 * depend on the order of the classes. */
static bool is_plain_case(const mgl_ladder *ladder, uint64_t rows)
{
    return (ladder->problem->treatment == MGL_KEEP && rows > 0 && rows < ladder->k) ||
           ladder->measure == MGL_COST_LOGS || ladder->measure == MGL_COST_TUPLES ||
           ladder->measure == MGL_COST_MAJORITY;
}

mgl_status mgl_ladder_price(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                            const uint8_t *levels, size_t b, const mgl_ladder_counts *counts,
                            mgl_error *err, bool *holds, double *cost)
{
    const mgl_ladder *ladder = worker->ladder;
    const mgl_problem *p = ladder->problem;
    uint64_t rows = counts->rows[b];
    name_node(worker, levels, b);
    *holds = false;
    *cost = 0;
    if (rows > ladder->limit || (ladder->some_stay && rows == ladder->n_rows))
        return MGL_OK;
    if (ladder->holds != NULL) {
        bool joined = p->treatment == MGL_KEEP && rows > 0 && rows < ladder->k;
        if (joined && ladder->above && rows + ladder->k <= ladder->limit)
            mgl_ladder_leave_open(ladder, levels, b);
        *holds = !joined || (!ladder->above && counts->least[b] != UINT64_MAX &&
                             rows + counts->least[b] <= ladder->limit);
        return MGL_OK;
    }
    if (is_plain_case(ladder, rows))
        return evaluate_plainly(worker, err, holds, cost);
    mgl_statistics *s = &worker->statistics;
    s->n_rows = ladder->n_rows;
    s->top_rows = rows;
    s->n_classes = counts->classes[b];
    s->squares = counts->sum[b];
    s->weights = p->weights;
    s->node = worker->node;
    if (ladder->cells != MGL_CELLS_NONE && rows > 0)
        MGL_TRY(find_small(worker, table, b, err));
    if (ladder->cells != MGL_CELLS_NONE)
        sum_cells(worker, table, levels, b, rows);
    *holds = true;
    *cost = mgl_measure_cost(p->measure, s);
    return MGL_OK;
}
