/* Reads Parquet files and tables of DuckDB as sources. Only requested columns are read; the engine
 * counts. A Parquet location is a file, a folder with all below it, or a pattern; folders that are
 * called KEY=VALUE are hive partitions, whose keys become columns. */
#include "io/duckdb/read_duckdb.h"
#include "io/duckdb/release_functions.h"
#include "io/intake/intake.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 32 }; /* folders within folders; links could go round in circles */

void mgl_parquet_files_free(mgl_parquet_files *files)
{
    for (size_t i = 0; i < files->n; i++)
        mgl_free(files->list[i].path);
    mgl_free(files->list);
    mgl_buffer_free(&files->keys);
    *files = (mgl_parquet_files){0};
}

static bool is_parquet(const char *path)
{
    return strcmp(mgl_location_of(path).format->name, "parquet") == 0;
}

static mgl_status add_file(mgl_parquet_files *files, const char *path, const mgl_file_state *state,
                           mgl_error *err)
{
    mgl_buffer text = {0};
    MGL_TRY(mgl_grow_array(&files->list, &files->room, files->n + 1, sizeof *files->list, err));
    mgl_buffer_text(&text, path);
    files->list[files->n] = (mgl_parquet_file){.state = *state};
    mgl_status status = mgl_buffer_take(&text, err, &files->list[files->n].path);
    files->n += status == MGL_OK;
    mgl_buffer_free(&text);
    return status;
}

static mgl_status add_folder(mgl_parquet_files *files, const char *path, int depth, mgl_error *err);

/* What writers leave beside their files begins with _ or a dot: _SUCCESS, .part-0.crc. */
static mgl_status add_within(mgl_parquet_files *files, const char *folder, const char *name,
                             int depth, mgl_error *err)
{
    mgl_buffer path = {0};
    mgl_file_state state;
    if (name[0] == '.' || name[0] == '_')
        return MGL_OK;
    mgl_buffer_format(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    mgl_buffer_append(&path, "", 1);
    mgl_status status = MGL_OK;
    MGL_GO(path.failed ? mgl_fail_memory(err) : MGL_OK);
    if (mgl_sys_state_of(path.data, &state) != 0)
        MGL_GO(mgl_fail_errno(err, path.data, "open"));
    if (state.folder)
        MGL_GO(add_folder(files, path.data, depth + 1, err));
    else if (!state.regular || !is_parquet(path.data))
        MGL_GO(mgl_fail_at(err, MGL_CODE_FORMAT, path.data, 0,
                           "is no Parquet file, and stands in a folder that is read as a table; "
                           "move it away, or name the files by a pattern such as '*.parquet'"));
    else
        MGL_GO(add_file(files, path.data, &state, err));
done:
    mgl_buffer_free(&path);
    return status;
}

static mgl_status add_folder(mgl_parquet_files *files, const char *path, int depth, mgl_error *err)
{
    struct dirent **entries = NULL;
    if (depth > DEEPEST)
        return mgl_fail_at(err, MGL_CODE_FILE, path, 0,
                           "has more than %d folders within folders; do links go in circles?",
                           DEEPEST);
    int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0)
        return mgl_fail_errno(err, path, "open");
    mgl_status status = MGL_OK;
    for (int i = 0; i < n && status == MGL_OK; i++)
        status = add_within(files, path, entries[i]->d_name, depth, err);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    return status;
}

static mgl_status add_match(mgl_parquet_files *files, const char *path, mgl_error *err)
{
    mgl_file_state state;
    if (mgl_sys_state_of(path, &state) != 0)
        return mgl_fail_errno(err, path, "open");
    if (state.folder)
        return add_folder(files, path, 1, err);
    if (!state.regular || !is_parquet(path))
        return mgl_fail_at(err, MGL_CODE_FORMAT, path, 0,
                           "fits the pattern and is no Parquet file; move it away, or give a "
                           "pattern that it does not fit");
    return add_file(files, path, &state, err);
}

