/* Reads Parquet files and tables of DuckDB as sources. Only requested columns are read; the engine
 * counts. */
#include "io/duckdb/read_duckdb.h"
#include "io/duckdb/release_functions.h"

#include "io/intake/intake.h"

#include <stdio.h>

typedef struct type_row {
    const char *begins;
    mgl_cell_kind kind;
    mgl_duck_fetched fetched;
} type_row;

/* What a type begins with; the longer ones first. */
static const type_row types[] = {
    {"DOUBLE", MGL_CELLS_NUMBER, MGL_DUCK_DOUBLE},
    {"FLOAT", MGL_CELLS_NUMBER, MGL_DUCK_FLOAT},
    {"TIMESTAMP", MGL_CELLS_DATETIME, MGL_DUCK_TEXT},
    {"DATE", MGL_CELLS_DATE, MGL_DUCK_TEXT},
    {"TINYINT", MGL_CELLS_NUMBER, MGL_DUCK_WHOLE},
    {"SMALLINT", MGL_CELLS_NUMBER, MGL_DUCK_WHOLE},
    {"INTEGER", MGL_CELLS_NUMBER, MGL_DUCK_WHOLE},
    {"BIGINT", MGL_CELLS_NUMBER, MGL_DUCK_WHOLE},
    {"HUGEINT", MGL_CELLS_NUMBER, MGL_DUCK_TEXT},
    {"UTINYINT", MGL_CELLS_NUMBER, MGL_DUCK_WHOLE},
    {"USMALLINT", MGL_CELLS_NUMBER, MGL_DUCK_WHOLE},
    {"UINTEGER", MGL_CELLS_NUMBER, MGL_DUCK_WHOLE},
    {"UBIGINT", MGL_CELLS_NUMBER, MGL_DUCK_TEXT},
    {"UHUGEINT", MGL_CELLS_NUMBER, MGL_DUCK_TEXT},
    {"DECIMAL", MGL_CELLS_NUMBER, MGL_DUCK_TEXT},
    {"VARCHAR", MGL_CELLS_TEXT, MGL_DUCK_TEXT},
    {"ENUM", MGL_CELLS_TEXT, MGL_DUCK_TEXT},
    {"BOOLEAN", MGL_CELLS_TEXT, MGL_DUCK_TEXT},
    {"UUID", MGL_CELLS_TEXT, MGL_DUCK_TEXT},
    {"TIME", MGL_CELLS_TEXT, MGL_DUCK_TEXT},
    {"INTERVAL", MGL_CELLS_TEXT, MGL_DUCK_TEXT},
};

static mgl_status add_column(void *context, mgl_span name, mgl_span type, mgl_error *err)
{
    mgl_source *source = context;
    mgl_duck *d = source->state;
    size_t n = d->n_columns;
    if (!mgl_grow(&d->columns, &d->columns_capacity, n + 1, sizeof *d->columns) ||
        !mgl_grow(&d->meta, &d->meta_capacity, n + 1, sizeof *d->meta))
        return mgl_fail_memory(err);
    d->columns[n] =
        (mgl_duck_column){.type = mgl_arena_copy(d->arena, type.data, type.size), .opaque = true};
    d->meta[n] = (mgl_column_meta){.kind = MGL_CELLS_TEXT};
    MGL_TRY(mgl_check_memory(d->columns[n].type != NULL, err));
    d->meta[n].type = d->columns[n].type;
    bool list = type.size > 0 && type.data[type.size - 1] == ']';
    for (size_t i = 0; !list && i < sizeof types / sizeof types[0]; i++) {
        size_t size = strlen(types[i].begins);
        if (type.size < size || memcmp(type.data, types[i].begins, size) != 0)
            continue;
        d->columns[n].opaque = false;
        d->columns[n].fetched = types[i].fetched;
        d->meta[n].kind = types[i].kind;
        break;
    }
    d->n_columns++;
    return mgl_source_add_column(source, name, 0, err);
}

static mgl_status fail_location(const char *location, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_BAD_VALUE, location, 0,
                       "this names no table; write duckdb:FILE?table=NAME");
}

/* PATH, or duckdb:FILE?table=NAME. */
static mgl_status take_location(mgl_duck *d, const mgl_source *source, const mgl_location *location,
                                mgl_error *err)
{
    const char *scheme = source->format->scheme, *table = location->table;
    bool database = scheme != NULL;
    if (database && (table == NULL || table[0] == '\0' || location->path.size == 0))
        return fail_location(location->text + strlen(scheme), err);
    mgl_span file = database ? location->path : location->file;
    d->file = mgl_arena_copy(d->arena, file.data, file.size);
    if (database)
        d->table = mgl_arena_copy(d->arena, table, strlen(table));
    return d->file == NULL || (database && d->table == NULL) ? mgl_fail_memory(err) : MGL_OK;
}

