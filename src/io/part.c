/* Parts: the combinations of cells that a slice of a table has, each with its count (docs/files.md
 * has the layout). Writes them, and reads several together as one counted table. */
#include "io/packed.h"
#include "io/formats.h"
#include "io/intake/intake.h"

static const char KIND[] = "MGLPARTS";

static void pass_values(mgl_packed *f, const mgl_part *part, mgl_column *column)
{
    enum { LEAST = 4 };
    uint32_t missing;
    size_t n;
    mgl_packed_below(f, &column->source_index, (uint32_t)part->n_columns);
    mgl_packed_values(f, column->dictionary, &missing, &n, LEAST);
    for (size_t i = 0; mgl_packed_goes_on(f) && i < n; i++)
        mgl_packed_value(f, column->dictionary, (uint32_t)i, missing);
}

static void pass_codes(mgl_packed *f, mgl_column *column, size_t n)
{
    if (f->out == NULL)
        mgl_packed_numbers(f, column->codes, n, mgl_dictionary_size(column->dictionary));
    for (size_t row = 0; f->out != NULL && row < n; row++) {
        uint32_t code = mgl_column_code(column, row);
        mgl_packed_u32(f, &code);
    }
}

static void pass_rows(mgl_packed *f, mgl_part *part)
{
    mgl_table *table = part->table;
    size_t n = table->n_rows;
    mgl_packed_count(f, &n, 4 * table->n_columns + 8);
    if (f->out == NULL) {
        table->times = mgl_alloc_array(n, sizeof *table->times);
        f->out_of_memory = f->out_of_memory || table->times == NULL;
        for (size_t c = 0; mgl_packed_goes_on(f) && c < table->n_columns; c++) {
            mgl_column *column = &table->columns[c];
            column->width = sizeof(uint32_t);
            column->codes = mgl_alloc_array(n, sizeof(uint32_t));
            column->capacity = n;
            f->out_of_memory = column->codes == NULL;
        }
    }
    for (size_t c = 0; mgl_packed_goes_on(f) && c < table->n_columns; c++)
        pass_codes(f, &table->columns[c], n);
    if (!mgl_packed_goes_on(f))
        return;
    table->n_rows = n;
    uint64_t n_records = mgl_packed_counts(f, table->times, n);
    for (size_t row = 0; mgl_packed_goes_on(f) && row < n; row++)
        f->failed = table->times[row] == 0;
    mgl_packed_u64(f, &part->fingerprint.n_records);
    f->failed = f->failed || n_records != part->fingerprint.n_records;
    mgl_packed_u64(f, &part->fingerprint.low);
    mgl_packed_u64(f, &part->fingerprint.high);
}

static void pass_part(mgl_packed *f, void *content)
{
    enum { LEAST = 16 };
    mgl_part *part = content;
    size_t n = f->out != NULL ? part->table->n_columns : 0;
    mgl_packed_text(f, &part->version);
    mgl_packed_columns(f, &part->columns, &part->roles, &part->n_columns);
    mgl_packed_count(f, &n, LEAST);
    if (f->out == NULL)
        part->table = mgl_table_new(n);
    f->out_of_memory = f->out_of_memory || part->table == NULL;
    for (size_t c = 0; mgl_packed_goes_on(f) && c < n; c++)
        pass_values(f, part, &part->table->columns[c]);
    if (mgl_packed_goes_on(f))
        pass_rows(f, part);
    /* Files of version 1.0, and of tables read as they are, end here. */
    if (f->out == NULL)
        part->reading = "";
    if (mgl_packed_has_more(f) || part->reading[0] != '\0') {
        mgl_packed_text(f, &part->reading);
        f->failed = f->failed || part->reading == NULL || part->reading[0] == '\0';
    }
}

mgl_status mgl_part_pack(const mgl_part *part, mgl_error *err, mgl_buffer *out)
{
    return mgl_packed_write(KIND, pass_part, part, err, out);
}

int mgl_is_part(const char *path)
{
    return mgl_location_of(path).kind == MGL_LOCATION_TABLE ? 0 : mgl_is_packed(path, KIND);
}

mgl_status mgl_part_read(const char *path, mgl_error *err, mgl_part **out)
{
    mgl_part *part = mgl_zeroed_array(1, sizeof *part);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(part != NULL, err));
    part->arena = mgl_arena_new();
    MGL_GO(mgl_check_memory(part->arena != NULL, err));
    MGL_GO(mgl_packed_read(path, KIND, "a part that `count` wrote", part->arena, pass_part, part,
                           err));
    *out = part;
    part = NULL;
done:
    mgl_part_free(part);
    return status;
}

void mgl_part_free(mgl_part *part)
{
    if (part == NULL)
        return;
    mgl_table_free(part->table);
    mgl_arena_free(part->arena);
    mgl_free(part);
}

typedef struct state {
    const char *name;
    size_t n;
    mgl_part **parts;
} state;

static bool count_the_same(const mgl_part *a, const mgl_part *b)
{
    if (a->n_columns != b->n_columns || a->table->n_columns != b->table->n_columns)
        return false;
    for (size_t c = 0; c < a->n_columns; c++)
        if (strcmp(a->columns[c], b->columns[c]) != 0 || a->roles[c] != b->roles[c])
            return false;
    for (size_t c = 0; c < a->table->n_columns; c++)
        if (a->table->columns[c].source_index != b->table->columns[c].source_index)
            return false;
    return strcmp(a->reading, b->reading) == 0;
}

