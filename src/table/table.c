/* Tables, and columns whose codes are 1, 2 or 4 bytes wide; the names of roles; columns of counts.
 */
#include "table/table.h"

static const char *const names[MGL_ROLES] = {
    [MGL_ROLE_NONE] = "none",
    [MGL_ROLE_IDENTIFIER] = "identifier",
    [MGL_ROLE_QUASI] = "quasi",
    [MGL_ROLE_SENSITIVE] = "sensitive",
    [MGL_ROLE_INSENSITIVE] = "insensitive",
    [MGL_ROLE_ITEMS] = "items",
};

const char *mgl_role_name(mgl_role role)
{
    return names[role];
}

/* "none" cannot be requested. */
bool mgl_role_parse(mgl_span text, mgl_role *out)
{
    for (int role = MGL_ROLE_NONE + 1; role < MGL_ROLES; role++)
        if (mgl_span_is(text, names[role])) {
            *out = (mgl_role)role;
            return true;
        }
    return false;
}

bool mgl_given_kind_parse(mgl_span text, mgl_given_kind *out)
{
    static const char *const kinds[MGL_GIVEN_KINDS] = {
        [MGL_GIVEN_NOMINAL] = "nominal", [MGL_GIVEN_NUMBER] = "number", [MGL_GIVEN_DATE] = "date"};
    for (size_t k = MGL_GIVEN_NOMINAL; k < MGL_GIVEN_KINDS; k++)
        if (mgl_span_is(text, kinds[k])) {
            *out = (mgl_given_kind)k;
            return true;
        }
    return false;
}

mgl_table *mgl_table_new(size_t n_columns)
{
    mgl_table *table = mgl_zeroed_array(1, sizeof *table);
    if (table == NULL)
        return NULL;
    table->columns = mgl_zeroed_array(n_columns, sizeof *table->columns);
    if (table->columns == NULL) {
        mgl_free(table);
        return NULL;
    }
    table->n_columns = n_columns;
    for (size_t c = 0; c < n_columns; c++) {
        table->columns[c].width = 1;
        table->columns[c].dictionary = mgl_dictionary_new();
        if (table->columns[c].dictionary == NULL) {
            mgl_table_free(table);
            return NULL;
        }
    }
    return table;
}

void mgl_table_free(mgl_table *table)
{
    if (table == NULL)
        return;
    for (size_t c = 0; c < table->n_columns; c++)
        mgl_column_clear(&table->columns[c]);
    if (!table->shares_rows) {
        mgl_window_free(table->window);
        mgl_free(table->times);
    }
    mgl_free(table->columns);
    mgl_free(table);
}

void mgl_column_clear(mgl_column *column)
{
    if (column->follows)
        mgl_window_leave(column);
    if (!column->shared) {
        mgl_free(column->name);
        mgl_dictionary_free(column->dictionary);
        mgl_free(column->codes);
    }
    *column = (mgl_column){0};
}

mgl_status mgl_column_copy(const mgl_column *from, size_t n_rows, mgl_error *err, mgl_column *out)
{
    mgl_column copy = *from;
    copy.number = 0;
    copy.shared = copy.follows = false;
    copy.capacity = n_rows;
    copy.name = mgl_alloc(strlen(from->name) + 1);
    copy.dictionary = mgl_dictionary_new();
    copy.codes = mgl_alloc_array(n_rows, from->width);
    if (copy.name == NULL || copy.dictionary == NULL || copy.codes == NULL ||
        !mgl_dictionary_join(copy.dictionary, from->dictionary)) {
        mgl_column_clear(&copy);
        return mgl_fail_memory(err);
    }
    strcpy(copy.name, from->name);
    mgl_dictionary_resemble(copy.dictionary, from->dictionary);
    if (n_rows > 0)
        memcpy(copy.codes, from->codes, n_rows * from->width);
    *out = copy;
    return MGL_OK;
}

mgl_column *mgl_table_column(const mgl_table *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].name != NULL && strcmp(table->columns[c].name, name) == 0)
            return &table->columns[c];
    return NULL;
}

bool mgl_column_reserve(mgl_column *column, size_t rows_before, size_t more)
{
    if (more > SIZE_MAX - rows_before)
        return false;
    return mgl_grow(&column->codes, &column->capacity, rows_before + more, column->width);
}

bool mgl_column_reserve_all(mgl_column *column, size_t rows)
{
    column->codes = mgl_alloc_to_fill(rows > 0 ? rows : 1, column->width);
    column->capacity = column->codes != NULL ? rows : 0;
    return column->codes != NULL;
}

static unsigned width_for(uint32_t code)
{
    return code <= UINT8_MAX ? 1 : code <= UINT16_MAX ? 2 : 4;
}

bool mgl_column_widen(mgl_column *column, size_t rows_before, uint32_t code)
{
    unsigned width = width_for(code);
    if (width <= column->width)
        return true;
    mgl_column wide = *column;
    wide.width = width;
    wide.codes = mgl_alloc_array(column->capacity, width);
    if (wide.codes == NULL)
        return false;
    for (size_t row = 0; row < rows_before; row++)
        mgl_column_set(&wide, row, mgl_column_code(column, row));
    mgl_free(column->codes);
    *column = wide;
    return true;
}

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
    const char *where = mgl_dictionary_origin(column->dictionary, text, place);
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
            MGL_GO(mgl_fail_key(
                err, MGL_CODE_BAD_CELL, "count",
                "the numbers of records in column \"%.60s\" add up to more than any table has",
                column->name));
    }
    *out = times;
    times = NULL;
done:
    mgl_free(of_code);
    mgl_free(times);
    return status;
}
