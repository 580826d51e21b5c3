/* Reads data of mu-Argus as a source: lines of fixed width, or with a separator, and the metadata
 * beside. A row in format_rows.h. */
#include "io/argus/argus.h"

#include "io/intake/intake.h"

typedef struct argus {
    char *data, *meta_path; /* of the two files */
    mgl_argus_meta meta;
    mgl_text_file *file;
    mgl_dialect dialect;
    size_t width; /* a line must have so many characters */
} argus;

/* The endings of data and metadata that belong together. */
static const char *const pairs[][2] = {{".asc", ".rda"}, {".saf", ".rds"}};

/* ---- Opening -------------------------------------------------------------------------- */

static bool same_letters(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if ((*a | 0x20) != (*b | 0x20))
            return false;
    return *a == *b;
}

static char *with_ending(const char *location, const char *ending)
{
    size_t size = strlen(location), tail = strlen(ending);
    char *path = mgl_alloc(size + 1);
    if (path == NULL)
        return NULL;
    strcpy(path, location);
    strcpy(path + size - tail, ending);
    char *found = mgl_sys_any_case(path);
    mgl_free(path);
    return found;
}

/* Either of the two files may be named; the other one has the same name and its own ending. */
static mgl_status find_files(const char *location, const char *beside, mgl_error *err, char **data,
                             char **meta)
{
    const char *dot = strrchr(location, '.');
    const char *const *pair = pairs[0];
    for (size_t i = 0; dot != NULL && i < sizeof pairs / sizeof pairs[0]; i++)
        if (same_letters(dot, pairs[i][0]) || same_letters(dot, pairs[i][1]))
            pair = pairs[i];
    *data = beside != NULL ? mgl_sys_any_case(location) : with_ending(location, pair[0]);
    *meta = beside != NULL ? mgl_sys_any_case(beside) : with_ending(location, pair[1]);
    return *data == NULL || *meta == NULL ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status argus_each_file(const char *path, mgl_file_fn *visit, void *context,
                                  mgl_error *err)
{
    char *data = NULL, *beside = NULL;
    mgl_argus_meta meta = {0};
    mgl_status status = MGL_OK;
    MGL_GO(find_files(path, NULL, err, &data, &beside));
    MGL_GO(visit(context, data, err));
    MGL_GO(visit(context, beside, err));
    if (mgl_argus_meta_read(beside, NULL, &meta) == MGL_OK)
        for (size_t i = 0; i < meta.n_lists; i++)
            MGL_GO(visit(context, meta.lists[i], err));
done:
    mgl_argus_meta_free(&meta);
    mgl_free(data);
    mgl_free(beside);
    return status;
}

static mgl_status argus_open(mgl_source *source, const char *location, mgl_error *err)
{
    argus *state = source->state = mgl_zeroed_array(1, sizeof *state);
    if (state == NULL)
        return mgl_fail_memory(err);
    source->name = location;
    MGL_TRY(find_files(location, source->options->beside, err, &state->data, &state->meta_path));
    source->name = state->data;
    MGL_TRY(mgl_argus_meta_read(state->meta_path, err, &state->meta));
    for (size_t c = 0; c < state->meta.n_columns; c++) {
        const mgl_argus_column *column = &state->meta.columns[c];
        MGL_TRY(mgl_source_add_column(source, mgl_span_of(column->name), column->line, err));
        size_t last = column->start + column->width - 1;
        state->width = last > state->width ? last : state->width;
    }
    source->meta = state->meta.meta;
    MGL_TRY(mgl_text_open_within(state->data, source->options->encoding,
                                 source->options->most_unpacked, err, &state->file));
    source->size = mgl_text_size(state->file);
    return state->meta.separator == '\0'
               ? MGL_OK
               : mgl_text_sniff(state->file, state->meta.separator, false, err, &state->dialect);
}

static void argus_close(mgl_source *source)
{
    argus *state = source->state;
    if (state == NULL)
        return;
    mgl_text_close(state->file);
    mgl_argus_meta_free(&state->meta);
    mgl_free(state->data);
    mgl_free(state->meta_path);
    mgl_free(state);
}

/* ---- Rows ----------------------------------------------------------------------------- */

static bool is_missing(const mgl_column_meta *meta, mgl_span cell)
{
    for (size_t i = 0; i < meta->n_missing; i++)
        if (mgl_span_equal(meta->missing[i].first, cell))
            return true;
    return false;
}

static mgl_status put_cell(mgl_source *source, mgl_intake *intake, size_t c, mgl_span cell,
                           mgl_error *err)
{
    cell = mgl_span_trim(cell);
    if (mgl_intake_hides_missing(intake, c) && is_missing(&source->meta[c], cell))
        cell = source->options->no_value;
    return mgl_intake_put(intake, cell, err);
}

/* The byte at which the character of this number (from 0) begins; n_bytes if there is none. */
static size_t place_of(mgl_span line, size_t character, bool plain)
{
    size_t at = 0;
    if (plain)
        return character < line.size ? character : line.size;
    for (; at < line.size; at++)
        if (((unsigned char)line.data[at] & 0xC0) != 0x80 && character-- == 0)
            break;
    return at;
}

static bool is_plain(mgl_span line)
{
    for (size_t i = 0; i < line.size; i++)
        if ((unsigned char)line.data[i] >= 0x80)
            return false;
    return true;
}

static mgl_status put_line(mgl_source *source, mgl_intake *intake, mgl_span line, uint64_t number,
                           mgl_error *err)
{
    const argus *state = source->state;
    bool plain = is_plain(line);
    if (place_of(line, state->width - 1, plain) == line.size)
        return mgl_fail_at(err, MGL_CODE_FORMAT, source->name, number,
                           "the line ends before character %zu, up to which the columns of %.200s "
                           "reach; correct the line or the columns",
                           state->width, state->meta_path);
    for (size_t c = 0; c < state->meta.n_columns; c++) {
        const mgl_argus_column *column = &state->meta.columns[c];
        size_t from = place_of(line, column->start - 1, plain);
        size_t to = place_of(line, column->start - 1 + column->width, plain);
        MGL_TRY(put_cell(source, intake, c, (mgl_span){line.data + from, to - from}, err));
    }
    return MGL_OK;
}

static mgl_status put_fields(mgl_source *source, mgl_intake *intake, const mgl_field *fields,
                             mgl_buffer *scratch, mgl_error *err)
{
    const argus *state = source->state;
    for (size_t c = 0; c < state->meta.n_columns; c++) {
        mgl_span cell = mgl_field_value(fields[c], scratch);
        if (scratch->failed)
            return mgl_fail_memory(err);
        MGL_TRY(put_cell(source, intake, c, cell, err));
    }
    return MGL_OK;
}

static mgl_status put_records(mgl_source *source, mgl_intake *intake, mgl_text_reader *reader,
                              mgl_buffer *scratch, mgl_error *err)
{
    const argus *state = source->state;
    size_t n = state->meta.n_columns;
    for (;;) {
        mgl_records records;
        MGL_TRY(mgl_text_next(reader, err, &records));
        if (records.n_records == 0)
            return MGL_OK;
        if (records.n_fields != n)
            return mgl_fail_at(err, MGL_CODE_FORMAT, source->name, records.first_line,
                               "there are %zu cells in a line, and %zu columns in %.200s; correct "
                               "one of the two files",
                               records.n_fields, n, state->meta_path);
        for (size_t r = 0; r < records.n_records; r++)
            MGL_TRY(put_fields(source, intake, records.fields + r * n, scratch, err));
    }
}

static mgl_status put_separated(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    argus *state = source->state;
    mgl_text_reader *reader;
    mgl_buffer scratch = {0};
    MGL_TRY(mgl_text_reader_new(state->file, &state->dialect, err, &reader));
    mgl_status status = put_records(source, intake, reader, &scratch, err);
    mgl_text_reader_free(reader);
    mgl_buffer_free(&scratch);
    return status;
}

static mgl_status put_fixed(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    argus *state = source->state;
    mgl_raw_lines *lines;
    mgl_span line;
    bool there = true;
    MGL_TRY(mgl_raw_lines_new(state->file, err, &lines));
    mgl_status status = MGL_OK;
    while (there) {
        MGL_GO(mgl_raw_lines_next(lines, err, &line, &there));
        /* An empty line, as at the end, is no record. */
        if (there && line.size > 0)
            MGL_GO(put_line(source, intake, line, mgl_raw_lines_number(lines), err));
    }
done:
    mgl_raw_lines_free(lines);
    return status;
}

static mgl_status produce(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    argus *state = source->state;
    MGL_TRY(state->meta.separator != '\0' ? put_separated(source, intake, err)
                                          : put_fixed(source, intake, err));
    return mgl_text_unchanged(state->file, err);
}

static mgl_status argus_unchanged(mgl_source *source, mgl_error *err)
{
    return mgl_text_unchanged(((argus *)source->state)->file, err);
}

static mgl_status argus_read(mgl_source *source, mgl_table *table, mgl_pool *pool,
                             const mgl_progress *progress, mgl_error *err)
{
    argus *state = source->state;
    (void)pool;
    uint64_t expected = state->meta.separator == '\0' ? source->size / (state->width + 1) + 1 : 0;
    return mgl_intake_read(source, produce, table, expected, progress, err);
}

static mgl_status argus_each(mgl_source *source, mgl_records_fn *visit, void *context,
                             mgl_error *err)
{
    return mgl_intake_each(source, produce, visit, context, err);
}

static const mgl_source_operations operations = {.open = argus_open,
                                                 .close = argus_close,
                                                 .read = argus_read,
                                                 .each = argus_each,
                                                 .unchanged = argus_unchanged,
                                                 .each_file = argus_each_file};

/* R has files with the endings of metadata, text among them. */
static mgl_status is_metadata(const char *path, mgl_error *err, bool *out)
{
    mgl_argus_meta meta = {0};
    mgl_status status = mgl_argus_meta_read(path, err, &meta);
    mgl_argus_meta_free(&meta);
    *out = status == MGL_OK;
    return status == MGL_SYSTEM ? status : MGL_OK;
}

const mgl_format mgl_asc_format = {
    .name = "asc",
    .help = "mu-Argus: columns of fixed width, and what they are in a .rda beside",
    .endings = ".asc",
    .source = &operations,
    .sink = &mgl_sink_argus,
    .second = ".rda",
    .is_second = is_metadata,
};

const mgl_format mgl_saf_format = {
    .name = "saf",
    .help = "safe files of mu-Argus: the same with a .rds beside",
    .endings = ".saf",
    .source = &operations,
    .sink = &mgl_sink_argus,
    .second = ".rds",
    .is_second = is_metadata,
};

const mgl_format mgl_rda_format = {
    .name = "rda",
    .help = "mu-Argus: what columns are; the data is the .asc or .saf beside",
    .endings = ".rda .rds",
    .source = &operations,
};
