/* What sources share: names of their columns, regular files, and the intake, which takes cells one
 * by one and codes or visits them block by block. */
#include "io/intake/intake.h"

#include <stdio.h>

mgl_status mgl_source_open_text(mgl_source *source, const char *path, mgl_error *err)
{
    const mgl_source_options *options = source->options;
    MGL_TRY(
        mgl_text_open_within(path, options->encoding, options->most_unpacked, err, &source->text));
    source->name = mgl_text_name(source->text);
    source->size = mgl_text_size(source->text);
    return MGL_OK;
}

mgl_status mgl_regular_open(const char *path, mgl_error *err, int *fd, mgl_file_state *state)
{
    *fd = mgl_sys_open_read(path);
    if (*fd < 0 || mgl_sys_state(*fd, state) != 0)
        return mgl_fail_errno(err, path, "open");
    if (state->folder)
        return mgl_fail_at(err, MGL_CODE_NOT_FOUND, path, 0, "this is a folder; name a file");
    if (!state->regular)
        return mgl_fail_at(err, MGL_CODE_FORMAT, path, 0,
                           "this is no regular file, and only such can be read in this format; "
                           "save what comes from there first");
    return MGL_OK;
}

mgl_status mgl_regular_unchanged(int fd, const mgl_file_state *state, const char *path,
                                 mgl_error *err)
{
    mgl_file_state now;
    if (mgl_sys_state(fd, &now) != 0)
        return mgl_fail_errno(err, path, "look at");
    if (!mgl_sys_same_state(state, &now))
        return mgl_fail_at(err, MGL_CODE_CHANGED, path, 0,
                           "the file changed while it was read; run again when it is complete");
    return MGL_OK;
}

mgl_status mgl_source_add_column(mgl_source *source, mgl_span name, uint64_t line, mgl_error *err)
{
    uint32_t position = mgl_map_size(source->columns);
    uint32_t number = mgl_map_add(source->columns, name);
    if (number == MGL_NOT_FOUND)
        return mgl_fail_memory(err);
    if (number == position)
        return MGL_OK;
    mgl_status status =
        mgl_blame_column(err,
                         mgl_fail_at(err, MGL_CODE_HEADER, source->name, line,
                                     "columns %u and %u are both called '%.*s'; rename one of them",
                                     number + 1, position + 1, mgl_span_width(name), name.data),
                         mgl_source_column(source, number));
    if (err != NULL)
        mgl_source_hide_names(source, err->message, sizeof err->message);
    return status;
}

static mgl_status refuse_unnamed(const mgl_source *source, mgl_error *err)
{
    return mgl_blame_key(
        err,
        mgl_fail_at(err, MGL_CODE_HEADER, source->name, source->unnamed_line,
                    "column %zu has no name; name it in the header (or add `header: no` if "
                    "this is the first row)",
                    source->unnamed),
        "header");
}

mgl_status mgl_source_name_column(mgl_source *source, mgl_span given, uint64_t line, mgl_error *err)
{
    size_t number = mgl_source_columns(source) + 1;
    char made[32];
    if (given.size > 0)
        return mgl_source_add_column(source, given, line, err);
    /* R's write.csv leaves the column out that it puts in front. */
    if (!source->numbered && number == 1)
        return mgl_source_add_column(source, mgl_span_of("row.names"), line, err);
    if (!source->numbered && source->unnamed == 0) {
        source->unnamed = number;
        source->unnamed_line = line;
        if (!source->options->allow_unnamed)
            return refuse_unnamed(source, err);
    }
    snprintf(made, sizeof made, "column%zu", number);
    return mgl_source_add_column(source, mgl_span_of(made), line, err);
}

/* Names columns without a header by the options. */
static mgl_status number_columns(mgl_source *source, mgl_error *err)
{
    const mgl_source_options *options = source->options;
    mgl_map *before = source->columns;
    size_t n = mgl_map_size(before);
    mgl_status status = MGL_OK;
    source->columns = mgl_map_new();
    if (source->columns == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t c = 0; c < n; c++)
        MGL_GO(mgl_source_name_column(
            source, c < options->n_names ? mgl_span_of(options->names[c]) : (mgl_span){"", 0}, 0,
            err));
done:
    mgl_map_free(status == MGL_OK ? before : source->columns);
    if (status != MGL_OK)
        source->columns = before;
    return status;
}

