/* The files of mu-Argus as source and sink: lines of fixed width or with a separator, and metadata
 * in a second file (FILE.rda, FILE.rds). */
#include "io/intake/intake.h"

#include <stdio.h>

/* A column of FILE.rda. */
typedef struct argus_column {
    const char *name;
    size_t start, width; /* in characters, from 1; start is 0 in files with separators */
    uint64_t line;       /* of the metadata */
} argus_column;

typedef struct argus_meta {
    const char *path; /* borrowed */
    mgl_arena *arena;
    char separator; /* between cells; 0: columns have fixed places */
    argus_column *columns;
    mgl_column_meta *meta; /* [n_columns] */
    size_t n_columns, columns_capacity, meta_capacity;
    const char **lists; /* files of codes that were read */
    size_t n_lists, lists_capacity;
} argus_meta;

typedef struct reader {
    argus_meta *out;
    uint64_t line;
    mgl_span rest; /* of the line */
    mgl_missing_range missing[16];
} reader;

static bool is_word(mgl_span word, const char *name)
{
    for (size_t i = 0; i < word.size; i++)
        if (mgl_upper(word.data[i]) != name[i]) /* a shorter name ends in NUL, which no word has */
            return false;
    return name[word.size] == '\0';
}

/* The next word; what is in quotes is one. False at the end of the line. */
static bool next_word(reader *r, mgl_span *word)
{
    mgl_span text = mgl_span_trim(r->rest);
    if (text.size == 0)
        return false;
    bool quoted = text.data[0] == '"';
    size_t end = quoted;
    while (end < text.size &&
           (quoted ? text.data[end] != '"' : text.data[end] != ' ' && text.data[end] != '\t'))
        end++;
    *word = (mgl_span){text.data + quoted, end - quoted};
    end += quoted && end < text.size;
    r->rest = (mgl_span){text.data + end, text.size - end};
    return true;
}

static mgl_status fail_line(const reader *r, const char *what, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_FORMAT, r->out->path, r->line, "%s", what);
}

static mgl_status next_number(reader *r, mgl_error *err, size_t *out)
{
    mgl_span word;
    uint64_t number;
    if (!next_word(r, &word) || !mgl_parse_u64(word, &number) || number == 0 || number > 1000000)
        return fail_line(
            r,
            r->out->separator != '\0'
                ? "after the name of a column comes its width, a whole number from 1 on"
                : "after the name of a column come where it begins and its width, "
                  "whole numbers from 1 on",
            err);
    *out = (size_t)number;
    return MGL_OK;
}

static mgl_span copy(const reader *r, mgl_span text)
{
    return (mgl_span){mgl_arena_copy(r->out->arena, text.data, text.size), text.size};
}

static mgl_status read_missing(reader *r, mgl_column_meta *meta, mgl_error *err)
{
    mgl_span word;
    size_t n = 0;
    while (next_word(r, &word)) {
        if (n == sizeof r->missing / sizeof r->missing[0])
            return fail_line(r, "a column has up to 16 codes for missing cells", err);
        mgl_span code = copy(r, mgl_span_trim(word));
        MGL_TRY(mgl_check_memory(code.data != NULL, err));
        r->missing[n++] = (mgl_missing_range){code, code};
    }
    mgl_missing_range *kept = mgl_arena_alloc(r->out->arena, (n + 1) * sizeof *kept);
    MGL_TRY(mgl_check_memory(kept != NULL, err));
    memcpy(kept, r->missing, n * sizeof *kept);
    meta->missing = kept;
    meta->n_missing = n;
    return MGL_OK;
}

static mgl_status add_column(reader *r, mgl_span name, mgl_error *err)
{
    argus_meta *out = r->out;
    size_t n = out->n_columns;
    if (!mgl_grow(&out->columns, &out->columns_capacity, n + 1, sizeof *out->columns) ||
        !mgl_grow(&out->meta, &out->meta_capacity, n + 1, sizeof *out->meta))
        return mgl_fail_memory(err);
    argus_column *column = &out->columns[n];
    *column = (argus_column){.name = copy(r, name).data, .line = r->line};
    out->meta[n] = (mgl_column_meta){0};
    MGL_TRY(mgl_check_memory(column->name != NULL, err));
    if (out->separator == '\0')
        MGL_TRY(next_number(r, err, &column->start));
    MGL_TRY(next_number(r, err, &column->width));
    out->meta[n].width = column->width;
    out->n_columns++;
    return read_missing(r, &out->meta[n], err);
}

