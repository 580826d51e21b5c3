/* A toy format: one line per row, a bar behind every cell, the names in the first line. */
#include "io/intake/intake.h"

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
    MGL_TRY(mgl_source_open_text(source, location->text, err));
    MGL_TRY(mgl_raw_lines_new(source->text, err, &lines));
    mgl_status status = name_columns(source, lines, err);
    mgl_raw_lines_free(lines);
    return status;
}

static void barred_close(mgl_source *source)
{
    (void)source; /* its text is closed with it */
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
    mgl_raw_lines *lines;
    MGL_TRY(mgl_raw_lines_new(source->text, err, &lines));
    mgl_status status = put_rows(lines, intake, err);
    mgl_raw_lines_free(lines);
    return status;
}

static mgl_status put_cell(mgl_text_writer *out, mgl_span cell, mgl_error *err)
{
    MGL_TRY(mgl_text_write(out, cell.data, cell.size, err));
    return mgl_text_write(out, "|", 1, err);
}

static mgl_status write_rows(const mgl_sink_request *request, mgl_text_writer *out, mgl_error *err)
{
    const mgl_span *cells;
    for (size_t c = 0; c < request->n_columns; c++)
        MGL_TRY(put_cell(out, mgl_span_of(request->columns[c].name), err));
    do {
        MGL_TRY(mgl_text_write(out, "\n", 1, err));
        MGL_TRY(mgl_cell_reader_next(request->rows, err, &cells));
        for (size_t c = 0; cells != NULL && c < request->n_columns; c++)
            MGL_TRY(put_cell(out, cells[c], err));
    } while (cells != NULL);
    return mgl_text_writer_end(out, err);
}

static mgl_status barred_write(const mgl_format *format, const mgl_sink_request *request,
                               mgl_error *err)
{
    (void)format;
    mgl_text_writer *out;
    MGL_TRY(mgl_text_writer_new(request->fd, "release", err, &out));
    mgl_status status = write_rows(request, out, err);
    mgl_text_writer_free(out);
    return status;
}

static const mgl_source_operations source_of_bars = {
    .open = barred_open, .close = barred_close, .produce = produce};
static const mgl_sink_operations sink_of_bars = {.write = barred_write};

const mgl_format mgl_toy_format = {
    .name = "toy",
    .help = "toy: one line per row, a bar behind every cell",
    .endings = ".toy",
    .source = &source_of_bars,
    .sink = &sink_of_bars,
};
