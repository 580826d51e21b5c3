/* A toy format: one line per row, a bar behind every cell, the names in the first line. */
#include "io/intake/intake.h"

typedef struct barred {
    mgl_text_file *file;
    char *name;
} barred;

/* Takes the next cell off the line; false: there is none. */
static bool next_cell(mgl_span *line, mgl_span *cell)
{
    const char *bar = line->size > 0 ? memchr(line->data, '|', line->size) : NULL;
    if (bar == NULL)
        return false;
    *cell = (mgl_span){line->data, (size_t)(bar - line->data)};
    *line = (mgl_span){bar + 1, line->size - cell->size - 1};
    return true;
}

static mgl_status name_columns(mgl_source *source, mgl_raw_lines *lines, mgl_error *err)
{
    mgl_span line, cell;
    bool there;
    MGL_TRY(mgl_raw_lines_next(lines, err, &line, &there));
    while (there && next_cell(&line, &cell))
        MGL_TRY(mgl_source_name_column(source, cell, 1, err));
    return MGL_OK;
}

static mgl_status barred_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    mgl_raw_lines *lines;
    mgl_buffer name = {0};
    barred *state = source->state = mgl_zeroed_array(1, sizeof *state);
    source->name = location->text;
    if (state == NULL)
        return mgl_fail_memory(err);
    mgl_buffer_text(&name, location->text);
    MGL_TRY(mgl_buffer_take(&name, err, &state->name));
    source->name = state->name;
    MGL_TRY(mgl_text_open_within(location->text, source->options->encoding,
                                 source->options->most_unpacked, err, &state->file));
    source->size = mgl_text_size(state->file);
    MGL_TRY(mgl_raw_lines_new(state->file, err, &lines));
    mgl_status status = name_columns(source, lines, err);
    mgl_raw_lines_free(lines);
    return status;
}

static void barred_close(mgl_source *source)
{
    barred *state = source->state;
    if (state == NULL)
        return;
    mgl_text_close(state->file);
    mgl_free(state->name);
    mgl_free(state);
}

static mgl_status put_rows(mgl_raw_lines *lines, mgl_intake *intake, mgl_error *err)
{
    mgl_span line, cell;
    bool there = true;
    MGL_TRY(mgl_raw_lines_next(lines, err, &line, &there)); /* the names */
    while (there) {
        MGL_TRY(mgl_raw_lines_next(lines, err, &line, &there));
        while (there && next_cell(&line, &cell))
            MGL_TRY(mgl_intake_put(intake, cell, err));
    }
    return MGL_OK;
}

static mgl_status produce(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    barred *state = source->state;
    mgl_raw_lines *lines;
    MGL_TRY(mgl_raw_lines_new(state->file, err, &lines));
    mgl_status status = put_rows(lines, intake, err);
    mgl_raw_lines_free(lines);
    return status;
}

static mgl_status barred_read(mgl_source *source, mgl_table *table, mgl_pool *pool,
                              const mgl_progress *progress, mgl_error *err)
{
    (void)pool;
    return mgl_intake_read(source, produce, table, 0, progress, err);
}

static mgl_status barred_each(mgl_source *source, mgl_records_fn *visit, void *context,
                              mgl_error *err)
{
    return mgl_intake_each(source, produce, visit, context, err);
}

static mgl_status write_rows(const mgl_sink_request *request, mgl_text_writer *out, mgl_span *cells,
                             mgl_error *err)
{
    bool there = true;
    for (size_t c = 0; c < request->n_columns; c++)
        cells[c] = mgl_span_of(request->columns[c].name);
    while (there) {
        for (size_t c = 0; c < request->n_columns; c++) {
            MGL_TRY(mgl_text_write(out, cells[c].data, cells[c].size, err));
            MGL_TRY(mgl_text_write(out, "|", 1, err));
        }
        MGL_TRY(mgl_text_write(out, "\n", 1, err));
        MGL_TRY(mgl_cell_reader_next(request->rows, err, cells, &there));
    }
    return mgl_text_writer_end(out, err);
}

static mgl_status barred_write(const mgl_format *format, const mgl_sink_request *request,
                               mgl_error *err)
{
    (void)format;
    mgl_text_writer *out;
    mgl_span *cells = mgl_alloc_array(request->n_columns, sizeof *cells);
    if (cells == NULL)
        return mgl_fail_memory(err);
    mgl_status status = mgl_text_writer_new(request->fd, "release", err, &out);
    if (status == MGL_OK) {
        status = write_rows(request, out, cells, err);
        mgl_text_writer_free(out);
    }
    mgl_free(cells);
    return status;
}

static const mgl_source_operations source_of_bars = {
    .open = barred_open, .close = barred_close, .read = barred_read, .each = barred_each};
static const mgl_sink_operations sink_of_bars = {.write = barred_write};

const mgl_format mgl_toy_format = {
    .name = "toy",
    .help = "toy: one line per row, a bar behind every cell",
    .endings = ".toy",
    .source = &source_of_bars,
    .sink = &sink_of_bars,
};
