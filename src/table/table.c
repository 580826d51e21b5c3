/* Makes and frees tables, and columns whose codes are 1, 2 or 4 bytes wide. Sources and whatever
 * makes a table of its own call it. */
#include "table/table.h"

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
