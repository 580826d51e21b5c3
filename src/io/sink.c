/* What sinks share: rows that wait in a private file, the kind of a column, cells that are missing.
 */
#include "io/intake/intake.h"
#include "io/io.h"

enum { BLOCK = 1 << 18 };

struct mgl_cell_reader {
    int fd;
    size_t n_columns;
    uint64_t offset; /* of what comes after the buffer */
    mgl_buffer bytes;
    size_t at;        /* first byte that was not returned */
    mgl_span cells[]; /* [n_columns] */
};

void mgl_cells_put(mgl_buffer *out, mgl_span cell)
{
    uint32_t size = (uint32_t)cell.size;
    mgl_buffer_append(out, (const char *)&size, sizeof size);
    mgl_buffer_span(out, cell);
}

mgl_status mgl_cells_flush(mgl_buffer *cells, int fd, mgl_error *err)
{
    if (cells->failed)
        return mgl_fail_memory(err);
    if (cells->size > 0 && mgl_sys_write(fd, cells->data, cells->size) != 0)
        return mgl_fail_temporary(err, "write");
    cells->size = 0;
    return MGL_OK;
}

mgl_status mgl_cell_reader_new(int fd, size_t n_columns, mgl_error *err, mgl_cell_reader **out)
{
    mgl_cell_reader *reader =
        mgl_zeroed_array(1, sizeof *reader + n_columns * sizeof *reader->cells);
    MGL_TRY(mgl_check_memory(reader != NULL, err));
    reader->fd = fd;
    reader->n_columns = n_columns;
    *out = reader;
    return MGL_OK;
}

void mgl_cell_reader_free(mgl_cell_reader *reader)
{
    if (reader == NULL)
        return;
    mgl_buffer_free(&reader->bytes);
    mgl_free(reader);
}

/* The bytes of the row at reader->at, or 0 if it is not in the buffer as a whole. */
static size_t row_size(const mgl_cell_reader *reader)
{
    size_t at = reader->at;
    for (size_t c = 0; c < reader->n_columns; c++) {
        uint32_t size;
        if (reader->bytes.size - at < sizeof size)
            return 0;
        memcpy(&size, reader->bytes.data + at, sizeof size);
        at += sizeof size;
        if (reader->bytes.size - at < size)
            return 0;
        at += size;
    }
    return at - reader->at;
}

static mgl_status fill(mgl_cell_reader *reader, mgl_error *err, bool *more)
{
    mgl_buffer *bytes = &reader->bytes;
    if (reader->at > 0)
        memmove(bytes->data, bytes->data + reader->at, bytes->size - reader->at);
    bytes->size -= reader->at;
    reader->at = 0;
    MGL_TRY(mgl_check_memory(mgl_buffer_reserve(bytes, BLOCK), err));
    ssize_t got = mgl_sys_pread(reader->fd, bytes->data + bytes->size, BLOCK, reader->offset);
    if (got < 0)
        return mgl_fail_temporary(err, "read");
    bytes->size += (size_t)got;
    reader->offset += (uint64_t)got;
    *more = got > 0;
    return MGL_OK;
}

mgl_status mgl_cell_reader_next(mgl_cell_reader *reader, mgl_error *err, const mgl_span **cells)
{
    size_t size;
    *cells = NULL;
    while ((size = row_size(reader)) == 0) {
        bool more = false;
        MGL_TRY(fill(reader, err, &more));
        if (more)
            continue;
        if (reader->bytes.size > 0)
            return mgl_fail(err, MGL_CODE_FILE, "temporary file: its last row is incomplete");
        return MGL_OK;
    }
    const char *at = reader->bytes.data + reader->at;
    for (size_t c = 0; c < reader->n_columns; c++) {
        uint32_t length;
        memcpy(&length, at, sizeof length);
        reader->cells[c] = (mgl_span){at + sizeof length, length};
        at += sizeof length + length;
    }
    reader->at += size;
    *cells = reader->cells;
    return MGL_OK;
}

mgl_status mgl_sink_write(const mgl_format *format, const mgl_sink_request *request, mgl_error *err)
{
    return format->sink->write(format, request, err);
}

bool mgl_sink_missing(const mgl_sink_request *request, mgl_span cell)
{
    for (size_t i = 0; i < request->n_missing; i++)
        if (mgl_span_equal(cell, request->missing[i]))
            return true;
    return false;
}

static mgl_cell_kind kind_of(const mgl_sink_column *column)
{
    return column->meta != NULL ? column->meta->kind : MGL_CELLS_UNKNOWN;
}

static mgl_sink_shape shape_of(const mgl_sink_column *column)
{
    mgl_cell_kind kind = kind_of(column);
    if (kind == MGL_CELLS_TEXT)
        return MGL_AS_TEXT;
    if (kind == MGL_CELLS_DATE && column->dates)
        return MGL_AS_DATE;
    if (kind == MGL_CELLS_DATETIME && column->datetimes)
        return MGL_AS_DATETIME;
    return column->whole       ? MGL_AS_WHOLE
           : column->numbers   ? MGL_AS_NUMBER
           : column->dates     ? MGL_AS_DATE
           : column->datetimes ? MGL_AS_DATETIME
                               : MGL_AS_TEXT;
}

void mgl_sink_warn_text(mgl_buffer *warnings, const char *column, mgl_cell_kind kind)
{
    mgl_buffer_format(warnings,
                      "text-column\tcolumn %s is written as text, since released values such "
                      "as ranges are no %s%c",
                      column, kind == MGL_CELLS_NUMBER ? "numbers" : "dates", '\0');
}

mgl_sink_shape mgl_sink_choose(const mgl_sink_request *request, const mgl_sink_column *column)
{
    mgl_sink_shape shape = shape_of(column);
    bool was_text = kind_of(column) == MGL_CELLS_TEXT || kind_of(column) == MGL_CELLS_UNKNOWN;
    if (shape == MGL_AS_TEXT && !was_text)
        mgl_sink_warn_text(request->warnings, column->name, kind_of(column));
    return shape;
}
