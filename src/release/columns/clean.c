/* Looks for values in the buffers of a column that are not in the table: what others cut away, put
 * under nulls, or left in a dictionary. Buffers with such values are never handed out;
 * make_columns.c asks before it shares them. */
#include "release/columns/clean.h"

enum { VIEW = 16, VIEW_SHORT = 12, VIEW_PREFIX = 4 };

static bool all_zero(const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i] != 0)
            return false;
    return true;
}

/* The bits behind the last one of the last byte. */
static bool ends_in_zeros(const uint8_t *bits, size_t n)
{
    return bits == NULL || n % 8 == 0 || bits[n / 8] >> n % 8 == 0;
}

/* ---- Cells --------------------------------------------------------------------------------- */

static bool is_clean_text(const mgl_arrow_cells *cells)
{
    int64_t first = 0;
    memcpy(&first, cells->values, cells->type->width);
    if (first != 0)
        return false;
    for (size_t i = 0; cells->valid != NULL && i < cells->n; i++)
        if (mgl_arrow_is_null(cells, i) && mgl_arrow_text_at(cells, i).size > 0)
            return false;
    return true;
}

/* Where long texts must lie so that there is nothing between them. */
typedef struct expected {
    int32_t piece;
    int64_t offset;
    const int64_t *sizes; /* of the pieces */
    int64_t n_pieces;
} expected;

static bool is_next(expected *next, const char *view, int32_t size)
{
    int32_t place[2];
    memcpy(place, view + sizeof size + VIEW_PREFIX, sizeof place);
    while (next->piece < next->n_pieces && next->offset == next->sizes[next->piece]) {
        next->piece++;
        next->offset = 0;
    }
    bool same = place[0] == next->piece && place[1] == next->offset;
    next->offset += size;
    return same;
}

static bool is_clean_view(const mgl_arrow_cells *cells, size_t i, expected *next)
{
    const char *view = (const char *)cells->values + i * VIEW;
    int32_t size;
    memcpy(&size, view, sizeof size);
    if (mgl_arrow_is_null(cells, i))
        return all_zero(view, VIEW);
    if (size > VIEW_SHORT)
        return is_next(next, view, size);
    size_t used = sizeof size + (size_t)size;
    return all_zero(view + used, VIEW - used);
}

/* The texts lie side by side in their pieces, and there is nothing else in these. */
static bool are_clean_views(const struct ArrowArray *array, const mgl_arrow_cells *cells)
{
    enum { BEFORE_PIECES = 2, SIZES = 1 };
    expected next = {.sizes = array->buffers[array->n_buffers - 1],
                     .n_pieces = array->n_buffers - BEFORE_PIECES - SIZES};
    for (size_t i = 0; i < cells->n; i++)
        if (!is_clean_view(cells, i, &next))
            return false;
    while (next.piece < next.n_pieces && next.offset == next.sizes[next.piece]) {
        next.piece++;
        next.offset = 0;
    }
    return next.piece == next.n_pieces;
}

static bool is_clean_fixed(const mgl_arrow_cells *cells)
{
    size_t width = cells->type->width;
    for (size_t i = 0; cells->valid != NULL && i < cells->n; i++)
        if (mgl_arrow_is_null(cells, i) &&
            !all_zero((const char *)cells->values + i * width, width))
            return false;
    return true;
}

static bool are_clean_bits(const mgl_arrow_cells *cells)
{
    for (size_t i = 0; cells->valid != NULL && i < cells->n; i++)
        if (mgl_arrow_is_null(cells, i) && mgl_bit_at(cells->values, i))
            return false;
    return ends_in_zeros(cells->values, cells->n);
}

static bool are_clean(const struct ArrowArray *array, const mgl_arrow_cells *cells)
{
    if (cells->type->kind == MGL_ARROW_NULL)
        return true;
    if (cells->first != 0 || !ends_in_zeros(cells->valid, cells->n))
        return false;
    if (cells->type->kind == MGL_ARROW_VIEW)
        return are_clean_views(array, cells);
    if (cells->n == 0) /* there may be no buffers at all */
        return true;
    if (cells->type->kind == MGL_ARROW_BOOL)
        return are_clean_bits(cells);
    return mgl_arrow_is_text(cells->type) ? is_clean_text(cells) : is_clean_fixed(cells);
}

/* ---- Columns ------------------------------------------------------------------------------- */

static mgl_status names_all(const mgl_arrow_cells *cells, const mgl_arrow_cells *entries,
                            mgl_error *err, bool *out)
{
    size_t left = entries->n;
    bool *named = mgl_zeroed_array(entries->n, sizeof *named);
    if (named == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; left > 0 && i < cells->n; i++) {
        if (mgl_arrow_is_null(cells, i))
            continue;
        size_t entry = mgl_arrow_index_at(cells, i);
        left -= !named[entry];
        named[entry] = true;
    }
    mgl_free(named);
    *out = left == 0;
    return MGL_OK;
}

mgl_status mgl_column_is_clean(const mgl_arrow_table *table, size_t batch, size_t column,
                               mgl_error *err, bool *out)
{
    const struct ArrowArray *array = table->batches[batch].children[column];
    mgl_arrow_cells cells = mgl_arrow_cells_of(table, batch, column);
    *out = (size_t)array->length == cells.n && are_clean(array, &cells);
    if (!*out || !table->columns[column].encoded)
        return MGL_OK;
    mgl_arrow_cells entries = mgl_arrow_entries_of(table, batch, column);
    *out = are_clean(array->dictionary, &entries);
    return *out ? names_all(&cells, &entries, err, out) : MGL_OK;
}
