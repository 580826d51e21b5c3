/* Puts tables on shelves, where whoever wants lines (hierarchies that are given as tables) gets
 * them as delimited text. Jobs that are given streams call it, and releases in memory. */
#include "io/arrow/arrow.h"
#include "text/text.h"

enum { DELIMITER = ';' };

static mgl_span show_cell(const mgl_arrow_table *table, size_t batch, size_t column, size_t row,
                          char room[MGL_ARROW_ROOM])
{
    mgl_arrow_cells cells = mgl_arrow_cells_of(table, batch, column);
    if (mgl_arrow_is_null(&cells, row))
        return (mgl_span){"", 0};
    if (table->columns[column].encoded) {
        row = mgl_arrow_index_at(&cells, row);
        cells = mgl_arrow_entries_of(table, batch, column);
    }
    return mgl_arrow_is_null(&cells, row) ? (mgl_span){"", 0} : mgl_arrow_show(&cells, row, room);
}

static mgl_status write_lines(const void *thing, mgl_error *err, mgl_buffer *out)
{
    const mgl_arrow_table *table = thing;
    char room[MGL_ARROW_ROOM], delimiter = DELIMITER;
    for (size_t b = 0; b < table->n_batches; b++)
        for (size_t r = 0; r < (size_t)table->batches[b].length; r++)
            for (size_t c = 0; c < table->n_columns; c++) {
                mgl_span cell = show_cell(table, b, c, r, room);
                mgl_text_quote(out, cell, delimiter, table->n_columns == 1);
                mgl_buffer_append(out, c + 1 < table->n_columns ? &delimiter : "\n", 1);
            }
    return out->failed ? mgl_fail_memory(err) : MGL_OK;
}

static void let_go(void *table)
{
    mgl_arrow_let_go(table);
}

mgl_status mgl_arrow_put(mgl_memory_store *store, const char *name, mgl_arrow_table *table,
                         mgl_error *err)
{
    mgl_arrow_hold(table);
    mgl_status status = mgl_memory_store_put_table(store, name, table, let_go, write_lines, err);
    if (status != MGL_OK)
        mgl_arrow_let_go(table);
    return status;
}
