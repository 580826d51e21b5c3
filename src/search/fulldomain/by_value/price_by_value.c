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

uint32_t mgl_by_value_value_of(const mgl_by_value_worker *worker, size_t c, const uint64_t *record)
{
    const mgl_branch_column *column = worker->search->frame.columns[c];
    uint8_t level = worker->path[c];
    uint64_t code = column->n_bits > 0 ? code_of(column, level, record) : 0;
    return mgl_branch_value(&worker->search->frame, column, level, code);
}

/* No class does unless all do. */
static bool reads_as_top(const mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_branching *frame = &worker->search->frame;
    const uint64_t *record = mgl_by_value_record(worker->search, table, 0);
    for (size_t c = 0; c < frame->n_columns; c++)
        if (mgl_by_value_value_of(worker, c, record) !=
            frame->problem->columns[frame->columns[c]->attribute]->top)
            return false;
    return true;
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

/* ---- The price ---------------------------------------------------------------------- */

/* Sizes of the classes that are not suppressed. Rows look alike whatever their pasts; where all
 * read as the top that is one class together with what is suppressed. */
static mgl_status sum_without_pasts(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                                    mgl_error *err)
{
    const mgl_by_value *search = worker->search;
    mgl_statistics *s = &worker->statistics;
    MGL_TRY(mgl_by_value_merge_pasts(worker, table, err));
    s->n_classes = 0;
    s->squares = 0;
    if (reads_as_top(worker, table)) {
        s->top_rows = search->frame.n_rows;
        return MGL_OK;
    }
    for (size_t c = 0; c < worker->merged.n; c++)
        worker->sizes[c] =
            mgl_by_value_size(search, mgl_by_value_record(search, &worker->merged, c));
    for (size_t i = 0; i < worker->n_bad; i++)
        worker->sizes[worker->class_of[worker->bad[i]]] -=
            mgl_by_value_size(search, mgl_by_value_record(search, table, worker->bad[i]));
    for (size_t c = 0; c < worker->merged.n; c++) {
        s->n_classes += worker->sizes[c] > 0;
        s->squares += (double)worker->sizes[c] * (double)worker->sizes[c];
    }
    return MGL_OK;
}

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
            rows[mgl_by_value_value_of(worker, c, record)] -= mgl_by_value_size(search, record);
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
                           ->values[mgl_by_value_value_of(worker, c, record)]
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
    if (worker->result->ties.best == INFINITY || mgl_by_value_has_class_sums(search) ||
        (measure != MGL_COST_LOGS && measure != MGL_COST_TUPLES))
        return false;
    mgl_statistics *s = &worker->statistics;
    s->n_rows = search->frame.n_rows;
    s->top_rows = rows;
    sum_roughly(worker, table);
    double cost = mgl_measure_cost(search->frame.problem->measure, s);
    return cost > worker->result->ties.best + 1e-9 * (1 + fabs(worker->result->ties.best));
}

/* Models of which too little is known here, and suppressed rows that the class with the fewest
 * persons has to join: records do not tell which it is. */
static bool judged_plainly(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                           uint64_t rows)
{
    const mgl_by_value *search = worker->search;
    bool kept = rows > 0 && search->frame.problem->treatment == MGL_KEEP;
    return search->plain || (kept && search->persons && !mgl_by_value_bad_hold(worker, table));
}

/* Sums over classes that records do not tell, and squares that a double does not hold. */
static bool measured_plainly(const mgl_by_value *search)
{
    mgl_cost_form measure = search->frame.measure;
    if (measure == MGL_COST_SQUARES && search->frame.n_rows > UINT64_C(90000000))
        return true;
    return (measure == MGL_COST_LOGS || measure == MGL_COST_TUPLES ||
            measure == MGL_COST_MAJORITY) &&
           !mgl_by_value_has_class_sums(search);
}

/* Is it settled that the node does not hold, whatever it costs? */
static bool is_out(const mgl_by_value_worker *worker, const mgl_by_value_table *table,
                   uint64_t rows)
{
    const mgl_branching *frame = &worker->search->frame;
    if (rows > frame->limit || (frame->some_stay && rows == frame->n_rows))
        return true;
    /* Rows at the top are exempt, unless all are: then those of each past must hold. */
    return worker->search->history == MGL_BY_VALUE_EACH_PAST && rows > 0 &&
           frame->problem->treatment == MGL_EXEMPT && reads_as_top(worker, table);
}

/* Does the node hold, with complementary suppression where that is asked for? */
static bool node_holds(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t *rows)
{
    bool joined = worker->search->frame.problem->treatment == MGL_KEEP && *rows > 0;
    return (!joined || mgl_by_value_join(worker, table, rows)) &&
           mgl_by_value_table_holds(worker, table, *rows);
}

static mgl_status price(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t rows,
                        mgl_error *err, double *cost)
{
    const mgl_by_value *search = worker->search;
    const mgl_problem *p = search->frame.problem;
    mgl_statistics *s = &worker->statistics;
    s->n_rows = search->frame.n_rows;
    s->top_rows = rows;
    s->weights = p->weights;
    s->node = worker->node;
    if (mgl_by_value_has_class_sums(search)) {
        mgl_by_value_sum_classes(worker, table, rows);
        if (reads_as_top(worker, table))
            s->misclassified = s->n_rows; /* as what is suppressed */
    } else if (search->frame.cells != MGL_PAYS_NONE)
        sum_cells(worker, table, rows);
    else if (search->history != MGL_BY_VALUE_NO_HISTORY)
        MGL_TRY(sum_without_pasts(worker, table, err));
    else
        sum_sizes(worker, table);
    *cost = mgl_measure_cost(p->measure, s);
    return MGL_OK;
}

mgl_status mgl_by_value_price(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                              uint64_t rows, mgl_error *err, bool *holds, double *cost)
{
    const mgl_by_value *search = worker->search;
    *holds = false;
    *cost = 0;
    if (is_out(worker, table, rows))
        return MGL_OK;
    by_value_name_node(worker);
    if (judged_plainly(worker, table, rows)) {
        bool clear = search->persons && mgl_by_value_join_is_clear(worker, table, rows, holds);
        if (clear && (search->frame.holds != NULL || !*holds))
            return MGL_OK;
        return evaluate_plainly(worker, err, holds, cost);
    }
    /* What complementary suppression adds makes it no cheaper. */
    if (search->frame.holds == NULL && costs_too_much(worker, table, rows))
        return MGL_OK;
    if (!node_holds(worker, table, &rows))
        return MGL_OK;
    if (measured_plainly(search) && search->frame.holds == NULL)
        return evaluate_plainly(worker, err, holds, cost);
    *holds = true;
    return search->frame.holds != NULL ? MGL_OK : price(worker, table, rows, err, cost);
}
