/* Adds the counts of one frequency list to another. The leak guard calls it for what it puts back.
 */
#include "classes/remembered.h"

/* Both lists are sorted, so merging is one walk over both; histograms of equal tuples are
 * merged in the same way. */

typedef struct walk {
    size_t n;         /* tuples of the merged list */
    uint32_t *from_a; /* [n] tuple of each list, or MGL_NOT_FOUND */
    uint32_t *from_b;
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
    walk plan = {.from_a = mgl_alloc_array(most, sizeof(uint32_t)),
                 .from_b = mgl_alloc_array(most, sizeof(uint32_t))};
    if (plan.from_a == NULL || plan.from_b == NULL) {
        mgl_free(plan.from_a);
        mgl_free(plan.from_b);
        return mgl_fail_memory(err);
    }
    size_t i = 0, j = 0;
    while (i < a->n_tuples || j < b->n_tuples) {
        int order = i == a->n_tuples ? 1
                    : j == b->n_tuples
                        ? -1
                        : compare_keys(a->keys + i * words, b->keys + j * words, words);
        plan.from_a[plan.n] = order <= 0 ? (uint32_t)i++ : MGL_NOT_FOUND;
        plan.from_b[plan.n] = order >= 0 ? (uint32_t)j++ : MGL_NOT_FOUND;
        plan.n++;
    }
    *out = plan;
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

static void free_sparse(mgl_sparse *sparse)
{
    mgl_free(sparse->start);
    mgl_free(sparse->values);
    mgl_free(sparse->counts);
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
        free_sparse(&merged);
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
    MGL_TRY(plan_walk(list, more, err, &plan));
    size_t words = list->packing.n_words;
    uint64_t *keys = mgl_alloc_array(plan.n, words * sizeof *keys);
    uint64_t *counts = mgl_zeroed_array(plan.n, sizeof *counts);
    mgl_sparse *sensitive = mgl_zeroed_array(list->n_histograms, sizeof *sensitive);
    mgl_status status = MGL_OK;
    if (keys == NULL || counts == NULL || sensitive == NULL)
        MGL_GO(mgl_fail_memory(err));
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
        free_sparse(&sensitive[s]);
    mgl_free(sensitive);
    mgl_free(keys);
    mgl_free(counts);
    mgl_free(plan.from_a);
    mgl_free(plan.from_b);
    return status;
}
