/* Makes the frequency list of a table: counts keys, sorts them and gathers histograms. The pipeline
 * calls it once per table or population.
 *
 * A table without quasi-identifiers (a job with items alone) has a list of one tuple. */
#include "classes/classes.h"

#include "classes/row_keys.h"
#include "classes/persons.h"
#include "classes/ranges.h"
#include "classes/tally.h"

enum {
    ROWS_AT_ONCE = 1024,
    COUNTING_SHARE = 4 /* of the memory is for counting */
};

static mgl_status new_list(const mgl_hierarchy *const *hierarchies, size_t n_attributes,
                           size_t n_histograms, mgl_error *err, mgl_frequency_list **out)
{
    mgl_frequency_list *list = mgl_zeroed_array(1, sizeof *list);
    uint32_t *n_leaves = mgl_alloc_array(n_attributes, sizeof *n_leaves);
    if (list == NULL || n_leaves == NULL) {
        mgl_free(list);
        mgl_free(n_leaves);
        return mgl_fail_memory(err);
    }
    list->n_attributes = n_attributes;
    list->n_histograms = list->n_sensitive = list->n_judged = n_histograms;
    list->hierarchies = mgl_alloc_array(n_attributes, sizeof *list->hierarchies);
    list->sensitive = mgl_zeroed_array(n_histograms, sizeof *list->sensitive);
    mgl_status status = MGL_OK;
    if (list->hierarchies == NULL || list->sensitive == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < n_attributes; a++) {
        list->hierarchies[a] = hierarchies[a];
        n_leaves[a] = hierarchies[a]->n_leaves;
    }
    MGL_GO(mgl_packing_init(&list->packing, n_leaves, n_attributes, err));
    *out = list;
    list = NULL;
done:
    mgl_free(n_leaves);
    mgl_frequency_list_free(list);
    return status;
}

void mgl_frequency_list_free(mgl_frequency_list *list)
{
    if (list == NULL)
        return;
    for (size_t s = 0; list->sensitive != NULL && s < list->n_histograms; s++) {
        mgl_free(list->sensitive[s].start);
        mgl_free(list->sensitive[s].values);
        mgl_free(list->sensitive[s].counts);
    }
    mgl_free(list->weighing.of_value);
    mgl_persons_free(list->persons, list->n_judged);
    mgl_joined_free(list->joined);
    mgl_remembered_free(list->remembered);
    mgl_free(list->sensitive);
    mgl_free(list->hierarchies);
    mgl_free(list->keys);
    mgl_free(list->counts);
    mgl_packing_free(&list->packing);
    mgl_free(list);
}

/* How many of the lowest bits of a key's last word are always 0. */
static unsigned zeros_of(const mgl_packing *packing)
{
    size_t n = packing->n_attributes;
    return n > 0 ? packing->fields[n - 1].shift : 64;
}

/* The next rows, at most so many at once: where they are in memory. */
static mgl_status reach_rows(const mgl_column *column, size_t row, size_t n_rows, mgl_error *err,
                             size_t *first, size_t *n)
{
    size_t from, in_memory;
    MGL_TRY(mgl_column_reach(column, row, err, &from, &in_memory));
    *first = row - from;
    *n = n_rows - row < ROWS_AT_ONCE ? n_rows - row : ROWS_AT_ONCE;
    *n = *n < in_memory - *first ? *n : in_memory - *first;
    return MGL_OK;
}

/* Within the memory that the codes are allowed. */
static mgl_status count_within(mgl_frequency_list *list, const mgl_row_keys *keys,
                               const mgl_column *column, size_t n_rows, const uint64_t *times,
                               mgl_error *err)
{
    mgl_tally tally;
    uint64_t *block = mgl_alloc_array(ROWS_AT_ONCE, list->packing.n_words * sizeof *block);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_tally_init(&tally, list->packing.n_words, zeros_of(&list->packing),
                          mgl_column_memory(column) / COUNTING_SHARE, err));
    if (block == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t row = 0, n; row < n_rows; row += n) {
        size_t first;
        MGL_GO(reach_rows(column, row, n_rows, err, &first, &n));
        mgl_row_keys_make(keys, first, n, block);
        MGL_GO(mgl_tally_add(&tally, block, times != NULL ? times + row : NULL, n, err));
    }
    MGL_GO(mgl_tally_take(&tally, err, &list->keys, &list->counts, &list->n_tuples));
done:
    mgl_tally_free(&tally);
    mgl_free(block);
    return status;
}

/* Without quasi-identifiers all rows are one tuple. */
static mgl_status take_one_tuple(mgl_frequency_list *list, size_t n_rows, const uint64_t *times,
                                 mgl_error *err)
{
    list->keys = mgl_zeroed_array(list->packing.n_words, sizeof *list->keys);
    list->counts = mgl_zeroed_array(1, sizeof *list->counts);
    if (list->keys == NULL || list->counts == NULL)
        return mgl_fail_memory(err);
    for (size_t row = 0; row < n_rows; row++)
        list->n_rows += times != NULL ? times[row] : 1;
    list->counts[0] = list->n_rows;
    list->n_tuples = n_rows > 0;
    return MGL_OK;
}

