/* Makes a list in which a person's rows are one observation: tuples are told apart by the bundle of
 * the persons who have them. The pipeline calls it where the job names an --entity and asks for the
 * joined view.
 *
 * A person's bundle is the multiset of the tuples of all its rows. Persons of one bundle look alike
 * whatever the levels, so their rows stay together in every joined class, and are suppressed
 * together.
 *
 * Persons, and their sensitive values, count at the first tuple of their bundle. Lists that are
 * rolled up keep bundles apart as they keep pasts apart. Of the engines that search the lattice
 * only by_roll_up judges such a list. */
#include "classes/classes.h"

#include "classes/persons.h"

#include <stdlib.h>

enum { ROWS_AT_ONCE = 1024 };

void mgl_joined_free(mgl_joined *joined)
{
    if (joined == NULL)
        return;
    mgl_free(joined->of_tuple);
    mgl_free(joined->persons);
    mgl_free(joined->tuple_of_row);
    mgl_free(joined);
}

/* The rows while they are bundled. */
typedef struct bundling {
    mgl_frequency_list *list;
    const mgl_column *entity;
    size_t n_rows, n_persons;
    uint32_t *tuple_of_row; /* [n_rows] in the list as it was, later as it is */
    size_t *start;          /* [n_persons + 1] where the rows of each person lie */
    uint32_t *rows;         /* [n_rows] by person */
    uint32_t *tuples;       /* [n_rows] by person, each person's ascending */
    uint32_t *bundle_of;    /* [n_persons] MGL_NOT_FOUND: no row is theirs */
    uint32_t *first;        /* [n_bundles] the first tuple of each, in the list as it is */
    mgl_joined *joined;
} bundling;

static void free_bundling(bundling *b)
{
    mgl_free(b->tuple_of_row);
    mgl_free(b->start);
    mgl_free(b->rows);
    mgl_free(b->tuples);
    mgl_free(b->bundle_of);
    mgl_free(b->first);
    mgl_joined_free(b->joined);
}

static mgl_status begin(bundling *b, mgl_error *err)
{
    size_t n = b->n_rows;
    b->n_persons = mgl_dictionary_size(b->entity->dictionary);
    b->tuple_of_row = mgl_alloc_array(n, sizeof *b->tuple_of_row);
    b->start = mgl_zeroed_array(b->n_persons + 2, sizeof *b->start);
    b->rows = mgl_alloc_array(n, sizeof *b->rows);
    b->tuples = mgl_alloc_array(n, sizeof *b->tuples);
    b->bundle_of = mgl_alloc_array(b->n_persons, sizeof *b->bundle_of);
    b->joined = mgl_zeroed_array(1, sizeof *b->joined);
    return b->tuple_of_row == NULL || b->start == NULL || b->rows == NULL || b->tuples == NULL ||
                   b->bundle_of == NULL || b->joined == NULL
               ? mgl_fail_memory(err)
               : MGL_OK;
}

/* ---- Bundles ---------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_by_person(bundling *b)
{
    for (size_t row = 0; row < b->n_rows; row++)
        b->start[mgl_column_code(b->entity, row) + 2]++;
    for (size_t p = 0; p < b->n_persons; p++)
        b->start[p + 2] += b->start[p + 1];
    for (size_t row = 0; row < b->n_rows; row++) { /* moves the starts to where they belong */
        size_t at = b->start[mgl_column_code(b->entity, row) + 1]++;
        b->rows[at] = (uint32_t)row;
        b->tuples[at] = b->tuple_of_row[row];
    }
    for (size_t p = 0; p < b->n_persons; p++)
        qsort(b->tuples + b->start[p], b->start[p + 1] - b->start[p], sizeof *b->tuples, ascending);
}

static mgl_status number_bundles(bundling *b, mgl_error *err)
{
    mgl_map *bundles = mgl_map_new();
    mgl_status status = MGL_OK;
    if (bundles == NULL)
        return mgl_fail_memory(err);
    for (size_t p = 0; p < b->n_persons; p++) {
        size_t n = b->start[p + 1] - b->start[p];
        mgl_span bytes = {(const char *)(b->tuples + b->start[p]), n * sizeof *b->tuples};
        b->bundle_of[p] = n > 0 ? mgl_map_add(bundles, bytes) : MGL_NOT_FOUND;
        if (n > 0 && b->bundle_of[p] == MGL_NOT_FOUND)
            MGL_GO(mgl_fail_memory(err));
    }
    b->joined->n_bundles = mgl_map_size(bundles);
    b->joined->persons = mgl_zeroed_array(b->joined->n_bundles, sizeof *b->joined->persons);
    if (b->joined->persons == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t p = 0; p < b->n_persons; p++)
        if (b->bundle_of[p] != MGL_NOT_FOUND)
            b->joined->persons[b->bundle_of[p]]++;
done:
    mgl_map_free(bundles);
    return status;
}

