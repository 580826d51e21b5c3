/* Writes JSON lines as a sink. Columns that were numbers stay numbers, digit by digit; what comes
 * from JSON and is passed through stays what it was. A row in format_rows.h. */
#include "io/jsonl/jsonl.h"

typedef enum value_form {
    AS_STRING,
    AS_IT_IS,   /* every cell is a value of JSON */
    BY_ITS_LOOK /* the cells of a column that had several kinds: none looks like another */
} value_form;

typedef struct writer {
    const mgl_sink_order *order;
    mgl_text_writer *text;
    mgl_span *cells;   /* [columns] */
    value_form *forms; /* [columns] */
    mgl_buffer line;
} writer;

static bool was_numbers(const mgl_sink_column *column)
{
    return column->meta != NULL && column->meta->kind == MGL_CELLS_NUMBER;
}

static unsigned json_of(const mgl_sink_column *column)
{
    return column->meta != NULL ? column->meta->json : 0;
}

static value_form form_of(const mgl_sink_order *order, const mgl_sink_column *column)
{
    unsigned json = json_of(column);
    bool unknown = column->meta == NULL || column->meta->kind == MGL_CELLS_UNKNOWN;
    if (!column->recoded && (json & MGL_JSONL_AS_RAW) != 0)
        return AS_IT_IS;
    unsigned kinds = json & MGL_JSONL_KINDS;
    if (!column->recoded && (kinds & (kinds - 1)) != 0)
        return BY_ITS_LOOK;
    if ((unknown || was_numbers(column) || (json & MGL_JSONL_HAS_NUMBERS) != 0) &&
        column->json_numbers)
        return AS_IT_IS;
    if ((json & MGL_JSONL_HAS_BOOLEANS) != 0 && column->booleans)
        return AS_IT_IS;
    if (was_numbers(column))
        mgl_buffer_format(order->warnings,
                          "text-column\tcolumn %s is written as text, since released values such "
                          "as ranges are no numbers%c",
                          column->name, '\0');
    return AS_STRING;
}

/* A cell of no value is null; other tokens for missing ones are texts where the column is. */
static bool is_null(const writer *w, size_t c)
{
    mgl_span cell = w->cells[c];
    const mgl_sink_column *column = &w->order->columns[c];
    if (w->forms[c] == AS_IT_IS && mgl_sink_missing(w->order, cell))
        return true;
    bool full = !column->recoded && json_of(column) & MGL_JSONL_FULL;
    return !full && w->order->n_missing > 0 && mgl_span_equal(cell, w->order->missing[0]);
}

static bool is_bare(const writer *w, size_t c)
{
    mgl_span cell = w->cells[c];
    unsigned json = json_of(&w->order->columns[c]);
    if (w->forms[c] != BY_ITS_LOOK)
        return w->forms[c] == AS_IT_IS;
    bool boolean = mgl_span_is(cell, "true") || mgl_span_is(cell, "false");
    return boolean ? (json & MGL_JSONL_HAS_BOOLEANS) != 0
                   : (json & MGL_JSONL_HAS_NUMBERS) != 0 && mgl_jsonl_is_number(cell);
}

static void put_row(writer *w)
{
    mgl_buffer *line = &w->line;
    for (size_t c = 0; c < w->order->n_columns; c++) {
        mgl_buffer_append(line, c > 0 ? "," : "{", 1);
        mgl_jsonl_quote(line, mgl_span_of(w->order->columns[c].name));
        mgl_buffer_append(line, ":", 1);
        if (is_null(w, c))
            mgl_buffer_append(line, "null", 4);
        else if (is_bare(w, c))
            mgl_buffer_span(line, w->cells[c]);
        else
            mgl_jsonl_quote(line, w->cells[c]);
    }
    mgl_buffer_append(line, "}\n", 2);
}

static mgl_status flush(writer *w, mgl_error *err)
{
    if (w->line.failed)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_text_write(w->text, w->line.data, w->line.size, err));
    w->line.size = 0;
    return MGL_OK;
}

static mgl_status write_rows(writer *w, mgl_error *err)
{
    enum { AT_ONCE = 1 << 18 };
    for (bool there = true;;) {
        MGL_TRY(mgl_cell_reader_next(w->order->rows, err, w->cells, &there));
        if (!there)
            return w->line.size > 0 ? flush(w, err) : MGL_OK;
        put_row(w);
        if (w->line.size >= AT_ONCE)
            MGL_TRY(flush(w, err));
    }
}

static mgl_status jsonl_write(const mgl_format *format, const mgl_sink_order *order, mgl_error *err)
{
    writer w = {.order = order};
    mgl_status status = MGL_OK;
    (void)format;
    w.cells = mgl_alloc_array(order->n_columns, sizeof *w.cells);
    w.forms = mgl_alloc_array(order->n_columns, sizeof *w.forms);
    if (w.cells == NULL || w.forms == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t c = 0; c < order->n_columns; c++)
        w.forms[c] = form_of(order, &order->columns[c]);
    MGL_GO(mgl_text_writer_new(order->fd, order->target, err, &w.text));
    MGL_GO(write_rows(&w, err));
    MGL_GO(mgl_text_writer_end(w.text, err));
done:
    mgl_text_writer_free(w.text);
    mgl_buffer_free(&w.line);
    mgl_free(w.cells);
    mgl_free(w.forms);
    return status;
}

static const mgl_sink_operations operations = {.write = jsonl_write};

const mgl_format mgl_jsonl_format = {
    .name = "jsonl",
    .help = "JSON lines: an object a line, whose keys are the columns",
    .endings = ".jsonl .ndjson .jsonl.gz .ndjson.gz .jsonl.zst .ndjson.zst",
    .source = &mgl_source_jsonl,
    .sink = &operations,
};
