/* Writes Parquet files as a sink: DuckDB asks for the rows, some at a time, and writes them. A row
 * in format_rows.h. */
#include "io/duckdb/row_function.h"

typedef struct writer {
    const mgl_sink_order *order;
    mgl_duckdb db;
    mgl_row_function *function;
    mgl_span *cells;        /* [columns] */
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

/* A cell of no value is none there, too; other tokens for missing ones are texts, and in columns
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
    for (bool there = true; !w->ended && n < rows->most; n++) {
        w->status = mgl_cell_reader_next(w->order->rows, &w->error, w->cells, &there);
        w->ended = w->status != MGL_OK || !there;
        if (w->ended)
            break;
        for (size_t c = 0; c < w->order->n_columns; c++)
            mgl_made_rows_put(rows, n, c,
                              is_null(w, c, w->cells[c]) ? (mgl_span){NULL, 0} : w->cells[c]);
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
    mgl_buffer_free(&statement);
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

static mgl_status parquet_write(const mgl_format *format, const mgl_sink_order *order,
                                mgl_error *err)
{
    (void)format;
    writer w = {.order = order};
    w.cells = mgl_alloc_array(order->n_columns, sizeof *w.cells);
    w.shapes = mgl_alloc_array(order->n_columns, sizeof *w.shapes);
    mgl_status status =
        w.cells == NULL || w.shapes == NULL ? mgl_fail_memory(err) : write_rows(&w, err);
    mgl_duckdb_close(&w.db);
    mgl_free(w.function);
    mgl_free(w.cells);
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
