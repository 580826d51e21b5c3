/* Parts: the combinations of cells that a slice of a table has, each with its count (docs/files.md
 * has the layout). Writes them, and reads several together as one counted table. */
#include "io/packed.h"
#include "io/formats.h"
#include "io/intake/intake.h"

static const char KIND[] = "MGLPARTS";

mgl_status mgl_part_pack(const mgl_part *part, mgl_error *err, mgl_buffer *out)
{
    const mgl_table *table = part->table;
    mgl_pack_begin(out, KIND);
    mgl_pack_text(out, mgl_span_of(part->version));
    mgl_pack_columns(out, part->columns, part->roles, part->n_columns);
    mgl_pack_u64(out, table->n_columns);
    for (size_t c = 0; c < table->n_columns; c++) {
        const mgl_dictionary *values = table->columns[c].dictionary;
        uint32_t n = mgl_dictionary_size(values);
        mgl_pack_u32(out, table->columns[c].source_index);
        mgl_pack_u32(out, mgl_dictionary_missing(values));
        mgl_pack_u64(out, n);
        for (uint32_t code = 0; code < n; code++)
            mgl_pack_text(out, mgl_dictionary_value(values, code));
    }
    mgl_pack_u64(out, table->n_rows);
    for (size_t c = 0; c < table->n_columns; c++)
        for (size_t row = 0; row < table->n_rows; row++)
            mgl_pack_u32(out, mgl_column_code(&table->columns[c], row));
    mgl_pack_u64s(out, table->times, table->n_rows);
    mgl_pack_u64(out, part->fingerprint.n_records);
    mgl_pack_u64(out, part->fingerprint.low);
    mgl_pack_u64(out, part->fingerprint.high);
    if (part->reading[0] != '\0')
        mgl_pack_text(out, mgl_span_of(part->reading));
    return mgl_pack_end(out, err);
}

typedef struct reader {
    mgl_unpacker file;
    mgl_part *part;
} reader;

static void read_values(reader *r, mgl_column *column)
{
    enum { LEAST = 4 };
    mgl_unpack_u32s(&r->file, &column->source_index, 1, (uint32_t)r->part->n_columns);
    uint32_t missing = mgl_unpack_u32(&r->file);
    size_t n = mgl_unpack_count(&r->file, LEAST);
    r->file.failed = r->file.failed || (missing != MGL_NOT_FOUND && missing >= n);
    for (size_t i = 0; mgl_unpack_goes_on(&r->file) && i < n; i++) {
        mgl_span text = mgl_unpack_text(&r->file);
        uint32_t code = i == missing ? mgl_dictionary_add_missing(column->dictionary, text)
                                     : mgl_dictionary_add(column->dictionary, text);
        r->file.out_of_memory = r->file.out_of_memory || code == MGL_NOT_FOUND;
        r->file.failed = r->file.failed || code != i;
    }
}

static void read_rows(reader *r)
{
    mgl_table *table = r->part->table;
    size_t n = mgl_unpack_count(&r->file, 4 * table->n_columns + 8);
    table->times = mgl_alloc_array(n, sizeof *table->times);
    r->file.out_of_memory = r->file.out_of_memory || table->times == NULL;
    for (size_t c = 0; mgl_unpack_goes_on(&r->file) && c < table->n_columns; c++) {
        mgl_column *column = &table->columns[c];
        column->width = sizeof(uint32_t);
        column->codes = mgl_alloc_array(n, sizeof(uint32_t));
        column->capacity = n;
        r->file.out_of_memory = column->codes == NULL;
        if (mgl_unpack_goes_on(&r->file))
            mgl_unpack_u32s(&r->file, column->codes, n, mgl_dictionary_size(column->dictionary));
    }
    if (!mgl_unpack_goes_on(&r->file))
        return;
    table->n_rows = n;
    uint64_t n_records = mgl_unpack_counts(&r->file, table->times, n);
    for (size_t row = 0; mgl_unpack_goes_on(&r->file) && row < n; row++)
        r->file.failed = table->times[row] == 0;
    r->part->fingerprint.n_records = mgl_unpack_u64(&r->file);
    r->file.failed = r->file.failed || n_records != r->part->fingerprint.n_records;
    r->part->fingerprint.low = mgl_unpack_u64(&r->file);
    r->part->fingerprint.high = mgl_unpack_u64(&r->file);
}

static void read_all(reader *r)
{
    enum { LEAST = 16 };
    mgl_part *part = r->part;
    part->version = mgl_unpack_kept(&r->file);
    part->n_columns = mgl_unpack_columns(&r->file, &part->columns, &part->roles);
    size_t n = mgl_unpack_count(&r->file, LEAST);
    r->part->table = mgl_table_new(n);
    r->file.out_of_memory = r->file.out_of_memory || r->part->table == NULL;
    for (size_t c = 0; mgl_unpack_goes_on(&r->file) && c < n; c++)
        read_values(r, &r->part->table->columns[c]);
    if (mgl_unpack_goes_on(&r->file))
        read_rows(r);
    /* Files of version 1.0, and of tables read as they are, end here. */
    part->reading = "";
    if (!mgl_unpack_goes_on(&r->file) || r->file.at == r->file.end)
        return;
    part->reading = mgl_unpack_kept(&r->file);
    r->file.failed = r->file.failed || part->reading == NULL || part->reading[0] == '\0';
}

int mgl_is_part(const char *path)
{
    return mgl_location_of(path).kind == MGL_LOCATION_TABLE ? 0 : mgl_is_packed(path, KIND);
}

mgl_status mgl_part_read(const char *path, mgl_error *err, mgl_part **out)
{
    reader r = {.part = mgl_zeroed_array(1, sizeof *r.part)};
    MGL_TRY(mgl_check_memory(r.part != NULL, err));
    r.part->arena = mgl_arena_new();
    mgl_status status = r.part->arena == NULL
                            ? mgl_fail_memory(err)
                            : mgl_unpack_begin(&r.file, path, KIND, "a part that `count` wrote",
                                               r.part->arena, err);
    if (status == MGL_OK) {
        read_all(&r);
        status = mgl_unpack_check(&r.file, err);
        mgl_unpack_end(&r.file);
    }
    if (status != MGL_OK) {
        mgl_part_free(r.part);
        return status;
    }
    *out = r.part;
    return MGL_OK;
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
