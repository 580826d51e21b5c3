/* Counts persons who have several rows: distinct persons per tuple, and ids of those that are in
 * more than one tuple. The pipeline calls it where the job names an --entity.
 *
 * Rows are sorted by counting, which takes memory for two copies of an entry per row and no more,
 * however many persons there are.
 *
 * An entry takes twelve bytes. Afterwards the list holds an id for each tuple of a person who is in
 * several. */
#include "classes/classes.h"

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

/* A row, or later on a person with several tuples in one of them. */
typedef struct entry {
    uint32_t tuple, person, value;
} entry;

typedef struct entries {
    entry *at, *other; /* what is sorted, and as much room again */
    size_t n;
    size_t *start; /* [largest number there is + 2] */
} entries;

/* ---- Sorting -------------------------------------------------------------------------- */

typedef uint32_t part_fn(const entry *one);

static uint32_t tuple_of(const entry *one)
{
    return one->tuple;
}

static uint32_t person_of(const entry *one)
{
    return one->person;
}

static uint32_t value_of(const entry *one)
{
    return one->value;
}

/* By numbers below n_numbers; entries with equal ones stay in their order. */
static void sort_entries(entries *e, part_fn *part, size_t n_numbers)
{
    memset(e->start, 0, (n_numbers + 1) * sizeof *e->start);
    for (size_t i = 0; i < e->n; i++)
        e->start[part(&e->at[i]) + 1]++;
    for (size_t number = 0; number < n_numbers; number++)
        e->start[number + 1] += e->start[number];
    for (size_t i = 0; i < e->n; i++)
        e->other[e->start[part(&e->at[i])]++] = e->at[i];
    entry *sorted = e->other;
    e->other = e->at;
    e->at = sorted;
}

static void free_entries(entries *e)
{
    mgl_free(e->at);
    mgl_free(e->other);
    mgl_free(e->start);
}

/* The rows, and what is counted of them. */
typedef struct person_rows {
    const mgl_frequency_list *list;
    const mgl_tuple_finder *finder;
    size_t n_rows;
    const mgl_column *entity;
    const mgl_column *column; /* NULL: persons; else persons with each of its values */
} person_rows;

/* All rows, sorted by person, and each person's by value (0 without a column). */
static mgl_status make_entries(const person_rows *rows, mgl_error *err, entries *e)
{
    const mgl_column *entity = rows->entity, *column = rows->column;
    size_t n_rows = rows->n_rows, most = rows->list->n_tuples;
    size_t n_persons = mgl_dictionary_size(entity->dictionary);
    size_t n_values = column != NULL ? mgl_dictionary_size(column->dictionary) : 1;
    most = n_persons > most ? n_persons : most;
    most = n_values > most ? n_values : most;
    *e = (entries){.at = mgl_alloc_array(n_rows, sizeof *e->at),
                   .other = mgl_alloc_array(n_rows, sizeof *e->other),
                   .n = n_rows,
                   .start = mgl_alloc_array(most + 1, sizeof *e->start)};
    if (e->at == NULL || e->other == NULL || e->start == NULL)
        return mgl_fail_memory(err);
    uint32_t tuples[ROWS_AT_ONCE];
    for (size_t row = 0; row < n_rows; row += ROWS_AT_ONCE) {
        size_t some = n_rows - row < ROWS_AT_ONCE ? n_rows - row : ROWS_AT_ONCE;
        mgl_tuple_find(rows->finder, row, some, tuples);
        for (size_t i = 0; i < some; i++)
            e->at[row + i] = (entry){tuples[i], mgl_column_code(entity, row + i),
                                     column != NULL ? mgl_column_code(column, row + i) : 0};
    }
    if (column != NULL)
        sort_entries(e, value_of, n_values);
    sort_entries(e, person_of, n_persons);
    return MGL_OK;
}

/* ---- Persons in one tuple, and in several ------------------------------------------------ */

/* Counts a person who is in this tuple only. */
typedef struct local_counts {
    uint64_t *persons;  /* [n_tuples] NULL: with values */
    mgl_sparse *sparse; /* which has an entry for each value of the tuple */
} local_counts;

static void count_local(const local_counts *counts, const entry *one)
{
    if (counts->persons != NULL) {
        counts->persons[one->tuple]++;
        return;
    }
    const mgl_sparse *sparse = counts->sparse;
    size_t low = sparse->start[one->tuple], high = sparse->start[one->tuple + 1];
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (sparse->values[middle] <= one->value)
            low = middle;
        else
            high = middle;
    }
    sparse->counts[low]++;
}

/* Where the entries of a person end; *spread: they are in several tuples. */
static size_t end_of_person(const entries *e, size_t first, bool *spread)
{
    size_t end = first + 1;
    *spread = false;
    for (; end < e->n && e->at[end].person == e->at[first].person; end++)
        *spread = *spread || e->at[end].tuple != e->at[first].tuple;
    return end;
}

