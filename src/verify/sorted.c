/* Rows of a release sorted by their cells, so that equal ones lie side by side, and joined by the
 * persons they belong to, where the release itself shows them or the promise has them. */
#include "verify/sorted.h"

#include <stdlib.h>

/* One stable counting sort per column, the last column first. */
static mgl_status sort_by(const mgl_column *column, uint32_t *rows, size_t n, mgl_error *err,
                          uint32_t *other)
{
    size_t n_values = mgl_dictionary_size(column->dictionary);
    size_t *start = mgl_zeroed_array(n_values + 1, sizeof *start);
    MGL_TRY(mgl_check_memory(start != NULL, err));
    for (size_t i = 0; i < n; i++)
        start[mgl_column_code(column, rows[i]) + 1]++;
    for (size_t v = 0; v < n_values; v++)
        start[v + 1] += start[v];
    for (size_t i = 0; i < n; i++)
        other[start[mgl_column_code(column, rows[i])]++] = rows[i];
    mgl_free(start);
    return MGL_OK;
}

mgl_status mgl_sorted_rows_init(mgl_sorted_rows *sorted, const mgl_column *const *columns,
                                size_t n_columns, const uint8_t *left_out, size_t n_rows,
                                mgl_error *err)
{
    *sorted = (mgl_sorted_rows){0};
    if (n_rows > UINT32_MAX)
        return mgl_fail(err, MGL_DATA, "more than 4,294,967,295 rows; split the table");
    uint32_t *rows = mgl_alloc_array(n_rows, sizeof *rows);
    uint32_t *other = mgl_alloc_array(n_rows, sizeof *other);
    uint8_t *starts = mgl_zeroed_array(n_rows, 1);
    size_t n = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(rows != NULL && other != NULL && starts != NULL, err));
    for (size_t row = 0; row < n_rows; row++)
        if (left_out == NULL || !left_out[row])
            rows[n++] = (uint32_t)row;
    for (size_t c = n_columns; c-- > 0;) {
        MGL_GO(sort_by(columns[c], rows, n, err, other));
        uint32_t *swap = rows;
        rows = other;
        other = swap;
    }
    for (size_t c = 0; c < n_columns; c++)
        for (size_t i = 1; i < n; i++)
            starts[i] |=
                mgl_column_code(columns[c], rows[i]) != mgl_column_code(columns[c], rows[i - 1]);
    *sorted = (mgl_sorted_rows){.n_rows = n, .rows = rows, .starts = starts};
    rows = NULL;
    starts = NULL;
done:
    mgl_free(rows);
    mgl_free(other);
    mgl_free(starts);
    return status;
}

void mgl_sorted_rows_free(mgl_sorted_rows *sorted)
{
    mgl_free(sorted->rows);
    mgl_free(sorted->starts);
    *sorted = (mgl_sorted_rows){0};
}

size_t mgl_sorted_rows_end(const mgl_sorted_rows *sorted, size_t from)
{
    size_t to = from + 1;
    while (to < sorted->n_rows && !sorted->starts[to])
        to++;
    return to;
}

/* A row, with its person and the run of equal rows that it is in. */
typedef struct owned {
    uint32_t person, run, row;
} owned;

static const mgl_sort_key by_person[] = {MGL_ASCENDING(owned, person), MGL_ASCENDING(owned, run),
                                         MGL_ASCENDING(owned, row), MGL_SORT_END};

/* All rows of a person, which lie side by side, by their runs. */
typedef struct observed {
    const owned *rows;
    size_t n;
} observed;

static int compare_runs(const void *a, const void *b)
{
    const observed *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    for (size_t i = 0; i < x->n; i++)
        if (x->rows[i].run != y->rows[i].run)
            return x->rows[i].run < y->rows[i].run ? -1 : 1;
    return 0;
}

static size_t find_persons(const owned *rows, size_t n, observed *persons)
{
    size_t n_persons = 0;
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && rows[to].person == rows[from].person; to++)
            ;
        persons[n_persons++] = (observed){rows + from, to - from};
    }
    return n_persons;
}

mgl_status mgl_sorted_rows_join(mgl_sorted_rows *sorted, const uint32_t *persons, mgl_error *err)
{
    size_t n = sorted->n_rows, at = 0;
    owned *rows = mgl_alloc_array(n, sizeof *rows);
    observed *all = mgl_alloc_array(n, sizeof *all);
    mgl_status status = MGL_OK;
    uint32_t run = 0;
    MGL_GO(mgl_check_memory(rows != NULL && all != NULL, err));
    for (size_t i = 0; i < n; i++) {
        run += i > 0 && sorted->starts[i];
        rows[i] = (owned){persons[sorted->rows[i]], run, sorted->rows[i]};
    }
    mgl_sort(rows, n, sizeof *rows, by_person);
    size_t n_persons = find_persons(rows, n, all);
    qsort(all, n_persons, sizeof *all, compare_runs);
    for (size_t p = 0; p < n_persons; p++) {
        bool starts = p == 0 || compare_runs(&all[p - 1], &all[p]) != 0;
        for (size_t i = 0; i < all[p].n; i++, at++) {
            sorted->rows[at] = all[p].rows[i].row;
            sorted->starts[at] = starts && i == 0;
        }
    }
done:
    mgl_free(rows);
    mgl_free(all);
    return status;
}

/* Each number of one list must stand for one of the other. */
static bool agrees(uint32_t *of, uint32_t from, uint32_t to)
{
    if (of[from] == MGL_NOT_FOUND)
        of[from] = to;
    return of[from] == to;
}

mgl_status mgl_persons_released(const char *name, const mgl_table *table, const mgl_column *column,
                                const mgl_promise *promise, mgl_error *err, uint32_t **out)
{
    size_t n = table->n_rows, n_codes = mgl_dictionary_size(column->dictionary);
    uint32_t most = 0;
    for (size_t row = 0; row < n; row++)
        most = promise->persons.of_row[row] > most ? promise->persons.of_row[row] : most;
    uint32_t *persons = mgl_alloc_array(n, sizeof *persons);
    uint32_t *of_code = mgl_alloc_array(n_codes, sizeof *of_code);
    uint32_t *of_person = mgl_alloc_array((size_t)most + 1, sizeof *of_person);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(persons != NULL && of_code != NULL && of_person != NULL, err));
    memset(of_code, 0xff, n_codes * sizeof *of_code);
    memset(of_person, 0xff, ((size_t)most + 1) * sizeof *of_person);
    for (size_t row = 0; row < n; row++) {
        persons[row] = mgl_column_code(column, row);
        if (!agrees(of_code, persons[row], promise->persons.of_row[row]) ||
            !agrees(of_person, promise->persons.of_row[row], persons[row]))
            MGL_GO(mgl_fail_at(
                err, MGL_CODE_INTERNAL, name, 0,
                "column '%.60s' of the written release does not tell the persons of the "
                "table apart; please report this",
                promise->names[*promise->persons.column]));
    }
    *out = persons;
    persons = NULL;
done:
    mgl_free(persons);
    mgl_free(of_code);
    mgl_free(of_person);
    return status;
}
