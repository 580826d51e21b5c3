/* Releases that DuckDB writes from Parquet files or its own tables into a Parquet file: it reads
 * the rows, calls our functions for the released cells and the order, and writes all other columns
 * as they are, whatever their types. */
#include "io/duckdb/read_duckdb.h"
#include "io/duckdb/engine_vectors.h"
#include "io/duckdb/release_functions.h"

static mgl_status writes(const mgl_source *source, const char *target, mgl_error *err, bool *out)
{
    (void)source;
    (void)err;
    *out = strcmp(mgl_location_of(target).format->name, "parquet") == 0;
    return MGL_OK;
}

static mgl_status check(mgl_source *source, const mgl_push_target *target, mgl_error *err)
{
    (void)source;
    (void)target;
    (void)err;
    return MGL_OK;
}

static size_t key_of(const mgl_push_request *request, size_t column)
{
    for (size_t k = 0; k < request->n_keys; k++)
        if (request->keys[k] == column)
            return k;
    return SIZE_MAX;
}

/* A quasi-identifier in the type it is released in. */
static void write_released(mgl_buffer *out, const mgl_source *source,
                           const mgl_push_request *request, size_t key)
{
    const mgl_duck *d = source->state;
    size_t column = request->keys[key];
    mgl_cell_kind kind = d->meta[column].kind;
    const char *type = mgl_released_type(d->functions, key, &d->columns[column], kind);
    bool text = strcmp(type, "VARCHAR") == 0;
    mgl_buffer_text(out, text ? "" : "CAST(");
    mgl_buffer_format(out, "mingle_cell_%zu(c0)", key + 1);
    if (!text)
        mgl_buffer_format(out, " AS %s)", type);
    if (text && kind != MGL_CELLS_TEXT && kind != MGL_CELLS_UNKNOWN)
        mgl_sink_warn_text(request->warnings, mgl_source_column(source, column), kind);
}

/* , "note", "income": the columns that are passed through, each behind a comma. */
static void write_passed(mgl_buffer *out, const mgl_source *source, const mgl_push_request *request)
{
    for (size_t c = 0; c < request->n_columns; c++) {
        if (key_of(request, request->columns[c]) != SIZE_MAX)
            continue;
        mgl_buffer_text(out, ", ");
        mgl_duckdb_identifier(out, mgl_span_of(mgl_source_column(source, request->columns[c])));
    }
}

/* SELECT mingle_cell_1(c0) AS "zip", c1 AS "note" FROM ... */
static void write_release(mgl_buffer *out, const mgl_source *source,
                          const mgl_push_request *request)
{
    size_t passed = 0;
    mgl_buffer_text(out, "SELECT ");
    for (size_t c = 0; c < request->n_columns; c++) {
        size_t key = key_of(request, request->columns[c]);
        mgl_buffer_text(out, c > 0 ? ", " : "");
        if (key != SIZE_MAX)
            write_released(out, source, request, key);
        else
            mgl_buffer_format(out, "c%zu", ++passed);
        mgl_buffer_text(out, " AS ");
        mgl_duckdb_identifier(out, mgl_span_of(mgl_source_column(source, request->columns[c])));
    }
}

/* (SELECT mingle_group(...) AS c0, "note" AS c1 FROM ...) WHERE c0 IS NOT NULL */
static void write_in_order(mgl_buffer *out, const mgl_source *source,
                           const mgl_push_request *request)
{
    const mgl_duck *d = source->state;
    size_t passed = 0;
    mgl_buffer_text(out, "(SELECT ");
    mgl_write_cell_call(out, source, "mingle_group", request->keys, request->n_keys);
    mgl_buffer_text(out, " AS c0");
    for (size_t c = 0; c < request->n_columns; c++) {
        if (key_of(request, request->columns[c]) != SIZE_MAX)
            continue;
        mgl_buffer_text(out, ", ");
        mgl_duckdb_identifier(out, mgl_span_of(mgl_source_column(source, request->columns[c])));
        mgl_buffer_format(out, " AS c%zu", ++passed);
    }
    mgl_buffer_text(out, " FROM ");
    mgl_buffer_span(out, (mgl_span){d->from.data, d->from.size});
    mgl_buffer_text(out, ") WHERE c0 IS NOT NULL");
}

/* Functions of ours end the statement after a cancellation. */
static mgl_status run_to_end(mgl_duckdb *db, mgl_buffer *statement, const mgl_progress *progress,
                             mgl_error *err)
{
    mgl_status status = mgl_duckdb_run_to_end(db, statement, err);
    return mgl_progress_stopped(progress) ? mgl_fail_cancelled(err) : status;
}

/* SELECT "note", ... FROM ... LIMIT 0: of which types they are. */
static void ask_types(mgl_buffer *out, const mgl_source *source, const mgl_push_request *request)
{
    const mgl_duck *d = source->state;
    mgl_buffer columns = {0};
    write_passed(&columns, source, request);
    mgl_buffer_text(out, "SELECT");
    if (columns.size > 0)
        mgl_buffer_append(out, columns.data + 1, columns.size - 1); /* but for the first comma */
    mgl_buffer_text(out, " FROM ");
    mgl_buffer_span(out, (mgl_span){d->from.data, d->from.size});
    mgl_buffer_text(out, " LIMIT 0");
    out->failed |= columns.failed;
    mgl_buffer_free(&columns);
}

