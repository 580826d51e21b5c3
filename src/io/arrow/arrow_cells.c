/* Finds the cells of a column in a batch of a table, and reads numbers and texts in them. Whoever
 * reads Arrow tables calls it. */
#include "io/arrow/check.h"

mgl_arrow_cells mgl_arrow_window(const struct ArrowArray *array, const mgl_arrow_type *type,
                                 size_t first, size_t n)
{
    mgl_arrow_cells cells = {.type = type, .n = n, .first = (size_t)array->offset + first};
    if (type->kind == MGL_ARROW_NULL)
        return cells;
    cells.valid = array->buffers[0];
    cells.values = array->buffers[1];
    if (type->kind == MGL_ARROW_VIEW)
        cells.pieces = array->buffers + 2;
    else if (mgl_arrow_is_text(type))
        cells.bytes = array->buffers[2];
    return cells;
}

mgl_arrow_cells mgl_arrow_cells_of(const mgl_arrow_table *table, size_t batch, size_t column)
{
    const struct ArrowArray *rows = &table->batches[batch];
    const mgl_arrow_column *c = &table->columns[column];
    return mgl_arrow_window(rows->children[column], c->encoded ? &c->index : &c->type,
                            (size_t)rows->offset, (size_t)rows->length);
}

mgl_arrow_cells mgl_arrow_entries_of(const mgl_arrow_table *table, size_t batch, size_t column)
{
    const struct ArrowArray *entries = table->batches[batch].children[column]->dictionary;
    return mgl_arrow_window(entries, &table->columns[column].type, 0, (size_t)entries->length);
}

int64_t mgl_arrow_signed_at(const mgl_arrow_cells *cells, size_t i)
{
    unsigned width = cells->type->width, unused = 64 - width * 8;
    uint64_t bits = 0;
    memcpy(&bits, (const char *)cells->values + (cells->first + i) * width, width);
    return (int64_t)(bits << unused) >> unused;
}

uint64_t mgl_arrow_unsigned_at(const mgl_arrow_cells *cells, size_t i)
{
    unsigned width = cells->type->width;
    uint64_t bits = 0;
    if (cells->type->kind != MGL_ARROW_UNSIGNED)
        return (uint64_t)mgl_arrow_signed_at(cells, i);
    memcpy(&bits, (const char *)cells->values + (cells->first + i) * width, width);
    return bits;
}

size_t mgl_arrow_index_at(const mgl_arrow_cells *cells, size_t i)
{
    return (size_t)mgl_arrow_unsigned_at(cells, i);
}

/* Up to 12 bytes stand in the view itself, behind the size; of others the first four, then the
 * piece and the offset in it. */
static mgl_span view_at(const mgl_arrow_cells *cells, size_t i)
{
    enum { VIEW = 16, INLINE_TEXT = 12 };
    const char *view = (const char *)cells->values + (cells->first + i) * VIEW;
    int32_t size, place[2];
    memcpy(&size, view, sizeof size);
    if (size <= INLINE_TEXT)
        return (mgl_span){view + 4, (size_t)size};
    memcpy(place, view + 8, sizeof place);
    return (mgl_span){(const char *)cells->pieces[place[0]] + place[1], (size_t)size};
}

mgl_span mgl_arrow_text_at(const mgl_arrow_cells *cells, size_t i)
{
    const char *offsets = cells->values;
    size_t at = cells->first + i;
    if (cells->type->kind == MGL_ARROW_VIEW)
        return view_at(cells, i);
    if (cells->type->kind == MGL_ARROW_TEXT) {
        int32_t ends[2];
        memcpy(ends, offsets + at * sizeof ends[0], sizeof ends);
        return (mgl_span){ends[1] > ends[0] ? cells->bytes + ends[0] : "",
                          (size_t)(ends[1] - ends[0])};
    }
    int64_t ends[2];
    memcpy(ends, offsets + at * sizeof ends[0], sizeof ends);
    return (mgl_span){ends[1] > ends[0] ? cells->bytes + ends[0] : "", (size_t)(ends[1] - ends[0])};
}
