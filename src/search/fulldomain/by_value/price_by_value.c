/* Prices a node exactly, by the same sums over the same whole numbers as the plain evaluation
 * makes, or by the plain evaluation itself. search_by_value.c calls it for nodes that the bounds
 * leave. */
#include "search/fulldomain/by_value/records.h"

static inline uint64_t code_of(const mgl_branch_column *column, size_t level,
                               const uint64_t *record)
{
    return (record[column->word] >> column->shift & column->levels[level].mask) >>
           column->levels[level].shift;
}

static uint32_t value_of(const mgl_by_value_worker *worker, size_t c, const uint64_t *record)
{
    const mgl_branch_column *column = worker->search->frame.columns[c];
    uint8_t level = worker->path[c];
    uint64_t code = column->n_bits > 0 ? code_of(column, level, record) : 0;
    return mgl_branch_value(&worker->search->frame, column, level, code);
}

static void by_value_name_node(mgl_by_value_worker *worker)
{
    const mgl_branching *frame = &worker->search->frame;
    for (size_t c = 0; c < frame->n_columns; c++)
        worker->node[frame->columns[c]->attribute] = frame->columns[c]->low + worker->path[c];
}

static mgl_status evaluate_plainly(mgl_by_value_worker *worker, mgl_error *err, bool *holds,
                                   double *cost)
{
    if (worker->evaluator == NULL)
        MGL_TRY(mgl_evaluator_new(worker->search->frame.problem, err, &worker->evaluator));
    mgl_evaluation evaluation;
    if (mgl_evaluate_node(worker->evaluator, worker->node, &evaluation) != MGL_OK)
        return mgl_fail_memory(err);
    *holds = evaluation.holds;
    *cost = evaluation.cost;
    return MGL_OK;
}

/* ---- Complementary suppression ------------------------------------------------------ */

static void join_top(mgl_by_value_worker *worker, const uint64_t *record)
{
    const mgl_by_value *search = worker->search;
    for (size_t w = search->words; w < search->words + search->n_add; w++)
        worker->top[w] += record[w];
    for (size_t w = search->words + search->n_add; w < search->stride; w++)
        worker->top[w] |= record[w];
}

/* Order of released tuples: by the first leaf of each cell, in QI order. */
static bool comes_before(const mgl_by_value_worker *worker, const uint64_t *a, const uint64_t *b)
{
    const mgl_branching *frame = &worker->search->frame;
    for (size_t i = 0; i < frame->problem->list->n_attributes; i++) {
        size_t c = 0;
        while (frame->columns[c]->attribute != i)
            c++;
        const mgl_released_value *values = frame->problem->columns[i]->values;
        uint32_t x = values[value_of(worker, c, a)].first_leaf;
        uint32_t y = values[value_of(worker, c, b)].first_leaf;
        if (x != y)
            return x < y;
    }
    return false;
}

static size_t find_smallest(const mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    size_t least = SIZE_MAX;
    uint64_t least_size = 0;
    for (size_t i = 0; i < table->n; i++) {
        const uint64_t *record = mgl_by_value_record(search, table, i);
        uint64_t size = mgl_by_value_size(search, record);
        if (worker->is_bad[i] || (least != SIZE_MAX && size > least_size))
            continue;
        if (least == SIZE_MAX || size < least_size ||
            comes_before(worker, record, mgl_by_value_record(search, table, least))) {
            least = i;
            least_size = size;
        }
    }
    return least;
}

/* The suppressed rows are a class. While it violates, the smallest other joins. A class
 * that looks suppressed without being so is the only one there is: it is no case here.
 * False if the limit is passed or nothing is left. */
static bool complement(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t *rows)
{
    const mgl_by_value *search = worker->search;
    memset(worker->top, 0, search->stride * sizeof *worker->top);
    memset(worker->is_bad, 0, table->n);
    for (size_t i = 0; i < worker->n_bad; i++) {
        worker->is_bad[worker->bad[i]] = true;
        join_top(worker, mgl_by_value_record(search, table, worker->bad[i]));
    }
    while (!mgl_by_value_class_holds(worker, worker->top)) {
        size_t next = find_smallest(worker, table);
        if (next == SIZE_MAX)
            return false;
        const uint64_t *record = mgl_by_value_record(search, table, next);
        *rows += mgl_by_value_size(search, record);
        if (*rows > search->frame.limit)
            return false;
        worker->is_bad[next] = true;
        worker->bad[worker->n_bad++] = (uint32_t)next;
        join_top(worker, record);
    }
    return true;
}

/* ---- The price ---------------------------------------------------------------------- */

/* Sizes of the classes that are not suppressed. */
static void sum_sizes(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    mgl_statistics *s = &worker->statistics;
    s->n_classes = table->n - worker->n_bad;
    s->squares = 0;
    for (size_t i = 0; i < table->n; i++) {
        double size = (double)mgl_by_value_size(search, mgl_by_value_record(search, table, i));
        s->squares += size * size;
    }
    for (size_t i = 0; i < worker->n_bad; i++) {
        const uint64_t *record = mgl_by_value_record(search, table, worker->bad[i]);
        double size = (double)mgl_by_value_size(search, record);
        s->squares -= size * size;
    }
}

