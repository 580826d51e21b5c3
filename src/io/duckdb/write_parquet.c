/* Writes Parquet: one file as a sink, for which DuckDB fetches the rows from us, and a folder of
 * files that is divided by columns. */
#include "io/duckdb/read_duckdb.h"
#include "io/duckdb/duckdb.h"

typedef struct writer {
    const mgl_sink_request *order;
    mgl_duckdb db;
    mgl_row_function *function;
    mgl_sink_shape *shapes; /* [columns] of those that have no type of their own */
    mgl_status status;      /* of the rows */
    mgl_error error;
    bool ended;
} writer;

static const char *const types[] = {[MGL_AS_TEXT] = "VARCHAR",
                                    [MGL_AS_WHOLE] = "BIGINT",
                                    [MGL_AS_NUMBER] = "DOUBLE",
                                    [MGL_AS_DATE] = "DATE",
                                    [MGL_AS_DATETIME] = "TIMESTAMP"};

/* The type that the column had, if its cells are as they were. */
static const char *own_type(const mgl_sink_column *column)
{
    return column->as_is && column->meta != NULL ? column->meta->type : NULL;
}

/* A cell of no value has none there, too; other tokens for missing ones are texts, and in columns
 * that are as they were the values that they are. */
static bool is_null(const writer *w, size_t c, mgl_span cell)
{
    if (w->shapes[c] != MGL_AS_TEXT && own_type(&w->order->columns[c]) == NULL)
        return mgl_sink_missing(w->order, cell);
    return w->order->n_missing > 0 && mgl_span_equal(cell, w->order->missing[0]);
}

static size_t make_rows(void *context, const mgl_made_rows *rows)
{
    writer *w = context;
    size_t n = 0;
    for (; !w->ended && n < rows->most; n++) {
        const mgl_span *cells;
        w->status = mgl_cell_reader_next(w->order->rows, &w->error, &cells);
        w->ended = w->status != MGL_OK || cells == NULL;
        if (w->ended)
            break;
        for (size_t c = 0; c < w->order->n_columns; c++)
            mgl_made_rows_put(rows, n, c, is_null(w, c, cells[c]) ? (mgl_span){NULL, 0} : cells[c]);
    }
    return n;
}

/* Into the staged file itself: the engine's own way over a file beside it would leave that open to
 * others. */
static void write_copy(mgl_buffer *out, const writer *w)
{
    mgl_buffer_text(out, "COPY (SELECT ");
    for (size_t c = 0; c < w->order->n_columns; c++) {
        const mgl_sink_column *column = &w->order->columns[c];
        const char *type = own_type(column);
        mgl_buffer_format(out, "%sCAST(c%zu AS %s) AS ", c > 0 ? ", " : "", c,
                          type != NULL ? type : types[w->shapes[c]]);
        mgl_duckdb_identifier(out, mgl_span_of(column->name));
    }
    mgl_buffer_text(out, " FROM mingle_rows()) TO ");
    mgl_duckdb_literal(out, mgl_span_of(w->order->path));
    mgl_buffer_text(out, " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)");
}

static mgl_status copy_out(writer *w, mgl_error *err)
{
    mgl_buffer statement = {0};
    write_copy(&statement, w);
    mgl_status status = mgl_duckdb_run(&w->db, &statement, err);
    if (status == MGL_OK)
        status = mgl_duckdb_fetch(&w->db, err); /* rows are counted when all is written */
    return status == MGL_DATA ? MGL_SYSTEM : status;
}

static mgl_status write_rows(writer *w, mgl_error *err)
{
    mgl_duckdb_limits limits = {.threads = w->order->threads, .memory = w->order->memory};
    MGL_TRY(mgl_duckdb_open(&w->db, NULL, w->order->target, &limits, err));
    for (size_t c = 0; c < w->order->n_columns; c++)
        w->shapes[c] = own_type(&w->order->columns[c]) != NULL
                           ? MGL_AS_TEXT
                           : mgl_sink_choose(w->order, &w->order->columns[c]);
    mgl_row_maker maker = {.n_columns = w->order->n_columns, .make = make_rows, .context = w};
    MGL_TRY(mgl_row_function_new(&w->db, &maker, err, &w->function));
    MGL_TRY(copy_out(w, err));
    if (w->status != MGL_OK && err != NULL)
        *err = w->error;
    return w->status;
}

