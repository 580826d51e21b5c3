/* Shows the cells of columns of a table in memory, as the texts that they are written as, to those
 * who watch a release: the leak guard, and who looks for persons. Texts of encoded columns are made
 * once for each entry. make_columns.c calls it while columns are gathered. */
#include "release/columns/watch_table.h"

enum { ROWS_AT_ONCE = 1024 };

static const mgl_arrow_column *what(const mgl_watched_column *w)
{
    return &w->table->columns[w->watch->fields[w->column]];
}

static mgl_field field_of(mgl_span text)
{
    return (mgl_field){.data = text.data, .size = (uint32_t)text.size};
}

static mgl_status show_entry(mgl_watched_column *w, const mgl_arrow_cells *entries, size_t i,
                             mgl_error *err)
{
    char room[MGL_ARROW_ROOM];
    mgl_span text = {"", 0};
    if (!mgl_arrow_is_null(entries, i))
        text = mgl_arrow_show(entries, i, room);
    if (text.data == room)
        text.data = mgl_arena_copy(w->arena, text.data, text.size);
    if (text.data == NULL)
        return mgl_fail_memory(err);
    w->entries[i] = field_of(text);
    return MGL_OK;
}

/* The texts of the dictionary of a batch, unless they are those at hand. */
static mgl_status show_entries(mgl_watched_column *w, size_t batch, mgl_error *err)
{
    size_t column = w->watch->fields[w->column];
    mgl_arrow_cells entries = mgl_arrow_entries_of(w->table, batch, column);
    if (w->entries != NULL) {
        mgl_arrow_cells before = mgl_arrow_entries_of(w->table, w->batch, column);
        if (mgl_same_cells(&entries, &before))
            return MGL_OK;
    }
    mgl_arena_free(w->arena);
    w->arena = mgl_arena_new();
    if (w->arena == NULL || !mgl_grow(&w->entries, &w->capacity, entries.n + 1, sizeof *w->entries))
        return mgl_fail_memory(err);
    for (size_t i = 0; i < entries.n; i++)
        MGL_TRY(show_entry(w, &entries, i, err));
    w->batch = batch;
    return MGL_OK;
}

/* width is a constant where this is inlined. A null is shown as no text: nobody takes that for a
 * value. */
MGL_SPECIALIZE void show_numbered(const mgl_watched_column *w, const mgl_arrow_cells *cells,
                                  size_t first, size_t n, size_t width, mgl_field *out)
{
    const char *numbers = (const char *)cells->values + (cells->first + first) * width;
    for (size_t i = 0; i < n; i++) {
        uint64_t entry = 0;
        memcpy(&entry, numbers + i * width, width);
        bool null = mgl_arrow_is_null(cells, first + i);
        out[i] = null ? (mgl_field){.data = ""} : w->entries[entry];
    }
}

static void show_encoded(const mgl_watched_column *w, const mgl_arrow_cells *cells, size_t first,
                         size_t n, mgl_field *out)
{
    switch (cells->type->width) {
    case 1:
        show_numbered(w, cells, first, n, 1, out);
        break;
    case 2:
        show_numbered(w, cells, first, n, 2, out);
        break;
    case 4:
        show_numbered(w, cells, first, n, 4, out);
        break;
    default:
        show_numbered(w, cells, first, n, 8, out);
    }
}

static void show_cells(const mgl_watched_column *w, const mgl_arrow_cells *cells, size_t first,
                       size_t n, char (*rooms)[MGL_ARROW_ROOM], mgl_field *out)
{
    if (what(w)->encoded) {
        show_encoded(w, cells, first, n, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = mgl_arrow_is_null(cells, first + i)
                     ? (mgl_field){.data = ""}
                     : field_of(mgl_arrow_show(cells, first + i, rooms[i]));
}

typedef struct shown_block {
    mgl_field fields[ROWS_AT_ONCE];
    char rooms[ROWS_AT_ONCE][MGL_ARROW_ROOM];
} shown_block;

static mgl_status watch_batch(mgl_watched_column *w, const uint32_t *tuples, size_t batch,
                              size_t end, shown_block *block, mgl_error *err)
{
    mgl_arrow_cells cells = mgl_arrow_cells_of(w->table, batch, w->watch->fields[w->column]);
    size_t before = (size_t)w->table->first_rows[batch];
    if (what(w)->encoded)
        MGL_TRY(show_entries(w, batch, err));
    while (w->seen < end && w->seen < before + cells.n) {
        size_t left = before + cells.n < end ? before + cells.n - w->seen : end - w->seen;
        size_t n = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        show_cells(w, &cells, w->seen - before, n, block->rooms, block->fields);
        mgl_seen_rows rows = {
            .cells = block->fields, .step = 1, .tuples = tuples + w->seen, .n = n};
        w->watch->see(w->watch->context, w->column, &rows);
        w->seen += n;
    }
    return MGL_OK;
}

mgl_status mgl_watch_rows(mgl_watched_column *w, const uint32_t *tuples, size_t end, mgl_error *err)
{
    shown_block *block = mgl_alloc(sizeof *block);
    mgl_status status = block == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t b = 0; status == MGL_OK && w->seen < end && b < w->table->n_batches; b++)
        if (w->seen < w->table->first_rows[b] + (uint64_t)w->table->batches[b].length)
            status = watch_batch(w, tuples, b, end, block, err);
    mgl_free(block);
    return status;
}

void mgl_watched_column_free(mgl_watched_column *w)
{
    mgl_free(w->entries);
    mgl_arena_free(w->arena);
    w->entries = NULL;
    w->arena = NULL;
}