static mgl_status read_list(reader *r, mgl_column_meta *meta, mgl_error *err)
{
    mgl_span name;
    if (!next_word(r, &name))
        return fail_line(r, "<CODELIST> names a file", err);
    argus_meta *out = r->out;
    MGL_TRY(mgl_grow_array(&out->lists, &out->lists_capacity, out->n_lists + 1, sizeof *out->lists,
                           err));
    const char **list = &out->lists[out->n_lists];
    mgl_status status = mgl_code_list_beside(out->path, name, out->arena, err, list, &meta->labels);
    out->n_lists += *list != NULL;
    return status;
}

static mgl_status read_separator(reader *r, mgl_error *err)
{
    mgl_span word;
    if (r->out->n_columns > 0)
        return fail_line(r, "<SEPARATOR> stands before the first column", err);
    if (!next_word(r, &word) || word.size != 1)
        return fail_line(r, "<SEPARATOR> is one character in quotes", err);
    r->out->separator = word.data[0];
    return MGL_OK;
}

static mgl_status read_whole(reader *r, mgl_error *err, uint64_t *out)
{
    mgl_span word;
    if (!next_word(r, &word) || !mgl_parse_u64(word, out))
        return fail_line(r, "a whole number belongs behind this word", err);
    return MGL_OK;
}

/* The numbers of a column in the metadata; 0 is absent. */
static void write_option(mgl_column_meta *meta, const char *name, uint64_t number)
{
    size_t i = 0;
    while (i < meta->n_options && strcmp(meta->options[i].name, name) != 0)
        i++;
    if (number == 0 || i == MGL_META_OPTIONS)
        return;
    meta->options[i].name = name;
    snprintf(meta->options[i].value, sizeof meta->options[i].value, "%llu",
             (unsigned long long)number);
    meta->n_options = i < meta->n_options ? meta->n_options : i + 1;
}

/* Words that do not concern the cells are skipped. */
static mgl_status read_tag(reader *r, mgl_span tag, mgl_error *err)
{
    uint64_t number = 0;
    if (is_word(tag, "<SEPARATOR>"))
        return read_separator(r, err);
    if (r->out->n_columns == 0)
        return fail_line(r, "a word in < > belongs below the column that it is about", err);
    mgl_column_meta *meta = &r->out->meta[r->out->n_columns - 1];
    if (is_word(tag, "<CODELIST>"))
        return read_list(r, meta, err);
    if (is_word(tag, "<NUMERIC>"))
        meta->kind = MGL_CELLS_NUMBER;
    if (is_word(tag, "<IDLEVEL>")) {
        MGL_TRY(read_whole(r, err, &number));
        write_option(meta, "identification", number < 3 ? number : 3);
    }
    if (is_word(tag, "<SUPPRESSWEIGHT>") || is_word(tag, "<SUPPRESSPRIORITY>")) {
        MGL_TRY(read_whole(r, err, &number));
        write_option(meta, "importance", number);
    }
    if (is_word(tag, "<DECIMALS>")) {
        MGL_TRY(read_whole(r, err, &number));
        meta->decimals = (size_t)number;
    }
    return MGL_OK;
}

static mgl_status read_line(void *context, mgl_span line, uint64_t number, mgl_error *err)
{
    reader *r = context;
    mgl_span word;
    r->line = number;
    r->rest = line;
    if (!next_word(r, &word))
        return MGL_OK;
    return word.size > 0 && word.data[0] == '<' ? read_tag(r, word, err) : add_column(r, word, err);
}

static const mgl_sort_key by_start[] = {MGL_ASCENDING(argus_column, start),
                                        MGL_ASCENDING(argus_column, line), MGL_SORT_END};