/* SELECT count(mingle_keep(mingle_group(...), "note", ...)) FROM ... */
static void ask_rows(mgl_buffer *out, const mgl_source *source, const mgl_push_request *request)
{
    const mgl_duck *d = source->state;
    mgl_buffer_text(out, "SELECT count(mingle_keep(");
    mgl_write_cell_call(out, source, "mingle_group", request->keys, request->n_keys);
    write_passed(out, source, request);
    mgl_buffer_text(out, ")) FROM ");
    mgl_buffer_span(out, (mgl_span){d->from.data, d->from.size});
}

/* Has the rows put in random order: those that DuckDB reads, or where nothing but quasi-identifiers
 * is released as many as the map counts. */
static mgl_status shuffle(mgl_source *source, const mgl_push_request *request, mgl_error *err)
{
    enum { UNPACKED = 4 }; /* times as many bytes */
    mgl_duck *d = source->state;
    mgl_buffer types = {0}, rows = {0};
    bool counted = request->n_columns == request->n_keys;
    mgl_spool_request order = {.db = &d->db,
                               .passed = counted ? NULL : &types,
                               .bytes = counted ? 0 : UNPACKED * source->size,
                               .memory = source->options->memory,
                               .progress = request->progress};
    if (!counted)
        ask_types(&types, source, request);
    mgl_status status = mgl_release_rows_new(d->functions, &order, err);
    mgl_buffer_free(&types); /* where it was not run */
    if (counted || status != MGL_OK)
        return status;
    ask_rows(&rows, source, request);
    return mgl_release_rows_end(d->functions, run_to_end(&d->db, &rows, request->progress, err),
                                err);
}

/* Into the staged file itself: the engine's own way over a file beside it would leave that open to
 * others. Shuffled rows need not wait for those before them; with a seed one thread writes, so that
 * the order is the same each time. */
static mgl_status copy_out(mgl_source *source, const mgl_push_request *request, mgl_error *err)
{
    mgl_duck *d = source->state;
    mgl_buffer statement = {0};
    if (request->seed != NULL)
        MGL_TRY(mgl_duckdb_run_text(&d->db, "SET threads = 1", err));
    MGL_TRY(mgl_duckdb_run_text(&d->db,
                                request->shuffle ? "SET preserve_insertion_order = false"
                                                 : "SET preserve_insertion_order = true",
                                err));
    if (request->shuffle)
        MGL_TRY(shuffle(source, request, err));
    mgl_buffer_text(&statement, "COPY (");
    write_release(&statement, source, request);
    mgl_buffer_text(&statement, " FROM ");
    if (request->shuffle)
        mgl_buffer_text(&statement, "mingle_rows()");
    else
        write_in_order(&statement, source, request);
    mgl_buffer_text(&statement, ") TO ");
    mgl_duckdb_literal(&statement, mgl_span_of(request->path));
    /* Each thread holds a group of rows before it writes it. */
    mgl_buffer_text(&statement, " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, "
                                "ROW_GROUP_SIZE 40960)");
    mgl_status status = run_to_end(&d->db, &statement, request->progress, err);
    MGL_TRY(request->shuffle ? mgl_release_rows_end(d->functions, status, err) : status);
    return mgl_duckdb_run_text(&d->db, "SET preserve_insertion_order = true", err);
}

static mgl_status write(mgl_source *source, const mgl_push_request *request, mgl_error *err)
{
    mgl_duck *d = source->state;
    if (d->functions == NULL)
        MGL_TRY(mgl_release_functions_new(source, request, err, &d->functions));
    mgl_status status = copy_out(source, request, err);
    return status == MGL_OK ? mgl_duck_unchanged(source, err) : status;
}

static mgl_status check_columns(const mgl_source *source, const mgl_source *released,
                                const mgl_push_request *request, mgl_error *err)
{
    bool same = mgl_source_columns(released) == request->n_columns;
    for (size_t c = 0; same && c < request->n_columns; c++)
        same = strcmp(mgl_source_column(released, c),
                      mgl_source_column(source, request->columns[c])) == 0;
    if (same)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_INTERNAL, request->target, 0,
                       "the written release does not read back with the columns it should have; "
                       "please report this");
}

/* The file is opened as any other one would be: what is counted is what was written. */
static mgl_status recount(mgl_source *source, const mgl_push_request *request, const size_t *wanted,
                          size_t n_wanted, mgl_error *err, mgl_table **out)
{
    /* Cells are compared as the texts they are: nothing is taken as missing. */
    mgl_source_options options = {.format = &mgl_parquet_format,
                                  .no_value = source->options->no_value,
                                  .may_be_empty = true,
                                  .threads = source->options->threads,
                                  .memory = source->options->memory};
    mgl_source *released = NULL;
    mgl_column_request *requests = mgl_alloc_array(n_wanted, sizeof *requests);
    mgl_status status = MGL_OK;
    MGL_GO(requests == NULL ? mgl_fail_memory(err)
                            : mgl_source_open(request->path, &options, err, &released));
    MGL_GO(check_columns(source, released, request, err));
    for (size_t i = 0; i < n_wanted; i++)
        requests[i] = (mgl_column_request){wanted[i], MGL_ROLE_SENSITIVE};
    MGL_GO(mgl_source_count(released, requests, n_wanted, request->progress, err, out));
done:
    if (released != NULL)
        mgl_source_close(released);
    mgl_free(requests);
    return status;
}

