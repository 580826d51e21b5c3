/* Prices a node exactly, by the same sums over the same whole numbers as the plain evaluation
 * makes, or by the plain evaluation itself. */
#include "search/fulldomain/by_value/records.h"

static inline uint64_t code_of(const mgl_branch_column *column, size_t level,
                               const uint64_t *record)
{
    return (record[column->word] >> column->shift & column->levels[level].mask) >>
           column->levels[level].shift;
}

/* The released value of column c in a record of the current node. */
static uint32_t value_of(const mgl_by_value_worker *worker, size_t c, const uint64_t *record)
{
    const mgl_branch_column *column = worker->search->frame.columns[c];
    uint8_t level = worker->path[c];
    uint64_t code = column->n_bits > 0 ? code_of(column, level, record) : 0;
    return mgl_branch_value(&worker->search->frame, column, level, code);
}

/* ---- Sums of classes ------------------------------------------------------------------------- */

/* Adds up what measures need to know of each class: logarithms of sizes, products of leaves, rows
 * that are not of the majority. Whole numbers, so that the sums are those of the plain evaluation
 * in whatever order the records lie. */

static uint64_t outside_majority(const mgl_by_value *search, const uint64_t *record)
{
    uint64_t most = 0;
    for (size_t v = 0; v < search->n_labels; v++) {
        size_t i = search->first_label + v;
        unsigned bits = search->wide_lanes ? 32 : 16;
        size_t per_word = 64 / bits;
        uint64_t count = record[search->words + i / per_word] >> i % per_word * bits &
                         ((UINT64_C(1) << bits) - 1);
        most = count > most ? count : most;
    }
    return mgl_by_value_size(search, record) - most;
}

static mgl_whole_sum class_term(mgl_by_value_worker *worker, const uint64_t *record)
{
    const mgl_branching *frame = &worker->search->frame;
    mgl_whole_sum product = mgl_by_value_size(worker->search, record);
    if (frame->measure == MGL_COST_LOGS)
        return mgl_log_term(&worker->log_terms, (uint64_t)product);
    if (frame->measure == MGL_COST_MAJORITY)
        return outside_majority(worker->search, record);
    for (size_t c = 0; c < frame->n_columns; c++)
        product *= frame->problem->columns[frame->columns[c]->attribute]
                       ->values[value_of(worker, c, record)]
                       .leaves;
    return product;
}

/* Does the measure add up something over the classes that records show? */
static bool has_class_sums(const mgl_by_value *search)
{
    switch (search->frame.measure) {
    case MGL_COST_LOGS:
        return search->history == MGL_BY_VALUE_NO_HISTORY;
    case MGL_COST_TUPLES:
        return search->history == MGL_BY_VALUE_NO_HISTORY && search->whole_products;
    case MGL_COST_MAJORITY:
        return search->n_labels > 0;
    default:
        return false;
    }
}

/* Fills that in, with so many rows suppressed, those of the bad classes. */
static void sum_classes(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                        uint64_t suppressed)
{
    const mgl_by_value *search = worker->search;
    const mgl_problem *p = search->frame.problem;
    mgl_statistics *s = &worker->statistics;
    mgl_whole_sum sum = 0, top = suppressed;
    for (size_t i = 0; i < table->n; i++)
        sum += class_term(worker, mgl_by_value_record(search, table, i));
    for (size_t i = 0; i < worker->n_bad; i++)
        sum -= class_term(worker, mgl_by_value_record(search, table, worker->bad[i]));
    for (size_t a = 0; a < p->list->n_attributes; a++)
        top *= p->columns[a]->values[p->columns[a]->top].leaves;
    s->log_sum = mgl_log_sum_value(sum);
    s->original_log_sum = p->costs->original_log_sum;
    s->ambiguity = (double)(sum + top);
    s->has_label = search->n_labels > 0;
    s->misclassified = (uint64_t)sum + suppressed;
}

/* ---- Complementary suppression --------------------------------------------------------------- */

/* Complementary suppression by records: the suppressed rows are a class, and while it violates a
 * model the smallest other class joins it. */

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

/* Some of the classes: those of these numbers, or the first n. */
typedef struct some_classes {
    const mgl_by_value_table *table;
    const uint32_t *numbers; /* NULL: 0, 1, ... */
    size_t n;
} some_classes;