static mgl_status add_pattern(mgl_parquet_files *files, const char *pattern, mgl_error *err)
{
    glob_t found;
    int failed = glob(pattern, 0, NULL, &found);
    if (failed == GLOB_NOMATCH)
        return mgl_fail_at(err, MGL_CODE_NOT_FOUND, pattern, 0,
                           "no file fits this pattern; check it and the folder");
    if (failed != 0)
        return failed == GLOB_NOSPACE ? mgl_fail_memory(err) : mgl_fail_errno(err, pattern, "open");
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < found.gl_pathc && status == MGL_OK; i++)
        status = add_match(files, found.gl_pathv[i], err);
    globfree(&found);
    return status;
}

/* The keys of KEY=VALUE/ in a path, each with a NUL behind it. */
static void keys_of(const char *path, mgl_buffer *out)
{
    for (const char *slash; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
        const char *equals = memchr(path, '=', (size_t)(slash - path));
        if (equals == NULL || equals == path)
            continue;
        mgl_buffer_append(out, path, (size_t)(equals - path));
        mgl_buffer_append(out, "", 1);
    }
}

static mgl_status find_keys(mgl_parquet_files *files, mgl_error *err)
{
    mgl_buffer keys = {0};
    keys_of(files->list[0].path, &files->keys);
    mgl_status status = MGL_OK;
    for (size_t i = 1; i < files->n && status == MGL_OK; i++) {
        keys.size = 0;
        keys_of(files->list[i].path, &keys);
        if (keys.failed || files->keys.failed)
            status = mgl_fail_memory(err);
        else if (!mgl_span_equal((mgl_span){keys.data, keys.size},
                                 (mgl_span){files->keys.data, files->keys.size}))
            status = mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, files->list[i].path, 0,
                                 "stands in other partitions (folders KEY=VALUE) than %s; give all "
                                 "files of a table the same keys, in the same order",
                                 files->list[0].path);
    }
    mgl_buffer_free(&keys);
    return status;
}

mgl_status mgl_parquet_files_find(const char *location, mgl_error *err, mgl_parquet_files *out)
{
    mgl_file_state state;
    bool there = mgl_sys_state_of(location, &state) == 0;
    int number = errno;
    *out = (mgl_parquet_files){.several = !there || state.folder};
    if (there && !state.folder)
        return add_file(out, location, &state, err);
    if (!there && strpbrk(location, "*?[") == NULL) {
        errno = number;
        return mgl_fail_errno(err, location, "open");
    }
    MGL_TRY(there ? add_folder(out, location, 0, err) : add_pattern(out, location, err));
    if (out->n == 0)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, location, 0,
                           "the folder holds no Parquet file; name one that does");
    return find_keys(out, err);
}

/* Bytes of all of them. */
static uint64_t parquet_files_size(const mgl_parquet_files *files)
{
    uint64_t size = 0;
    for (size_t i = 0; i < files->n; i++)
        size += files->list[i].state.size;
    return size;
}

/* MGL_DATA if one of them is not what it was. */
static mgl_status parquet_files_unchanged(const mgl_parquet_files *files, mgl_error *err)
{
    for (size_t i = 0; i < files->n; i++) {
        mgl_file_state now;
        const char *path = files->list[i].path;
        if (mgl_sys_state_of(path, &now) != 0)
            return mgl_fail_errno(err, path, "look at");
        if (!mgl_sys_same_state(&files->list[i].state, &now))
            return mgl_fail_at(err, MGL_CODE_CHANGED, path, 0,
                               "the file changed while it was read; run again when it is complete");
    }
    return MGL_OK;
}

/* The name of a file is a pattern there: what could be one stands in brackets. */
static void write_name(mgl_buffer *out, const char *file)
{
    mgl_buffer pattern = {0};
    for (const char *c = file; *c != '\0'; c++)
        mgl_buffer_format(&pattern, strchr("*?[", *c) != NULL ? "[%c]" : "%c", *c);
    mgl_duckdb_literal(out, (mgl_span){pattern.data, pattern.size});
    out->failed |= pattern.failed;
    mgl_buffer_free(&pattern);
}

/* Values of partitions are texts: as numbers 01 would become 1. */
void mgl_parquet_files_write(mgl_buffer *out, const mgl_parquet_files *files)
{
    mgl_buffer_text(out, "read_parquet([");
    for (size_t i = 0; i < files->n; i++) {
        mgl_buffer_text(out, i > 0 ? ", " : "");
        write_name(out, files->list[i].path);
    }
    mgl_buffer_format(out,
                      "], union_by_name = %s, hive_partitioning = %s, "
                      "hive_types_autocast = false)",
                      files->n > 1 ? "true" : "false", files->keys.size > 0 ? "true" : "false");
}

