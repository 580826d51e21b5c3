/* Query error: a fixed random workload of COUNT queries, each a range of ground values on one to
 * three columns, answered from the release by spreading a generalized value evenly over its ground
 * values. Whatever measures a release calls it. */
#include "utility/queries.h"

#include <math.h>

static mgl_query draw_query(mgl_random *random, const mgl_released_column *const *columns, size_t n)
{
    mgl_query q = {0};
    size_t wanted = 1 + mgl_random_below(random, n < MGL_QUERY_COLUMNS ? n : MGL_QUERY_COLUMNS);
    while (q.n_columns < wanted) {
        size_t a = mgl_random_below(random, n);
        bool used = false;
        for (size_t i = 0; i < q.n_columns; i++)
            used = used || q.column[i] == a;
        if (used)
            continue;
        uint32_t leaves = mgl_hierarchy_ground(columns[a]->hierarchy);
        uint32_t x = (uint32_t)mgl_random_below(random, leaves);
        uint32_t y = (uint32_t)mgl_random_below(random, leaves);
        q.column[q.n_columns] = a;
        q.low[q.n_columns] = x < y ? x : y;
        q.high[q.n_columns++] = x < y ? y : x;
    }
    return q;
}

/* share[value]: which share of the value's leaves lies in the range. Ranges and averages have
 * theirs side by side on the scale; before[i] is for how many of its first i leaves lie in it. */
static void fill_made_shares(const mgl_released_column *column, uint32_t low, uint32_t high,
                             uint32_t *before, double *share)
{
    const mgl_scale *scale = column->scale;
    before[0] = 0;
    for (uint32_t i = 0; i < scale->n_ordered; i++)
        before[i + 1] = before[i] + (scale->ordered[i] >= low && scale->ordered[i] <= high);
    for (uint32_t v = column->first_made; v < column->n_values; v++) {
        const mgl_released_value *value = &column->values[v];
        share[v] =
            (double)(before[value->begin + value->leaves] - before[value->begin]) / value->leaves;
    }
}

static void fill_shares(const mgl_released_column *column, uint32_t low, uint32_t high,
                        uint32_t *before, double *share)
{
    memset(share, 0, column->n_values * sizeof *share);
    for (uint32_t l = 0; l <= column->hierarchy->height; l++)
        for (uint32_t leaf = low; leaf <= high; leaf++) {
            uint32_t v = column->of_leaf[l][leaf];
            if (column->values[v].level == (int32_t)l)
                share[v] += 1.0 / column->values[v].leaves;
        }
    if (column->scale != NULL)
        fill_made_shares(column, low, high, before, share);
}

/* ---- All queries ---------------------------------------------------------------------------- */

enum {
    TOGETHER = 10, /* queries that are answered at a time: MGL_QUERIES is a multiple of it */
    CLASSES = 256  /* that they look at before they go on to the next ones */
};

typedef struct answers {
    const mgl_released_column *const *columns;
    const mgl_released_tuples *tuples;
    uint32_t **cells; /* [attribute][class] */
    double *sizes;    /* [class] */
    mgl_query queries[MGL_QUERIES];
    double estimates[MGL_QUERIES];
    size_t most_values, most_leaves; /* of a column */
    struct room {
        uint32_t *before; /* [most_leaves + 1] */
        double *shares;   /* [(query * MGL_QUERY_COLUMNS + column of it) * most_values + value] */
        double expected[TOGETHER][CLASSES]; /* rows of the class that a query finds */
    } * workers;
    unsigned n_workers;
} answers;

static double *share_of(const answers *x, const struct room *room, size_t query, size_t column)
{
    return room->shares + (query * MGL_QUERY_COLUMNS + column) * x->most_values;
}

/* The shares of all columns of a query. Returns what it finds of the rows that are not released:
 * they count as suppressed. */
static double begin_query(const answers *x, size_t number, struct room *room)
{
    const mgl_query *q = &x->queries[number];
    double lost = (double)x->tuples->dropped_rows;
    for (size_t i = 0; i < q->n_columns; i++) {
        const mgl_released_column *column = x->columns[q->column[i]];
        double *share = share_of(x, room, number % TOGETHER, i);
        fill_shares(column, q->low[i], q->high[i], room->before, share);
        lost *= share[column->top];
    }
    return lost;
}

/* What a query finds of the classes from `first` on. One loop for each number of columns: this is
 * where the time goes. */
static void expect(const answers *x, size_t number, size_t first, size_t n, struct room *room)
{
    const mgl_query *q = &x->queries[number];
    double *restrict expected = room->expected[number % TOGETHER];
    const double *sizes = x->sizes + first, *share[MGL_QUERY_COLUMNS] = {NULL};
    const uint32_t *cells[MGL_QUERY_COLUMNS] = {NULL};
    for (size_t i = 0; i < q->n_columns; i++) {
        share[i] = share_of(x, room, number % TOGETHER, i);
        cells[i] = x->cells[q->column[i]] + first;
    }
    if (q->n_columns == 1)
        for (size_t c = 0; c < n; c++)
            expected[c] = sizes[c] * share[0][cells[0][c]];
    else if (q->n_columns == 2)
        for (size_t c = 0; c < n; c++)
            expected[c] = sizes[c] * share[0][cells[0][c]] * share[1][cells[1][c]];
    else
        for (size_t c = 0; c < n; c++)
            expected[c] =
                sizes[c] * share[0][cells[0][c]] * share[1][cells[1][c]] * share[2][cells[2][c]];
}