static size_t number_of(const some_classes *some, size_t i)
{
    return some->numbers != NULL ? some->numbers[i] : i;
}

static size_t find_smallest(const mgl_by_value_worker *worker, const some_classes *some)
{
    const mgl_by_value *search = worker->search;
    size_t least = SIZE_MAX;
    uint64_t least_size = 0;
    for (size_t j = 0; j < some->n; j++) {
        size_t i = number_of(some, j);
        const uint64_t *record = mgl_by_value_record(search, some->table, i);
        uint64_t size = mgl_by_value_size(search, record);
        if (worker->is_bad[i] || (least != SIZE_MAX && size > least_size))
            continue;
        if (least == SIZE_MAX || size < least_size ||
            comes_before(worker, record, mgl_by_value_record(search, some->table, least))) {
            least = i;
            least_size = size;
        }
    }
    return least;
}

static void join_top(mgl_by_value_worker *worker, const uint64_t *record)
{
    const mgl_by_value *search = worker->search;
    for (size_t w = search->words; w < search->words + search->n_add; w++)
        worker->top[w] += record[w];
    for (size_t w = search->words + search->n_add; w < search->stride; w++)
        worker->top[w] |= record[w];
    if (search->population) /* every person matches a tuple of tops */
        mgl_by_value_set_second(search, worker->top, search->frame.problem->population->n_rows);
}

/* Where persons have several rows: is it clear without a look at persons whether the node holds
 * when the class with the fewest of them has joined the bad ones? All other classes hold, and with
 * the first that joins there are persons enough. It has no fewer rows than the class with the
 * fewest; and no more persons than that one has rows. */
static bool join_is_clear(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                          uint64_t rows, bool *holds)
{
    const mgl_by_value *search = worker->search;
    uint64_t least = UINT64_MAX, limit = search->frame.limit;
    if (search->plain || search->n_sets > 0)
        return false;
    for (size_t i = 0, next_bad = 0; i < table->n; i++) {
        if (next_bad < worker->n_bad && worker->bad[next_bad] == i) {
            next_bad++;
            continue;
        }
        uint64_t size = mgl_by_value_size(search, mgl_by_value_record(search, table, i));
        least = size < least ? size : least;
    }
    *holds = least <= (limit - rows) / search->rows_of_person;
    return *holds || least > limit - rows;
}

/* Do the bad classes together hold as they are? Persons must have several rows. */
static bool bad_hold(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    memset(worker->top, 0, search->stride * sizeof *worker->top);
    for (size_t i = 0; i < worker->n_bad; i++)
        join_top(worker, mgl_by_value_record(search, table, worker->bad[i]));
    mgl_by_value_set_second(search, worker->top, mgl_by_value_bad_persons(worker, table));
    return mgl_by_value_class_holds(worker, worker->top);
}

/* A class that looks suppressed without being so is the only one there is: it is no case here. */
static bool join_some(mgl_by_value_worker *worker, const some_classes *some, uint64_t *rows)
{
    const mgl_by_value *search = worker->search;
    memset(worker->top, 0, search->stride * sizeof *worker->top);
    for (size_t j = 0; j < some->n; j++)
        if (worker->is_bad[number_of(some, j)])
            join_top(worker, mgl_by_value_record(search, some->table, number_of(some, j)));
    if (mgl_by_value_size(search, worker->top) == 0)
        return true;
    while (!mgl_by_value_class_holds(worker, worker->top)) {
        size_t next = find_smallest(worker, some);
        if (next == SIZE_MAX)
            return false;
        const uint64_t *record = mgl_by_value_record(search, some->table, next);
        *rows += mgl_by_value_size(search, record);
        if (*rows > search->frame.limit)
            return false;
        worker->is_bad[next] = true;
        worker->bad[worker->n_bad++] = (uint32_t)next;
        join_top(worker, record);
    }
    return true;
}

