/* The driver of DuckDB, in this process, for releases that are loaded into one of its tables
 * (tables are read by io/duckdb). */
#include "io/duckdb/duckdb.h"
#include "io/sql/sql.h"

typedef struct duck {
    mgl_duckdb db;
    mgl_row_function
        *function; /* that gives the rows which are loaded; lives with the connection */
    bool asked;    /* for rows, all of whose cells are texts */
    size_t row;
} duck;

static mgl_status connect(mgl_sql *sql, const char *server, mgl_error *err)
{
    const char *path = server + strlen("duckdb:");
    duck *d = sql->state = mgl_zeroed_array(1, sizeof *d);
    mgl_duckdb_limits limits = {.writes = true};
    bool made;
    MGL_TRY(mgl_check_memory(d != NULL, err));
    MGL_TRY(mgl_sql_find_file(sql, path, err, &made));
    sql->dialect = mgl_sql_dialect_find("duckdb");
    return mgl_duckdb_open(&d->db, path, sql->name, &limits, err);
}

static void finish(mgl_sql *sql)
{
    duck *d = sql->state;
    d->row = 0;
    mgl_duckdb_end(&d->db);
}

static void close_database(mgl_sql *sql)
{
    duck *d = sql->state;
    if (d == NULL)
        return;
    mgl_duckdb_close(&d->db);
    mgl_free(d->function);
    mgl_free(d);
}

/* Values stand in the statement as literals. */
static mgl_status send(mgl_sql *sql, const char *statement, const mgl_span *values, size_t n_values,
                       mgl_error *err)
{
    duck *d = sql->state;
    mgl_buffer text = {0};
    finish(sql);
    for (size_t i = 0; *statement != '\0'; statement++) {
        if (*statement != '?' || i == n_values)
            mgl_buffer_append(&text, statement, 1);
        else if (values[i].data == NULL)
            mgl_buffer_text(&text, "NULL");
        else
            mgl_duckdb_literal(&text, values[i]);
        i += *statement == '?' && i < n_values;
    }
    d->asked = n_values > 0;
    return mgl_duckdb_run(&d->db, &text, err);
}

static mgl_status fetch(mgl_sql *sql, mgl_error *err, bool *there)
{
    duck *d = sql->state;
    if (d->row == d->db.chunk_size) {
        d->row = 0;
        MGL_TRY(mgl_duckdb_fetch(&d->db, err));
    }
    *there = d->asked && d->db.chunk_size > 0;
    if (!*there)
        return MGL_OK;
    size_t n = mgl_duckdb_columns(&d->db);
    MGL_TRY(mgl_sql_expect(sql, n, err));
    for (size_t c = 0; c < n; c++) {
        mgl_duckdb_cells cells = mgl_duckdb_column(&d->db, c);
        sql->cells[c] =
            mgl_duckdb_has(cells, d->row) ? mgl_duckdb_text_at(cells, d->row) : (mgl_span){NULL, 0};
    }
    d->row++;
    return MGL_OK;
}

typedef struct loading {
    const mgl_sql_rows *rows;
    mgl_span *cells;
    bool ended;
} loading;

static size_t make_rows(void *context, const mgl_made_rows *made)
{
    loading *l = context;
    size_t n = 0;
    for (; !l->ended && n < made->most; n++) {
        l->ended = !l->rows->next(l->rows->context, l->cells);
        for (size_t c = 0; !l->ended && c < l->rows->n_columns; c++)
            mgl_made_rows_put(made, n, c, l->cells[c]);
        if (l->ended)
            break;
    }
    return n;
}

static mgl_status load(mgl_sql *sql, const char *table, const mgl_sql_rows *rows, mgl_error *err)
{
    duck *d = sql->state;
    mgl_buffer statement = {0};
    loading l = {.rows = rows, .cells = mgl_alloc_array(rows->n_columns, sizeof *l.cells)};
    mgl_row_maker maker = {.n_columns = rows->n_columns, .make = make_rows, .context = &l};
    mgl_status status = MGL_OK;
    MGL_GO(l.cells == NULL ? mgl_fail_memory(err)
                           : mgl_row_function_new(&d->db, &maker, err, &d->function));
    mgl_buffer_format(&statement, "INSERT INTO %s SELECT * FROM mingle_rows()", table);
    MGL_GO(mgl_sql_run(sql, &statement, err));
done:
    mgl_free(l.cells);
    return status;
}

const mgl_sql_driver mgl_sql_duckdb = {
    .scheme = "duckdb:",
    .engine = "DuckDB",
    .separators = "",
    .secrets = "",
    .users = "",
    .makes_file = true,
    .connect = connect,
    .close = close_database,
    .send = send,
    .fetch = fetch,
    .finish = finish,
    .load = load,
};
