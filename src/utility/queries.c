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

/* One tuple of each class stands for all of it. */
static double estimate(const mgl_released_tuples *tuples, const uint32_t *first, const mgl_query *q,
                       double *const *share)
{
    double rows = 0;
    for (size_t c = 0; c < tuples->n_classes; c++) {
        if (first[c] == MGL_NOT_FOUND)
            continue;
        double expected = (double)tuples->class_sizes[c];
        for (size_t i = 0; i < q->n_columns; i++)
            expected *= share[i][tuples->cells[q->column[i]][first[c]]];
        rows += expected;
    }
    return rows;
}

/* ---- All queries ---------------------------------------------------------------------------- */

typedef struct answers {
    const mgl_released_column *const *columns;
    const mgl_released_tuples *tuples;
    uint32_t *first; /* [class] a tuple of it, or MGL_NOT_FOUND */
    mgl_query queries[MGL_QUERIES];
    double estimates[MGL_QUERIES];
    size_t most_values, most_leaves; /* of a column */
    struct room {
        uint32_t *before; /* [most_leaves + 1] */
        double *shares;   /* [column of a query * most_values + value] */
    } * workers;
    unsigned n_workers;
} answers;

static void answer(void *context, size_t number, unsigned worker)
{
    answers *x = context;
    const mgl_query *q = &x->queries[number];
    double *share[MGL_QUERY_COLUMNS];
    double lost = (double)x->tuples->dropped_rows; /* they count as suppressed */
    for (size_t i = 0; i < q->n_columns; i++) {
        const mgl_released_column *column = x->columns[q->column[i]];
        share[i] = x->workers[worker].shares + i * x->most_values;
        fill_shares(column, q->low[i], q->high[i], x->workers[worker].before, share[i]);
        lost *= share[i][column->top];
    }
    x->estimates[number] = estimate(x->tuples, x->first, q, share) + lost;
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
    x->first = mgl_alloc_array(x->tuples->n_classes, sizeof *x->first);
    if (x->workers == NULL || x->first == NULL)
        return mgl_fail_memory(err);
    for (unsigned w = 0; w < x->n_workers; w++) {
        struct room *room = &x->workers[w];
        room->before = mgl_alloc_array(x->most_leaves + 1, sizeof *room->before);
        room->shares = mgl_alloc_array(x->most_values, MGL_QUERY_COLUMNS * sizeof *room->shares);
        if (room->before == NULL || room->shares == NULL)
            return mgl_fail_memory(err);
    }
    memset(x->first, 0xFF, x->tuples->n_classes * sizeof *x->first);
    for (size_t t = x->tuples->n_tuples; t-- > 0;)
        x->first[x->tuples->class_of[t]] = (uint32_t)t;
    return MGL_OK;
}

static void end(answers *x)
{
    for (unsigned w = 0; x->workers != NULL && w < x->n_workers; w++) {
        mgl_free(x->workers[w].before);
        mgl_free(x->workers[w].shares);
    }
    mgl_free(x->workers);
    mgl_free(x->first);
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
    mgl_pool_run(pool, MGL_QUERIES, answer, &x);
    for (size_t i = 0; i < MGL_QUERIES; i++)
        sum += fabs(x.estimates[i] - (double)truths[i]) / fmax((double)truths[i], least);
    *out = sum / MGL_QUERIES;
done:
    end(&x);
    return status;
}
