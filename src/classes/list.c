/* Makes frequency lists: of a table, of counts, of two lists merged. */
#include "classes/classes.h"
#include "classes/counter.h"
#include "classes/row_keys.h"

enum {
    ROWS_AT_ONCE = 1024,
    COUNTING_SHARE = 4 /* of the memory is for counting */
};

static mgl_status new_list(const mgl_hierarchy *const *hierarchies, size_t n_attributes,
                           size_t n_histograms, mgl_error *err, mgl_frequency_list **out)
{
    uint32_t *n_leaves = NULL;
    mgl_frequency_list *list;
    MGL_TRY(mgl_new_zeroed(1, sizeof *list, err, &list));
    list->n_attributes = n_attributes;
    list->n_histograms = list->n_sensitive = list->n_judged = n_histograms;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_new_array(n_attributes, sizeof *n_leaves, err, &n_leaves));
    MGL_GO(mgl_new_array(n_attributes, sizeof *list->hierarchies, err, &list->hierarchies));
    MGL_GO(mgl_new_zeroed(n_histograms, sizeof *list->sensitive, err, &list->sensitive));
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

void mgl_sparse_free(mgl_sparse *sparse)
{
    mgl_free(sparse->start);
    mgl_free(sparse->values);
    mgl_free(sparse->counts);
}

