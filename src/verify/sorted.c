/* Sorts rows by their cells, so that equal ones lie side by side. verify.c and matches.c go through
 * them class by class. */
#include "verify/sorted.h"

/* One stable counting sort per column, the last column first. */
static mgl_status sort_by(const mgl_column *column, uint32_t *rows, size_t n, mgl_error *err,
                          uint32_t *other)
{
    size_t n_values = mgl_dictionary_size(column->dictionary);
    size_t *start = mgl_zeroed_array(n_values + 1, sizeof *start);
    if (start == NULL)
        return mgl_fail_memory(err);
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
    if (rows == NULL || other == NULL || starts == NULL)
        MGL_GO(mgl_fail_memory(err));
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
