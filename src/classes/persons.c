/* Persons with several rows: how many persons a tuple has, which share it with others, bundles of
 * rows that are released alike, and the classes of these. */
#include "classes/counter.h"
#include "classes/classes.h"

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
    mgl_owned own;
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
    *e = (entries){.n = n_rows};
    e->at = mgl_own_array(&e->own, n_rows, sizeof *e->at);
    e->other = mgl_own_array(&e->own, n_rows, sizeof *e->other);
    e->start = mgl_own_array(&e->own, most + 1, sizeof *e->start);
    MGL_TRY(mgl_owned_check(&e->own, err));
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

/* Counts a person that is in this tuple only. */
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
    MGL_BISECT(low, high, i, sparse->values[i] < one->value)
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
    mgl_owned_free(&e.own);
    return status;
}

static mgl_status fill_persons(mgl_frequency_list *list, person_rows rows,
                               const mgl_column *const *counted, mgl_error *err)
{
    mgl_persons *persons = list->persons;
    persons->local = mgl_zeroed_array(list->n_tuples, sizeof *persons->local);
    persons->by_value = mgl_zeroed_array(list->n_judged, sizeof *persons->by_value);
    persons->n = mgl_dictionary_size(rows.entity->dictionary);
    MGL_TRY(mgl_check_memory(persons->local != NULL && persons->by_value != NULL, err));
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
    mgl_owned own;
} bundling;

/* ---- Bundles ---------------------------------------------------------------------------- */

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
        mgl_sort_u32(b->tuples + b->start[p], b->start[p + 1] - b->start[p]);
}

static mgl_status number_bundles(bundling *b, mgl_error *err)
{
    mgl_map *bundles = mgl_map_new();
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(bundles != NULL, err));
    for (size_t p = 0; p < b->n_persons; p++) {
        size_t n = b->start[p + 1] - b->start[p];
        mgl_span bytes = {(const char *)(b->tuples + b->start[p]), n * sizeof *b->tuples};
        b->bundle_of[p] = n > 0 ? mgl_map_add(bundles, bytes) : MGL_NOT_FOUND;
        if (n > 0 && b->bundle_of[p] == MGL_NOT_FOUND)
            MGL_GO(mgl_fail_memory(err));
    }
    b->joined->n_bundles = mgl_map_size(bundles);
    MGL_GO(
        mgl_new_zeroed(b->joined->n_bundles, sizeof *b->joined->persons, err, &b->joined->persons));
    for (size_t p = 0; p < b->n_persons; p++)
        if (b->bundle_of[p] != MGL_NOT_FOUND)
            b->joined->persons[b->bundle_of[p]]++;
done:
    mgl_map_free(bundles);
    return status;
}

/* ---- Tuples that differ by bundles --------------------------------------------------------- */

/* The tuple of a row, and its bundle. */
typedef struct owned_row {
    uint32_t tuple, bundle, row;
} owned_row;

static const mgl_sort_key by_tuple[] = {MGL_ASCENDING(owned_row, tuple),
                                        MGL_ASCENDING(owned_row, bundle),
                                        MGL_ASCENDING(owned_row, row), MGL_SORT_END};

/* Numbers the pairs of tuple and bundle, in the order of the keys. */
static size_t number_rows(bundling *b, owned_row *rows, uint32_t *of_tuple)
{
    size_t n = 0;
    for (size_t row = 0; row < b->n_rows; row++)
        rows[row] = (owned_row){b->tuple_of_row[row], b->bundle_of[mgl_column_code(b->entity, row)],
                                (uint32_t)row};
    mgl_sort(rows, b->n_rows, sizeof *rows, by_tuple);
    for (size_t i = 0; i < b->n_rows; i++) {
        if (i == 0 || rows[i].tuple != rows[i - 1].tuple || rows[i].bundle != rows[i - 1].bundle)
            of_tuple[n++] = rows[i].bundle;
        b->tuple_of_row[rows[i].row] = (uint32_t)(n - 1);
    }
    return n;
}

static mgl_status take_tuples(bundling *b, const owned_row *rows, size_t n, mgl_error *err)
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

static mgl_status distinguish_tuples(bundling *b, mgl_error *err)
{
    owned_row *rows = mgl_alloc_array(b->n_rows, sizeof *rows);
    b->joined->of_tuple = mgl_alloc_array(b->n_rows, sizeof *b->joined->of_tuple);
    b->first = mgl_own_array(&b->own, b->joined->n_bundles, sizeof *b->first);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(!b->own.missing && rows != NULL && b->joined->of_tuple != NULL, err));
    size_t n = number_rows(b, rows, b->joined->of_tuple);
    for (size_t t = n; t-- > 0;)
        b->first[b->joined->of_tuple[t]] = (uint32_t)t;
    MGL_GO(take_tuples(b, rows, n, err));
done:
    mgl_free(rows);
    return status;
}

/* ---- What is counted ------------------------------------------------------------------------ */

