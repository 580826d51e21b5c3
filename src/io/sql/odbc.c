/* Drives any engine that has an ODBC driver, through unixODBC. Texts are exchanged as UTF-16, the
 * one encoding that does not depend on the locale. database_location.c finds it by its scheme. */
#include "io/sql/odbc.h"

#include "io/intake/intake.h"
#include "io/sql/utf16.h"

#ifdef MGL_ODBC

static const char *const functions[] = {
    "SQLAllocHandle",   "SQLFreeHandle",    "SQLSetEnvAttr",   "SQLDriverConnectW",
    "SQLDisconnect",    "SQLExecDirectW",   "SQLPrepareW",     "SQLExecute",
    "SQLBindParameter", "SQLNumResultCols", "SQLDescribeColW", "SQLFetch",
    "SQLGetData",       "SQLGetDiagRecW",   "SQLGetInfoW",     "SQLFreeStmt",
    "SQLSetStmtAttrW",  "SQLGetTypeInfoW",  "SQLEndTran",      "SQLSetConnectAttrW"};

static const mgl_library library = {
    "libodbc.so.2", "libodbc2", "ODBC", functions, sizeof functions / sizeof functions[0], NULL};

enum { UNITS_AT_ONCE = 1024, MOST_NAME = 256, MOST_TEXT = MGL_ODBC_MOST_TEXT };

bool mgl_odbc_went_well(SQLRETURN code)
{
    return code == SQL_SUCCESS || code == SQL_SUCCESS_WITH_INFO || code == SQL_NO_DATA;
}

mgl_status mgl_odbc_fail(const mgl_sql *sql, SQLSMALLINT kind, SQLHANDLE handle, mgl_error *err)
{
    const mgl_odbc *o = sql->state;
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
    mgl_odbc *o = sql->state;
    mgl_buffer wide = {0};
    if (!mgl_odbc_went_well(o->api.allocate(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &o->environment)) ||
        !mgl_odbc_went_well(o->api.set_environment(o->environment, SQL_ATTR_ODBC_VERSION,
                                                   (SQLPOINTER)SQL_OV_ODBC3, 0)) ||
        !mgl_odbc_went_well(o->api.allocate(SQL_HANDLE_DBC, o->environment, &o->connection)))
        return mgl_fail_memory(err);
    mgl_utf8_to_utf16(&wide, text);
    if (wide.failed)
        return mgl_fail_memory(err);
    SQLRETURN code =
        o->api.connect(o->connection, NULL, (SQLWCHAR *)wide.data, (SQLSMALLINT)(wide.size / 2),
                       NULL, 0, NULL, SQL_DRIVER_NOPROMPT);
    mgl_buffer_free(&wide);
    if (!mgl_odbc_went_well(code))
        return mgl_odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    o->connected = true;
    if (!mgl_odbc_went_well(o->api.allocate(SQL_HANDLE_STMT, o->connection, &o->statement)))
        return mgl_odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    return MGL_OK;
}

static mgl_status ask_name(mgl_sql *sql, SQLUSMALLINT what, mgl_error *err, mgl_buffer *out)
{
    const mgl_odbc *o = sql->state;
    SQLWCHAR text[MOST_NAME] = {0};
    SQLSMALLINT bytes = 0;
    if (!mgl_odbc_went_well(o->api.info(o->connection, what, text, sizeof text - 2, &bytes)))
        return mgl_odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    mgl_utf16_to_utf8(out, text, bytes > 0 ? (size_t)bytes / 2 : 0);
    mgl_buffer_append(out, "", 1);
    return out->failed ? mgl_fail_memory(err) : MGL_OK;
}

/* Transactions, for engines of which no dialect says how they are begun: the driver does it. */
static void ask_transactions(mgl_sql *sql)
{
    static const SQLUINTEGER good[] = {SQL_TXN_SERIALIZABLE, SQL_TXN_REPEATABLE_READ};
    mgl_odbc *o = sql->state;
    SQLUSMALLINT capable = SQL_TC_NONE;
    SQLUINTEGER options = 0;
    if (o->dialect.begin != NULL ||
        !mgl_odbc_went_well(
            o->api.info(o->connection, SQL_TXN_CAPABLE, &capable, sizeof capable, NULL)) ||
        !mgl_odbc_went_well(
            o->api.info(o->connection, SQL_TXN_ISOLATION_OPTION, &options, sizeof options, NULL)))
        return;
    for (size_t i = 0; capable != SQL_TC_NONE && i < sizeof good / sizeof good[0]; i++)
        o->isolation = (options & good[i]) != 0 ? good[i] : o->isolation;
    o->dialect.undoes_create = o->isolation != 0 && capable == SQL_TC_ALL;
}

