/* Counts persons who have several rows: distinct persons per tuple, and ids of those that are in
 * more than one tuple. The pipeline calls it where the job names an --entity. */
#include "classes/classes.h"

#include "classes/counter.h"
#include "classes/persons.h"

enum { ROWS_AT_ONCE = 1024 };

void mgl_persons_free(mgl_persons *persons, size_t n_judged)
{
    if (persons == NULL)
        return;
    for (size_t s = 0; persons->by_value != NULL && s < n_judged; s++) {
        mgl_free(persons->by_value[s].start);
        mgl_free(persons->by_value[s].ids);
        mgl_free(persons->by_value[s].values);
    }
    mgl_free(persons->by_value);
    mgl_free(persons->spread.start);
    mgl_free(persons->spread.ids);
    mgl_free(persons->local);
    mgl_free(persons);
}

/* The distinct (tuple, person, value) triples of all rows in that order, as keys of two
 * words: tuple and person, then value (0 without a column). */
static mgl_status distinct_triples(const mgl_tuple_finder *finder, const mgl_column *entity,
                                   const mgl_column *column, size_t n_rows, mgl_error *err,
                                   uint64_t **keys, size_t *n)
{
    mgl_counter counter;
    MGL_TRY(mgl_counter_init(&counter, 2, 0, err));
    uint32_t tuples[ROWS_AT_ONCE];
    uint64_t block[ROWS_AT_ONCE * 2], *counts = NULL;
    mgl_status status = MGL_OK;
    for (size_t row = 0; row < n_rows; row += ROWS_AT_ONCE) {
        size_t some = n_rows - row < ROWS_AT_ONCE ? n_rows - row : ROWS_AT_ONCE;
        mgl_tuple_find(finder, row, some, tuples);
        for (size_t i = 0; i < some; i++) {
            block[2 * i] = (uint64_t)tuples[i] << 32 | mgl_column_code(entity, row + i);
            block[2 * i + 1] = column != NULL ? mgl_column_code(column, row + i) : 0;
        }
        MGL_GO(mgl_counter_add(&counter, block, NULL, some, err));
    }
    MGL_GO(mgl_counter_take(&counter, err, keys, &counts, n));
done:
    mgl_counter_free(&counter);
    mgl_free(counts);
    return status;
}

/* Marks the persons that are in more than one tuple. */
static uint8_t *find_spread(const uint64_t *keys, size_t n, uint32_t n_persons)
{
    uint8_t *seen = mgl_zeroed_array(n_persons, 1); /* 0, 1, or 2 and more tuples */
    for (size_t i = 0; seen != NULL && i < n; i++) {
        uint32_t person = (uint32_t)keys[2 * i];
        seen[person] += seen[person] < 2;
    }
    return seen;
}

/* The triples of persons that are in several tuples, tuple by tuple. */
static mgl_status make_spread(const uint64_t *keys, size_t n, const uint8_t *seen, size_t n_tuples,
                              bool with_values, mgl_error *err, mgl_spread *out)
{
    size_t n_spread = 0;
    for (size_t i = 0; i < n; i++)
        n_spread += seen[(uint32_t)keys[2 * i]] == 2;
    mgl_spread spread = {
        .start = mgl_zeroed_array(n_tuples + 1, sizeof *spread.start),
        .ids = mgl_alloc_array(n_spread, sizeof *spread.ids),
        .values = with_values ? mgl_alloc_array(n_spread, sizeof *spread.values) : NULL,
    };
    if (spread.start == NULL || spread.ids == NULL || (with_values && spread.values == NULL)) {
        mgl_free(spread.start);
        mgl_free(spread.ids);
        mgl_free(spread.values);
        return mgl_fail_memory(err);
    }
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t person = (uint32_t)keys[2 * i];
        if (seen[person] != 2)
            continue;
        spread.start[(keys[2 * i] >> 32) + 1]++;
        if (with_values)
            spread.values[at] = (uint32_t)keys[2 * i + 1];
        spread.ids[at++] = person;
    }
    for (size_t t = 0; t < n_tuples; t++)
        spread.start[t + 1] += spread.start[t];
    *out = spread;
    return MGL_OK;
}

/* Replaces the counts of rows by counts of persons that are in this tuple only. */
static void count_local_values(mgl_sparse *sparse, size_t n_tuples, const uint64_t *keys, size_t n,
                               const uint8_t *seen)
{
    memset(sparse->counts, 0, sparse->start[n_tuples] * sizeof *sparse->counts);
    for (size_t i = 0; i < n; i++) {
        if (seen[(uint32_t)keys[2 * i]] == 2)
            continue;
        size_t tuple = keys[2 * i] >> 32;
        uint32_t value = (uint32_t)keys[2 * i + 1];
        size_t low = sparse->start[tuple], high = sparse->start[tuple + 1];
        while (low + 1 < high) {
            size_t middle = (low + high) / 2;
            if (sparse->values[middle] <= value)
                low = middle;
            else
                high = middle;
        }
        sparse->counts[low]++;
    }
}

static mgl_status fill_persons(mgl_frequency_list *list, const mgl_tuple_finder *finder,
                               const mgl_column *const *counted, const mgl_column *entity,
                               size_t n_rows, mgl_error *err)
{
    mgl_persons *persons = list->persons;
    size_t n = 0;
    uint64_t *keys = NULL;
    uint8_t *seen = NULL;
    persons->local = mgl_zeroed_array(list->n_tuples, sizeof *persons->local);
    persons->by_value = mgl_zeroed_array(list->n_judged, sizeof *persons->by_value);
    persons->n = mgl_dictionary_size(entity->dictionary);
    mgl_status status = MGL_OK;
    if (persons->local == NULL || persons->by_value == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(distinct_triples(finder, entity, NULL, n_rows, err, &keys, &n));
    seen = find_spread(keys, n, persons->n);
    if (seen == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(make_spread(keys, n, seen, list->n_tuples, false, err, &persons->spread));
    for (size_t i = 0; i < n; i++)
        persons->local[keys[2 * i] >> 32] += seen[(uint32_t)keys[2 * i]] == 1;
    for (size_t s = 0; s < list->n_judged; s++) {
        mgl_free(keys);
        keys = NULL;
        MGL_GO(distinct_triples(finder, entity, counted[s], n_rows, err, &keys, &n));
        MGL_GO(make_spread(keys, n, seen, list->n_tuples, true, err, &persons->by_value[s]));
        count_local_values(&list->sensitive[s], list->n_tuples, keys, n, seen);
    }
done:
    mgl_free(keys);
    mgl_free(seen);
    return status;
}

mgl_status mgl_frequency_list_persons(mgl_frequency_list *list, const mgl_bound_column *quasi,
                                      const mgl_column *const *counted, const mgl_column *entity,
                                      size_t n_rows, mgl_error *err)
{
    mgl_tuple_finder *finder;
    MGL_TRY(mgl_tuple_finder_new(list, quasi, err, &finder));
    list->persons = mgl_zeroed_array(1, sizeof *list->persons);
    mgl_status status = list->persons == NULL
                            ? mgl_fail_memory(err)
                            : fill_persons(list, finder, counted, entity, n_rows, err);
    mgl_tuple_finder_free(finder);
    return status;
}