mgl_status mgl_source_use(mgl_source *source, const mgl_source_options *options, mgl_error *err)
{
    bool others = source->numbered && (options->n_names > 0 || source->options->n_names > 0);
    source->options = options;
    if (source->headerless && options->headerless != NULL)
        options->headerless->data = true;
    if (source->unnamed > 0 && !options->allow_unnamed)
        return refuse_unnamed(source, err);
    return others ? number_columns(source, err) : MGL_OK;
}

enum { ROWS = 4096, BYTES = 1 << 20, LONGEST = 1 << 30 };

struct mgl_intake {
    mgl_source *source;
    size_t n_columns, column; /* the next one to come */
    uint64_t n_rows;          /* before the current ones */
    mgl_buffer text;          /* cells, each followed by a delimiter or a line feed */
    uint32_t *ends;           /* ends[0] is before the first field: ends[1 + field] */
    size_t n_fields, ends_capacity;
    bool *wanted; /* [n_columns] */

    /* First pass */
    mgl_coder **coders;
    size_t n_coders;
    const mgl_progress *progress;

    /* Second pass */
    mgl_records_fn *visit;
    void *context;
    mgl_field *fields;
    size_t fields_capacity;
};

bool mgl_intake_wants(const mgl_intake *intake, size_t column)
{
    return intake->wanted[column];
}

bool mgl_intake_hides_missing(const mgl_intake *intake, size_t column)
{
    return intake->visit == NULL || (intake->source->kept != NULL && intake->source->kept[column]);
}

const mgl_progress *mgl_intake_progress(const mgl_intake *intake)
{
    return intake->progress;
}

static mgl_status code_rows(mgl_intake *intake, size_t n, mgl_error *err)
{
    MGL_TRY(mgl_check_memory(mgl_buffer_reserve(&intake->text, MGL_CUTS_MARGIN), err));
    mgl_cuts cuts = {.data = intake->text.data,
                     .ends = intake->ends + 1,
                     .n_records = n,
                     .n_fields = intake->n_columns};
    for (size_t i = 0; i < intake->n_coders; i++)
        MGL_TRY(mgl_check_memory(mgl_coder_run(intake->coders[i], &cuts, 0, n), err));
    return mgl_progress_report(intake->progress, "read", intake->n_rows + n, intake->source->n_rows,
                               err);
}

static mgl_status visit_rows(mgl_intake *intake, size_t n, mgl_error *err)
{
    MGL_TRY(mgl_grow_array(&intake->fields, &intake->fields_capacity, intake->n_fields,
                           sizeof(mgl_field), err));
    for (size_t f = 0; f < intake->n_fields; f++) {
        uint32_t start = intake->ends[f] + 1, end = intake->ends[f + 1];
        const char *data = intake->text.data + start;
        intake->fields[f] = (mgl_field){data, end - start, end > start && data[0] == '"'};
    }
    mgl_records records = {.fields = intake->fields,
                           .n_records = n,
                           .n_fields = intake->n_columns,
                           .first_line = intake->n_rows + 1};
    return intake->visit(intake->context, &records, err);
}

static mgl_status flush(mgl_intake *intake, mgl_error *err)
{
    size_t n = intake->n_fields / intake->n_columns;
    if (n == 0)
        return MGL_OK;
    MGL_TRY(intake->visit != NULL ? visit_rows(intake, n, err) : code_rows(intake, n, err));
    intake->n_rows += n;
    intake->text.size = 0;
    intake->n_fields = 0;
    return MGL_OK;
}

static mgl_status refuse(const mgl_intake *intake, mgl_error *err)
{
    uint64_t row = intake->n_rows + intake->n_fields / intake->n_columns + 1;
    return mgl_blame_column(
        err,
        mgl_fail_key_at(err, MGL_CODE_ENCODING, intake->source->name, "encoding",
                        "row %llu, column %.60s: the cell is not UTF-8 text; convert the file, or "
                        "name its encoding with `encoding`",
                        (unsigned long long)row, mgl_source_column(intake->source, intake->column)),
        mgl_source_column(intake->source, intake->column));
}