static mgl_status ask_values(mgl_source *source, size_t column, mgl_error *err,
                             mgl_value_counts *out)
{
    mgl_duck *d = source->state;
    mgl_buffer statement = {0};
    uint64_t numbers[2];
    mgl_buffer_text(&statement, "SELECT count(*), count(*) FILTER (n = 1) FROM (SELECT count(*) AS "
                                "n FROM ");
    mgl_buffer_span(&statement, (mgl_span){d->from.data, d->from.size});
    mgl_buffer_text(&statement, " GROUP BY ");
    mgl_duckdb_identifier(&statement, mgl_span_of(mgl_source_column(source, column)));
    mgl_buffer_text(&statement, ")");
    MGL_TRY(mgl_duckdb_ask_numbers(&d->db, &statement, 2, err, numbers));
    *out = (mgl_value_counts){.distinct = numbers[0], .unique = numbers[1]};
    return MGL_OK;
}

/* A chunk of rows as they are shown: numbers of the map, and cells row by row. */
typedef struct shown_rows {
    uint32_t *tuples;
    mgl_span *cells;
    mgl_buffer numbers; /* texts of cells that are numbers */
    size_t room_tuples, room_cells;
} shown_rows;

static mgl_status take_chunk(const mgl_duck *d, const mgl_push_rows *rows, shown_rows *s,
                             mgl_span no_value, mgl_error *err)
{
    size_t n = d->db.chunk_size, n_columns = rows->n_columns;
    if (!mgl_grow(&s->tuples, &s->room_tuples, n, sizeof *s->tuples) ||
        !mgl_grow(&s->cells, &s->room_cells, n * n_columns, sizeof *s->cells) ||
        (s->numbers.size = 0, !mgl_buffer_reserve(&s->numbers, n * n_columns * MGL_NUMBER_TEXT)))
        return mgl_fail_memory(err);
    mgl_duckdb_cells found = mgl_duckdb_column(&d->db, 0);
    for (size_t r = 0; r < n; r++)
        s->tuples[r] = mgl_duckdb_has(found, r) ? ((const uint32_t *)found.data)[r] : MGL_NOT_FOUND;
    for (size_t c = 0; c < n_columns; c++) {
        mgl_duckdb_cells cells = mgl_duckdb_column(&d->db, c + 1);
        for (size_t r = 0; r < n; r++) {
            char *text = s->numbers.data + (r * n_columns + c) * MGL_NUMBER_TEXT;
            s->cells[r * n_columns + c] =
                mgl_duckdb_has(cells, r)
                    ? mgl_duck_show(&d->columns[rows->columns[c]], cells, r, text)
                    : no_value;
        }
    }
    return rows->see(rows->context, s->tuples, s->cells, n, err);
}

static mgl_status each_row(mgl_source *source, const mgl_push_request *request,
                           const mgl_push_rows *rows, mgl_error *err)
{
    mgl_duck *d = source->state;
    mgl_buffer statement = {0};
    shown_rows s = {0};
    mgl_status status = MGL_OK;
    mgl_buffer_text(&statement, "SELECT ");
    mgl_write_cell_call(&statement, source, "mingle_tuple", request->keys, request->n_keys);
    for (size_t c = 0; c < rows->n_columns; c++) {
        mgl_buffer_text(&statement, ", ");
        mgl_duck_write_cell(&statement, d, rows->columns[c],
                            mgl_span_of(mgl_source_column(source, rows->columns[c])));
    }
    mgl_buffer_text(&statement, " FROM ");
    mgl_buffer_span(&statement, (mgl_span){d->from.data, d->from.size});
    MGL_GO(mgl_duckdb_run(&d->db, &statement, err));
    for (;;) {
        MGL_GO(mgl_duckdb_fetch(&d->db, err));
        if (d->db.chunk_size == 0)
            break;
        MGL_GO(take_chunk(d, rows, &s, source->options->no_value, err));
    }
done:
    mgl_buffer_free(&s.numbers);
    mgl_free(s.tuples);
    mgl_free(s.cells);
    return status;
}

static mgl_status publish(mgl_source *source, mgl_error *err)
{
    return mgl_duck_unchanged(source, err);
}

static void discard(mgl_source *source)
{
    (void)source; /* the stage is removed by its owner */
}

const mgl_push_operations mgl_duck_push = {.files = true,
                                           .writes = writes,
                                           .check = check,
                                           .write = write,
                                           .recount = recount,
                                           .ask_values = ask_values,
                                           .each_row = each_row,
                                           .publish = publish,
                                           .discard = discard};