/* NAME, or SCHEMA.NAME if there is no table that is called so as a whole. */
static mgl_status write_table(mgl_duck *d, mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "SELECT 1 FROM duckdb_tables() WHERE table_name = ");
    mgl_duckdb_literal(&statement, mgl_span_of(d->table));
    mgl_buffer_text(&statement, " UNION ALL SELECT 1 FROM duckdb_views() WHERE view_name = ");
    mgl_duckdb_literal(&statement, mgl_span_of(d->table));
    MGL_TRY(mgl_duckdb_run(&d->db, &statement, err));
    MGL_TRY(mgl_duckdb_fetch(&d->db, err));
    const char *dot = d->db.chunk_size == 0 ? strchr(d->table, '.') : NULL;
    if (dot != NULL) {
        mgl_duckdb_identifier(&d->from, (mgl_span){d->table, (size_t)(dot - d->table)});
        mgl_buffer_text(&d->from, ".");
    }
    mgl_duckdb_identifier(&d->from, mgl_span_of(dot != NULL ? dot + 1 : d->table));
    return MGL_OK;
}

static mgl_status describe(mgl_source *source, mgl_error *err)
{
    mgl_duck *d = source->state;
    mgl_buffer table = {0};
    mgl_buffer_span(&table, (mgl_span){d->from.data, d->from.size});
    MGL_TRY(mgl_duckdb_each_column(&d->db, &table, add_column, source, err));
    source->meta = d->meta;
    return MGL_OK;
}

static mgl_status duck_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    mgl_duck *d = source->state = mgl_zeroed_array(1, sizeof *d);
    MGL_TRY(mgl_check_memory(d != NULL && (d->arena = mgl_arena_new()) != NULL, err));
    source->name = location->text;
    MGL_TRY(take_location(d, source, location, err));
    source->name = d->file;
    MGL_TRY(mgl_parquet_files_find(d->file, err, &d->files));
    source->size = mgl_parquet_files_size(&d->files);
    mgl_duckdb_limits limits = {.threads = source->options->threads,
                                .memory = source->options->memory};
    MGL_TRY(mgl_duckdb_open(&d->db, d->table != NULL ? d->file : NULL, d->file, &limits, err));
    if (d->table != NULL)
        MGL_TRY(write_table(d, err));
    else
        MGL_TRY(mgl_parquet_files_compare(&d->files, &d->db, err));
    if (d->table == NULL)
        mgl_parquet_files_write(&d->from, &d->files);
    return d->from.failed ? mgl_fail_memory(err) : describe(source, err);
}

static void duck_close(mgl_source *source)
{
    mgl_duck *d = source->state;
    if (d == NULL)
        return;
    mgl_duckdb_close(&d->db);
    mgl_release_functions_free(d->functions);
    mgl_parquet_files_free(&d->files);
    mgl_buffer_free(&d->from);
    mgl_arena_free(d->arena);
    mgl_free(d->columns);
    mgl_free(d->meta);
    mgl_free(d);
}

/* A column as it is fetched; name: what it is called there. */
void mgl_duck_write_cell(mgl_buffer *out, const mgl_duck *d, size_t c, mgl_span name)
{
    bool time = d->meta[c].kind == MGL_CELLS_DATETIME;
    bool text = d->columns[c].fetched == MGL_DUCK_TEXT;
    bool whole = d->columns[c].fetched == MGL_DUCK_WHOLE;
    mgl_buffer_text(out, time ? "replace(CAST(" : text || whole ? "CAST(" : "");
    mgl_duckdb_identifier(out, name);
    mgl_buffer_text(out, time    ? " AS VARCHAR), ' ', 'T')"
                         : text  ? " AS VARCHAR)"
                         : whole ? " AS BIGINT)"
                                 : "");
}

mgl_span mgl_duck_show(const mgl_duck_column *c, mgl_duckdb_cells cells, size_t row,
                       char text[MGL_NUMBER_TEXT])
{
    if (c->fetched == MGL_DUCK_TEXT)
        return mgl_duckdb_text_at(cells, row);
    if (c->fetched == MGL_DUCK_WHOLE)
        return (mgl_span){text, (size_t)snprintf(text, MGL_NUMBER_TEXT, "%lld",
                                                 (long long)((const int64_t *)cells.data)[row])};
    bool single = c->fetched == MGL_DUCK_FLOAT;
    double number = single ? ((const float *)cells.data)[row] : ((const double *)cells.data)[row];
    number += 0.0; /* the engine takes -0 for 0, and all that is no number for the same */
    if (number != number)
        return mgl_span_of("nan");
    size_t size = single ? mgl_number_write_single((float)number, text)
                         : mgl_number_write_exact(number, text);
    return (mgl_span){text, size};
}