static mgl_status count_ranges(mgl_frequency_list *list, const mgl_keyed_rows *rows, mgl_pool *pool,
                               mgl_error *err)
{
    mgl_counted_keys counted;
    MGL_TRY(mgl_ranges_count(rows, pool, err, &counted));
    list->keys = counted.keys;
    list->counts = counted.counts;
    list->n_tuples = counted.n;
    list->remembered = counted.remembered;
    return MGL_OK;
}

static mgl_status count_rows(mgl_frequency_list *list, const mgl_count_order *order, mgl_pool *pool,
                             mgl_error *err)
{
    mgl_row_keys keys = {0};
    const mgl_column *column = order->quasi[0].column;
    const uint64_t *times = order->times;
    size_t n_rows = order->n_rows;
    bool at_once = mgl_pool_threads(pool) > 1 && n_rows >= MGL_MANY_ROWS && column->window == NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_row_keys_init(&keys, &list->packing, order->quasi, err));
    mgl_keyed_rows rows = {&keys, times, n_rows, zeros_of(&list->packing),
                           order->remember && times == NULL};
    MGL_GO(at_once ? count_ranges(list, &rows, pool, err)
                   : count_within(list, &keys, column, n_rows, times, err));
    if (list->n_tuples >= UINT32_MAX)
        MGL_GO(mgl_fail(err, MGL_DATA,
                        "more than 4,294,967,294 distinct tuples; "
                        "generalize or drop a quasi-identifier first"));
    list->n_rows = times == NULL ? n_rows : 0;
    for (size_t row = 0; times != NULL && row < n_rows; row++)
        list->n_rows += times[row];
done:
    mgl_row_keys_free(&keys);
    return status;
}

/* Keys of (tuple, value) pairs in ascending order, turned into one histogram per tuple. */
mgl_status mgl_sparse_take(mgl_tally *tally, size_t n_tuples, uint32_t n_values, mgl_error *err,
                           mgl_sparse *out)
{
    uint64_t *pairs, *counts;
    size_t n;
    MGL_TRY(mgl_tally_take(tally, err, &pairs, &counts, &n));
    mgl_sparse sparse = {.n_values = n_values, .counts = counts};
    sparse.start = mgl_alloc_array(n_tuples + 1, sizeof *sparse.start);
    sparse.values = mgl_alloc_array(n, sizeof *sparse.values);
    if (sparse.start == NULL || sparse.values == NULL) {
        mgl_free(sparse.start);
        mgl_free(sparse.values);
        mgl_free(pairs);
        mgl_free(counts);
        return mgl_fail_memory(err);
    }
    size_t tuple = 0;
    for (size_t i = 0; i < n; i++) {
        for (; tuple <= pairs[i] >> 32; tuple++)
            sparse.start[tuple] = i;
        sparse.values[i] = (uint32_t)pairs[i];
    }
    for (; tuple <= n_tuples; tuple++)
        sparse.start[tuple] = n;
    mgl_free(pairs);
    *out = sparse;
    return MGL_OK;
}

mgl_status mgl_list_histogram(const mgl_frequency_list *list, const mgl_tuple_finder *finder,
                              const mgl_column *column, size_t n_rows, const uint64_t *times,
                              mgl_error *err, mgl_sparse *out)
{
    mgl_tally tally;
    uint32_t tuples[ROWS_AT_ONCE];
    uint64_t pairs[ROWS_AT_ONCE];
    mgl_status status = MGL_OK;
    MGL_GO(mgl_tally_init(&tally, 1, 0, mgl_column_memory(column) / COUNTING_SHARE, err));
    for (size_t row = 0, n; row < n_rows; row += n) {
        size_t first;
        MGL_GO(reach_rows(column, row, n_rows, err, &first, &n));
        mgl_tuple_find(finder, first, n, tuples);
        for (size_t i = 0; i < n; i++)
            pairs[i] = (uint64_t)tuples[i] << 32 | mgl_column_code(column, first + i);
        MGL_GO(mgl_tally_add(&tally, pairs, times != NULL ? times + row : NULL, n, err));
    }
    MGL_GO(
        mgl_sparse_take(&tally, list->n_tuples, mgl_dictionary_size(column->dictionary), err, out));
done:
    mgl_tally_free(&tally);
    return status;
}

mgl_status mgl_frequency_list_new(const mgl_count_order *order, mgl_pool *pool, mgl_error *err,
                                  mgl_frequency_list **out)
{
    const mgl_hierarchy **hierarchies = mgl_alloc_array(order->n_quasi, sizeof *hierarchies);
    if (hierarchies == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < order->n_quasi; a++)
        hierarchies[a] = order->quasi[a].hierarchy;
    mgl_frequency_list *list = NULL;
    mgl_tuple_finder *finder = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(new_list(hierarchies, order->n_quasi, order->n_counted, err, &list));
    MGL_GO(order->n_quasi > 0 ? count_rows(list, order, pool, err)
                              : take_one_tuple(list, order->n_rows, order->times, err));
    if (order->n_counted > 0)
        MGL_GO(mgl_tuple_finder_new(list, order->quasi, err, &finder));
    for (size_t s = 0; s < order->n_counted; s++)
        MGL_GO(mgl_list_histogram(list, finder, order->counted[s], order->n_rows, order->times, err,
                                  &list->sensitive[s]));
    list->n_sensitive = list->n_judged = order->n_sensitive;
    *out = list;
    list = NULL;
done:
    mgl_free(hierarchies);
    mgl_tuple_finder_free(finder);
    mgl_frequency_list_free(list);
    return status;
}
