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
    mgl_query queries[MGL_QUERIES];
    double estimates[MGL_QUERIES], sum = 0, least = 0.001 * (double)n_rows;
    draw_queries(columns, tuples->n_attributes, queries);
    mgl_released_tuples with = *tuples;
    if (tuples->class_cells == NULL)
        MGL_TRY(mgl_class_cells_make(&with, pool, err));
    mgl_status status = mgl_query_estimates(&with, columns, queries, pool, err, estimates);
    if (tuples->class_cells == NULL)
        mgl_class_cells_free(&with);
    MGL_TRY(status);
    for (size_t i = 0; i < MGL_QUERIES; i++)
        sum += fabs(estimates[i] - (double)truths[i]) / fmax((double)truths[i], least);
    *out = sum / MGL_QUERIES;
    return MGL_OK;
}
