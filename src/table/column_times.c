/* Reads a column of counts: each row stands for so many records. Readings of counted tables call
 * it, and the verifier of their releases. */
#include "table/table.h"

/* The first row whose cell is missing, from 1. */
static size_t missing_row(const mgl_column *column, size_t n_rows)
{
    uint32_t missing = mgl_dictionary_missing(column->dictionary);
    size_t row = 0;
    while (row < n_rows && mgl_column_code(column, row) != missing)
        row++;
    return row + 1;
}

static mgl_status fail_missing(const mgl_column *column, size_t n_rows, mgl_error *err)
{
    return mgl_fail(err, MGL_CODE_BAD_CELL,
                    "row %zu has no number of records in column \"%.60s\"; give whole numbers "
                    "above 0",
                    missing_row(column, n_rows), column->name);
}

static mgl_status fail_count(const mgl_column *column, mgl_span text, mgl_error *err)
{
    char place[MGL_PLACE_TEXT], shown[MGL_SHOWN];
    const char *where = mgl_dictionary_place(column->dictionary, text, place);
    return mgl_fail(err, MGL_CODE_BAD_CELL,
                    "%s%s\"%s\" in column \"%.60s\" is no number of records; give whole numbers "
                    "above 0",
                    where, where[0] != '\0' ? ": " : "", mgl_shown(text, shown), column->name);
}

static mgl_status read_values(const mgl_column *column, size_t n_rows, mgl_error *err,
                              uint64_t *of_code)
{
    const mgl_dictionary *dictionary = column->dictionary;
    for (uint32_t code = 0; code < mgl_dictionary_size(dictionary); code++) {
        mgl_span text = mgl_dictionary_value(dictionary, code);
        bool missing = code == mgl_dictionary_missing(dictionary);
        if (missing || !mgl_parse_u64(text, &of_code[code]) || of_code[code] == 0)
            return mgl_blame_key(err,
                                 mgl_blame_column(err,
                                                  missing ? fail_missing(column, n_rows, err)
                                                          : fail_count(column, text, err),
                                                  column->name),
                                 "count");
    }
    return MGL_OK;
}

mgl_status mgl_column_as_times(const mgl_column *column, size_t n_rows, mgl_error *err,
                               uint64_t **out)
{
    uint64_t *of_code = mgl_alloc_array(mgl_dictionary_size(column->dictionary), sizeof *of_code);
    uint64_t *times = mgl_alloc_array(n_rows, sizeof *times);
    uint64_t sum = 0;
    mgl_status status = MGL_OK;
    if (of_code == NULL || times == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(read_values(column, n_rows, err, of_code));
    for (size_t row = 0; row < n_rows; row++) {
        times[row] = of_code[mgl_column_code(column, row)];
        if (__builtin_add_overflow(sum, times[row], &sum) || sum > INT64_MAX)
            MGL_GO(mgl_blame_key(err,
                                 mgl_fail(err, MGL_CODE_BAD_CELL,
                                          "the numbers of records in column \"%.60s\" add up to "
                                          "more than any table has",
                                          column->name),
                                 "count"));
    }
    *out = times;
    times = NULL;
done:
    mgl_free(of_code);
    mgl_free(times);
    return status;
}
