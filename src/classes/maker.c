#include "classes/classes.h"

#include <stdlib.h>

struct mgl_group_maker {
    const mgl_frequency_list *list;
    size_t *start;     /* [n_tuples + 2] members of part p lie at start[p]..start[p+1] */
    uint32_t *members; /* [n_tuples] */
    mgl_group group;
    mgl_histogram *histograms; /* [n_sensitive] */
    uint32_t **values;         /* [n_sensitive][n_values] */
    uint64_t **counts;         /* [n_sensitive][n_values] */
    uint64_t *dense;           /* [largest n_values] all zero between calls */
};

mgl_status mgl_group_maker_new(const mgl_frequency_list *list, mgl_error *err,
                               mgl_group_maker **out)
{
    mgl_group_maker *maker = mgl_zeroed_array(1, sizeof *maker);
    if (maker == NULL)
        return mgl_fail_memory(err);
    size_t n = list->n_sensitive, most = 0;
    maker->list = list;
    maker->start = mgl_alloc_array(list->n_tuples + 2, sizeof *maker->start);
    maker->members = mgl_alloc_array(list->n_tuples, sizeof *maker->members);
    maker->histograms = mgl_zeroed_array(n, sizeof *maker->histograms);
    maker->values = mgl_zeroed_array(n, sizeof *maker->values);
    maker->counts = mgl_zeroed_array(n, sizeof *maker->counts);
    bool whole = maker->start != NULL && maker->members != NULL && maker->histograms != NULL &&
                 maker->values != NULL && maker->counts != NULL;
    for (size_t s = 0; whole && s < n; s++) {
        size_t n_values = list->sensitive[s].n_values;
        maker->values[s] = mgl_alloc_array(n_values, sizeof **maker->values);
        maker->counts[s] = mgl_alloc_array(n_values, sizeof **maker->counts);
        whole = maker->values[s] != NULL && maker->counts[s] != NULL;
        most = n_values > most ? n_values : most;
    }
    maker->dense = mgl_zeroed_array(most, sizeof *maker->dense);
    if (!whole || maker->dense == NULL) {
        mgl_group_maker_free(maker);
        return mgl_fail_memory(err);
    }
    maker->group = (mgl_group){.sensitive = maker->histograms, .n_sensitive = n};
    *out = maker;
    return MGL_OK;
}

void mgl_group_maker_free(mgl_group_maker *maker)
{
    if (maker == NULL)
        return;
    for (size_t s = 0; s < maker->list->n_sensitive; s++) {
        if (maker->values != NULL)
            mgl_free(maker->values[s]);
        if (maker->counts != NULL)
            mgl_free(maker->counts[s]);
    }
    mgl_free(maker->start);
    mgl_free(maker->members);
    mgl_free(maker->histograms);
    mgl_free(maker->values);
    mgl_free(maker->counts);
    mgl_free(maker->dense);
    mgl_free(maker);
}

void mgl_group_maker_partition(mgl_group_maker *maker, const uint32_t *part_of_tuple,
                               size_t n_parts)
{
    size_t n = maker->list->n_tuples;
    memset(maker->start, 0, (n_parts + 1) * sizeof *maker->start);
    for (size_t t = 0; t < n; t++)
        if (part_of_tuple[t] != MGL_NOT_FOUND)
            maker->start[part_of_tuple[t]]++;
    size_t end = 0;
    for (size_t p = 0; p <= n_parts; p++) {
        end += p < n_parts ? maker->start[p] : 0;
        maker->start[p] = end; /* the end of each part; filling backwards turns it into the start */
    }
    for (size_t t = n; t-- > 0;)
        if (part_of_tuple[t] != MGL_NOT_FOUND)
            maker->members[--maker->start[part_of_tuple[t]]] = (uint32_t)t;
}

static int compare_values(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sum_histogram(mgl_group_maker *maker, size_t s, size_t begin, size_t end)
{
    const mgl_sparse *sparse = &maker->list->sensitive[s];
    uint32_t *values = maker->values[s];
    size_t n = 0;
    for (size_t m = begin; m < end; m++) {
        uint32_t t = maker->members[m];
        for (size_t i = sparse->start[t]; i < sparse->start[t + 1]; i++) {
            if (maker->dense[sparse->values[i]] == 0)
                values[n++] = sparse->values[i];
            maker->dense[sparse->values[i]] += sparse->counts[i];
        }
    }
    qsort(values, n, sizeof *values, compare_values);
    for (size_t i = 0; i < n; i++) {
        maker->counts[s][i] = maker->dense[values[i]];
        maker->dense[values[i]] = 0;
    }
    maker->histograms[s] = (mgl_histogram){values, maker->counts[s], n};
}

const mgl_group *mgl_group_maker_group(mgl_group_maker *maker, size_t part)
{
    size_t begin = maker->start[part], end = maker->start[part + 1];
    maker->group.size = 0;
    for (size_t m = begin; m < end; m++)
        maker->group.size += maker->list->counts[maker->members[m]];
    for (size_t s = 0; s < maker->list->n_sensitive; s++)
        sum_histogram(maker, s, begin, end);
    return &maker->group;
}
