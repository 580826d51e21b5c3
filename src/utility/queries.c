/* Query error: a fixed random workload of COUNT queries, each a range of ground values on one to
 * three columns, answered from the release by spreading a generalized value evenly over its ground
 * values. */
#include "utility/queries.h"

#include <math.h>

/* ---- True counts ----------------------------------------------------------------------------- */

/* Answers all queries of a workload in one pass over the tuples: each value of a column knows which
 * queries it is inside of, a bit for each, and a tuple is inside of those that all its values are.
 * Tuples come sorted, and a query is decided by the columns up to the last one it looks at: rows
 * are summed up for as long as these stay the same. */

enum { TUPLES = 1 << 14, /* of an item */ BITS = 64 };

/* What the tuples at hand have in common up to a column. */
typedef struct level {
    mgl_query_set inside; /* of the queries, by the columns so far */
    uint64_t rows;
} level;

typedef struct counting {
    const mgl_frequency_list *list;
    mgl_query_set **values;  /* [attribute][cell] queries that it is inside of */
    mgl_query_set *last;     /* [attribute] queries that look at no column behind it */
    uint32_t *column_of_bit; /* [bit of a key, the highest of the first word first] */
    struct sums {
        uint64_t of[MGL_QUERY_WORDS * 64];
        level *levels; /* [n_attributes] */
    } * workers;
} counting;

/* The first column in which a tuple differs from the one before; n_attributes: in none. */
static size_t first_change(const counting *x, size_t tuple)
{
    size_t words = x->list->packing.n_words;
    const uint64_t *key = x->list->keys + tuple * words;
    for (size_t w = 0; w < words; w++) {
        uint64_t change = key[w] ^ *(key + w - words);
        if (change != 0)
            return x->column_of_bit[w * BITS + (unsigned)__builtin_clzll(change)];
    }
    return x->list->n_attributes;
}

/* The columns from this one on are about to change. */
static void close_levels(const counting *x, struct sums *to, size_t from)
{
    for (size_t a = x->list->n_attributes; a-- > from;) {
        level *at = &to->levels[a];
        for (size_t w = 0; w < MGL_QUERY_WORDS; w++)
            for (uint64_t left = at->inside.of[w] & x->last[a].of[w]; left != 0; left &= left - 1)
                to->of[w * 64 + (unsigned)__builtin_ctzll(left)] += at->rows;
        if (a > 0)
            at[-1].rows += at->rows;
        at->rows = 0;
    }
}

static void count_tuples(void *context, size_t item, unsigned worker)
{
    const counting *x = context;
    const mgl_frequency_list *list = x->list;
    struct sums *to = &x->workers[worker];
    size_t n = list->n_attributes, first = item * TUPLES;
    size_t end = first + TUPLES < list->n_tuples ? first + TUPLES : list->n_tuples;
    for (size_t t = first; t < end; t++) {
        size_t from = t > first ? first_change(x, t) : 0;
        if (t > first)
            close_levels(x, to, from);
        for (size_t a = from; a < n; a++) {
            const mgl_query_set *value = &x->values[a][mgl_list_leaf(list, t, a)];
            for (size_t w = 0; w < MGL_QUERY_WORDS; w++)
                to->levels[a].inside.of[w] =
                    value->of[w] & (a > 0 ? to->levels[a - 1].inside.of[w] : UINT64_MAX);
        }
        to->levels[n - 1].rows += list->counts[t];
    }
    close_levels(x, to, 0);
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

/* [n_attributes] For each column, the queries that look at it and at no column behind it. */
static mgl_query_set *last_columns(const mgl_query *queries, size_t n_attributes)
{
    mgl_query_set *sets = mgl_zeroed_array(n_attributes, sizeof *sets);
    for (size_t q = 0; sets != NULL && q < MGL_QUERIES; q++) {
        size_t last = 0;
        for (size_t i = 0; i < queries[q].n_columns; i++)
            last = queries[q].column[i] > last ? queries[q].column[i] : last;
        sets[last].of[q / 64] |= UINT64_C(1) << q % 64;
    }
    return sets;
}

/* Which queries are decided at which column, and which column each bit of a key is of. */
static mgl_status fill_columns(counting *x, const mgl_query *queries, mgl_error *err)
{
    const mgl_packing *packing = &x->list->packing;
    x->last = last_columns(queries, packing->n_attributes);
    x->column_of_bit = mgl_zeroed_array(packing->n_words * BITS, sizeof *x->column_of_bit);
    if (x->last == NULL || x->column_of_bit == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < packing->n_attributes; a++)
        for (unsigned bit = 0; bit < packing->fields[a].bits; bit++)
            x->column_of_bit[packing->fields[a].word * BITS + BITS - 1 -
                             (packing->fields[a].shift + bit)] = (uint32_t)a;
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
    for (unsigned w = 0; w < n_workers; w++) {
        x->workers[w].levels = mgl_zeroed_array(x->list->n_attributes, sizeof(level));
        if (x->workers[w].levels == NULL)
            return mgl_fail_memory(err);
    }
    MGL_TRY(fill_values(x, queries, err));
    MGL_TRY(fill_columns(x, queries, err));
    mgl_pool_run(pool, (x->list->n_tuples + TUPLES - 1) / TUPLES, count_tuples, x);
    for (size_t q = 0; q < MGL_QUERIES; q++) {
        counts[q] = 0;
        for (unsigned w = 0; w < n_workers; w++)
            counts[q] += x->workers[w].of[q];
    }
    return MGL_OK;
}

/* How many rows of the list each of the queries counts. */
static mgl_status query_counts(const mgl_frequency_list *list, mgl_pool *pool,
                               const mgl_query queries[MGL_QUERIES], mgl_error *err,
                               uint64_t counts[MGL_QUERIES])
{
    counting x = {.list = list};
    mgl_status status = count(&x, pool, queries, err, counts);
    for (size_t a = 0; x.values != NULL && a < list->n_attributes; a++)
        mgl_free(x.values[a]);
    for (unsigned w = 0; x.workers != NULL && w < mgl_pool_threads(pool); w++)
        mgl_free(x.workers[w].levels);
    mgl_free(x.values);
    mgl_free(x.last);
    mgl_free(x.column_of_bit);
    mgl_free(x.workers);
    return status;
}

/* ---- The error ------------------------------------------------------------------------------- */

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
    return query_counts(list, pool, queries, err, truths);
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
