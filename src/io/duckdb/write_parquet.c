/* Writes Parquet files as a sink: the rows become a table in memory that DuckDB writes. A row in
 * format_rows.h. */
#include "io/duckdb/duckdb.h"

typedef struct writer {
    const mgl_sink_order *order;
    mgl_duckdb db;
    void *appender;
    mgl_span *cells;        /* [columns] */
    mgl_sink_shape *shapes; /* [columns] */
} writer;

static const char *const types[] = {[MGL_AS_TEXT] = "VARCHAR",
                                    [MGL_AS_WHOLE] = "BIGINT",
                                    [MGL_AS_NUMBER] = "DOUBLE",
                                    [MGL_AS_DATE] = "DATE",
                                    [MGL_AS_DATETIME] = "TIMESTAMP"};

static mgl_status create(writer *w, mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "CREATE TABLE release (");
    for (size_t c = 0; c < w->order->n_columns; c++) {
        const mgl_sink_column *column = &w->order->columns[c];
        w->shapes[c] = mgl_sink_choose(w->order, column);
        mgl_buffer_text(&statement, c > 0 ? ", " : "");
        mgl_duckdb_identifier(&statement, mgl_span_of(column->name));
        mgl_buffer_format(&statement, " %s", types[w->shapes[c]]);
    }
    mgl_buffer_text(&statement, ")");
    mgl_status status = mgl_duckdb_run(&w->db, &statement, err);
    mgl_buffer_free(&statement);
    return status;
}

/* A cell of no value is none there, too; other tokens for missing ones are texts. */
static bool is_null(const writer *w, size_t c, mgl_span cell)
{
    if (w->shapes[c] != MGL_AS_TEXT)
        return mgl_sink_missing(w->order, cell);
    return w->order->n_missing > 0 && mgl_span_equal(cell, w->order->missing[0]);
}

static int append(writer *w, size_t c)
{
    mgl_span cell = w->cells[c];
    double number = 0;
    if (is_null(w, c, cell))
        return w->db.calls.append_null(w->appender);
    bool whole = w->shapes[c] == MGL_AS_WHOLE;
    if (!whole && w->shapes[c] != MGL_AS_NUMBER)
        return w->db.calls.append_text(w->appender, cell.data, cell.size);
    mgl_parse_double(cell, &number);
    return whole ? w->db.calls.append_whole(w->appender, (int64_t)number)
                 : w->db.calls.append_double(w->appender, number);
}

static mgl_status append_rows(writer *w, mgl_error *err)
{
    bool there = true;
    if (w->db.calls.appender_create(w->db.connection, NULL, "release", &w->appender) != 0)
        return mgl_duckdb_fail(&w->db, MGL_CODE_DATABASE, w->db.calls.appender_error(w->appender),
                               err);
    for (;;) {
        MGL_TRY(mgl_cell_reader_next(w->order->rows, err, w->cells, &there));
        if (!there)
            break;
        int failed = 0;
        for (size_t c = 0; failed == 0 && c < w->order->n_columns; c++)
            failed = append(w, c);
        if (failed != 0 || w->db.calls.appender_end_row(w->appender) != 0)
            return mgl_duckdb_fail(&w->db, MGL_CODE_DATABASE,
                                   w->db.calls.appender_error(w->appender), err);
    }
    if (w->db.calls.appender_destroy(&w->appender) != 0)
        return mgl_fail_at(err, MGL_CODE_DATABASE, w->order->target, 0,
                           "DuckDB could not take the rows in; give it more memory");
    w->appender = NULL;
    return MGL_OK;
}

/* Into the staged file itself: the engine's own way over a file beside it would leave that open to
 * others. */
static mgl_status copy_out(writer *w, mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "COPY release TO ");
    mgl_duckdb_literal(&statement, mgl_span_of(w->order->path));
    mgl_buffer_text(&statement, " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)");
    mgl_status status = mgl_duckdb_run(&w->db, &statement, err);
    if (status == MGL_OK)
        status = mgl_duckdb_fetch(&w->db, err); /* rows are counted when all is written */
    mgl_buffer_free(&statement);
    return status == MGL_DATA ? MGL_SYSTEM : status;
}

static mgl_status parquet_write(const mgl_format *format, const mgl_sink_order *order,
                                mgl_error *err)
{
    (void)format;
    writer w = {.order = order};
    w.cells = mgl_alloc_array(order->n_columns, sizeof *w.cells);
    w.shapes = mgl_alloc_array(order->n_columns, sizeof *w.shapes);
    mgl_status status = MGL_OK;
    if (w.cells == NULL || w.shapes == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_duckdb_open(&w.db, NULL, order->target, NULL, err));
    MGL_GO(create(&w, err));
    MGL_GO(append_rows(&w, err));
    MGL_GO(copy_out(&w, err));
done:
    if (w.appender != NULL)
        (void)w.db.calls.appender_destroy(&w.appender);
    mgl_duckdb_close(&w.db);
    mgl_free(w.cells);
    mgl_free(w.shapes);
    return status;
}

static const mgl_sink_operations operations = {.write = parquet_write};

const mgl_format mgl_parquet_format = {
    .name = "parquet",
    .help = "Parquet, through the library of DuckDB",
    .endings = ".parquet",
    .source = &mgl_source_duckdb,
    .sink = &operations,
};
