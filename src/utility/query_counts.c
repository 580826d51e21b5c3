/* Answers all queries of a workload in one pass over the tuples: each value of a column knows which
 * queries it is inside of, a bit for each, and a tuple is inside of those that all its values are.
 * queries.c calls it. */
#include "utility/queries.h"

enum { TUPLES = 1 << 14 }; /* of an item */

typedef struct counting {
    const mgl_frequency_list *list;
    mgl_query_set **values; /* [attribute][cell] queries that it is inside of */
    struct sums {
        uint64_t of[MGL_QUERY_WORDS * 64];
    } * workers;
} counting;

static void count_tuples(void *context, size_t item, unsigned worker)
{
    const counting *x = context;
    const mgl_frequency_list *list = x->list;
    uint64_t *sums = x->workers[worker].of;
    size_t end = (item + 1) * TUPLES < list->n_tuples ? (item + 1) * TUPLES : list->n_tuples;
    for (size_t t = item * TUPLES; t < end; t++) {
        mgl_query_set all = x->values[0][mgl_list_leaf(list, t, 0)];
        for (size_t a = 1; a < list->n_attributes; a++) {
            const mgl_query_set *value = &x->values[a][mgl_list_leaf(list, t, a)];
            for (size_t w = 0; w < MGL_QUERY_WORDS; w++)
                all.of[w] &= value->of[w];
        }
        for (size_t w = 0; w < MGL_QUERY_WORDS; w++)
            for (uint64_t left = all.of[w]; left != 0; left &= left - 1)
                sums[w * 64 + (unsigned)__builtin_ctzll(left)] += list->counts[t];
    }
}

/* Queries that do not look at a column have all its values inside. */
static mgl_status fill_values(counting *x, const mgl_query *queries, mgl_error *err)
{
    const mgl_frequency_list *list = x->list;
    for (size_t a = 0; a < list->n_attributes; a++) {
        size_t n = (size_t)1 << list->packing.fields[a].bits;
        x->values[a] = mgl_alloc_array(n, sizeof *x->values[a]);
        if (x->values[a] == NULL)
            return mgl_fail_memory(err);
        memset(x->values[a], 0xFF, n * sizeof *x->values[a]);
    }
    for (size_t q = 0; q < MGL_QUERIES; q++)
        for (size_t i = 0; i < queries[q].n_columns; i++) {
            size_t a = queries[q].column[i], n = (size_t)1 << list->packing.fields[a].bits;
            for (size_t v = 0; v < n; v++)
                if (v < queries[q].low[i] || v > queries[q].high[i])
                    x->values[a][v].of[q / 64] &= ~(UINT64_C(1) << q % 64);
        }
    return MGL_OK;
}

static mgl_status count(counting *x, mgl_pool *pool, const mgl_query *queries, mgl_error *err,
                        uint64_t *counts)
{
    unsigned n_workers = mgl_pool_threads(pool);
    x->values = mgl_zeroed_array(x->list->n_attributes, sizeof *x->values);
    x->workers = mgl_zeroed_array(n_workers, sizeof *x->workers);
    if (x->values == NULL || x->workers == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(fill_values(x, queries, err));
    mgl_pool_run(pool, (x->list->n_tuples + TUPLES - 1) / TUPLES, count_tuples, x);
    for (size_t q = 0; q < MGL_QUERIES; q++) {
        counts[q] = 0;
        for (unsigned w = 0; w < n_workers; w++)
            counts[q] += x->workers[w].of[q];
    }
    return MGL_OK;
}

mgl_status mgl_query_counts(const mgl_frequency_list *list, mgl_pool *pool,
                            const mgl_query queries[MGL_QUERIES], mgl_error *err,
                            uint64_t counts[MGL_QUERIES])
{
    counting x = {.list = list};
    mgl_status status = count(&x, pool, queries, err, counts);
    for (size_t a = 0; x.values != NULL && a < list->n_attributes; a++)
        mgl_free(x.values[a]);
    mgl_free(x.values);
    mgl_free(x.workers);
    return status;
}
