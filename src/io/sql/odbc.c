/* Drives any engine that has an ODBC driver, through unixODBC. Texts are exchanged as UTF-16, the
 * one encoding that does not depend on the locale. database_location.c finds it by its scheme. */
#include "io/intake/intake.h"
#include "io/sql/sql.h"
#include "io/sql/utf16.h"

#ifdef MGL_ODBC
#include <sql.h>
#include <sqlext.h>
#include <sqlucode.h>

static const char *const functions[] = {
    "SQLAllocHandle",   "SQLFreeHandle",    "SQLSetEnvAttr",   "SQLDriverConnectW",
    "SQLDisconnect",    "SQLExecDirectW",   "SQLPrepareW",     "SQLExecute",
    "SQLBindParameter", "SQLNumResultCols", "SQLDescribeColW", "SQLFetch",
    "SQLGetData",       "SQLGetDiagRecW",   "SQLGetInfoW",     "SQLFreeStmt"};

/* In the order of their names above. */
typedef struct calls {
    __typeof__(&SQLAllocHandle) allocate;
    __typeof__(&SQLFreeHandle) release;
    __typeof__(&SQLSetEnvAttr) set_environment;
    __typeof__(&SQLDriverConnectW) connect;
    __typeof__(&SQLDisconnect) disconnect;
    __typeof__(&SQLExecDirectW) execute_text;
    __typeof__(&SQLPrepareW) prepare;
    __typeof__(&SQLExecute) execute;
    __typeof__(&SQLBindParameter) bind;
    __typeof__(&SQLNumResultCols) n_columns;
    __typeof__(&SQLDescribeColW) describe;
    __typeof__(&SQLFetch) fetch;
    __typeof__(&SQLGetData) data;
    __typeof__(&SQLGetDiagRecW) diagnosis;
    __typeof__(&SQLGetInfoW) info;
    __typeof__(&SQLFreeStmt) close_statement;
} calls;

static const mgl_library library = {
    "libodbc.so.2", "libodbc2", "ODBC", functions, sizeof functions / sizeof functions[0], NULL};

enum { UNITS_AT_ONCE = 1024, MOST_NAME = 256 };

typedef struct odbc {
    calls api;
    SQLHENV environment;
    SQLHDBC connection;
    SQLHSTMT statement;
    bool connected;
    mgl_buffer units; /* of the cell at hand, UTF-16 */
    mgl_buffer row;   /* its texts */
} odbc;

static bool went_well(SQLRETURN code)
{
    return code == SQL_SUCCESS || code == SQL_SUCCESS_WITH_INFO || code == SQL_NO_DATA;
}

static mgl_status fail(const mgl_sql *sql, SQLSMALLINT kind, SQLHANDLE handle, mgl_error *err)
{
    const odbc *o = sql->state;
    SQLWCHAR state[6] = {0}, words[512] = {0};
    SQLINTEGER number;
    SQLSMALLINT size = 0;
    mgl_buffer narrow_state = {0}, narrow_words = {0};
    o->api.diagnosis(kind, handle, 1, state, &number, words, 512, &size);
    if (size > 511)
        size = 511;
    mgl_utf16_to_utf8(&narrow_state, state, 5);
    mgl_utf16_to_utf8(&narrow_words, words, size > 0 ? (size_t)size : 0);
    mgl_buffer_append(&narrow_state, "", 1);
    mgl_buffer_append(&narrow_words, "", 1);
    bool known = !narrow_state.failed && !narrow_words.failed && size > 0;
    mgl_status status = mgl_sql_fail(sql, known ? narrow_state.data : NULL,
                                     known ? narrow_words.data : "the ODBC driver failed", err);
    mgl_buffer_free(&narrow_state);
    mgl_buffer_free(&narrow_words);
    return status;
}

