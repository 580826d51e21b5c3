/* Puts rows into a table by ODBC, many at once. odbc.c has it among its functions. */
#include "io/sql/odbc.h"

#include "io/sql/utf16.h"

#ifdef MGL_ODBC

/* Rows that go at once, column by column: a driver that sends them in one go takes a hundredth of
 * the time. */
enum { ROWS_AT_ONCE = 1000, BYTES_AT_ONCE = 16 << 20 };

typedef struct batch {
    size_t n_columns, n_rows;
    mgl_buffer units;   /* cells of the rows in UTF-16, row by row */
    SQLLEN *sizes;      /* [ROWS_AT_ONCE][n_columns] bytes; SQL_NULL_DATA: NULL */
    size_t *widths;     /* [n_columns] of the widest cell */
    size_t *before;     /* the same without the last row */
    mgl_buffer columns; /* the same cells column by column, as wide as the widest */
    SQLLEN *told;       /* [n_columns][ROWS_AT_ONCE] */
    size_t at_once;     /* rows; 1: the driver knows no more */
    uint64_t n_sent;
} batch;

static size_t bytes_of(const SQLLEN *sizes, size_t n)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += sizes[i] > 0 ? (size_t)sizes[i] : 0;
    return bytes;
}

static size_t row_width(const batch *b)
{
    size_t width = 0;
    for (size_t c = 0; c < b->n_columns; c++)
        width += b->widths[c];
    return width;
}

static void put_row(batch *b, const mgl_span *cells)
{
    memcpy(b->before, b->widths, b->n_columns * sizeof *b->before);
    SQLLEN *sizes = b->sizes + b->n_rows * b->n_columns;
    for (size_t c = 0; c < b->n_columns; c++) {
        size_t begin_of = b->units.size;
        mgl_utf8_to_utf16(&b->units, cells[c]);
        size_t size = b->units.size - begin_of;
        sizes[c] = cells[c].data != NULL ? (SQLLEN)size : SQL_NULL_DATA;
        b->widths[c] = size > b->widths[c] ? size : b->widths[c];
    }
    b->n_rows++;
}

/* The first n rows, each column in one block. */
static bool turn(batch *b, size_t n)
{
    b->columns.size = 0;
    for (size_t c = 0; c < b->n_columns; c++) {
        size_t at = bytes_of(b->sizes, c);
        for (size_t r = 0; r < n; r++) {
            SQLLEN size = b->sizes[r * b->n_columns + c];
            size_t bytes = size > 0 ? (size_t)size : 0;
            b->told[c * ROWS_AT_ONCE + r] = size;
            mgl_buffer_append(&b->columns, b->units.data + at, bytes);
            for (size_t i = bytes; i < b->widths[c]; i += 2)
                mgl_buffer_append(&b->columns, "\0", 2);
            if (r + 1 < n) /* from this cell to the same one of the next row */
                at += bytes_of(b->sizes + r * b->n_columns + c, b->n_columns);
        }
    }
    return !b->units.failed && !b->columns.failed;
}

static mgl_status send_rows(mgl_sql *sql, batch *b, size_t n, mgl_error *err)
{
    mgl_odbc *o = sql->state;
    if (!turn(b, n))
        return mgl_fail_memory(err);
    if (b->at_once > 1 && !mgl_odbc_went_well(o->api.set_statement(
                              o->statement, SQL_ATTR_PARAMSET_SIZE, (SQLPOINTER)(uintptr_t)n,
                              0))) /* NOLINT: so it is told */
        return mgl_odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
    char *at = b->columns.data;
    for (size_t c = 0; c < b->n_columns; c++) {
        SQLULEN letters = b->widths[c] > 1 ? b->widths[c] / 2 : 1;
        if (!mgl_odbc_went_well(
                o->api.bind(o->statement, (SQLUSMALLINT)(c + 1), SQL_PARAM_INPUT, SQL_C_WCHAR,
                            letters > MGL_ODBC_MOST_TEXT ? SQL_WLONGVARCHAR : SQL_WVARCHAR, letters,
                            0, at, (SQLLEN)b->widths[c], b->told + c * ROWS_AT_ONCE)))
            return mgl_odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
        at += n * b->widths[c];
    }
    if (!mgl_odbc_went_well(o->api.execute(o->statement)))
        return mgl_odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
    b->n_sent += n;
    return mgl_sql_ask(sql, err);
}

/* Sends all rows, or all but the last, which then is the first of the next. */
static mgl_status empty_batch(mgl_sql *sql, batch *b, bool last, mgl_error *err)
{
    size_t n = last ? b->n_rows : b->n_rows - 1;
    size_t kept = last ? 0 : bytes_of(b->sizes + n * b->n_columns, b->n_columns);
    if (!last)
        memcpy(b->widths, b->before, b->n_columns * sizeof *b->widths);
    if (n > 0)
        MGL_TRY(send_rows(sql, b, n, err));
    if (kept > 0)
        memmove(b->units.data, b->units.data + b->units.size - kept, kept);
    b->units.size = kept;
    b->n_rows -= n;
    memset(b->widths, 0, b->n_columns * sizeof *b->widths);
    for (size_t c = 0; !last && c < b->n_columns; c++) {
        b->sizes[c] = b->sizes[n * b->n_columns + c];
        b->widths[c] = b->sizes[c] > 0 ? (size_t)b->sizes[c] : 0;
    }
    return MGL_OK;
}