void mgl_frequency_list_free(mgl_frequency_list *list)
{
    if (list == NULL)
        return;
    for (size_t s = 0; list->sensitive != NULL && s < list->n_histograms; s++)
        mgl_sparse_free(&list->sensitive[s]);
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
    MGL_GO(mgl_check_memory(block != NULL, err));
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
    MGL_TRY(mgl_check_memory(list->keys != NULL && list->counts != NULL, err));
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

static mgl_status count_rows(mgl_frequency_list *list, const mgl_count_request *request,
                             mgl_pool *pool, mgl_error *err)
{
    mgl_row_keys keys = {0};
    const mgl_column *column = request->quasi[0].column;
    const uint64_t *times = request->times;
    size_t n_rows = request->n_rows;
    bool at_once = mgl_pool_threads(pool) > 1 && n_rows >= MGL_MANY_ROWS && column->window == NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_row_keys_init(&keys, &list->packing, request->quasi, err));
    mgl_keyed_rows rows = {&keys, times, n_rows, zeros_of(&list->packing),
                           request->remember && times == NULL};
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
        mgl_sparse_free(&sparse);
        mgl_free(pairs);
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

mgl_status mgl_frequency_list_new(const mgl_count_request *request, mgl_pool *pool, mgl_error *err,
                                  mgl_frequency_list **out)
{
    const mgl_hierarchy **hierarchies;
    MGL_TRY(mgl_new_array(request->n_quasi, sizeof *hierarchies, err, &hierarchies));
    for (size_t a = 0; a < request->n_quasi; a++)
        hierarchies[a] = request->quasi[a].hierarchy;
    mgl_frequency_list *list = NULL;
    mgl_tuple_finder *finder = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(new_list(hierarchies, request->n_quasi, request->n_counted, err, &list));
    MGL_GO(request->n_quasi > 0 ? count_rows(list, request, pool, err)
                                : take_one_tuple(list, request->n_rows, request->times, err));
    if (request->n_counted > 0)
        MGL_GO(mgl_tuple_finder_new(list, request->quasi, err, &finder));
    for (size_t s = 0; s < request->n_counted; s++)
        MGL_GO(mgl_list_histogram(list, finder, request->counted[s], request->n_rows,
                                  request->times, err, &list->sensitive[s]));
    list->n_sensitive = list->n_judged = request->n_sensitive;
    *out = list;
    list = NULL;
done:
    mgl_free(hierarchies);
    mgl_tuple_finder_free(finder);
    mgl_frequency_list_free(list);
    return status;
}

/* Both lists are sorted, so merging is one walk over both; histograms of equal tuples are
 * merged in the same way. */

typedef struct walk {
    size_t n;         /* tuples of the merged list */
    uint32_t *from_a; /* [n] tuple of each list, or MGL_NOT_FOUND */
    uint32_t *from_b;
    mgl_owned own;
} walk;

static int compare_keys(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    for (size_t w = 0; w < n_words; w++)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return 0;
}

static mgl_status plan_walk(const mgl_frequency_list *a, const mgl_frequency_list *b,
                            mgl_error *err, walk *out)
{
    size_t words = a->packing.n_words, most = a->n_tuples + b->n_tuples;
    size_t i = 0, j = 0;
    out->from_a = mgl_own_array(&out->own, most, sizeof *out->from_a);
    out->from_b = mgl_own_array(&out->own, most, sizeof *out->from_b);
    MGL_TRY(mgl_owned_check(&out->own, err));
    while (i < a->n_tuples || j < b->n_tuples) {
        int order = i == a->n_tuples ? 1
                    : j == b->n_tuples
                        ? -1
                        : compare_keys(a->keys + i * words, b->keys + j * words, words);
        out->from_a[out->n] = order <= 0 ? (uint32_t)i++ : MGL_NOT_FOUND;
        out->from_b[out->n] = order >= 0 ? (uint32_t)j++ : MGL_NOT_FOUND;
        out->n++;
    }
    return MGL_OK;
}

/* Appends the histogram that two sorted histograms add up to; returns its new end. */
static size_t merge_histograms(const mgl_sparse *a, uint32_t ta, const mgl_sparse *b, uint32_t tb,
                               uint32_t *values, uint64_t *counts, size_t end)
{
    size_t i = ta != MGL_NOT_FOUND ? a->start[ta] : 0;
    size_t i_end = ta != MGL_NOT_FOUND ? a->start[ta + 1] : 0;
    size_t j = tb != MGL_NOT_FOUND ? b->start[tb] : 0;
    size_t j_end = tb != MGL_NOT_FOUND ? b->start[tb + 1] : 0;
    while (i < i_end || j < j_end) {
        bool take_a = i < i_end && (j == j_end || a->values[i] <= b->values[j]);
        bool take_b = j < j_end && (i == i_end || b->values[j] <= a->values[i]);
        values[end] = take_a ? a->values[i] : b->values[j];
        counts[end] = (take_a ? a->counts[i] : 0) + (take_b ? b->counts[j] : 0);
        i += take_a;
        j += take_b;
        end++;
    }
    return end;
}

static mgl_status merge_sparse(const mgl_sparse *into, size_t n_into, const mgl_sparse *more,
                               size_t n_more, const walk *plan, mgl_error *err, mgl_sparse *out)
{
    size_t most = into->start[n_into] + more->start[n_more];
    mgl_sparse merged = {
        .n_values = into->n_values > more->n_values ? into->n_values : more->n_values,
        .start = mgl_alloc_array(plan->n + 1, sizeof *merged.start),
        .values = mgl_alloc_array(most, sizeof *merged.values),
        .counts = mgl_alloc_array(most, sizeof *merged.counts),
    };
    if (merged.start == NULL || merged.values == NULL || merged.counts == NULL) {
        mgl_sparse_free(&merged);
        return mgl_fail_memory(err);
    }
    size_t end = 0;
    for (size_t t = 0; t < plan->n; t++) {
        merged.start[t] = end;
        end = merge_histograms(into, plan->from_a[t], more, plan->from_b[t], merged.values,
                               merged.counts, end);
    }
    merged.start[plan->n] = end;
    *out = merged;
    return MGL_OK;
}

static void swap_arrays(mgl_frequency_list *list, uint64_t **keys, uint64_t **counts,
                        mgl_sparse **sensitive)
{
    uint64_t *old_keys = list->keys, *old_counts = list->counts;
    mgl_sparse *old_sensitive = list->sensitive;
    list->keys = *keys;
    list->counts = *counts;
    list->sensitive = *sensitive;
    *keys = old_keys;
    *counts = old_counts;
    *sensitive = old_sensitive;
}

mgl_status mgl_frequency_list_merge(mgl_frequency_list *list, const mgl_frequency_list *more,
                                    mgl_error *err)
{
    if (list->n_attributes != more->n_attributes || list->n_histograms != more->n_histograms)
        return mgl_fail(err, MGL_CODE_CONFLICT,
                        "the parts count different columns; count them with "
                        "the same job");
    if (list->persons != NULL || more->persons != NULL)
        return mgl_fail(err, MGL_CODE_CONFLICT,
                        "parts that count persons cannot be merged: a person may "
                        "be in both; count the whole table");
    for (size_t a = 0; a < list->n_attributes; a++)
        if (!mgl_hierarchy_same(list->hierarchies[a], more->hierarchies[a]))
            return mgl_fail(err, MGL_CODE_CONFLICT,
                            "the parts use different hierarchies; count them "
                            "with the same job");
    walk plan = {0};
    size_t words = list->packing.n_words;
    uint64_t *keys = NULL, *counts = NULL;
    mgl_sparse *sensitive = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(plan_walk(list, more, err, &plan));
    MGL_GO(mgl_new_array(plan.n, words * sizeof *keys, err, &keys));
    MGL_GO(mgl_new_zeroed(plan.n, sizeof *counts, err, &counts));
    MGL_GO(mgl_new_zeroed(list->n_histograms, sizeof *sensitive, err, &sensitive));
    for (size_t s = 0; s < list->n_histograms; s++)
        MGL_GO(merge_sparse(&list->sensitive[s], list->n_tuples, &more->sensitive[s],
                            more->n_tuples, &plan, err, &sensitive[s]));
    for (size_t t = 0; t < plan.n; t++) {
        uint32_t i = plan.from_a[t], j = plan.from_b[t];
        const uint64_t *key = i != MGL_NOT_FOUND ? list->keys + i * words : more->keys + j * words;
        memcpy(keys + t * words, key, words * sizeof *keys);
        counts[t] =
            (i != MGL_NOT_FOUND ? list->counts[i] : 0) + (j != MGL_NOT_FOUND ? more->counts[j] : 0);
    }
    /* Nothing of the list has changed so far: a failure leaves it as it was. Now it takes what is
     * merged, and what it had is freed. */
    swap_arrays(list, &keys, &counts, &sensitive);
    mgl_remembered_free(list->remembered);
    list->remembered = NULL;
    list->n_tuples = plan.n;
    list->n_rows += more->n_rows;
done:
    for (size_t s = 0; sensitive != NULL && s < list->n_histograms; s++)
        mgl_sparse_free(&sensitive[s]);
    mgl_free(sensitive);
    mgl_free(keys);
    mgl_free(counts);
    mgl_owned_free(&plan.own);
    return status;
}