static mgl_status parquet_write(const mgl_format *format, const mgl_sink_request *request,
                                mgl_error *err)
{
    (void)format;
    writer w = {.order = request};
    MGL_TRY(mgl_new_array(request->n_columns, sizeof *w.shapes, err, &w.shapes));
    mgl_status status = write_rows(&w, err);
    mgl_duckdb_close(&w.db);
    mgl_free(w.function);
    mgl_free(w.shapes);
    return status;
}

static const mgl_sink_operations operations = {.write = parquet_write};

const mgl_format mgl_parquet_format = {
    .name = "parquet",
    .help = "Parquet, through the library of DuckDB: a file, a folder, or a pattern",
    .endings = ".parquet",
    .source = &mgl_source_duckdb,
    .sink = &operations,
    .divided = true,
};

enum {
    MOST_PARTITIONS = 10000, /* each is a file at least */
    MOST_NAME = 250          /* bytes of a folder's name, COLUMN=VALUE */
};

static mgl_status see_file(void *context, const char *folder, const char *path, mgl_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t *n_files = context, size = strlen(path), ending = strlen(".parquet");
    ++*n_files;
    if (name[0] != '.' && size > ending && strcmp(path + size - ending, ".parquet") == 0)
        return MGL_OK;
    return mgl_fail_at(
        err, MGL_CODE_EXISTS, folder, 0,
        "the folder holds %.200s, which is no Parquet file, and is not replaced; move "
        "it away, or choose another name",
        path);
}

mgl_status mgl_partitions_check_target(const char *target, bool overwrite, mgl_error *err)
{
    mgl_file_state state;
    size_t n_files = 0;
    if (mgl_sys_state_of(target, &state) != 0)
        return MGL_OK;
    if (!state.folder)
        return mgl_fail_at(err, MGL_CODE_EXISTS, target, 0,
                           "is a file, and the release is to be a folder (`partition-by`); remove "
                           "it, or choose another name");
    mgl_status status = mgl_folder_each(target, false, see_file, &n_files, overwrite ? err : NULL);
    if (n_files == 0 || overwrite)
        return status;
    return mgl_fail_at(err, MGL_CODE_EXISTS, target, 0,
                       "the folder exists already and is not empty; remove it, choose another "
                       "name, or have it replaced (`overwrite`)");
}

/* What a partition is called; as texts of the column read elsewhere. */
static void write_value(mgl_buffer *out, const mgl_source *file, size_t column)
{
    const mgl_duck *d = file->state;
    mgl_span name = mgl_span_of(mgl_source_column(file, column));
    bool text = d->columns[column].fetched == MGL_DUCK_TEXT;
    mgl_buffer_text(out, text ? "" : "regexp_replace(CAST(");
    mgl_duck_write_cell(out, d, column, name);
    mgl_buffer_text(out, text ? "" : " AS VARCHAR), '[.]0$', '')");
}

/* The columns of the partitions, by their numbers in the file. */
typedef struct division {
    mgl_source *file;
    const mgl_partitions *partitions;
    const char *folder;
    size_t *columns; /* [n_columns] */
} division;

static bool is_partition(const division *v, size_t column)
{
    for (size_t i = 0; i < v->partitions->n_columns; i++)
        if (v->columns[i] == column)
            return true;
    return false;
}

static mgl_status find_columns(division *v, mgl_error *err)
{
    const mgl_duck *d = v->file->state;
    size_t n = mgl_source_columns(v->file);
    for (size_t i = 0; i < v->partitions->n_columns; i++) {
        const char *name = v->partitions->columns[i];
        v->columns[i] = SIZE_MAX;
        for (size_t c = 0; c < n; c++)
            if (strcmp(mgl_source_column(v->file, c), name) == 0)
                v->columns[i] = c;
        if (v->columns[i] == SIZE_MAX)
            return mgl_fail(err, MGL_CODE_UNKNOWN_COLUMN,
                            "column %.60s is not released; leave it out of `partition-by`", name);
        if (d->columns[v->columns[i]].opaque)
            return mgl_fail_column(
                err, MGL_CODE_COLUMN_TYPE, NULL, name,
                "column %.60s has the type %.60s, whose values name no folders; leave it "
                "out of `partition-by`",
                name, d->columns[v->columns[i]].type);
    }
    return MGL_OK;
}