static mgl_status insert_rows(mgl_sql *sql, const mgl_sql_rows *rows, mgl_span *cells, batch *b,
                              mgl_error *err)
{
    mgl_odbc *o = sql->state;
    bool array = mgl_odbc_went_well(
        o->api.set_statement(o->statement, SQL_ATTR_PARAMSET_SIZE, (SQLPOINTER)ROWS_AT_ONCE, 0));
    b->at_once = array ? ROWS_AT_ONCE : 1;
    while (rows->next(rows->context, cells)) {
        put_row(b, cells);
        if (b->n_rows > 1 && b->n_rows * row_width(b) > BYTES_AT_ONCE)
            MGL_TRY(empty_batch(sql, b, false, err));
        if (b->n_rows == b->at_once)
            MGL_TRY(empty_batch(sql, b, true, err));
    }
    return b->n_rows > 0 ? empty_batch(sql, b, true, err) : MGL_OK;
}

/* Drivers that do not know arrays may take the first row of each and say that all went well. */
static mgl_status check_loaded(mgl_sql *sql, const char *table, uint64_t n_rows, mgl_error *err)
{
    mgl_buffer statement = {0};
    uint64_t found = 0;
    bool there = false;
    mgl_buffer_format(&statement, "SELECT COUNT(*) FROM %s", table);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_send(sql, &statement, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    if (!there || !mgl_parse_u64(sql->cells[0], &found) || found != n_rows)
        MGL_GO(mgl_fail_at(err, MGL_CODE_DATABASE, sql->name, 0,
                           "%llu rows were given to the ODBC driver, and %llu came in; use "
                           "another driver",
                           (unsigned long long)n_rows, (unsigned long long)found));
done:
    mgl_sql_finish(sql);
    mgl_buffer_free(&statement);
    return status;
}

static void free_batch(batch *b)
{
    mgl_buffer_free(&b->units);
    mgl_buffer_free(&b->columns);
    mgl_free(b->sizes);
    mgl_free(b->widths);
    mgl_free(b->before);
    mgl_free(b->told);
}

static mgl_status prepare_insert(mgl_sql *sql, const char *table, size_t n_columns, mgl_error *err)
{
    mgl_odbc *o = sql->state;
    mgl_buffer statement = {0}, wide = {0};
    mgl_buffer_format(&statement, "INSERT INTO %s VALUES (", table);
    for (size_t i = 0; i < n_columns; i++)
        mgl_buffer_text(&statement, i > 0 ? ",?" : "?");
    mgl_buffer_text(&statement, ")");
    mgl_utf8_to_utf16(&wide, (mgl_span){statement.data, statement.size});
    mgl_status status = MGL_OK;
    if (statement.failed || wide.failed)
        MGL_GO(mgl_fail_memory(err));
    if (!mgl_odbc_went_well(
            o->api.prepare(o->statement, (SQLWCHAR *)wide.data, (SQLINTEGER)(wide.size / 2))))
        MGL_GO(mgl_odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err));
done:
    mgl_buffer_free(&statement);
    mgl_buffer_free(&wide);
    return status;
}

mgl_status mgl_odbc_load(mgl_sql *sql, const char *table, const mgl_sql_rows *rows, mgl_error *err)
{
    mgl_odbc *o = sql->state;
    size_t n = rows->n_columns;
    batch b = {.n_columns = n};
    mgl_span *cells = mgl_alloc_array(n, sizeof *cells);
    b.sizes = mgl_alloc_array(n * ROWS_AT_ONCE, sizeof *b.sizes);
    b.told = mgl_alloc_array(n * ROWS_AT_ONCE, sizeof *b.told);
    b.widths = mgl_zeroed_array(n, sizeof *b.widths);
    b.before = mgl_zeroed_array(n, sizeof *b.before);
    mgl_odbc_finish(sql);
    mgl_status status = MGL_OK;
    if (cells == NULL || b.sizes == NULL || b.told == NULL || b.widths == NULL || b.before == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(prepare_insert(sql, table, n, err));
    MGL_GO(insert_rows(sql, rows, cells, &b, err));
done:
    mgl_odbc_finish(sql);
    o->api.set_statement(o->statement, SQL_ATTR_PARAMSET_SIZE, (SQLPOINTER)1, 0);
    if (status == MGL_OK)
        status = check_loaded(sql, table, b.n_sent, err);
    free_batch(&b);
    mgl_free(cells);
    return status;
}
#endif
