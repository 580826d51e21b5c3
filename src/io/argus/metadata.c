/* Reads the metadata file of mu-Argus: names, places, codes for missing, identification levels of
 * columns. read_argus.c calls it when it opens a source. */
#include "io/argus/argus.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct reader {
    mgl_argus_meta *out;
    mgl_lines lines;
    mgl_span rest; /* of the line */
    mgl_missing_range missing[16];
} reader;

/* ---- Words ---------------------------------------------------------------------------- */

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool is_word(mgl_span word, const char *name)
{
    for (size_t i = 0; i < word.size; i++)
        if (upper(word.data[i]) != name[i]) /* a shorter name ends in NUL, which no word has */
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
    return mgl_fail_at(err, MGL_CODE_FORMAT, r->lines.path, r->lines.number, "%s", what);
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

/* ---- Columns -------------------------------------------------------------------------- */

static mgl_status read_missing(reader *r, mgl_column_meta *meta, mgl_error *err)
{
    mgl_span word;
    size_t n = 0;
    while (next_word(r, &word)) {
        if (n == sizeof r->missing / sizeof r->missing[0])
            return fail_line(r, "a column has up to 16 codes for missing cells", err);
        mgl_span code = copy(r, mgl_span_trim(word));
        if (code.data == NULL)
            return mgl_fail_memory(err);
        r->missing[n++] = (mgl_missing_range){code, code};
    }
    mgl_missing_range *kept = mgl_arena_alloc(r->out->arena, (n + 1) * sizeof *kept);
    if (kept == NULL)
        return mgl_fail_memory(err);
    memcpy(kept, r->missing, n * sizeof *kept);
    meta->missing = kept;
    meta->n_missing = n;
    return MGL_OK;
}

static mgl_status add_column(reader *r, mgl_span name, mgl_error *err)
{
    mgl_argus_meta *out = r->out;
    size_t n = out->n_columns;
    if (!mgl_grow(&out->columns, &out->columns_capacity, n + 1, sizeof *out->columns) ||
        !mgl_grow(&out->meta, &out->meta_capacity, n + 1, sizeof *out->meta))
        return mgl_fail_memory(err);
    mgl_argus_column *column = &out->columns[n];
    *column = (mgl_argus_column){.name = copy(r, name).data, .line = r->lines.number};
    out->meta[n] = (mgl_column_meta){0};
    if (column->name == NULL)
        return mgl_fail_memory(err);
    if (out->separator == '\0')
        MGL_TRY(next_number(r, err, &column->start));
    MGL_TRY(next_number(r, err, &column->width));
    out->meta[n].width = column->width;
    out->n_columns++;
    return read_missing(r, &out->meta[n], err);
}

/* ---- Tags ----------------------------------------------------------------------------- */

static mgl_status read_list(reader *r, mgl_column_meta *meta, mgl_error *err)
{
    mgl_span name;
    if (!next_word(r, &name))
        return fail_line(r, "<CODELIST> names a file", err);
    mgl_buffer path = {0};
    const char *slash = strrchr(r->lines.path, '/');
    char *joined;
    if (slash != NULL && name.size > 0 && name.data[0] != '/')
        mgl_buffer_append(&path, r->lines.path, (size_t)(slash - r->lines.path) + 1);
    mgl_buffer_span(&path, name);
    MGL_TRY(mgl_buffer_take(&path, err, &joined));
    char *found = mgl_sys_any_case(joined);
    mgl_free(joined);
    mgl_argus_meta *out = r->out;
    bool memory =
        found != NULL &&
        mgl_grow(&out->lists, &out->lists_capacity, out->n_lists + 1, sizeof *out->lists) &&
        (out->lists[out->n_lists] = mgl_arena_copy(out->arena, found, strlen(found))) != NULL;
    if (!memory) {
        mgl_free(found);
        return mgl_fail_memory(err);
    }
    out->n_lists++;
    mgl_status status = mgl_code_list_read(found, r->out->arena, err, &meta->labels);
    mgl_free(found);
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

/* What mu-Argus was told about a column; 0 is nothing. */
static void say_option(mgl_column_meta *meta, const char *name, uint64_t number)
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

/* Words that say nothing about the cells themselves are passed over. */
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
        say_option(meta, "identification", number < 3 ? number : 3);
    }
    if (is_word(tag, "<SUPPRESSWEIGHT>") || is_word(tag, "<SUPPRESSPRIORITY>")) {
        MGL_TRY(read_whole(r, err, &number));
        say_option(meta, "importance", number);
    }
    if (is_word(tag, "<DECIMALS>")) {
        MGL_TRY(read_whole(r, err, &number));
        meta->decimals = (size_t)number;
    }
    return MGL_OK;
}

/* ---- All of it ------------------------------------------------------------------------ */

static mgl_status read_lines(reader *r, mgl_error *err)
{
    mgl_span word;
    bool there = true;
    MGL_TRY(mgl_lines_open(&r->lines, r->out->path, err));
    for (;;) {
        MGL_TRY(mgl_lines_next(&r->lines, err, &r->rest, &there));
        if (!there)
            return MGL_OK;
        if (!next_word(r, &word))
            continue;
        MGL_TRY(word.size > 0 && word.data[0] == '<' ? read_tag(r, word, err)
                                                     : add_column(r, word, err));
    }
}

static int by_start(const void *a, const void *b)
{
    const mgl_argus_column *x = *(const mgl_argus_column *const *)a;
    const mgl_argus_column *y = *(const mgl_argus_column *const *)b;
    return (x->start > y->start) - (x->start < y->start);
}

static mgl_status check_places(const mgl_argus_meta *meta, mgl_error *err)
{
    const mgl_argus_column **sorted = mgl_alloc_array(meta->n_columns, sizeof(void *));
    if (sorted == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < meta->n_columns; c++)
        sorted[c] = &meta->columns[c];
    qsort(sorted, meta->n_columns, sizeof(void *), by_start);
    mgl_status status = MGL_OK;
    for (size_t c = 1; status == MGL_OK && c < meta->n_columns; c++) {
        const mgl_argus_column *a = sorted[c - 1], *b = sorted[c];
        if (a->start + a->width > b->start)
            status = mgl_blame_column(
                err,
                mgl_fail_at(err, MGL_CODE_FORMAT, meta->path, b->line,
                            "column %.60s (from %zu on) overlaps column %.60s (%zu to %zu, "
                            "line %llu); correct one of them",
                            b->name, b->start, a->name, a->start, a->start + a->width - 1,
                            (unsigned long long)a->line),
                b->name);
    }
    mgl_free(sorted);
    return status;
}

mgl_status mgl_argus_meta_read(const char *path, mgl_error *err, mgl_argus_meta *out)
{
    reader r = {.out = out};
    *out = (mgl_argus_meta){.path = path, .arena = mgl_arena_new()};
    if (out->arena == NULL)
        return mgl_fail_memory(err);
    mgl_status status = MGL_OK;
    MGL_GO(read_lines(&r, err));
    if (out->n_columns == 0)
        MGL_GO(mgl_fail_at(err, MGL_CODE_FORMAT, path, 0,
                           "there is no column in it; write lines NAME START WIDTH"));
    if (out->separator == '\0')
        MGL_GO(check_places(out, err));
done:
    mgl_lines_close(&r.lines);
    return status;
}

void mgl_argus_meta_free(mgl_argus_meta *meta)
{
    mgl_free(meta->columns);
    mgl_free(meta->meta);
    mgl_free(meta->lists);
    mgl_arena_free(meta->arena);
    *meta = (mgl_argus_meta){0};
}