/* Readers take some names for a value that is missing, whatever they were written for. */
static mgl_status check_values(const division *v, size_t i, mgl_error *err)
{
    mgl_duck *d = v->file->state;
    const char *name = v->partitions->columns[i];
    mgl_buffer statement = {0};
    uint64_t found[2]; /* such values, and the bytes of the longest name */
    mgl_buffer_text(&statement, "SELECT count(*) FILTER (lower(v) IN ('null', "
                                "'__hive_default_partition__')), "
                                "CAST(max(octet_length(encode(url_encode(v)))) AS BIGINT) FROM "
                                "(SELECT DISTINCT ");
    write_value(&statement, v->file, v->columns[i]);
    mgl_buffer_text(&statement, " AS v FROM ");
    mgl_buffer_span(&statement, (mgl_span){d->from.data, d->from.size});
    mgl_buffer_text(&statement, ")");
    MGL_TRY(mgl_duckdb_ask_numbers(&d->db, &statement, 2, err, found));
    if (found[0] > 0)
        return mgl_fail_column(
            err, MGL_CODE_BAD_CELL, v->partitions->target, name,
            "column %.60s has a value NULL or __HIVE_DEFAULT_PARTITION__, and a folder "
            "of that name is read as a missing value; leave the column out of "
            "`partition-by`",
            name);
    if (found[1] + strlen(name) + 1 <= MOST_NAME)
        return MGL_OK;
    return mgl_fail_column(
        err, MGL_CODE_NO_ROOM, v->partitions->target, name,
        "column %.60s has a value that is too long for the name of a folder (%llu "
        "bytes as it is written there); leave the column out of `partition-by`",
        name, (unsigned long long)found[1]);
}

static mgl_status check_number(const division *v, mgl_error *err)
{
    mgl_duck *d = v->file->state;
    mgl_buffer statement = {0};
    uint64_t n;
    mgl_buffer_text(&statement, "SELECT count(*) FROM (SELECT DISTINCT ");
    for (size_t i = 0; i < v->partitions->n_columns; i++) {
        mgl_buffer_text(&statement, i > 0 ? ", " : "");
        write_value(&statement, v->file, v->columns[i]);
    }
    mgl_buffer_text(&statement, " FROM ");
    mgl_buffer_span(&statement, (mgl_span){d->from.data, d->from.size});
    mgl_buffer_text(&statement, ")");
    MGL_TRY(mgl_duckdb_ask_numbers(&d->db, &statement, 1, err, &n));
    if (n > 0 && n <= MOST_PARTITIONS)
        return MGL_OK;
    return n == 0 ? mgl_fail_at(err, MGL_CODE_EMPTY_RELEASE, v->partitions->target, 0,
                                "no row is released, and no partition can hold none; leave out "
                                "`partition-by`")
                  : mgl_fail_at(err, MGL_CODE_NO_ROOM, v->partitions->target, 0,
                                "the release would have %llu partitions, more than %d; divide it "
                                "by fewer columns (`partition-by`), or by such that have fewer "
                                "values",
                                (unsigned long long)n, MOST_PARTITIONS);
}

static mgl_status write_folder(const division *v, mgl_error *err)
{
    mgl_duck *d = v->file->state;
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "COPY (SELECT ");
    for (size_t c = 0; c < mgl_source_columns(v->file); c++) {
        mgl_span name = mgl_span_of(mgl_source_column(v->file, c));
        mgl_buffer_text(&statement, c > 0 ? ", " : "");
        if (is_partition(v, c)) {
            write_value(&statement, v->file, c);
            mgl_buffer_text(&statement, " AS ");
        }
        mgl_duckdb_identifier(&statement, name);
    }
    mgl_buffer_text(&statement, " FROM ");
    mgl_buffer_span(&statement, (mgl_span){d->from.data, d->from.size});
    mgl_buffer_text(&statement, ") TO ");
    mgl_duckdb_literal(&statement, mgl_span_of(v->folder));
    mgl_buffer_text(&statement, " (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (");
    for (size_t i = 0; i < v->partitions->n_columns; i++) {
        mgl_buffer_text(&statement, i > 0 ? ", " : "");
        mgl_duckdb_identifier(&statement, mgl_span_of(v->partitions->columns[i]));
    }
    mgl_buffer_text(&statement, "))");
    return mgl_duckdb_run_to_end(&d->db, &statement, err);
}

