/* Writes data of mu-Argus as a sink: lines of fixed width, and what their columns are in a file
 * beside. A row in format_rows.h. */
#include "io/argus/argus.h"

typedef struct writer {
    const mgl_sink_order *order;
    mgl_span *cells; /* [columns] */
    size_t *widths;  /* [columns] in characters */
    mgl_text_writer *bytes;
    mgl_buffer text;
} writer;

/* ---- Cells ---------------------------------------------------------------------------- */

/* What stands for a missing cell of the column: its own code for that, or the token of the job. */
static mgl_span missing_code(const writer *w, size_t c)
{
    const mgl_column_meta *meta = w->order->columns[c].meta;
    if (meta != NULL && meta->n_missing > 0)
        return meta->missing[0].first;
    return w->order->n_missing > 0 ? w->order->missing[0] : (mgl_span){"", 0};
}

static size_t characters(mgl_span text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.size; i++)
        n += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    return n;
}

static bool fits(mgl_span cell)
{
    for (size_t i = 0; i < cell.size; i++)
        if (cell.data[i] == '\n' || cell.data[i] == '\r')
            return false;
    return mgl_span_trim(cell).size == cell.size;
}

static mgl_status put_row(writer *w, mgl_error *err)
{
    w->text.size = 0;
    for (size_t c = 0; c < w->order->n_columns; c++) {
        mgl_span cell = mgl_sink_missing(w->order, w->cells[c]) ? missing_code(w, c) : w->cells[c];
        if (!fits(cell))
            return mgl_blame_column(
                err,
                mgl_fail_at(err, MGL_CODE_NO_ROOM, w->order->target, 0,
                            "column %.60s has cells with line breaks or outer spaces, which "
                            "columns of fixed width do not keep; write another format",
                            w->order->columns[c].name),
                w->order->columns[c].name);
        for (size_t n = characters(cell); n < w->widths[c]; n++)
            mgl_buffer_append(&w->text, " ", 1);
        mgl_buffer_span(&w->text, cell);
    }
    mgl_buffer_append(&w->text, "\r\n", 2);
    return w->text.failed ? mgl_fail_memory(err)
                          : mgl_text_write(w->bytes, w->text.data, w->text.size, err);
}

/* ---- What the columns are -------------------------------------------------------------- */

static mgl_status put_name(writer *w, const char *name, mgl_error *err)
{
    if (name[0] == '<' || strpbrk(name, "\"\r\n") != NULL)
        return mgl_blame_column(
            err,
            mgl_fail_at(err, MGL_CODE_NO_ROOM, w->order->target, 0,
                        "column %.60s cannot be called so in a file of mu-Argus; rename it", name),
            name);
    bool quoted = strpbrk(name, " \t") != NULL;
    mgl_buffer_format(&w->text, quoted ? "\"%s\"" : "%s", name);
    return MGL_OK;
}

static mgl_status describe(writer *w, mgl_error *err)
{
    size_t start = 1;
    for (size_t c = 0; c < w->order->n_columns; c++) {
        const mgl_sink_column *column = &w->order->columns[c];
        const mgl_column_meta *meta = column->meta;
        mgl_span missing = missing_code(w, c);
        size_t n_codes = meta != NULL ? meta->n_missing : 0;
        w->widths[c] = column->longest > missing.size ? column->longest : missing.size;
        if (meta != NULL && meta->width > w->widths[c])
            w->widths[c] = meta->width;
        w->widths[c] += w->widths[c] == 0;
        MGL_TRY(put_name(w, column->name, err));
        mgl_buffer_format(&w->text, " %zu %zu", start, w->widths[c]);
        for (size_t i = 0; i < n_codes; i++)
            mgl_buffer_format(&w->text, " \"%s\"", meta->missing[i].first.data);
        if (n_codes == 0 && missing.size > 0)
            mgl_buffer_format(&w->text, " \"%.*s\"", (int)missing.size, missing.data);
        mgl_buffer_text(&w->text, column->numbers && !column->recoded ? "\r\n    <NUMERIC>\r\n"
                                                                      : "\r\n    <RECODABLE>\r\n");
        if (column->numbers && !column->recoded && meta != NULL && meta->decimals > 0)
            mgl_buffer_format(&w->text, "    <DECIMALS> %zu\r\n", meta->decimals);
        start += w->widths[c];
    }
    if (w->text.failed)
        return mgl_fail_memory(err);
    return mgl_sys_write(w->order->beside, w->text.data, w->text.size) == 0
               ? MGL_OK
               : mgl_fail_errno(err, w->order->target, "write what belongs to");
}

static mgl_status write_all(writer *w, mgl_error *err)
{
    bool there = true;
    MGL_TRY(describe(w, err));
    MGL_TRY(mgl_text_writer_new(w->order->fd, "release", err, &w->bytes));
    for (;;) {
        MGL_TRY(mgl_cell_reader_next(w->order->rows, err, w->cells, &there));
        if (!there)
            return mgl_text_writer_end(w->bytes, err);
        MGL_TRY(put_row(w, err));
    }
}

static mgl_status argus_write(const mgl_format *format, const mgl_sink_order *order, mgl_error *err)
{
    (void)format;
    writer w = {.order = order};
    w.cells = mgl_alloc_array(order->n_columns, sizeof *w.cells);
    w.widths = mgl_alloc_array(order->n_columns, sizeof *w.widths);
    mgl_status status =
        w.cells == NULL || w.widths == NULL ? mgl_fail_memory(err) : write_all(&w, err);
    mgl_text_writer_free(w.bytes);
    mgl_buffer_free(&w.text);
    mgl_free(w.cells);
    mgl_free(w.widths);
    return status;
}

const mgl_sink_operations mgl_sink_argus = {.write = argus_write};