/* Counts persons that are in one tuple. Of the others the entries stay, with a number that each
 * value of a person has instead of the person's own. Returns how many numbers. */
static size_t number_spread(entries *e, const local_counts *counts)
{
    size_t kept = 0, n_numbers = 0;
    bool spread;
    for (size_t first = 0, end; first < e->n; first = end) {
        end = end_of_person(e, first, &spread);
        for (size_t i = first; i < end; i++) {
            bool again = i > first && e->at[i].value == e->at[i - 1].value;
            if (!spread && !again)
                count_local(counts, &e->at[i]);
            if (!spread)
                continue;
            n_numbers += !again;
            entry one = {e->at[i].tuple, (uint32_t)(n_numbers - 1), e->at[i].value};
            e->at[kept++] = one;
        }
    }
    e->n = kept;
    return n_numbers;
}

/* Sorts by tuple, and removes what occurs again in a tuple: equal ones lie side by side. */
static void sort_by_tuple(entries *e, size_t n_tuples)
{
    sort_entries(e, tuple_of, n_tuples);
    size_t kept = 0;
    for (size_t i = 0; i < e->n; i++)
        if (kept == 0 || e->at[kept - 1].tuple != e->at[i].tuple ||
            e->at[kept - 1].person != e->at[i].person)
            e->at[kept++] = e->at[i];
    e->n = kept;
}

static mgl_status take_spread(const entries *e, size_t n_tuples, size_t n_ids, bool with_values,
                              mgl_error *err, mgl_spread *out)
{
    *out = (mgl_spread){
        .n_ids = n_ids,
        .start = mgl_zeroed_array(n_tuples + 1, sizeof *out->start),
        .ids = mgl_alloc_array(e->n, sizeof *out->ids),
        .values = with_values ? mgl_alloc_array(e->n, sizeof *out->values) : NULL,
    };
    if (out->start == NULL || out->ids == NULL || (with_values && out->values == NULL))
        return mgl_fail_memory(err);
    for (size_t i = 0; i < e->n; i++) {
        out->start[e->at[i].tuple + 1]++;
        out->ids[i] = e->at[i].person;
        if (with_values)
            out->values[i] = e->at[i].value;
    }
    for (size_t t = 0; t < n_tuples; t++)
        out->start[t + 1] += out->start[t];
    return MGL_OK;
}

static mgl_status count_persons(const person_rows *rows, const local_counts *counts, mgl_error *err,
                                mgl_spread *out)
{
    entries e;
    mgl_status status = make_entries(rows, err, &e);
    if (status == MGL_OK) {
        size_t n_ids = number_spread(&e, counts), n_tuples = rows->list->n_tuples;
        sort_by_tuple(&e, n_tuples);
        status = take_spread(&e, n_tuples, n_ids, rows->column != NULL, err, out);
    }
    free_entries(&e);
    return status;
}

static mgl_status fill_persons(mgl_frequency_list *list, person_rows rows,
                               const mgl_column *const *counted, mgl_error *err)
{
    mgl_persons *persons = list->persons;
    persons->local = mgl_zeroed_array(list->n_tuples, sizeof *persons->local);
    persons->by_value = mgl_zeroed_array(list->n_judged, sizeof *persons->by_value);
    persons->n = mgl_dictionary_size(rows.entity->dictionary);
    if (persons->local == NULL || persons->by_value == NULL)
        return mgl_fail_memory(err);
    local_counts counts = {.persons = persons->local};
    MGL_TRY(count_persons(&rows, &counts, err, &persons->spread));
    for (size_t s = 0; s < list->n_judged; s++) {
        mgl_sparse *sparse = &list->sensitive[s];
        memset(sparse->counts, 0, sparse->start[list->n_tuples] * sizeof *sparse->counts);
        counts = (local_counts){.sparse = sparse};
        rows.column = counted[s];
        MGL_TRY(count_persons(&rows, &counts, err, &persons->by_value[s]));
    }
    return MGL_OK;
}

mgl_status mgl_frequency_list_persons(mgl_frequency_list *list, const mgl_bound_column *quasi,
                                      const mgl_column *const *counted, const mgl_column *entity,
                                      size_t n_rows, mgl_error *err)
{
    mgl_tuple_finder *finder;
    MGL_TRY(mgl_tuple_finder_new(list, quasi, err, &finder));
    list->persons = mgl_zeroed_array(1, sizeof *list->persons);
    person_rows rows = {.list = list, .finder = finder, .n_rows = n_rows, .entity = entity};
    mgl_status status =
        list->persons == NULL ? mgl_fail_memory(err) : fill_persons(list, rows, counted, err);
    mgl_tuple_finder_free(finder);
    return status;
}