static void sum_cells(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                      uint64_t suppressed)
{
    const mgl_by_value *search = worker->search;
    const mgl_problem *p = search->frame.problem;
    uint64_t *rows = worker->statistics.scratch;
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        const mgl_branch_column *column = search->frame.columns[c];
        uint32_t a = column->attribute;
        const mgl_released_column *released = p->columns[a];
        const mgl_level *level = &released->hierarchy->levels[column->low + worker->path[c]];
        memset(rows, 0, released->n_values * sizeof *rows);
        for (uint32_t v = 0; v < level->n_values; v++) {
            uint32_t value = released->of_leaf[column->low + worker->path[c]][level->first_leaf[v]];
            rows[value] = mgl_rows_at(p->costs, released, a, column->low + worker->path[c], v);
        }
        for (size_t i = 0; i < worker->n_bad; i++) {
            const uint64_t *record = mgl_by_value_record(search, table, worker->bad[i]);
            rows[value_of(worker, c, record)] -= mgl_by_value_size(search, record);
        }
        rows[released->top] += suppressed;
        mgl_statistics_column(&worker->statistics, p->costs, a, rows, released->n_values);
    }
}

/* The product of leaves, and the logarithms of sizes, of the classes that are released. */
static void sum_roughly(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    const mgl_problem *p = search->frame.problem;
    mgl_statistics *s = &worker->statistics;
    double top = 1;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        top *= mgl_hierarchy_ground(p->columns[a]->hierarchy);
    s->ambiguity = (double)s->top_rows * top;
    s->log_sum = 0;
    s->original_log_sum = p->costs->original_log_sum;
    for (size_t i = 0, next_bad = 0; i < table->n; i++) {
        if (next_bad < worker->n_bad && worker->bad[next_bad] == i) {
            next_bad++;
            continue;
        }
        const uint64_t *record = mgl_by_value_record(search, table, i);
        double size = (double)mgl_by_value_size(search, record);
        if (search->frame.measure == MGL_COST_LOGS) {
            s->log_sum += size * log2(size);
            continue;
        }
        double product = size;
        for (size_t c = 0; c < search->frame.n_columns; c++)
            product *= p->columns[search->frame.columns[c]->attribute]
                           ->values[value_of(worker, c, record)]
                           .leaves;
        s->ambiguity += product;
    }
}

/* Does a rough look at the cost suffice to exclude the node? Bad classes must be in order,
 * which they are before any others have joined them. */
static bool costs_too_much(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                           uint64_t rows)
{
    const mgl_by_value *search = worker->search;
    mgl_cost_form measure = search->frame.measure;
    if (worker->result->ties.best == INFINITY ||
        (measure != MGL_COST_LOGS && measure != MGL_COST_TUPLES))
        return false;
    mgl_statistics *s = &worker->statistics;
    s->n_rows = search->frame.n_rows;
    s->top_rows = rows;
    sum_roughly(worker, table);
    double cost = mgl_measure_cost(search->frame.problem->measure, s);
    return cost > worker->result->ties.best + 1e-9 * (1 + fabs(worker->result->ties.best));
}

/* Sums that depend on the order of the classes, and squares that a double does not hold. */
static bool measured_plainly(const mgl_by_value *search)
{
    mgl_cost_form measure = search->frame.measure;
    if (measure == MGL_COST_SQUARES && search->frame.n_rows > UINT64_C(90000000))
        return true;
    return search->plain || measure == MGL_COST_LOGS || measure == MGL_COST_TUPLES ||
           measure == MGL_COST_MAJORITY;
}

mgl_status mgl_by_value_price(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                              uint64_t rows, mgl_error *err, bool *holds, double *cost)
{
    const mgl_by_value *search = worker->search;
    const mgl_problem *p = search->frame.problem;
    *holds = false;
    *cost = 0;
    if (rows > search->frame.limit || (search->frame.some_stay && rows == search->frame.n_rows))
        return MGL_OK;
    by_value_name_node(worker);
    if (search->plain)
        return evaluate_plainly(worker, err, holds, cost);
    /* What complementary suppression adds makes it no cheaper. */
    if (search->frame.holds == NULL && costs_too_much(worker, table, rows))
        return MGL_OK;
    if (p->treatment == MGL_KEEP && rows > 0 && !complement(worker, table, &rows))
        return MGL_OK;
    if (measured_plainly(search) && search->frame.holds == NULL)
        return evaluate_plainly(worker, err, holds, cost);
    *holds = true;
    if (search->frame.holds != NULL)
        return MGL_OK;
    mgl_statistics *s = &worker->statistics;
    s->n_rows = search->frame.n_rows;
    s->top_rows = rows;
    s->weights = p->weights;
    s->node = worker->node;
    if (search->frame.cells != MGL_PAYS_NONE)
        sum_cells(worker, table, rows);
    else
        sum_sizes(worker, table);
    *cost = mgl_measure_cost(p->measure, s);
    return MGL_OK;
}