/* How many rows there are, and sums of their hashes, which do not depend on their order. */
typedef struct sums {
    uint64_t n_rows;
    char hashes[2][48];
} sums;

static mgl_status sum_up(const division *v, bool folder, mgl_span from, mgl_error *err, sums *out)
{
    mgl_duck *d = v->file->state;
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "SELECT count(*), CAST(sum(h) AS VARCHAR), CAST(sum(hash(h, 1)) AS "
                                "VARCHAR) FROM (SELECT hash(");
    for (size_t c = 0; c < mgl_source_columns(v->file); c++) {
        mgl_buffer_text(&statement, c > 0 ? ", " : "");
        if (is_partition(v, c) && !folder)
            write_value(&statement, v->file, c);
        else
            mgl_duckdb_identifier(&statement, mgl_span_of(mgl_source_column(v->file, c)));
    }
    mgl_buffer_text(&statement, ") AS h FROM ");
    mgl_buffer_span(&statement, from);
    mgl_buffer_text(&statement, ")");
    *out = (sums){.n_rows = 0};
    MGL_TRY(mgl_duckdb_ask_numbers(&d->db, &statement, 1, err, &out->n_rows));
    for (size_t i = 0; i < 2; i++) {
        mgl_span text = mgl_duckdb_text_at(mgl_duckdb_column(&d->db, i + 1), 0);
        memcpy(out->hashes[i], text.data,
               text.size < sizeof out->hashes[i] ? text.size : sizeof out->hashes[i]);
    }
    return MGL_OK;
}

/* The folder is compared as a reader sees it. */
static mgl_status read_back(const division *v, mgl_error *err)
{
    mgl_duck *d = v->file->state;
    mgl_parquet_files files = {0};
    mgl_buffer from = {0};
    sums written, found;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_parquet_files_find(v->folder, err, &files));
    mgl_parquet_files_write(&from, &files);
    MGL_GO(from.failed ? mgl_fail_memory(err) : MGL_OK);
    MGL_GO(sum_up(v, false, (mgl_span){d->from.data, d->from.size}, err, &written));
    MGL_GO(sum_up(v, true, (mgl_span){from.data, from.size}, err, &found));
    if (memcmp(&written, &found, sizeof found) != 0)
        MGL_GO(mgl_fail_at(err, MGL_CODE_INTERNAL, v->partitions->target, 0,
                           "the partitions do not read back as the rows that were verified (%llu "
                           "of %llu); please report this",
                           (unsigned long long)found.n_rows, (unsigned long long)written.n_rows));
done:
    mgl_parquet_files_free(&files);
    mgl_buffer_free(&from);
    return status;
}

mgl_status mgl_partition_file(const char *file, const char *folder,
                              const mgl_partitions *partitions, mgl_error *err)
{
    mgl_source_options options = {.format = &mgl_parquet_format,
                                  .may_be_empty = true,
                                  .threads = partitions->threads,
                                  .memory = partitions->memory};
    division v = {.partitions = partitions, .folder = folder};
    v.columns = mgl_alloc_array(partitions->n_columns, sizeof *v.columns);
    mgl_status status = MGL_OK;
    MGL_GO(v.columns == NULL ? mgl_fail_memory(err)
                             : mgl_source_open(file, &options, err, &v.file));
    MGL_GO(find_columns(&v, err));
    for (size_t i = 0; i < partitions->n_columns; i++)
        MGL_GO(check_values(&v, i, err));
    MGL_GO(check_number(&v, err));
    MGL_GO(write_folder(&v, err));
    MGL_GO(read_back(&v, err));
done:
    if (v.file != NULL)
        mgl_source_close(v.file);
    mgl_free(v.columns);
    return status;
}
