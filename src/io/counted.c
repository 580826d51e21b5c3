#include "io/counted.h"

static uint32_t code_of(const mgl_source_options *options, mgl_dictionary *dictionary,
                        mgl_span cell)
{
    mgl_span value = cell.data != NULL ? cell : options->no_value;
    for (size_t i = 0; i < options->n_missing; i++)
        if (mgl_span_equal(value, options->missing[i]))
            return mgl_dictionary_add_missing(dictionary, options->missing[0]);
    return mgl_dictionary_add(dictionary, value);
}

bool mgl_counted_add(mgl_counted *counted, const mgl_span *cells, uint64_t times)
{
    mgl_table *table = counted->table;
    size_t row = table->n_rows;
    if (!mgl_grow(&table->times, &counted->room, row + 1, sizeof *table->times))
        return false;
    for (size_t c = 0; c < table->n_columns; c++) {
        mgl_column *column = &table->columns[c];
        uint32_t code = code_of(counted->options, column->dictionary, cells[c]);
        if (code == MGL_NOT_FOUND || !mgl_column_widen(column, row, code) ||
            !mgl_column_reserve(column, row, 1))
            return false;
        mgl_column_set(column, row, code);
    }
    table->times[row] = times;
    table->n_rows++;
    return true;
}