/* The classes of each history one after another, in by_history; history_start says where. */
static void sort_by_history(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    size_t *start = worker->history_start;
    memset(start, 0, (search->n_histories + 2) * sizeof *start);
    for (size_t i = 0; i < table->n; i++)
        start[mgl_by_value_history_of(search, mgl_by_value_record(search, table, i)) + 2]++;
    for (size_t history = 0; history < search->n_histories; history++)
        start[history + 2] += start[history + 1];
    for (size_t i = 0; i < table->n; i++) { /* moves the starts to where they belong */
        uint32_t history = mgl_by_value_history_of(search, mgl_by_value_record(search, table, i));
        worker->by_history[start[history + 1]++] = (uint32_t)i;
    }
}

/* ---- Classes of several histories ----------------------------------------------------- */

/* Do the suppressed rows of the history hold? */
static bool history_holds(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                          size_t history)
{
    const mgl_by_value *search = worker->search;
    memset(worker->top, 0, search->stride * sizeof *worker->top);
    for (size_t i = worker->history_start[history]; i < worker->history_start[history + 1]; i++)
        if (worker->is_bad[worker->by_history[i]])
            join_top(worker, mgl_by_value_record(search, table, worker->by_history[i]));
    return mgl_by_value_size(search, worker->top) == 0 ||
           mgl_by_value_class_holds(worker, worker->top);
}

static size_t smallest_of_classes(const mgl_by_value_worker *worker)
{
    const mgl_by_value_table *merged = &worker->merged;
    const uint64_t *sizes = worker->sizes;
    size_t least = SIZE_MAX;
    for (size_t c = 0; c < merged->n; c++)
        if (sizes[c] > 0 && (least == SIZE_MAX || sizes[c] < sizes[least] ||
                             (sizes[c] == sizes[least] &&
                              comes_before(worker, mgl_by_value_record(worker->search, merged, c),
                                           mgl_by_value_record(worker->search, merged, least)))))
            least = c;
    return least;
}

/* False if there is none, or the limit is passed. */
static bool join_smallest_class(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                                uint64_t *rows)
{
    size_t class = smallest_of_classes(worker);
    if (class == SIZE_MAX)
        return false;
    *rows += worker->sizes[class];
    worker->sizes[class] = 0;
    for (size_t i = 0; i < table->n; i++)
        if (worker->class_of[i] == class) {
            worker->is_bad[i] = true;
            worker->bad[worker->n_bad++] = (uint32_t)i;
        }
    return *rows <= worker->search->frame.limit;
}

/* A class joins with the rows of all its histories, and those of each must hold in the end. */
static bool join_whole(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t *rows)
{
    /* Sizes of the classes that are not suppressed; 0: those that are. */
    const mgl_by_value_table *merged = &worker->merged;
    for (size_t c = 0; c < merged->n; c++)
        worker->sizes[c] =
            mgl_by_value_size(worker->search, mgl_by_value_record(worker->search, merged, c));
    for (size_t i = 0; i < worker->n_bad; i++)
        worker->sizes[worker->class_of[worker->bad[i]]] = 0;
    for (size_t history = 0; history < worker->search->n_histories;) {
        if (history_holds(worker, table, history)) {
            history++;
            continue;
        }
        if (!join_smallest_class(worker, table, rows))
            return false;
        history = 0;
    }
    return true;
}

/* ---- Both ------------------------------------------------------------------------------ */

/* Complementary suppression, with the bad classes as they are. False if the limit is passed or
 * nothing is left. */
static bool join(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t *rows)
{
    memset(worker->is_bad, 0, table->n);
    for (size_t i = 0; i < worker->n_bad; i++)
        worker->is_bad[worker->bad[i]] = true;
    some_classes some = {table, NULL, table->n};
    if (worker->search->history == MGL_BY_VALUE_NO_HISTORY)
        return join_some(worker, &some, rows);
    sort_by_history(worker, table);
    if (worker->search->history == MGL_BY_VALUE_ALL_HISTORIES)
        return join_whole(worker, table, rows);
    /* A class has one history, so that no history needs rows of another. */
    bool holds = true;
    for (size_t history = 0; holds && history < worker->search->n_histories; history++) {
        size_t first = worker->history_start[history];
        some = (some_classes){table, worker->by_history + first,
                              worker->history_start[history + 1] - first};
        holds = join_some(worker, &some, rows);
    }
    return holds;
}

/* ---- Pricing --------------------------------------------------------------------------------- */