static mgl_status open_connection(mgl_sql *sql, mgl_span text, mgl_error *err)
{
    odbc *o = sql->state;
    mgl_buffer wide = {0};
    if (!went_well(o->api.allocate(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &o->environment)) ||
        !went_well(o->api.set_environment(o->environment, SQL_ATTR_ODBC_VERSION,
                                          (SQLPOINTER)SQL_OV_ODBC3, 0)) ||
        !went_well(o->api.allocate(SQL_HANDLE_DBC, o->environment, &o->connection)))
        return mgl_fail_memory(err);
    mgl_utf8_to_utf16(&wide, text);
    if (wide.failed)
        return mgl_fail_memory(err);
    SQLRETURN code =
        o->api.connect(o->connection, NULL, (SQLWCHAR *)wide.data, (SQLSMALLINT)(wide.size / 2),
                       NULL, 0, NULL, SQL_DRIVER_NOPROMPT);
    mgl_buffer_free(&wide);
    if (!went_well(code))
        return fail(sql, SQL_HANDLE_DBC, o->connection, err);
    o->connected = true;
    if (!went_well(o->api.allocate(SQL_HANDLE_STMT, o->connection, &o->statement)))
        return fail(sql, SQL_HANDLE_DBC, o->connection, err);
    return MGL_OK;
}

static mgl_status find_dialect(mgl_sql *sql, mgl_error *err)
{
    odbc *o = sql->state;
    SQLWCHAR product[MOST_NAME] = {0};
    SQLSMALLINT bytes = 0;
    mgl_buffer name = {0};
    if (!went_well(o->api.info(o->connection, SQL_DBMS_NAME, product, sizeof product - 2, &bytes)))
        return fail(sql, SQL_HANDLE_DBC, o->connection, err);
    mgl_utf16_to_utf8(&name, product, bytes > 0 ? (size_t)bytes / 2 : 0);
    mgl_buffer_append(&name, "", 1);
    if (name.failed)
        return mgl_fail_memory(err);
    sql->dialect = mgl_sql_dialect_of_product(name.data);
    mgl_buffer_free(&name);
    return MGL_OK;
}

static mgl_status connect(mgl_sql *sql, const char *server, mgl_error *err)
{
    odbc *o = sql->state = mgl_zeroed_array(1, sizeof *o);
    if (o == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_library_load(&library, &o->api, err));
    MGL_TRY(open_connection(sql, mgl_span_of(server + strlen("odbc:")), err));
    return find_dialect(sql, err);
}

static void finish(mgl_sql *sql)
{
    odbc *o = sql->state;
    o->api.close_statement(o->statement, SQL_CLOSE);
    o->api.close_statement(o->statement, SQL_RESET_PARAMS);
}

static void close_connection(mgl_sql *sql)
{
    odbc *o = sql->state;
    if (o == NULL)
        return;
    if (o->statement != NULL)
        o->api.release(SQL_HANDLE_STMT, o->statement);
    if (o->connected)
        o->api.disconnect(o->connection);
    if (o->connection != NULL)
        o->api.release(SQL_HANDLE_DBC, o->connection);
    if (o->environment != NULL)
        o->api.release(SQL_HANDLE_ENV, o->environment);
    mgl_buffer_free(&o->units);
    mgl_buffer_free(&o->row);
    mgl_free(o);
}

/* ---- Statements ----------------------------------------------------------------- */

/* One parameter: its text and what ODBC wants to know of it. */
typedef struct parameter {
    mgl_buffer text;
    SQLLEN bytes;
} parameter;