mgl_status mgl_intake_put(mgl_intake *intake, mgl_span cell, mgl_error *err)
{
    char delimiter = intake->source->dialect.delimiter;
    if (cell.size > 0 && (mgl_utf8_valid(cell.data, cell.size) != cell.size ||
                          memchr(cell.data, '\0', cell.size) != NULL))
        return refuse(intake, err);
    if (cell.size > LONGEST)
        return mgl_fail_column(err, MGL_CODE_BAD_CELL, intake->source->name,
                               mgl_source_column(intake->source, intake->column),
                               "column %.60s has a cell of more than 1 GB; leave the column out",
                               mgl_source_column(intake->source, intake->column));
    MGL_TRY(mgl_grow_array(&intake->ends, &intake->ends_capacity, intake->n_fields + 2,
                           sizeof(uint32_t), err));
    intake->ends[0] = UINT32_MAX; /* the byte before the first one */
    mgl_text_quote(&intake->text, cell, delimiter, intake->n_columns == 1);
    intake->ends[++intake->n_fields] = (uint32_t)intake->text.size;
    bool last = ++intake->column == intake->n_columns;
    mgl_buffer_append(&intake->text, last ? "\n" : &delimiter, 1);
    if (intake->text.failed)
        return mgl_fail_memory(err);
    if (!last)
        return MGL_OK;
    intake->column = 0;
    bool full = intake->n_fields >= ROWS * intake->n_columns || intake->text.size >= BYTES;
    return full ? flush(intake, err) : MGL_OK;
}

static mgl_status put_spooled(mgl_intake *intake, mgl_cell_reader *reader, mgl_error *err)
{
    for (;;) {
        const mgl_span *cells;
        MGL_TRY(mgl_cell_reader_next(reader, err, &cells));
        if (cells == NULL)
            return MGL_OK;
        for (size_t c = 0; c < intake->n_columns; c++)
            MGL_TRY(mgl_intake_put(intake, cells[c], err));
    }
}

mgl_status mgl_intake_put_spooled(mgl_intake *intake, int rows, mgl_error *err)
{
    mgl_cell_reader *reader;
    MGL_TRY(mgl_cell_reader_new(rows, intake->n_columns, err, &reader));
    mgl_status status = put_spooled(intake, reader, err);
    mgl_cell_reader_free(reader);
    return status;
}

static mgl_status run(mgl_intake *intake, mgl_error *err)
{
    MGL_TRY(intake->source->operations->produce(intake->source, intake, err));
    return flush(intake, err);
}

static mgl_status begin(mgl_intake *intake, bool wanted, mgl_error *err)
{
    intake->n_columns = mgl_source_columns(intake->source);
    MGL_TRY(mgl_new_array(intake->n_columns, sizeof *intake->wanted, err, &intake->wanted));
    for (size_t c = 0; c < intake->n_columns; c++)
        intake->wanted[c] = wanted;
    return MGL_OK;
}

static void end(mgl_intake *intake)
{
    for (size_t i = 0; i < intake->n_coders; i++)
        mgl_coder_free(intake->coders[i]);
    mgl_free(intake->coders);
    mgl_free(intake->wanted);
    mgl_free(intake->ends);
    mgl_free(intake->fields);
    mgl_buffer_free(&intake->text);
}

static mgl_status make_coders(mgl_intake *intake, mgl_table *table, mgl_error *err)
{
    MGL_TRY(mgl_new_zeroed(table->n_columns, sizeof *intake->coders, err, &intake->coders));
    for (size_t i = 0; i < table->n_columns; i++) {
        mgl_coder *coder = mgl_coder_new(&table->columns[i], intake->source->options);
        MGL_TRY(mgl_check_memory(coder != NULL, err));
        intake->coders[intake->n_coders++] = coder;
        intake->wanted[table->columns[i].source_index] = true;
        MGL_TRY(mgl_check_memory(mgl_coder_expect(coder, (size_t)intake->source->n_rows), err));
    }
    return MGL_OK;
}

mgl_status mgl_intake_read(mgl_source *source, mgl_table *table, const mgl_progress *progress,
                           mgl_error *err)
{
    mgl_intake intake = {.source = source, .progress = progress};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&intake, false, err));
    MGL_GO(make_coders(&intake, table, err));
    MGL_GO(run(&intake, err));
    for (size_t i = 0; i < intake.n_coders; i++)
        mgl_coder_finish(intake.coders[i]);
    table->n_rows = intake.n_rows;
    if (table->n_rows == 0 && !source->options->may_be_empty)
        MGL_GO(mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, 0, "there are no rows"));
done:
    end(&intake);
    return status;
}

mgl_status mgl_intake_each(mgl_source *source, mgl_records_fn *visit, void *context, mgl_error *err)
{
    mgl_intake intake = {.source = source, .visit = visit, .context = context};
    mgl_status status = begin(&intake, true, err);
    if (status == MGL_OK)
        status = run(&intake, err);
    end(&intake);
    return status;
}