/* The widest type of texts that can be compared, for engines of which no dialect says it. */
static mgl_status ask_text(mgl_sql *sql, mgl_error *err)
{
    mgl_odbc *o = sql->state;
    SQLINTEGER width = 0;
    SQLLEN there = 0;
    if (mgl_odbc_went_well(o->api.type_info(o->statement, SQL_WVARCHAR)) &&
        o->api.fetch(o->statement) == SQL_SUCCESS)
        o->api.data(o->statement, 3, SQL_C_LONG, &width, sizeof width, &there);
    o->api.close_statement(o->statement, SQL_CLOSE);
    if (there == SQL_NULL_DATA || width <= 0 || width >= MOST_TEXT)
        return MGL_OK;
    o->dialect.most = (uint32_t)width;
    mgl_buffer_format(&o->text, "VARCHAR(%u)", (unsigned)o->dialect.most);
    mgl_buffer_append(&o->text, "", 1);
    o->dialect.text = o->text.data;
    return o->text.failed ? mgl_fail_memory(err) : MGL_OK;
}

/* How the engine writes SQL: the row of its name, and what the driver knows better. */
static mgl_status find_dialect(mgl_sql *sql, mgl_error *err)
{
    mgl_odbc *o = sql->state;
    mgl_buffer name = {0}, quote = {0};
    mgl_status status = MGL_OK;
    MGL_GO(ask_name(sql, SQL_DBMS_NAME, err, &name));
    MGL_GO(ask_name(sql, SQL_IDENTIFIER_QUOTE_CHAR, err, &quote));
    const mgl_sql_dialect *row = mgl_sql_dialect_of_product(name.data);
    o->dialect = *row;
    sql->dialect = &o->dialect;
    if (quote.size == 2 && strchr("\"`", quote.data[0]) != NULL)
        o->dialect.quote = quote.data[0];
    ask_transactions(sql);
    if (row->product[0] == '\0')
        MGL_GO(ask_text(sql, err));
done:
    mgl_buffer_free(&name);
    mgl_buffer_free(&quote);
    return status;
}

static mgl_status begin(mgl_sql *sql, mgl_error *err)
{
    const mgl_odbc *o = sql->state;
    SQLPOINTER isolation = (SQLPOINTER)(uintptr_t)o->isolation; /* NOLINT: so it is told */
    if (o->isolation == 0)
        return MGL_OK;
    if (!mgl_odbc_went_well(
            o->api.set_connection(o->connection, SQL_ATTR_TXN_ISOLATION, isolation, 0)) ||
        !mgl_odbc_went_well(o->api.set_connection(o->connection, SQL_ATTR_AUTOCOMMIT,
                                                  (SQLPOINTER)SQL_AUTOCOMMIT_OFF, 0)))
        return mgl_odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    return MGL_OK;
}

static mgl_status end(mgl_sql *sql, bool keep, mgl_error *err)
{
    const mgl_odbc *o = sql->state;
    if (o->isolation == 0)
        return MGL_OK;
    if (!mgl_odbc_went_well(o->api.end_transaction(SQL_HANDLE_DBC, o->connection,
                                                   keep ? SQL_COMMIT : SQL_ROLLBACK)) ||
        !mgl_odbc_went_well(o->api.set_connection(o->connection, SQL_ATTR_AUTOCOMMIT,
                                                  (SQLPOINTER)SQL_AUTOCOMMIT_ON, 0)))
        return mgl_odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    return MGL_OK;
}

static mgl_status connect(mgl_sql *sql, const char *server, mgl_error *err)
{
    mgl_odbc *o = sql->state = mgl_zeroed_array(1, sizeof *o);
    if (o == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_library_load(&library, &o->api, err));
    MGL_TRY(open_connection(sql, mgl_span_of(server + strlen("odbc:")), err));
    return find_dialect(sql, err);
}

void mgl_odbc_finish(mgl_sql *sql)
{
    mgl_odbc *o = sql->state;
    o->api.close_statement(o->statement, SQL_CLOSE);
    o->api.close_statement(o->statement, SQL_RESET_PARAMS);
}

static void close_connection(mgl_sql *sql)
{
    mgl_odbc *o = sql->state;
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
    mgl_buffer_free(&o->text);
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
    mgl_odbc *o = sql->state;
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
        if (!mgl_odbc_went_well(code))
            return mgl_odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
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
    mgl_odbc *o = sql->state;
    mgl_buffer wide = {0};
    parameter *parameters = mgl_zeroed_array(n_values, sizeof *parameters);
    mgl_utf8_to_utf16(&wide, mgl_span_of(statement));
    mgl_odbc_finish(sql);
    mgl_status status = MGL_OK;
    if (parameters == NULL || wide.failed)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_sql_ask(sql, err));
    MGL_GO(bind(sql, values, n_values, parameters, err));
    SQLSMALLINT n = 0;
    if (!mgl_odbc_went_well(o->api.execute_text(o->statement, (SQLWCHAR *)wide.data,
                                                (SQLINTEGER)(wide.size / 2))) ||
        !mgl_odbc_went_well(o->api.n_columns(o->statement, &n)))
        MGL_GO(mgl_odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err));
    MGL_GO(mgl_sql_expect(sql, n > 0 ? (size_t)n : 0, err));