/* No class does unless all do. */
static bool reads_as_top(const mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_branching *frame = &worker->search->frame;
    const uint64_t *record = mgl_by_value_record(worker->search, table, 0);
    for (size_t c = 0; c < frame->n_columns; c++)
        if (value_of(worker, c, record) !=
            frame->problem->columns[frame->columns[c]->attribute]->top)
            return false;
    return true;
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

/* ---- The cost ----------------------------------------------------------------------- */

/* Sizes of the classes that are not suppressed. Rows look alike whatever their histories; where all
 * read as the top that is one class together with what is suppressed. */
static mgl_status sum_without_histories(mgl_by_value_worker *worker,
                                        const mgl_by_value_table *table, mgl_error *err)
{
    const mgl_by_value *search = worker->search;
    mgl_statistics *s = &worker->statistics;
    MGL_TRY(mgl_by_value_merge_histories(worker, table, err));
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
    if (worker->result->ties.best == INFINITY || has_class_sums(search) ||
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
 * persons has to join: records do not show which it is. */
static bool judged_plainly(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                           uint64_t rows)
{
    const mgl_by_value *search = worker->search;
    bool kept = rows > 0 && search->frame.problem->treatment == MGL_KEEP;
    return search->plain || (kept && search->persons && !bad_hold(worker, table));
}

/* Sums over classes that records do not show, and squares that a double does not hold. */
static bool measured_plainly(const mgl_by_value *search)
{
    mgl_cost_form measure = search->frame.measure;
    if (measure == MGL_COST_SQUARES && search->frame.n_rows > UINT64_C(90000000))
        return true;
    return (measure == MGL_COST_LOGS || measure == MGL_COST_TUPLES ||
            measure == MGL_COST_MAJORITY) &&
           !has_class_sums(search);
}

/* Is it settled that the node does not hold, whatever it costs? */
static bool is_out(const mgl_by_value_worker *worker, const mgl_by_value_table *table,
                   uint64_t rows)
{
    const mgl_branching *frame = &worker->search->frame;
    if (rows > frame->limit || (frame->some_stay && rows == frame->n_rows))
        return true;
    /* Rows at the top are exempt, unless all are: then those of each history must hold. */
    return worker->search->history == MGL_BY_VALUE_EACH_HISTORY && rows > 0 &&
           frame->problem->treatment == MGL_EXEMPT && reads_as_top(worker, table);
}

/* Does the node hold, with complementary suppression where that is asked for? */
static bool node_holds(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t *rows)
{
    bool joined = worker->search->frame.problem->treatment == MGL_KEEP && *rows > 0;
    return (!joined || join(worker, table, rows)) && mgl_by_value_table_holds(worker, table, *rows);
}

static mgl_status measure_cost(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                               uint64_t rows, mgl_error *err, double *cost)
{
    const mgl_by_value *search = worker->search;
    const mgl_problem *p = search->frame.problem;
    mgl_statistics *s = &worker->statistics;
    s->n_rows = search->frame.n_rows;
    s->top_rows = rows;
    s->weights = p->weights;
    s->node = worker->node;
    if (has_class_sums(search)) {
        sum_classes(worker, table, rows);
        if (reads_as_top(worker, table))
            s->misclassified = s->n_rows; /* as what is suppressed */
    } else if (search->frame.cells != MGL_PAYS_NONE)
        sum_cells(worker, table, rows);
    else if (search->history != MGL_BY_VALUE_NO_HISTORY)
        MGL_TRY(sum_without_histories(worker, table, err));
    else
        sum_sizes(worker, table);
    *cost = mgl_measure_cost(p->measure, s);
    return MGL_OK;
}

mgl_status mgl_by_value_evaluate(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                                 uint64_t rows, mgl_error *err, bool *holds, double *cost)
{
    const mgl_by_value *search = worker->search;
    const mgl_branching *frame = &search->frame;
    *holds = false;
    *cost = 0;
    if (is_out(worker, table, rows))
        return MGL_OK;
    for (size_t c = 0; c < frame->n_columns; c++)
        worker->node[frame->columns[c]->attribute] = frame->columns[c]->low + worker->path[c];
    if (judged_plainly(worker, table, rows)) {
        bool clear = search->persons && join_is_clear(worker, table, rows, holds);
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
    return search->frame.holds != NULL ? MGL_OK : measure_cost(worker, table, rows, err, cost);
}
