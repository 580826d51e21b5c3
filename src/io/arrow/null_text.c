/* Finds a text for null that no value of a table has. Settings of jobs on tables in memory call it,
 * and sources that were not told one. */
#include "io/arrow/arrow.h"

#include <stdio.h>

static bool has_text(const mgl_arrow_cells *cells, mgl_span text)
{
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i) && mgl_span_equal(mgl_arrow_text_at(cells, i), text))
            return true;
    return false;
}

static bool table_has_text(const mgl_arrow_table *table, mgl_span text)
{
    for (size_t b = 0; b < table->n_batches; b++)
        for (size_t c = 0; c < table->n_columns; c++) {
            const mgl_arrow_column *column = &table->columns[c];
            if (!mgl_arrow_is_text(&column->type))
                continue;
            mgl_arrow_cells cells = column->encoded ? mgl_arrow_entries_of(table, b, c)
                                                    : mgl_arrow_cells_of(table, b, c);
            if (has_text(&cells, text))
                return true;
        }
    return false;
}

void mgl_arrow_null_text(const mgl_arrow_table *table, char text[MGL_ARROW_NULL_TEXT])
{
    static const char *const usual[] = {"", "NA", "null", "(missing)"};
    enum { N_USUAL = sizeof usual / sizeof usual[0] };
    if (table->knows_null) {
        memcpy(text, table->null_text, MGL_ARROW_NULL_TEXT);
        return;
    }
    for (unsigned i = 0;; i++) {
        if (i < N_USUAL)
            snprintf(text, MGL_ARROW_NULL_TEXT, "%s", usual[i]);
        else
            snprintf(text, MGL_ARROW_NULL_TEXT, "(missing %u)", i - N_USUAL + 2);
        if (!table_has_text(table, mgl_span_of(text)))
            return;
    }
}