/* Each sum goes through the classes in their order. Several at a time, since an addition has to
 * wait for the one before it in the same sum. */
static void add_up(const struct room *room, size_t n, double rows[TOGETHER])
{
    double sums[TOGETHER];
    memcpy(sums, rows, sizeof sums);
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < TOGETHER; i++)
            sums[i] += room->expected[i][c];
    memcpy(rows, sums, sizeof sums);
}

static void answer(void *context, size_t item, unsigned worker)
{
    answers *x = context;
    struct room *room = &x->workers[worker];
    size_t number = item * TOGETHER, n_classes = x->tuples->n_classes;
    double rows[TOGETHER] = {0}, lost[TOGETHER];
    for (size_t i = 0; i < TOGETHER; i++)
        lost[i] = begin_query(x, number + i, room);
    for (size_t first = 0; first < n_classes; first += CLASSES) {
        size_t n = n_classes - first < CLASSES ? n_classes - first : CLASSES;
        for (size_t i = 0; i < TOGETHER; i++)
            expect(x, number + i, first, n, room);
        add_up(room, n, rows);
    }
    for (size_t i = 0; i < TOGETHER; i++)
        x->estimates[number + i] = rows[i] + lost[i];
}

/* One tuple of each class stands for all of it. */
static void take_cells(void *context, size_t a, unsigned worker)
{
    answers *x = context;
    (void)worker;
    for (size_t c = 0; c < x->tuples->n_classes; c++)
        x->cells[a][c] = x->tuples->cells[a][x->tuples->first[c]];
}

static mgl_status make_cells(answers *x, mgl_pool *pool, mgl_error *err)
{
    size_t n = x->tuples->n_attributes;
    x->cells = mgl_zeroed_array(n, sizeof *x->cells);
    x->sizes = mgl_alloc_array(x->tuples->n_classes, sizeof *x->sizes);
    if (x->cells == NULL || x->sizes == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < x->tuples->n_classes; c++)
        x->sizes[c] = (double)x->tuples->class_sizes[c];
    for (size_t a = 0; a < n; a++) {
        x->cells[a] = mgl_alloc_array(x->tuples->n_classes, sizeof **x->cells);
        if (x->cells[a] == NULL)
            return mgl_fail_memory(err);
    }
    mgl_pool_run(pool, n, take_cells, x);
    return MGL_OK;
}

static mgl_status begin(answers *x, mgl_pool *pool, mgl_error *err)
{
    for (size_t a = 0; a < x->tuples->n_attributes; a++) {
        uint32_t leaves = x->columns[a]->hierarchy->n_leaves, values = x->columns[a]->n_values;
        x->most_values = values > x->most_values ? values : x->most_values;
        x->most_leaves = leaves > x->most_leaves ? leaves : x->most_leaves;
    }
    x->n_workers = mgl_pool_threads(pool);
    x->workers = mgl_zeroed_array(x->n_workers, sizeof *x->workers);
    if (x->workers == NULL)
        return mgl_fail_memory(err);
    for (unsigned w = 0; w < x->n_workers; w++) {
        struct room *room = &x->workers[w];
        room->before = mgl_alloc_array(x->most_leaves + 1, sizeof *room->before);
        room->shares =
            mgl_alloc_array(x->most_values, TOGETHER * MGL_QUERY_COLUMNS * sizeof *room->shares);
        if (room->before == NULL || room->shares == NULL)
            return mgl_fail_memory(err);
    }
    return make_cells(x, pool, err);
}

static void end(answers *x)
{
    for (unsigned w = 0; x->workers != NULL && w < x->n_workers; w++) {
        mgl_free(x->workers[w].before);
        mgl_free(x->workers[w].shares);
    }
    for (size_t a = 0; x->cells != NULL && a < x->tuples->n_attributes; a++)
        mgl_free(x->cells[a]);
    mgl_free(x->workers);
    mgl_free(x->cells);
    mgl_free(x->sizes);
}

static void draw_queries(const mgl_released_column *const *columns, size_t n, mgl_query *queries)
{
    mgl_random random;
    mgl_random_seed(&random, MGL_QUERY_SEED);
    for (size_t i = 0; i < MGL_QUERIES; i++)
        queries[i] = draw_query(&random, columns, n);
}

mgl_status mgl_query_truths(const mgl_frequency_list *list,
                            const mgl_released_column *const *columns, mgl_pool *pool,
                            mgl_error *err, uint64_t *truths)
{
    mgl_query queries[MGL_QUERIES];
    draw_queries(columns, list->n_attributes, queries);
    return mgl_query_counts(list, pool, queries, err, truths);
}

mgl_status mgl_query_error(const uint64_t *truths, uint64_t n_rows,
                           const mgl_released_column *const *columns,
                           const mgl_released_tuples *tuples, mgl_pool *pool, mgl_error *err,
                           double *out)
{
    answers x = {.columns = columns, .tuples = tuples};
    draw_queries(columns, tuples->n_attributes, x.queries);
    mgl_status status = MGL_OK;
    MGL_GO(begin(&x, pool, err));
    double sum = 0, least = 0.001 * (double)n_rows;
    mgl_pool_run(pool, MGL_QUERIES / TOGETHER, answer, &x);
    for (size_t i = 0; i < MGL_QUERIES; i++)
        sum += fabs(x.estimates[i] - (double)truths[i]) / fmax((double)truths[i], least);
    *out = sum / MGL_QUERIES;
done:
    end(&x);
    return status;
}
