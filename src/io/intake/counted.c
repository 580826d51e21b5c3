/* Makes a counted table of groups that an engine counted, in an order that does not depend on the
 * engine's. */
#include "io/intake/intake.h"

#include <stdlib.h>

uint32_t mgl_counted_code(const mgl_counted *counted, size_t c, mgl_span cell)
{
    const mgl_source_options *options = counted->options;
    const mgl_column *column = &counted->table->columns[c];
    mgl_span value = cell.data != NULL ? cell : options->no_value;
    size_t n = mgl_missing_tokens(options, column->role);
    if (c < counted->n_labels && n > 1)
        n = 1;
    for (size_t i = 0; i < n; i++)
        if (mgl_span_equal(value, options->missing[i]))
            return mgl_dictionary_add_missing(column->dictionary, options->missing[0]);
    return mgl_dictionary_add(column->dictionary, value);
}

static bool put_code(mgl_column *column, size_t row, uint32_t code)
{
    if (code == MGL_NOT_FOUND || !mgl_column_widen(column, row, code) ||
        !mgl_column_reserve(column, row, 1))
        return false;
    mgl_column_set(column, row, code);
    return true;
}

static bool end_group(mgl_counted *counted, uint64_t times)
{
    mgl_table *table = counted->table;
    if (!mgl_grow(&table->times, &counted->room, table->n_rows + 1, sizeof *table->times))
        return false;
    table->times[table->n_rows++] = times;
    return true;
}

static bool is_drawn(const mgl_counted *counted, const mgl_span *cells)
{
    uint64_t z = 0;
    for (size_t c = 0; c < counted->table->n_columns; c++) {
        mgl_span value = cells[c].data != NULL ? cells[c] : counted->options->no_value;
        z = (z ^ mgl_hash(value.data, value.size)) * UINT64_C(0x9E3779B97F4A7C15);
        z ^= z >> 29;
    }
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return (z ^ (z >> 31)) >> (64 - counted->level) == 0;
}

bool mgl_counted_add(mgl_counted *counted, const mgl_span *cells, uint64_t times)
{
    mgl_table *table = counted->table;
    if (counted->level > 0 && !is_drawn(counted, cells))
        return true;
    for (size_t c = 0; c < table->n_columns; c++)
        if (!put_code(&table->columns[c], table->n_rows, mgl_counted_code(counted, c, cells[c])))
            return false;
    return end_group(counted, times);
}

bool mgl_counted_add_codes(mgl_counted *counted, const uint32_t *codes, uint64_t times)
{
    mgl_table *table = counted->table;
    for (size_t c = 0; c < table->n_columns; c++)
        if (!put_code(&table->columns[c], table->n_rows, codes[c]))
            return false;
    return end_group(counted, times);
}

typedef struct numbered {
    mgl_span value;
    uint32_t code;
} numbered;

static const mgl_sort_key by_value[] = {MGL_ASCENDING(numbered, value), MGL_SORT_END};

/* The values in order, the missing one last, and what each code becomes. */
static mgl_dictionary *sort_values(const mgl_dictionary *from, numbered *values, uint32_t *becomes)
{
    uint32_t n = mgl_dictionary_size(from), missing = mgl_dictionary_missing(from), sorted = 0;
    for (uint32_t code = 0; code < n; code++)
        if (code != missing)
            values[sorted++] = (numbered){mgl_dictionary_value(from, code), code};
    mgl_sort(values, sorted, sizeof *values, by_value);
    mgl_dictionary *made = mgl_dictionary_new();
    bool added = made != NULL;
    for (uint32_t i = 0; added && i < sorted; i++) {
        becomes[values[i].code] = mgl_dictionary_add(made, values[i].value);
        added = becomes[values[i].code] != MGL_NOT_FOUND;
    }
    if (added && missing != MGL_NOT_FOUND) {
        becomes[missing] = mgl_dictionary_add_missing(made, mgl_dictionary_value(from, missing));
        added = becomes[missing] != MGL_NOT_FOUND;
    }
    if (!added) {
        mgl_dictionary_free(made);
        return NULL;
    }
    mgl_dictionary_set_labels(made, mgl_dictionary_labels(from));
    return made;
}

static bool renumber(mgl_column *column, size_t n_rows)
{
    uint32_t n = mgl_dictionary_size(column->dictionary);
    numbered *values = mgl_alloc_array(n, sizeof *values);
    uint32_t *becomes = mgl_alloc_array(n, sizeof *becomes);
    mgl_dictionary *made =
        values != NULL && becomes != NULL ? sort_values(column->dictionary, values, becomes) : NULL;
    for (size_t row = 0; made != NULL && row < n_rows; row++)
        mgl_column_set(column, row, becomes[mgl_column_code(column, row)]);
    if (made != NULL) {
        mgl_dictionary_free(column->dictionary);
        column->dictionary = made;
    }
    mgl_free(values);
    mgl_free(becomes);
    return made != NULL;
}

bool mgl_counted_finish(mgl_counted *counted)
{
    for (size_t c = 0; c < counted->table->n_columns; c++)
        if (!renumber(&counted->table->columns[c], counted->table->n_rows))
            return false;
    return true;
}