static mgl_status check_places(const argus_meta *meta, mgl_error *err)
{
    argus_column *sorted = mgl_arena_alloc(meta->arena, meta->n_columns * sizeof *sorted);
    MGL_TRY(mgl_check_memory(sorted != NULL, err));
    memcpy(sorted, meta->columns, meta->n_columns * sizeof *sorted);
    mgl_sort(sorted, meta->n_columns, sizeof *sorted, by_start);
    for (size_t c = 1; c < meta->n_columns; c++) {
        const argus_column *a = &sorted[c - 1], *b = &sorted[c];
        if (a->start + a->width > b->start)
            return mgl_blame_column(
                err,
                mgl_fail_at(err, MGL_CODE_FORMAT, meta->path, b->line,
                            "column %.60s (from %zu on) overlaps column %.60s (%zu to %zu, "
                            "line %llu); correct one of them",
                            b->name, b->start, a->name, a->start, a->start + a->width - 1,
                            (unsigned long long)a->line),
                b->name);
    }
    return MGL_OK;
}

/* Reads the metadata and the code lists it names. Free with argus_meta_free, also on failure.
 */
static mgl_status argus_meta_read(const char *path, mgl_error *err, argus_meta *out)
{
    reader r = {.out = out};
    *out = (argus_meta){.path = path, .arena = mgl_arena_new()};
    MGL_TRY(mgl_check_memory(out->arena != NULL, err));
    MGL_TRY(mgl_lines_each(path, read_line, &r, err));
    if (out->n_columns == 0)
        return mgl_fail_at(err, MGL_CODE_FORMAT, path, 0,
                           "there is no column in it; write lines NAME START WIDTH");
    return out->separator == '\0' ? check_places(out, err) : MGL_OK;
}

static void argus_meta_free(argus_meta *meta)
{
    mgl_free(meta->columns);
    mgl_free(meta->meta);
    mgl_free(meta->lists);
    mgl_arena_free(meta->arena);
    *meta = (argus_meta){0};
}

typedef struct argus {
    char *data, *meta_path; /* of the two files */
    argus_meta meta;
    mgl_dialect dialect;
    size_t width; /* a line must have so many characters */
} argus;

/* The endings of data and metadata that belong together. */
static const char *const pairs[][2] = {{".asc", ".rda"}, {".saf", ".rds"}};

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
    argus_meta meta = {0};
    mgl_status status = MGL_OK;
    MGL_GO(find_files(path, NULL, err, &data, &beside));
    MGL_GO(visit(context, data, err));
    MGL_GO(visit(context, beside, err));
    if (argus_meta_read(beside, NULL, &meta) == MGL_OK)
        for (size_t i = 0; i < meta.n_lists; i++)
            MGL_GO(visit(context, meta.lists[i], err));
done:
    argus_meta_free(&meta);
    mgl_free(data);
    mgl_free(beside);
    return status;
}

static mgl_status argus_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    argus *state = source->state = mgl_zeroed_array(1, sizeof *state);
    MGL_TRY(mgl_check_memory(state != NULL, err));
    source->name = location->text;
    MGL_TRY(
        find_files(location->text, source->options->beside, err, &state->data, &state->meta_path));
    source->name = state->data;
    MGL_TRY(argus_meta_read(state->meta_path, err, &state->meta));
    for (size_t c = 0; c < state->meta.n_columns; c++) {
        const argus_column *column = &state->meta.columns[c];
        MGL_TRY(mgl_source_add_column(source, mgl_span_of(column->name), column->line, err));
        size_t last = column->start + column->width - 1;
        state->width = last > state->width ? last : state->width;
    }
    source->meta = state->meta.meta;
    MGL_TRY(mgl_source_open_text(source, state->data, err));
    source->name = state->data;
    if (state->meta.separator != '\0')
        return mgl_text_sniff(source->text, state->meta.separator, false, err, &state->dialect);
    source->n_rows = source->size / (state->width + 1) + 1;
    return MGL_OK;
}

static void argus_close(mgl_source *source)
{
    argus *state = source->state;
    if (state == NULL)
        return;
    argus_meta_free(&state->meta);
    mgl_free(state->data);
    mgl_free(state->meta_path);
    mgl_free(state);
}

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