/* Persons count at the first tuple of their bundle, and nowhere else: a group that has that tuple
 * has the others. */
static mgl_status count_bundled_persons(bundling *b, mgl_error *err)
{
    mgl_frequency_list *list = b->list;
    mgl_persons *persons = list->persons = mgl_zeroed_array(1, sizeof *persons);
    MGL_TRY(mgl_check_memory(persons != NULL, err));
    persons->local = mgl_zeroed_array(list->n_tuples, sizeof *persons->local);
    persons->by_value = mgl_zeroed_array(list->n_judged, sizeof *persons->by_value);
    persons->spread.start = mgl_zeroed_array(list->n_tuples + 1, sizeof *persons->spread.start);
    MGL_TRY(mgl_check_memory(
        persons->local != NULL && persons->by_value != NULL && persons->spread.start != NULL, err));
    for (size_t s = 0; s < list->n_judged; s++) {
        mgl_spread *spread = &persons->by_value[s];
        MGL_TRY(mgl_new_zeroed(list->n_tuples + 1, sizeof *spread->start, err, &spread->start));
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
        mgl_sort_u32(values, n);
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
    MGL_TRY(mgl_check_memory(values != NULL, err));
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
        mgl_sparse_free(&list->sensitive[s]);
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
    size_t n = b.n_rows;
    b.n_persons = mgl_dictionary_size(b.entity->dictionary);
    b.tuple_of_row = mgl_alloc_array(n, sizeof *b.tuple_of_row);
    b.start = mgl_own_zeroed(&b.own, b.n_persons + 2, sizeof *b.start);
    b.rows = mgl_own_array(&b.own, n, sizeof *b.rows);
    b.tuples = mgl_own_array(&b.own, n, sizeof *b.tuples);
    b.bundle_of = mgl_own_array(&b.own, b.n_persons, sizeof *b.bundle_of);
    b.joined = mgl_zeroed_array(1, sizeof *b.joined);
    MGL_GO(mgl_check_memory(!b.own.missing && b.tuple_of_row != NULL && b.joined != NULL, err));
    MGL_GO(mgl_tuple_finder_new(list, quasi, err, &finder));
    for (size_t row = 0; row < n_rows; row += ROWS_AT_ONCE)
        mgl_tuple_find(finder, row, n_rows - row < ROWS_AT_ONCE ? n_rows - row : ROWS_AT_ONCE,
                       b.tuple_of_row + row);
    sort_by_person(&b);
    MGL_GO(number_bundles(&b, err));
    MGL_GO(distinguish_tuples(&b, err));
    b.joined->tuple_of_row = b.tuple_of_row;
    b.tuple_of_row = NULL;
    list->joined = b.joined;
    MGL_GO(count_bundled_persons(&b, err));
    MGL_GO(count_columns(&b, quasi, counted, err));
done:
    mgl_tuple_finder_free(finder);
    if (b.joined == list->joined) /* which is the list's now */
        b.joined = NULL;
    mgl_free(b.tuple_of_row);
    mgl_owned_free(&b.own);
    mgl_joined_free(b.joined);
    return status;
}

/* A class of rows, and how many rows each person of a bundle has in it. */
typedef struct share {
    uint32_t class;
    uint64_t rows;
} share;

struct mgl_joiner {
    const mgl_frequency_list *list;
    uint32_t *by_class; /* [n_tuples] */
    size_t *start;      /* [larger of n_tuples and n_bundles, + 2] */
    size_t *end;        /* [n_bundles] where the shares of a bundle end */
    share *shares;      /* [n_tuples] by bundle, each bundle's by class */
    uint32_t *slots;    /* [mask + 1] bundle + 1; 0: free */
    size_t mask;
    uint32_t *same;    /* [n_bundles] the first bundle with the same shares */
    uint32_t *numbers; /* [n_bundles] of the joined classes */
    mgl_owned own;
};

mgl_status mgl_joiner_new(const mgl_frequency_list *list, mgl_error *err, mgl_joiner **out)
{
    size_t n = list->n_tuples, n_bundles = list->joined->n_bundles;
    mgl_joiner *j;
    MGL_TRY(mgl_new_zeroed(1, sizeof *j, err, &j));
    j->list = list;
    j->mask = 63;
    while (j->mask < n_bundles * 2)
        j->mask = j->mask * 2 + 1;
    j->by_class = mgl_own_array(&j->own, n, sizeof *j->by_class);
    j->start = mgl_own_array(&j->own, (n > n_bundles ? n : n_bundles) + 2, sizeof *j->start);
    j->end = mgl_own_array(&j->own, n_bundles, sizeof *j->end);
    j->shares = mgl_own_array(&j->own, n, sizeof *j->shares);
    j->slots = mgl_own_array(&j->own, j->mask + 1, sizeof *j->slots);
    j->same = mgl_own_array(&j->own, n_bundles, sizeof *j->same);
    j->numbers = mgl_own_array(&j->own, n_bundles, sizeof *j->numbers);
    if (j->own.missing) {
        mgl_joiner_free(j);
        return mgl_fail_memory(err);
    }
    *out = j;
    return MGL_OK;
}

void mgl_joiner_free(mgl_joiner *j)
{
    if (j == NULL)
        return;
    mgl_owned_free(&j->own);
    mgl_free(j);
}

static void sort_by_class(mgl_joiner *j, const mgl_classes *classes)
{
    size_t n = j->list->n_tuples;
    memset(j->start, 0, (classes->n_classes + 2) * sizeof *j->start);
    for (size_t t = 0; t < n; t++)
        j->start[classes->of_tuple[t] + 2]++;
    for (size_t c = 0; c < classes->n_classes; c++)
        j->start[c + 2] += j->start[c + 1];
    for (size_t t = 0; t < n; t++) /* moves the starts to where they belong */
        j->by_class[j->start[classes->of_tuple[t] + 1]++] = (uint32_t)t;
}

/* The shares of each bundle: tuples that look alike are one. */
static void share_out(mgl_joiner *j, const mgl_classes *classes)
{
    const mgl_joined *joined = j->list->joined;
    size_t n = j->list->n_tuples;
    memset(j->start, 0, (joined->n_bundles + 1) * sizeof *j->start);
    for (size_t t = 0; t < n; t++)
        j->start[joined->of_tuple[t] + 1]++;
    for (size_t b = 0; b < joined->n_bundles; b++) {
        j->start[b + 1] += j->start[b];
        j->end[b] = j->start[b];
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t t = j->by_class[i], b = joined->of_tuple[t], class = classes->of_tuple[t];
        uint64_t persons = joined->persons[b], rows = j->list->counts[t];
        rows = persons == 1 ? rows : rows / persons;
        if (j->end[b] > j->start[b] && j->shares[j->end[b] - 1].class == class)
            j->shares[j->end[b] - 1].rows += rows;
        else
            j->shares[j->end[b]++] = (share){class, rows};
    }
}

static bool is_same(const mgl_joiner *j, size_t a, size_t b)
{
    size_t n = j->end[a] - j->start[a];
    if (j->end[b] - j->start[b] != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const share *x = &j->shares[j->start[a] + i], *y = &j->shares[j->start[b] + i];
        if (x->class != y->class || x->rows != y->rows)
            return false;
    }
    return true;
}

static size_t hash_of(const mgl_joiner *j, size_t b)
{
    uint64_t hash = 0;
    for (size_t i = j->start[b]; i < j->end[b]; i++) {
        hash = (hash ^ ((uint64_t)j->shares[i].class << 32 ^ j->shares[i].rows)) *
               UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return (size_t)hash & j->mask;
}

static void find_same(mgl_joiner *j)
{
    memset(j->slots, 0, (j->mask + 1) * sizeof *j->slots);
    for (size_t b = 0; b < j->list->joined->n_bundles; b++) {
        size_t slot = hash_of(j, b);
        while (j->slots[slot] != 0 && !is_same(j, j->slots[slot] - 1, b))
            slot = (slot + 1) & j->mask;
        if (j->slots[slot] == 0)
            j->slots[slot] = (uint32_t)b + 1;
        j->same[b] = j->slots[slot] - 1;
    }
}

void mgl_classes_join(mgl_joiner *j, mgl_classes *classes)
{
    const mgl_joined *joined = j->list->joined;
    size_t n_classes = 0;
    sort_by_class(j, classes);
    share_out(j, classes);
    find_same(j);
    memset(j->numbers, 0xff, joined->n_bundles * sizeof *j->numbers);
    for (size_t t = 0; t < j->list->n_tuples; t++) {
        uint32_t *number = &j->numbers[j->same[joined->of_tuple[t]]];
        if (*number == MGL_NOT_FOUND) {
            *number = (uint32_t)n_classes++;
            classes->first[*number] = (uint32_t)t;
            classes->sizes[*number] = 0;
        }
        classes->of_tuple[t] = *number;
        classes->sizes[*number] += j->list->counts[t];
    }
    classes->n_classes = n_classes;
}

mgl_status mgl_classes_as_judged(const mgl_frequency_list *list, mgl_error *err,
                                 mgl_classes *classes)
{
    if (list->joined == NULL)
        return MGL_OK;
    mgl_joiner *joiner = NULL;
    uint64_t *sizes = mgl_alloc_array(list->n_tuples, sizeof *sizes);
    uint32_t *first = mgl_alloc_array(list->n_tuples, sizeof *first);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(sizes != NULL && first != NULL, err));
    MGL_GO(mgl_joiner_new(list, err, &joiner));
    mgl_free(classes->sizes);
    mgl_free(classes->first);
    classes->sizes = sizes;
    classes->first = first;
    sizes = NULL;
    first = NULL;
    mgl_classes_join(joiner, classes);
done:
    mgl_joiner_free(joiner);
    mgl_free(sizes);
    mgl_free(first);
    return status;
}