mgl_status mgl_duck_unchanged(const mgl_source *source, mgl_error *err)
{
    const mgl_duck *d = source->state;
    return mgl_parquet_files_unchanged(&d->files, err);
}

static mgl_status check_columns(const mgl_source *source, const mgl_table *table, mgl_error *err)
{
    const mgl_duck *d = source->state;
    for (size_t i = 0; i < table->n_columns; i++) {
        const mgl_duck_column *c = &d->columns[table->columns[i].source_index];
        if (c->opaque)
            return mgl_fail_column(
                err, MGL_CODE_COLUMN_TYPE, source->name, table->columns[i].name,
                "column %.60s has the type %.60s, whose values cannot be compared "
                "or generalized; leave it out with `role: identifier`",
                table->columns[i].name, c->type);
    }
    return MGL_OK;
}

static mgl_status put_rows(mgl_source *source, mgl_intake *intake, const size_t *places,
                           mgl_error *err)
{
    mgl_duck *d = source->state;
    mgl_duckdb_cells *cells = mgl_alloc_array(d->n_columns, sizeof *cells);
    mgl_status status = MGL_OK;
    if (cells == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t c = 0; c < d->n_columns; c++)
        if (places[c] != SIZE_MAX)
            cells[c] = mgl_duckdb_column(&d->db, places[c]);
    for (size_t r = 0; r < d->db.chunk_size; r++)
        for (size_t c = 0; c < d->n_columns; c++) {
            char text[MGL_NUMBER_TEXT];
            mgl_span cell = source->options->no_value;
            if (places[c] == SIZE_MAX)
                cell = (mgl_span){"", 0};
            else if (mgl_duckdb_has(cells[c], r))
                cell = mgl_duck_show(&d->columns[c], cells[c], r, text);
            MGL_GO(mgl_intake_put(intake, cell, err));
        }
done:
    mgl_free(cells);
    return status;
}

static mgl_status fetch_rows(mgl_source *source, mgl_intake *intake, size_t *places, mgl_error *err)
{
    mgl_duck *d = source->state;
    mgl_buffer statement = {0};
    size_t n = 0;
    mgl_buffer_text(&statement, "SELECT ");
    for (size_t c = 0; c < d->n_columns; c++) {
        places[c] = mgl_intake_wants(intake, c) ? n++ : SIZE_MAX;
        if (places[c] == SIZE_MAX)
            continue;
        mgl_buffer_text(&statement, n > 1 ? ", " : "");
        mgl_duck_write_cell(&statement, d, c, mgl_span_of(mgl_source_column(source, c)));
    }
    mgl_buffer_text(&statement, n == 0 ? "1 FROM " : " FROM "); /* rows may just be counted */
    mgl_buffer_span(&statement, (mgl_span){d->from.data, d->from.size});
    MGL_TRY(mgl_duckdb_run(&d->db, &statement, err));
    for (;;) {
        MGL_TRY(mgl_duckdb_fetch(&d->db, err));
        if (d->db.chunk_size == 0)
            return mgl_duck_unchanged(source, err);
        MGL_TRY(put_rows(source, intake, places, err));
    }
}

static mgl_status produce(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    const mgl_duck *d = source->state;
    size_t *places = mgl_alloc_array(d->n_columns, sizeof *places);
    MGL_TRY(mgl_check_memory(places != NULL, err));
    mgl_status status = fetch_rows(source, intake, places, err);
    mgl_free(places);
    return status;
}

static mgl_status duck_unchanged(mgl_source *source, mgl_error *err)
{
    return mgl_duck_unchanged(source, err);
}

/* What is wrong with the location is reported when it is opened. */
static mgl_status each_file(const char *path, mgl_file_fn *visit, void *context, mgl_error *err)
{
    mgl_parquet_files files = {0};
    mgl_status status = MGL_OK;
    if (mgl_parquet_files_find(path, NULL, &files) == MGL_OK && files.several)
        for (size_t i = 0; i < files.n && status == MGL_OK; i++)
            status = visit(context, files.list[i].path, err);
    mgl_parquet_files_free(&files);
    return status;
}

const mgl_source_operations mgl_source_duckdb = {.open = duck_open,
                                                 .close = duck_close,
                                                 .check = check_columns,
                                                 .produce = produce,
                                                 .unchanged = duck_unchanged,
                                                 .count = mgl_duck_count,
                                                 .push = &mgl_duck_push,
                                                 .each_file = each_file};

const mgl_format mgl_duckdb_format = {
    .name = "duckdb",
    .help = "a table of DuckDB: duckdb:FILE?table=NAME",
    .scheme = "duckdb:",
    .engine_files = ".wal",
    .source = &mgl_source_duckdb,
    .loaded = true,
    .beside = true,
};