/* The byte at which the character of this number (from 0) begins; n_bytes if there is no such
 * character. */
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
        const argus_column *column = &state->meta.columns[c];
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
    const argus *state = source->state;
    mgl_text_reader *reader;
    mgl_buffer scratch = {0};
    MGL_TRY(mgl_text_reader_new(source->text, &state->dialect, err, &reader));
    mgl_status status = put_records(source, intake, reader, &scratch, err);
    mgl_text_reader_free(reader);
    mgl_buffer_free(&scratch);
    return status;
}

static mgl_status put_fixed(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    mgl_raw_lines *lines;
    mgl_span line;
    bool there = true;
    MGL_TRY(mgl_raw_lines_new(source->text, err, &lines));
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
    const argus *state = source->state;
    MGL_TRY(state->meta.separator != '\0' ? put_separated(source, intake, err)
                                          : put_fixed(source, intake, err));
    return mgl_source_unchanged(source, err);
}

static const mgl_source_operations operations = {
    .open = argus_open, .close = argus_close, .produce = produce, .each_file = argus_each_file};

typedef struct writer {
    const mgl_sink_request *order;
    const mgl_span *cells; /* [columns] */
    size_t *widths;        /* [columns] in characters */
    mgl_text_writer *bytes;
    mgl_buffer text;
} writer;

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
            return mgl_fail_column(err, MGL_CODE_NO_ROOM, w->order->target,
                                   w->order->columns[c].name,
                                   "column %.60s has cells with line breaks or outer spaces, which "
                                   "columns of fixed width do not keep; write another format",
                                   w->order->columns[c].name);
        for (size_t n = characters(cell); n < w->widths[c]; n++)
            mgl_buffer_append(&w->text, " ", 1);
        mgl_buffer_span(&w->text, cell);
    }
    mgl_buffer_append(&w->text, "\r\n", 2);
    return w->text.failed ? mgl_fail_memory(err)
                          : mgl_text_write(w->bytes, w->text.data, w->text.size, err);
}

static mgl_status put_name(writer *w, const char *name, mgl_error *err)
{
    if (name[0] == '<' || strpbrk(name, "\"\r\n") != NULL)
        return mgl_fail_column(err, MGL_CODE_NO_ROOM, w->order->target, name,
                               "column %.60s cannot be called so in a file of mu-Argus; rename it",
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
    MGL_TRY(describe(w, err));
    MGL_TRY(mgl_text_writer_new(w->order->fd, "release", err, &w->bytes));
    for (;;) {
        MGL_TRY(mgl_cell_reader_next(w->order->rows, err, &w->cells));
        if (w->cells == NULL)
            return mgl_text_writer_end(w->bytes, err);
        MGL_TRY(put_row(w, err));
    }
}

static mgl_status argus_write(const mgl_format *format, const mgl_sink_request *request,
                              mgl_error *err)
{
    (void)format;
    writer w = {.order = request};
    MGL_TRY(mgl_new_array(request->n_columns, sizeof *w.widths, err, &w.widths));
    mgl_status status = write_all(&w, err);
    mgl_text_writer_free(w.bytes);
    mgl_buffer_free(&w.text);
    mgl_free(w.widths);
    return status;
}

static const mgl_sink_operations sink_argus = {.write = argus_write};

/* R has files with the endings of metadata, text among them. */
static mgl_status is_metadata(const char *path, mgl_error *err, bool *out)
{
    argus_meta meta = {0};
    mgl_status status = argus_meta_read(path, err, &meta);
    argus_meta_free(&meta);
    *out = status == MGL_OK;
    return status == MGL_SYSTEM ? status : MGL_OK;
}

const mgl_format mgl_asc_format = {
    .name = "asc",
    .help = "mu-Argus: columns of fixed width, and what they are in a .rda beside",
    .endings = ".asc",
    .source = &operations,
    .sink = &sink_argus,
    .second = ".rda",
    .is_second = is_metadata,
};

const mgl_format mgl_saf_format = {
    .name = "saf",
    .help = "safe files of mu-Argus: the same with a .rds beside",
    .endings = ".saf",
    .source = &operations,
    .sink = &sink_argus,
    .second = ".rds",
    .is_second = is_metadata,
};

const mgl_format mgl_rda_format = {
    .name = "rda",
    .help = "mu-Argus: what columns are; the data is the .asc or .saf beside",
    .endings = ".rda .rds",
    .source = &operations,
};
