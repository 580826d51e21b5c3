/* Lets messages say where a value stands (FILE:LINE, or a row number): sessions and `risk --advise`
 * attach this to the dictionaries of a table they have read. */
#include "pipeline/session/session.h"

#include <stdio.h>

struct mgl_value_places {
    mgl_source *source;
    const mgl_column *column;
    size_t n_rows;
    bool counted;   /* rows are no records */
    bool has_place; /* of the value that was asked for last: finding it takes a pass */
    uint32_t code;
    char place[MGL_PLACE_TEXT];
};

/* The first row that has the code; false if there is none, or if rows are counted. */
static bool find_row(const mgl_value_places *places, uint32_t code, size_t *out)
{
    size_t first = 0, n = 0;
    for (size_t row = 0; !places->counted && row < places->n_rows; row++) {
        if (row >= first + n && mgl_column_reach(places->column, row, NULL, &first, &n) != MGL_OK)
            return false;
        if (n > places->n_rows - first)
            n = places->n_rows - first;
        if (mgl_column_code(places->column, row - first) != code)
            continue;
        *out = row;
        return true;
    }
    return false;
}

static void find_place(mgl_value_places *places, uint32_t code)
{
    size_t row;
    places->place[0] = '\0';
    if (!find_row(places, code, &row))
        return;
    uint64_t line = mgl_source_line(places->source, row);
    const char *name = mgl_source_name(places->source);
    if (line > 0)
        snprintf(places->place, MGL_PLACE_TEXT, "%.200s:%llu", name, (unsigned long long)line);
    else
        snprintf(places->place, MGL_PLACE_TEXT, "%.200s, row %llu", name,
                 (unsigned long long)row + 1);
}

static void tell_place(void *context, uint32_t code, char text[MGL_PLACE_TEXT])
{
    mgl_value_places *places = context;
    if (!places->has_place || places->code != code)
        find_place(places, code);
    places->has_place = true;
    places->code = code;
    memcpy(text, places->place, MGL_PLACE_TEXT);
}

mgl_status mgl_places_new(mgl_source *source, mgl_table *table, mgl_error *err,
                          mgl_value_places **out)
{
    mgl_value_places *places = mgl_zeroed_array(table->n_columns, sizeof *places);
    if (places == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < table->n_columns; c++) {
        places[c] = (mgl_value_places){.source = source,
                                       .column = &table->columns[c],
                                       .n_rows = table->n_rows,
                                       .counted = table->times != NULL};
        mgl_dictionary_set_places(table->columns[c].dictionary, tell_place, &places[c]);
    }
    *out = places;
    return MGL_OK;
}