/* Texts keep their places until they are sent. */
static mgl_status bind(mgl_sql *sql, const mgl_span *values, size_t n, parameter *parameters,
                       mgl_error *err)
{
    odbc *o = sql->state;
    for (size_t i = 0; i < n; i++) {
        parameter *p = &parameters[i];
        p->text.size = 0;
        mgl_utf8_to_utf16(&p->text, (mgl_span){values[i].data, values[i].size});
        mgl_buffer_append(&p->text, "\0", 2);
        if (p->text.failed)
            return mgl_fail_memory(err);
        SQLLEN size = (SQLLEN)p->text.size - 2;
        p->bytes = values[i].data != NULL ? size : SQL_NULL_DATA;
        SQLRETURN code = o->api.bind(o->statement, (SQLUSMALLINT)(i + 1), SQL_PARAM_INPUT,
                                     SQL_C_WCHAR, SQL_WVARCHAR, size > 1 ? (SQLULEN)size / 2 : 1, 0,
                                     p->text.data, (SQLLEN)p->text.size, &p->bytes);
        if (!went_well(code))
            return fail(sql, SQL_HANDLE_STMT, o->statement, err);
    }
    return MGL_OK;
}

static void free_parameters(parameter *parameters, size_t n)
{
    for (size_t i = 0; parameters != NULL && i < n; i++)
        mgl_buffer_free(&parameters[i].text);
    mgl_free(parameters);
}

static mgl_status send(mgl_sql *sql, const char *statement, const mgl_span *values, size_t n_values,
                       mgl_error *err)
{
    odbc *o = sql->state;
    mgl_buffer wide = {0};
    parameter *parameters = mgl_zeroed_array(n_values, sizeof *parameters);
    mgl_utf8_to_utf16(&wide, mgl_span_of(statement));
    finish(sql);
    mgl_status status = MGL_OK;
    if (parameters == NULL || wide.failed)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_sql_ask(sql, err));
    MGL_GO(bind(sql, values, n_values, parameters, err));
    SQLSMALLINT n = 0;
    if (!went_well(o->api.execute_text(o->statement, (SQLWCHAR *)wide.data,
                                       (SQLINTEGER)(wide.size / 2))) ||
        !went_well(o->api.n_columns(o->statement, &n)))
        MGL_GO(fail(sql, SQL_HANDLE_STMT, o->statement, err));
    MGL_GO(mgl_sql_expect(sql, n > 0 ? (size_t)n : 0, err));
done:
    o->api.close_statement(o->statement, SQL_RESET_PARAMS);
    free_parameters(parameters, n_values);
    mgl_buffer_free(&wide);
    return status;
}