/* ---- Tuples told apart by bundles ---------------------------------------------------------- */

/* The tuple of a row, and its bundle. */
typedef struct told {
    uint32_t tuple, bundle, row;
} told;

static int compare_told(const void *a, const void *b)
{
    const told *x = a, *y = b;
    if (x->tuple != y->tuple)
        return x->tuple < y->tuple ? -1 : 1;
    if (x->bundle != y->bundle)
        return x->bundle < y->bundle ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Numbers the pairs of tuple and bundle, in the order of the keys. */
static size_t number_told(bundling *b, told *rows, uint32_t *of_tuple)
{
    size_t n = 0;
    for (size_t row = 0; row < b->n_rows; row++)
        rows[row] = (told){b->tuple_of_row[row], b->bundle_of[mgl_column_code(b->entity, row)],
                           (uint32_t)row};
    qsort(rows, b->n_rows, sizeof *rows, compare_told);
    for (size_t i = 0; i < b->n_rows; i++) {
        if (i == 0 || rows[i].tuple != rows[i - 1].tuple || rows[i].bundle != rows[i - 1].bundle)
            of_tuple[n++] = rows[i].bundle;
        b->tuple_of_row[rows[i].row] = (uint32_t)(n - 1);
    }
    return n;
}

static mgl_status take_tuples(bundling *b, const told *rows, size_t n, mgl_error *err)
{
    mgl_frequency_list *list = b->list;
    size_t words = list->packing.n_words;
    uint64_t *keys = mgl_alloc_array(n, words * sizeof *keys);
    uint64_t *counts = mgl_zeroed_array(n, sizeof *counts);
    if (keys == NULL || counts == NULL) {
        mgl_free(keys);
        mgl_free(counts);
        return mgl_fail_memory(err);
    }
    for (size_t i = 0; i < b->n_rows; i++) {
        size_t t = b->tuple_of_row[rows[i].row];
        memcpy(keys + t * words, list->keys + rows[i].tuple * words, words * sizeof *keys);
        counts[t]++;
    }
    mgl_free(list->keys);
    mgl_free(list->counts);
    list->keys = keys;
    list->counts = counts;
    list->n_tuples = n;
    return MGL_OK;
}

static mgl_status tell_apart(bundling *b, mgl_error *err)
{
    told *rows = mgl_alloc_array(b->n_rows, sizeof *rows);
    b->joined->of_tuple = mgl_alloc_array(b->n_rows, sizeof *b->joined->of_tuple);
    b->first = mgl_alloc_array(b->joined->n_bundles, sizeof *b->first);
    mgl_status status = MGL_OK;
    if (rows == NULL || b->joined->of_tuple == NULL || b->first == NULL)
        MGL_GO(mgl_fail_memory(err));
    size_t n = number_told(b, rows, b->joined->of_tuple);
    for (size_t t = n; t-- > 0;)
        b->first[b->joined->of_tuple[t]] = (uint32_t)t;
    MGL_GO(take_tuples(b, rows, n, err));
done:
    mgl_free(rows);
    return status;
}

/* ---- What is counted ------------------------------------------------------------------------ */

/* Persons count at the first tuple of their bundle, and nowhere else: whoever has that tuple has
 * the others. */
static mgl_status count_persons(bundling *b, mgl_error *err)
{
    mgl_frequency_list *list = b->list;
    mgl_persons *persons = list->persons = mgl_zeroed_array(1, sizeof *persons);
    if (persons == NULL)
        return mgl_fail_memory(err);
    persons->local = mgl_zeroed_array(list->n_tuples, sizeof *persons->local);
    persons->by_value = mgl_zeroed_array(list->n_judged, sizeof *persons->by_value);
    persons->spread.start = mgl_zeroed_array(list->n_tuples + 1, sizeof *persons->spread.start);
    if (persons->local == NULL || persons->by_value == NULL || persons->spread.start == NULL)
        return mgl_fail_memory(err);
    for (size_t s = 0; s < list->n_judged; s++) {
        mgl_spread *spread = &persons->by_value[s];
        spread->start = mgl_zeroed_array(list->n_tuples + 1, sizeof *spread->start);
        if (spread->start == NULL)
            return mgl_fail_memory(err);
    }
    for (size_t i = 0; i < b->joined->n_bundles; i++) {
        persons->local[b->first[i]] = b->joined->persons[i];
        persons->n += b->joined->persons[i];
    }
    return MGL_OK;
}

/* Each value of a person once. */
static mgl_status tally_values(const bundling *b, const mgl_column *column, uint32_t *values,
                               mgl_tally *tally, mgl_error *err)
{
    for (size_t p = 0; p < b->n_persons; p++) {
        size_t first = b->start[p], n = b->start[p + 1] - first;
        for (size_t i = 0; i < n; i++)
            values[i] = mgl_column_code(column, b->rows[first + i]);
        qsort(values, n, sizeof *values, ascending);
        for (size_t i = 0; i < n; i++) {
            uint64_t pair = (uint64_t)b->first[b->bundle_of[p]] << 32 | values[i];
            if (i == 0 || values[i] != values[i - 1])
                MGL_TRY(mgl_tally_add(tally, &pair, NULL, 1, err));
        }
    }
    return MGL_OK;
}

static mgl_status count_values(const bundling *b, const mgl_column *column, mgl_error *err,
                               mgl_sparse *out)
{
    mgl_tally tally = {0};
    uint32_t *values = mgl_alloc_array(b->n_rows, sizeof *values);
    mgl_status status = MGL_OK;
    if (values == NULL)
        return mgl_fail_memory(err);
    MGL_GO(mgl_tally_init(&tally, 1, 0, 0, err));
    MGL_GO(tally_values(b, column, values, &tally, err));
    MGL_GO(mgl_sparse_take(&tally, b->list->n_tuples, mgl_dictionary_size(column->dictionary), err,
                           out));
done:
    mgl_tally_free(&tally);
    mgl_free(values);
    return status;
}

/* Sensitive columns count persons, the others rows. */
static mgl_status count_columns(const bundling *b, const mgl_bound_column *quasi,
                                const mgl_column *const *counted, mgl_error *err)
{
    mgl_frequency_list *list = b->list;
    mgl_tuple_finder *finder;
    MGL_TRY(mgl_tuple_finder_new(list, quasi, err, &finder));
    mgl_status status = MGL_OK;
    for (size_t s = 0; s < list->n_histograms; s++) {
        mgl_sparse fresh = {0};
        MGL_GO(s < list->n_judged
                   ? count_values(b, counted[s], err, &fresh)
                   : mgl_list_histogram(list, finder, counted[s], b->n_rows, NULL, err, &fresh));
        mgl_free(list->sensitive[s].start);
        mgl_free(list->sensitive[s].values);
        mgl_free(list->sensitive[s].counts);
        list->sensitive[s] = fresh;
    }
done:
    mgl_tuple_finder_free(finder);
    return status;
}

mgl_status mgl_frequency_list_join(mgl_frequency_list *list, const mgl_bound_column *quasi,
                                   const mgl_column *const *counted, const mgl_column *entity,
                                   size_t n_rows, mgl_error *err)
{
    bundling b = {.list = list, .entity = entity, .n_rows = n_rows};
    mgl_tuple_finder *finder = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&b, err));
    MGL_GO(mgl_tuple_finder_new(list, quasi, err, &finder));
    for (size_t row = 0; row < n_rows; row += ROWS_AT_ONCE)
        mgl_tuple_find(finder, row, n_rows - row < ROWS_AT_ONCE ? n_rows - row : ROWS_AT_ONCE,
                       b.tuple_of_row + row);
    sort_by_person(&b);
    MGL_GO(number_bundles(&b, err));
    MGL_GO(tell_apart(&b, err));
    b.joined->tuple_of_row = b.tuple_of_row;
    b.tuple_of_row = NULL;
    list->joined = b.joined;
    MGL_GO(count_persons(&b, err));
    MGL_GO(count_columns(&b, quasi, counted, err));
done:
    mgl_tuple_finder_free(finder);
    if (b.joined == list->joined) /* which is the list's now */
        b.joined = NULL;
    free_bundling(&b);
    return status;
}