done:
    o->api.close_statement(o->statement, SQL_RESET_PARAMS);
    free_parameters(parameters, n_values);
    mgl_buffer_free(&wide);
    return status;
}

/* Appends a cell, piece by piece; *missing: it is NULL. As texts, pieces end with a 0. */
static mgl_status get_cell(mgl_sql *sql, size_t i, mgl_error *err, mgl_buffer *out, bool *missing)
{
    mgl_odbc *o = sql->state;
    SQLWCHAR piece[UNITS_AT_ONCE];
    SQLSMALLINT kind = sql->dialect->fetches_bytes ? SQL_C_BINARY : SQL_C_WCHAR;
    size_t room = sizeof piece - (kind == SQL_C_WCHAR ? sizeof piece[0] : 0);
    SQLLEN bytes = 0;
    SQLRETURN code;
    do {
        code = o->api.data(o->statement, (SQLUSMALLINT)(i + 1), kind, piece, sizeof piece, &bytes);
        if (!mgl_odbc_went_well(code))
            return mgl_odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
        *missing = bytes == SQL_NULL_DATA;
        if (code == SQL_NO_DATA || *missing)
            break;
        bool cut = code == SQL_SUCCESS_WITH_INFO && (bytes == SQL_NO_TOTAL || (size_t)bytes > room);
        mgl_buffer_append(out, (char *)piece, cut ? room : (size_t)bytes);
        if (!cut)
            break;
    } while (true);
    return out->failed ? mgl_fail_memory(err) : MGL_OK;
}

/* The same in UTF-8, at the end of the row. */
static mgl_status get_text(mgl_sql *sql, size_t i, mgl_error *err, bool *missing)
{
    mgl_odbc *o = sql->state;
    if (sql->dialect->fetches_bytes)
        return get_cell(sql, i, err, &o->row, missing);
    o->units.size = 0;
    MGL_TRY(get_cell(sql, i, err, &o->units, missing));
    mgl_utf16_to_utf8(&o->row, (const uint16_t *)(void *)o->units.data, o->units.size / 2);
    return MGL_OK;
}

static mgl_status fetch(mgl_sql *sql, mgl_error *err, bool *there)
{
    mgl_odbc *o = sql->state;
    *there = false;
    if (sql->n_cells == 0)
        return MGL_OK;
    SQLRETURN code = o->api.fetch(o->statement);
    if (code == SQL_NO_DATA)
        return MGL_OK;
    if (!mgl_odbc_went_well(code))
        return mgl_odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
    o->row.size = 0;
    for (size_t i = 0; i < sql->n_cells; i++) {
        bool missing;
        size_t before = o->row.size;
        MGL_TRY(get_text(sql, i, err, &missing));
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

static mgl_status column(mgl_sql *sql, size_t i, mgl_error *err, mgl_buffer *name,
                         mgl_sql_kind *kind)
{
    mgl_odbc *o = sql->state;
    SQLWCHAR text[MOST_NAME];
    SQLSMALLINT size = 0, type = 0, digits, nullable;
    SQLULEN width = 0;
    if (!mgl_odbc_went_well(o->api.describe(o->statement, (SQLUSMALLINT)(i + 1), text, MOST_NAME,
                                            &size, &type, &width, &digits, &nullable)))
        return mgl_odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
    mgl_utf16_to_utf8(name, text, size > 0 ? (size_t)size : 0);
    bool bits = type == SQL_BIT && sql->dialect->hex != NULL;
    kind->opaque = bits || type == SQL_BINARY || type == SQL_VARBINARY || type == SQL_LONGVARBINARY;
    kind->exact = type == SQL_TINYINT || type == SQL_SMALLINT || type == SQL_INTEGER ||
                  type == SQL_BIGINT || type == SQL_TYPE_DATE;
    kind->text = type == SQL_CHAR || type == SQL_VARCHAR || type == SQL_LONGVARCHAR ||
                 type == SQL_WCHAR || type == SQL_WVARCHAR || type == SQL_WLONGVARCHAR;
    kind->width = width;
    return name->failed ? mgl_fail_memory(err) : MGL_OK;
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
    .finish = mgl_odbc_finish,
    .load = mgl_odbc_load,
    .column = column,
    .begin = begin,
    .end = end,
#endif
};