/* A cell, piece by piece; *missing: it is NULL. */
static mgl_status get_cell(mgl_sql *sql, size_t i, mgl_error *err, bool *missing)
{
    odbc *o = sql->state;
    SQLWCHAR piece[UNITS_AT_ONCE];
    SQLLEN bytes = 0;
    SQLRETURN code;
    o->units.size = 0;
    do {
        code = o->api.data(o->statement, (SQLUSMALLINT)(i + 1), SQL_C_WCHAR, piece, sizeof piece,
                           &bytes);
        if (!went_well(code))
            return fail(sql, SQL_HANDLE_STMT, o->statement, err);
        *missing = bytes == SQL_NULL_DATA;
        if (code == SQL_NO_DATA || *missing)
            break;
        bool cut = code == SQL_SUCCESS_WITH_INFO &&
                   (bytes == SQL_NO_TOTAL || (size_t)bytes > sizeof piece - 2);
        mgl_buffer_append(&o->units, (char *)piece, cut ? sizeof piece - 2 : (size_t)bytes);
        if (!cut)
            break;
    } while (true);
    return o->units.failed ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status fetch(mgl_sql *sql, mgl_error *err, bool *there)
{
    odbc *o = sql->state;
    *there = false;
    if (sql->n_cells == 0)
        return MGL_OK;
    SQLRETURN code = o->api.fetch(o->statement);
    if (code == SQL_NO_DATA)
        return MGL_OK;
    if (!went_well(code))
        return fail(sql, SQL_HANDLE_STMT, o->statement, err);
    o->row.size = 0;
    for (size_t i = 0; i < sql->n_cells; i++) {
        bool missing;
        size_t before = o->row.size;
        MGL_TRY(get_cell(sql, i, err, &missing));
        mgl_utf16_to_utf8(&o->row, (const uint16_t *)(void *)o->units.data, o->units.size / 2);
        /* The texts may still move: for now a cell knows where the next one begins. */
        sql->cells[i] = (mgl_span){missing ? NULL : "", o->row.size - before};
    }
    mgl_buffer_append(&o->row, "", 1);
    if (o->row.failed)
        return mgl_fail_memory(err);
    const char *at = o->row.data;
    for (size_t i = 0; i < sql->n_cells; i++) {
        if (sql->cells[i].data != NULL)
            sql->cells[i].data = at;
        at += sql->cells[i].size;
    }
    *there = true;
    return MGL_OK;
}

static mgl_status column(mgl_sql *sql, size_t i, mgl_error *err, mgl_buffer *name, bool *opaque)
{
    odbc *o = sql->state;
    SQLWCHAR text[MOST_NAME];
    SQLSMALLINT size = 0, type = 0, digits, nullable;
    SQLULEN width;
    if (!went_well(o->api.describe(o->statement, (SQLUSMALLINT)(i + 1), text, MOST_NAME, &size,
                                   &type, &width, &digits, &nullable)))
        return fail(sql, SQL_HANDLE_STMT, o->statement, err);
    mgl_utf16_to_utf8(name, text, size > 0 ? (size_t)size : 0);
    *opaque = type == SQL_BINARY || type == SQL_VARBINARY || type == SQL_LONGVARBINARY;
    return name->failed ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status insert_rows(mgl_sql *sql, const mgl_sql_rows *rows, mgl_span *cells,
                              parameter *parameters, mgl_error *err)
{
    odbc *o = sql->state;
    while (rows->next(rows->context, cells)) {
        MGL_TRY(bind(sql, cells, rows->n_columns, parameters, err));
        if (!went_well(o->api.execute(o->statement)))
            return fail(sql, SQL_HANDLE_STMT, o->statement, err);
        MGL_TRY(mgl_sql_ask(sql, err));
    }
    return MGL_OK;
}

static mgl_status load(mgl_sql *sql, const char *table, const mgl_sql_rows *rows, mgl_error *err)
{
    odbc *o = sql->state;
    size_t n_columns = rows->n_columns;
    mgl_buffer statement = {0}, wide = {0};
    mgl_span *cells = mgl_alloc_array(n_columns, sizeof *cells);
    parameter *parameters = mgl_zeroed_array(n_columns, sizeof *parameters);
    mgl_buffer_format(&statement, "INSERT INTO %s VALUES (", table);
    for (size_t i = 0; i < n_columns; i++)
        mgl_buffer_text(&statement, i > 0 ? ",?" : "?");
    mgl_buffer_text(&statement, ")");
    mgl_utf8_to_utf16(&wide, (mgl_span){statement.data, statement.size});
    finish(sql);
    mgl_status status = MGL_OK;
    if (cells == NULL || parameters == NULL || statement.failed || wide.failed)
        MGL_GO(mgl_fail_memory(err));
    if (!went_well(
            o->api.prepare(o->statement, (SQLWCHAR *)wide.data, (SQLINTEGER)(wide.size / 2))))
        MGL_GO(fail(sql, SQL_HANDLE_STMT, o->statement, err));
    MGL_GO(insert_rows(sql, rows, cells, parameters, err));
done:
    finish(sql);
    free_parameters(parameters, n_columns);
    mgl_free(cells);
    mgl_buffer_free(&statement);
    mgl_buffer_free(&wide);
    return status;
}
#endif

const mgl_sql_driver mgl_sql_odbc = {
    .scheme = "odbc:",
    .engine = "ODBC",
    .separators = ":;?",
    .secrets = " pwd password ",
    .users = " uid user username ",
#ifdef MGL_ODBC
    .connect = connect,
    .close = close_connection,
    .send = send,
    .fetch = fetch,
    .finish = finish,
    .load = load,
    .column = column,
#endif
};
