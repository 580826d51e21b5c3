/* Lets messages say where a value stands (FILE:LINE, or a row number): reading.c and `risk
 * --advise` attach this to the dictionaries of a table they have read. */
#include "pipeline/read/columns.h"

#include <stdio.h>

struct mgl_value_places {
    mgl_source *source;
    const mgl_table *table;
    const mgl_column *column;
};

/* The first row that has the code; false if there is none, or if rows are counted. */
static bool find_row(const mgl_table *table, const mgl_column *column, uint32_t code, size_t *out)
{
    size_t first = 0, n = 0;
    for (size_t row = 0; table->times == NULL && row < table->n_rows; row++) {
        if (row >= first + n && mgl_column_reach(column, row, NULL, &first, &n) != MGL_OK)
            return false;
        if (n > table->n_rows - first)
            n = table->n_rows - first;
        if (mgl_column_code(column, row - first) != code)
            continue;
        *out = row;
        return true;
    }
    return false;
}

static void tell_place(void *context, uint32_t code, char text[MGL_PLACE_TEXT])
{
    const mgl_value_places *places = context;
    size_t row;
    if (!find_row(places->table, places->column, code, &row))
        return;
    uint64_t line = mgl_source_line(places->source, row);
    const char *name = mgl_source_name(places->source);
    if (line > 0)
        snprintf(text, MGL_PLACE_TEXT, "%.200s:%llu", name, (unsigned long long)line);
    else
        snprintf(text, MGL_PLACE_TEXT, "%.200s, row %llu", name, (unsigned long long)row + 1);
}

mgl_status mgl_places_new(mgl_source *source, mgl_table *table, mgl_error *err,
                          mgl_value_places **out)
{
    mgl_value_places *places = mgl_zeroed_array(table->n_columns, sizeof *places);
    if (places == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < table->n_columns; c++) {
        places[c] = (mgl_value_places){source, table, &table->columns[c]};
        mgl_dictionary_set_places(table->columns[c].dictionary, tell_place, &places[c]);
    }
    *out = places;
    return MGL_OK;
}