/* The columns of the first file, which those of another are compared with. */
typedef struct comparison {
    const mgl_parquet_files *files;
    const char *path; /* of the other file */
    mgl_map *columns; /* NAME\0TYPE of the first, by number */
    mgl_map *names;
    size_t n; /* columns of the other one so far */
} comparison;

/* both: name and type. */
static mgl_status compare_column(const comparison *c, mgl_span both, mgl_span name, mgl_span type,
                                 mgl_error *err)
{
    if (c->path == c->files->list[0].path)
        return mgl_map_add(c->columns, both) == MGL_NOT_FOUND ||
                       mgl_map_add(c->names, name) == MGL_NOT_FOUND
                   ? mgl_fail_memory(err)
                   : MGL_OK;
    if (mgl_map_find(c->columns, both) != MGL_NOT_FOUND)
        return MGL_OK;
    bool known = mgl_map_find(c->names, name) != MGL_NOT_FOUND;
    return mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, c->path, 0,
                       "column %.*s%s%.*s%s %s %s; files of one table need the same columns of "
                       "the same types",
                       mgl_span_width(name), name.data, type.size > 0 ? " (" : "",
                       mgl_span_width(type), type.size > 0 ? type.data : "",
                       type.size > 0 ? ")" : "", known ? "has another type in" : "is not in",
                       c->files->list[0].path);
}

static mgl_status take_column(void *context, mgl_span name, mgl_span type, mgl_error *err)
{
    comparison *c = context;
    mgl_buffer both = {0};
    mgl_span keys = {c->files->keys.data, c->files->keys.size};
    for (const char *key = keys.data; key < keys.data + keys.size; key += strlen(key) + 1)
        if (mgl_span_is(name, key))
            return mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, c->path, 0,
                               "column %.*s is in the file and in the name of its folder; leave "
                               "it out of one of them",
                               mgl_span_width(name), name.data);
    mgl_buffer_span(&both, name);
    mgl_buffer_append(&both, "", 1);
    mgl_buffer_span(&both, type);
    mgl_status status = both.failed
                            ? mgl_fail_memory(err)
                            : compare_column(c, (mgl_span){both.data, both.size}, name, type, err);
    mgl_buffer_free(&both);
    c->n++;
    return status;
}

static mgl_status compare_file(comparison *c, mgl_duckdb *db, mgl_error *err)
{
    c->n = 0;
    /* Calls visit for each column of a file. */
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "read_parquet(");
    write_name(&statement, c->path);
    mgl_buffer_text(&statement, ", hive_partitioning = false)");
    MGL_TRY(mgl_duckdb_each_column(db, &statement, take_column, c, err));
    if (c->n == mgl_map_size(c->names))
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, c->path, 0,
                       "has %zu columns, and %s has %u; files of one table need the same columns "
                       "of the same types",
                       c->n, c->files->list[0].path, mgl_map_size(c->names));
}

/* MGL_DATA unless all files have the same columns with the same types, in any order, and none that
 * is called like a partition. */
static mgl_status parquet_files_compare(const mgl_parquet_files *files, mgl_duckdb *db,
                                        mgl_error *err)
{
    comparison c = {.files = files, .columns = mgl_map_new(), .names = mgl_map_new()};
    mgl_status status = c.columns == NULL || c.names == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t i = 0; i < files->n && status == MGL_OK && files->several; i++) {
        c.path = files->list[i].path;
        status = compare_file(&c, db, err);
    }
    mgl_map_free(c.columns);
    mgl_map_free(c.names);
    return status;
}

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
    source->size = parquet_files_size(&d->files);
    mgl_duckdb_limits limits = {.threads = source->options->threads,
                                .memory = source->options->memory};
    MGL_TRY(mgl_duckdb_open(&d->db, d->table != NULL ? d->file : NULL, d->file, &limits, err));
    if (d->table != NULL)
        MGL_TRY(write_table(d, err));
    else
        MGL_TRY(parquet_files_compare(&d->files, &d->db, err));
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
    return parquet_files_unchanged(&d->files, err);
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
