/* Query error: a fixed random workload of COUNT queries, each a range of ground values on
 * one to three columns, answered from the release by spreading a generalized value evenly
 * over its ground values. */
#include "utility/utility.h"

#include <math.h>

enum { MOST_COLUMNS = 3 };

typedef struct query {
    size_t n_columns;
    size_t column[MOST_COLUMNS];
    uint32_t low[MOST_COLUMNS], high[MOST_COLUMNS]; /* leaves, inclusive */
} query;

static query draw_query(mgl_random *random, const mgl_released_column *const *columns, size_t n)
{
    query q = {0};
    size_t wanted = 1 + mgl_random_below(random, n < MOST_COLUMNS ? n : MOST_COLUMNS);
    while (q.n_columns < wanted) {
        size_t a = mgl_random_below(random, n);
        bool used = false;
        for (size_t i = 0; i < q.n_columns; i++)
            used = used || q.column[i] == a;
        if (used)
            continue;
        uint32_t leaves = columns[a]->hierarchy->n_leaves;
        uint32_t x = (uint32_t)mgl_random_below(random, leaves);
        uint32_t y = (uint32_t)mgl_random_below(random, leaves);
        q.column[q.n_columns] = a;
        q.low[q.n_columns] = x < y ? x : y;
        q.high[q.n_columns++] = x < y ? y : x;
    }
    return q;
}

/* share[value]: which part of the value's leaves lies in the range. Ranges and averages have
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

/* A range of leaves where it lies in the keys of tuples. */
typedef struct key_range {
    size_t word;
    unsigned shift;
    uint64_t mask, low, size;
} key_range;

/* Without branches: whether a tuple is inside cannot be guessed. n is a constant where this is
 * inlined. */
MGL_SPECIALIZE uint64_t count_inside(const mgl_frequency_list *list, const key_range *given,
                                     size_t n)
{
    size_t words = list->packing.n_words;
    const uint64_t *key = list->keys;
    uint64_t rows = 0;
    key_range r[MOST_COLUMNS];
    memcpy(r, given, n * sizeof *r);
    for (size_t t = 0; t < list->n_tuples; t++, key += words) {
        uint64_t inside = 1;
        for (size_t i = 0; i < n; i++)
            inside &= (key[r[i].word] >> r[i].shift & r[i].mask) - r[i].low <= r[i].size;
        rows += list->counts[t] & (0 - inside);
    }
    return rows;
}

static double true_answer(const mgl_frequency_list *list, const query *q)
{
    key_range ranges[MOST_COLUMNS];
    for (size_t i = 0; i < q->n_columns; i++)
        ranges[i] =
            (key_range){.word = list->packing.fields[q->column[i]].word,
                        .shift = list->packing.fields[q->column[i]].shift,
                        .mask = (UINT64_C(1) << list->packing.fields[q->column[i]].bits) - 1,
                        .low = q->low[i],
                        .size = q->high[i] - q->low[i]};
    return (double)(q->n_columns == 1   ? count_inside(list, ranges, 1)
                    : q->n_columns == 2 ? count_inside(list, ranges, 2)
                                        : count_inside(list, ranges, 3));
}

/* One tuple of each class stands for all of it. */
static double estimate(const mgl_released_tuples *tuples, const uint32_t *first, const query *q,
                       double *const *share)
{
    double rows = 0;
    for (size_t c = 0; c < tuples->n_classes; c++) {
        if (first[c] == MGL_NOT_FOUND)
            continue;
        double part = (double)tuples->class_sizes[c];
        for (size_t i = 0; i < q->n_columns; i++)
            part *= share[i][tuples->cells[q->column[i]][first[c]]];
        rows += part;
    }
    return rows;
}

mgl_status mgl_query_error(const mgl_frequency_list *list,
                           const mgl_released_column *const *columns,
                           const mgl_released_tuples *tuples, mgl_error *err, double *out)
{
    size_t most = 0, most_leaves = 0;
    for (size_t a = 0; a < tuples->n_attributes; a++) {
        uint32_t leaves = columns[a]->hierarchy->n_leaves;
        most = columns[a]->n_values > most ? columns[a]->n_values : most;
        most_leaves = leaves > most_leaves ? leaves : most_leaves;
    }
    uint32_t *before = mgl_alloc_array(most_leaves + 1, sizeof *before);
    double *shares = mgl_alloc_array(most, MOST_COLUMNS * sizeof *shares);
    uint32_t *first = mgl_alloc_array(tuples->n_classes, sizeof *first);
    if (shares == NULL || first == NULL || before == NULL) {
        mgl_free(before);
        mgl_free(shares);
        mgl_free(first);
        return mgl_fail_memory(err);
    }
    memset(first, 0xFF, tuples->n_classes * sizeof *first);
    for (size_t t = tuples->n_tuples; t-- > 0;)
        first[tuples->class_of[t]] = (uint32_t)t;
    double *share[MOST_COLUMNS] = {shares, shares + most, shares + 2 * most};

    mgl_random random;
    mgl_random_seed(&random, MGL_QUERY_SEED);
    double sum = 0, least = 0.001 * (double)list->n_rows;
    for (int i = 0; i < MGL_QUERIES; i++) {
        query q = draw_query(&random, columns, tuples->n_attributes);
        for (size_t j = 0; j < q.n_columns; j++)
            fill_shares(columns[q.column[j]], q.low[j], q.high[j], before, share[j]);
        double truth = true_answer(list, &q);
        double lost = (double)tuples->dropped_rows; /* they count as suppressed */
        for (size_t j = 0; j < q.n_columns; j++)
            lost *= share[j][columns[q.column[j]]->top];
        sum += fabs(estimate(tuples, first, &q, share) + lost - truth) / fmax(truth, least);
    }
    mgl_free(before);
    mgl_free(shares);
    mgl_free(first);
    *out = sum / MGL_QUERIES;
    return MGL_OK;
}