static mgl_status open_parts(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    const mgl_source_options *options = source->options;
    state *s = source->state = mgl_zeroed_array(1, sizeof *s);
    MGL_TRY(mgl_check_memory(s != NULL, err));
    source->name = s->name = location->text;
    MGL_TRY(mgl_new_zeroed(1 + options->n_parts, sizeof *s->parts, err, &s->parts));
    for (size_t i = 0; i <= options->n_parts; i++) {
        const char *path = i == 0 ? location->text : options->parts[i - 1];
        MGL_TRY(mgl_part_read(path, err, &s->parts[s->n]));
        s->n++;
        if (!count_the_same(s->parts[0], s->parts[i]))
            return mgl_fail_key_at(
                err, MGL_CODE_MISMATCH, path, "parts",
                "this part counts other columns, in other roles or order, or read in "
                "another way "
                "(`decimal`, `century`, `trim`, `fold-case`) than %.200s; count all "
                "parts with the same job",
                location->text);
    }
    for (size_t c = 0; c < s->parts[0]->n_columns; c++)
        MGL_TRY(mgl_source_add_column(source, mgl_span_of(s->parts[0]->columns[c]), 0, err));
    return MGL_OK;
}

static void close_parts(mgl_source *source)
{
    state *s = source->state;
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->n; i++)
        mgl_part_free(s->parts[i]);
    mgl_free(s->parts);
    mgl_free(s);
}

static mgl_status no_rows(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    (void)intake;
    return mgl_fail_key_at(
        err, MGL_CODE_CONFLICT, source->name, "output",
        "a part holds counts, not rows; leave out `output` and give `save-recoding`, then "
        "release slices of the table with `apply`");
}

/* Appends a column of a part: its values may have other codes in the table. */
static bool append_column(mgl_column *to, size_t rows_before, const mgl_column *from, size_t n_rows)
{
    uint32_t n = mgl_dictionary_size(from->dictionary),
             missing = mgl_dictionary_missing(from->dictionary);
    uint32_t *codes = mgl_alloc_array(n, sizeof *codes);
    bool fine = codes != NULL;
    for (uint32_t code = 0; fine && code < n; code++) {
        mgl_span value = mgl_dictionary_value(from->dictionary, code);
        codes[code] = code == missing ? mgl_dictionary_add_missing(to->dictionary, value)
                                      : mgl_dictionary_add(to->dictionary, value);
        fine = codes[code] != MGL_NOT_FOUND && mgl_column_widen(to, rows_before, codes[code]);
    }
    fine = fine && mgl_column_reserve(to, rows_before, n_rows);
    for (size_t row = 0; fine && row < n_rows; row++)
        mgl_column_set(to, rows_before + row, codes[mgl_column_code(from, row)]);
    mgl_free(codes);
    return fine;
}

static mgl_status append_part(const mgl_source *source, mgl_table *table, const mgl_part *part,
                              mgl_error *err)
{
    const mgl_table *from = part->table;
    for (size_t c = 0; c < table->n_columns; c++) {
        mgl_column *column = &table->columns[c];
        size_t at = 0;
        while (at < from->n_columns && from->columns[at].source_index != column->source_index)
            at++;
        if (at == from->n_columns)
            return mgl_fail_column(
                err, MGL_CODE_UNKNOWN_COLUMN, source->name, column->name,
                "column \"%.60s\" was not counted; count it as a quasi-identifier "
                "or sensitive",
                column->name);
        MGL_TRY(mgl_check_memory(
            append_column(column, table->n_rows, &from->columns[at], from->n_rows), err));
    }
    memcpy(table->times + table->n_rows, from->times, from->n_rows * sizeof *from->times);
    table->n_rows += from->n_rows;
    return MGL_OK;
}

static mgl_status count_parts(mgl_source *source, mgl_table *table, const mgl_progress *progress,
                              mgl_error *err)
{
    const state *s = source->state;
    size_t n_rows = 0;
    for (size_t i = 0; i < s->n; i++)
        n_rows += s->parts[i]->table->n_rows;
    if (n_rows == 0 && !source->options->may_be_empty)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, 0,
                           "the parts have no rows; count other slices, too");
    MGL_TRY(mgl_new_array(n_rows, sizeof *table->times, err, &table->times));
    for (size_t i = 0; i < s->n; i++) {
        MGL_TRY(append_part(source, table, s->parts[i], err));
        MGL_TRY(mgl_progress_report(progress, "read", i + 1, s->n, err));
    }
    return MGL_OK;
}

const mgl_part *const *mgl_source_parts(const mgl_source *source, size_t *n)
{
    const state *s = source->state;
    *n = 0;
    if (source->format != &mgl_part_format)
        return NULL;
    *n = s->n;
    return (const mgl_part *const *)s->parts;
}

static const mgl_source_operations operations = {
    .open = open_parts,
    .close = close_parts,
    .produce = no_rows,
    .count = count_parts,
};

const mgl_format mgl_part_format = {
    .name = "part",
    .help = "counts that `count` made of a slice; known by what it holds",
    .source = &operations,
    .in_memory = true,
};
