/* The driver of any engine with an ODBC driver, through unixODBC. Texts are exchanged as UTF-16,
 * the one encoding that does not depend on the locale. */
#include "io/intake/intake.h"
#include "io/sql/sql.h"

#include <utf8proc.h>

/* ---- UTF-16 ---------------------------------------------------------------------------------- */

enum { REPLACEMENT = 0xFFFD, FIRST_HIGH = 0xD800, FIRST_LOW = 0xDC00, END_LOW = 0xE000 };

void mgl_utf8_to_utf16(mgl_buffer *out, mgl_span text)
{
    for (size_t i = 0; i < text.size;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)text.data + i,
                                                 (utf8proc_ssize_t)(text.size - i), &point);
        point = used > 0 ? point : REPLACEMENT;
        uint16_t units[2] = {(uint16_t)point, 0};
        if (point >= 0x10000) {
            units[0] = (uint16_t)(FIRST_HIGH + ((point - 0x10000) >> 10));
            units[1] = (uint16_t)(FIRST_LOW + ((point - 0x10000) & 0x3FF));
        }
        mgl_buffer_append(out, (char *)units, point >= 0x10000 ? 4 : 2);
        i += used > 0 ? (size_t)used : 1;
    }
}

void mgl_utf16_to_utf8(mgl_buffer *out, const uint16_t *units, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int32_t point = units[i];
        utf8proc_uint8_t bytes[4];
        if (point >= FIRST_HIGH && point < FIRST_LOW && i + 1 < n && units[i + 1] >= FIRST_LOW &&
            units[i + 1] < END_LOW) {
            point = 0x10000 + ((point - FIRST_HIGH) << 10) + (units[i + 1] - FIRST_LOW);
            i++;
        } else if (point >= FIRST_HIGH && point < END_LOW) {
            point = REPLACEMENT;
        }
        mgl_buffer_append(out, (char *)bytes, (size_t)utf8proc_encode_char(point, bytes));
    }
}

#ifdef MGL_ODBC
#include <sql.h>
#include <sqlext.h>
#include <sqlucode.h>

/* ---- Connections ----------------------------------------------------------------------------- */

enum { MGL_ODBC_MOST_TEXT = 4000 }; /* characters that are no long text for any engine */

#define ODBC_FUNCTIONS(FUNCTION)                                                                   \
    FUNCTION(allocate, SQLAllocHandle)                                                             \
    FUNCTION(release, SQLFreeHandle)                                                               \
    FUNCTION(set_environment, SQLSetEnvAttr)                                                       \
    FUNCTION(connect, SQLDriverConnectW)                                                           \
    FUNCTION(disconnect, SQLDisconnect)                                                            \
    FUNCTION(execute_text, SQLExecDirectW)                                                         \
    FUNCTION(prepare, SQLPrepareW)                                                                 \
    FUNCTION(execute, SQLExecute)                                                                  \
    FUNCTION(bind, SQLBindParameter)                                                               \
    FUNCTION(n_columns, SQLNumResultCols)                                                          \
    FUNCTION(describe, SQLDescribeColW)                                                            \
    FUNCTION(fetch, SQLFetch)                                                                      \
    FUNCTION(data, SQLGetData)                                                                     \
    FUNCTION(diagnosis, SQLGetDiagRecW)                                                            \
    FUNCTION(info, SQLGetInfoW)                                                                    \
    FUNCTION(close_statement, SQLFreeStmt)                                                         \
    FUNCTION(set_statement, SQLSetStmtAttrW)                                                       \
    FUNCTION(type_info, SQLGetTypeInfoW)                                                           \
    FUNCTION(end_transaction, SQLEndTran)                                                          \
    FUNCTION(set_connection, SQLSetConnectAttrW)

typedef struct odbc_calls {
    ODBC_FUNCTIONS(MGL_LIBRARY_POINTER)
} odbc_calls;

static const char *const functions[] = {ODBC_FUNCTIONS(MGL_LIBRARY_NAME)};

typedef struct odbc {
    odbc_calls api;
    SQLHENV environment;
    SQLHDBC connection;
    SQLHSTMT statement;
    bool connected;
    mgl_buffer units;        /* of the current cell, UTF-16 */
    mgl_buffer row;          /* its texts */
    mgl_sql_dialect dialect; /* that of the engine, completed by the driver */
    mgl_buffer text;         /* its type of texts */
    SQLUINTEGER isolation;   /* of transactions that see one state of the data */
} odbc;

static const mgl_library library = {
    "libodbc.so.2", "libodbc2", "ODBC", functions, sizeof functions / sizeof functions[0], NULL};

enum { UNITS_AT_ONCE = 1024, MOST_NAME = 256, MOST_TEXT = MGL_ODBC_MOST_TEXT };

static bool odbc_went_well(SQLRETURN code)
{
    return code == SQL_SUCCESS || code == SQL_SUCCESS_WITH_INFO || code == SQL_NO_DATA;
}

static mgl_status odbc_fail(const mgl_sql *sql, SQLSMALLINT kind, SQLHANDLE handle, mgl_error *err)
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
    if (!odbc_went_well(o->api.allocate(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &o->environment)) ||
        !odbc_went_well(o->api.set_environment(o->environment, SQL_ATTR_ODBC_VERSION,
                                               (SQLPOINTER)SQL_OV_ODBC3, 0)) ||
        !odbc_went_well(o->api.allocate(SQL_HANDLE_DBC, o->environment, &o->connection)))
        return mgl_fail_memory(err);
    mgl_utf8_to_utf16(&wide, text);
    if (wide.failed)
        return mgl_fail_memory(err);
    SQLRETURN code =
        o->api.connect(o->connection, NULL, (SQLWCHAR *)wide.data, (SQLSMALLINT)(wide.size / 2),
                       NULL, 0, NULL, SQL_DRIVER_NOPROMPT);
    mgl_buffer_free(&wide);
    if (!odbc_went_well(code))
        return odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    o->connected = true;
    if (!odbc_went_well(o->api.allocate(SQL_HANDLE_STMT, o->connection, &o->statement)))
        return odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    return MGL_OK;
}

static mgl_status ask_name(mgl_sql *sql, SQLUSMALLINT what, mgl_error *err, mgl_buffer *out)
{
    const odbc *o = sql->state;
    SQLWCHAR text[MOST_NAME] = {0};
    SQLSMALLINT bytes = 0;
    if (!odbc_went_well(o->api.info(o->connection, what, text, sizeof text - 2, &bytes)))
        return odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    mgl_utf16_to_utf8(out, text, bytes > 0 ? (size_t)bytes / 2 : 0);
    mgl_buffer_append(out, "", 1);
    return out->failed ? mgl_fail_memory(err) : MGL_OK;
}

/* Transactions, for engines whose dialect lacks a statement that begins them: the driver does it.
 */
static void ask_transactions(mgl_sql *sql)
{
    static const SQLUINTEGER good[] = {SQL_TXN_SERIALIZABLE, SQL_TXN_REPEATABLE_READ};
    odbc *o = sql->state;
    SQLUSMALLINT capable = SQL_TC_NONE;
    SQLUINTEGER options = 0;
    if (o->dialect.begin != NULL ||
        !odbc_went_well(
            o->api.info(o->connection, SQL_TXN_CAPABLE, &capable, sizeof capable, NULL)) ||
        !odbc_went_well(
            o->api.info(o->connection, SQL_TXN_ISOLATION_OPTION, &options, sizeof options, NULL)))
        return;
    for (size_t i = 0; capable != SQL_TC_NONE && i < sizeof good / sizeof good[0]; i++)
        o->isolation = (options & good[i]) != 0 ? good[i] : o->isolation;
    o->dialect.undoes_create = o->isolation != 0 && capable == SQL_TC_ALL;
}

/* The widest type of texts that can be compared, for engines whose dialect lacks it. */
static mgl_status ask_text(mgl_sql *sql, mgl_error *err)
{
    odbc *o = sql->state;
    SQLINTEGER width = 0;
    SQLLEN there = 0;
    if (odbc_went_well(o->api.type_info(o->statement, SQL_WVARCHAR)) &&
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

/* How the engine writes SQL: the row of its name, corrected by the driver. */
static mgl_status find_dialect(mgl_sql *sql, mgl_error *err)
{
    odbc *o = sql->state;
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
    const odbc *o = sql->state;
    SQLPOINTER isolation =
        (SQLPOINTER)(uintptr_t)o->isolation; /* NOLINT: the interface has it so */
    if (o->isolation == 0)
        return MGL_OK;
    if (!odbc_went_well(
            o->api.set_connection(o->connection, SQL_ATTR_TXN_ISOLATION, isolation, 0)) ||
        !odbc_went_well(o->api.set_connection(o->connection, SQL_ATTR_AUTOCOMMIT,
                                              (SQLPOINTER)SQL_AUTOCOMMIT_OFF, 0)))
        return odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    return MGL_OK;
}

static mgl_status end(mgl_sql *sql, bool keep, mgl_error *err)
{
    const odbc *o = sql->state;
    if (o->isolation == 0)
        return MGL_OK;
    if (!odbc_went_well(o->api.end_transaction(SQL_HANDLE_DBC, o->connection,
                                               keep ? SQL_COMMIT : SQL_ROLLBACK)) ||
        !odbc_went_well(o->api.set_connection(o->connection, SQL_ATTR_AUTOCOMMIT,
                                              (SQLPOINTER)SQL_AUTOCOMMIT_ON, 0)))
        return odbc_fail(sql, SQL_HANDLE_DBC, o->connection, err);
    return MGL_OK;
}

static mgl_status connect(mgl_sql *sql, const char *server, mgl_error *err)
{
    odbc *o = sql->state = mgl_zeroed_array(1, sizeof *o);
    MGL_TRY(mgl_check_memory(o != NULL, err));
    MGL_TRY(mgl_library_load(&library, &o->api, err));
    MGL_TRY(open_connection(sql, mgl_span_of(server + strlen("odbc:")), err));
    return find_dialect(sql, err);
}

static void odbc_finish(mgl_sql *sql)
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
    mgl_buffer_free(&o->text);
    mgl_free(o);
}

/* ---- Loading rows ---------------------------------------------------------------------------- */

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
    SQLLEN *lengths;    /* [n_columns][ROWS_AT_ONCE] */
    size_t at_once;     /* rows; 1 if the driver supports no more */
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
            b->lengths[c * ROWS_AT_ONCE + r] = size;
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
    odbc *o = sql->state;
    MGL_TRY(mgl_check_memory(turn(b, n), err));
    if (b->at_once > 1 && !odbc_went_well(o->api.set_statement(
                              o->statement, SQL_ATTR_PARAMSET_SIZE, (SQLPOINTER)(uintptr_t)n,
                              0))) /* NOLINT: the interface has it so */
        return odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
    char *at = b->columns.data;
    for (size_t c = 0; c < b->n_columns; c++) {
        SQLULEN letters = b->widths[c] > 1 ? b->widths[c] / 2 : 1;
        if (!odbc_went_well(
                o->api.bind(o->statement, (SQLUSMALLINT)(c + 1), SQL_PARAM_INPUT, SQL_C_WCHAR,
                            letters > MGL_ODBC_MOST_TEXT ? SQL_WLONGVARCHAR : SQL_WVARCHAR, letters,
                            0, at, (SQLLEN)b->widths[c], b->lengths + c * ROWS_AT_ONCE)))
            return odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
        at += n * b->widths[c];
    }
    if (!odbc_went_well(o->api.execute(o->statement)))
        return odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
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
    odbc *o = sql->state;
    bool array = odbc_went_well(
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

/* Drivers without support of arrays may take the first row of each and report success. */
static mgl_status check_loaded(mgl_sql *sql, const char *table, uint64_t n_rows, mgl_error *err)
{
    mgl_buffer statement = {0};
    uint64_t found = 0;
    mgl_buffer_format(&statement, "SELECT COUNT(*) FROM %s", table);
    MGL_TRY(mgl_sql_ask_numbers(sql, &statement, 1, err, &found));
    if (found != n_rows)
        return mgl_fail_at(err, MGL_CODE_DATABASE, sql->name, 0,
                           "%llu rows were given to the ODBC driver, and %llu came in; use "
                           "another driver",
                           (unsigned long long)n_rows, (unsigned long long)found);
    return MGL_OK;
}

static void free_batch(batch *b)
{
    mgl_buffer_free(&b->units);
    mgl_buffer_free(&b->columns);
    mgl_free(b->sizes);
    mgl_free(b->widths);
    mgl_free(b->before);
    mgl_free(b->lengths);
}

static mgl_status prepare_insert(mgl_sql *sql, const char *table, size_t n_columns, mgl_error *err)
{
    odbc *o = sql->state;
    mgl_buffer statement = {0}, wide = {0};
    mgl_buffer_format(&statement, "INSERT INTO %s VALUES (", table);
    for (size_t i = 0; i < n_columns; i++)
        mgl_buffer_text(&statement, i > 0 ? ",?" : "?");
    mgl_buffer_text(&statement, ")");
    mgl_utf8_to_utf16(&wide, (mgl_span){statement.data, statement.size});
    mgl_status status = MGL_OK;
    if (statement.failed || wide.failed)
        MGL_GO(mgl_fail_memory(err));
    if (!odbc_went_well(
            o->api.prepare(o->statement, (SQLWCHAR *)wide.data, (SQLINTEGER)(wide.size / 2))))
        MGL_GO(odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err));
done:
    mgl_buffer_free(&statement);
    mgl_buffer_free(&wide);
    return status;
}

static mgl_status odbc_load(mgl_sql *sql, const char *table, const mgl_sql_rows *rows,
                            mgl_error *err)
{
    odbc *o = sql->state;
    size_t n = rows->n_columns;
    batch b = {.n_columns = n};
    mgl_span *cells = mgl_alloc_array(n, sizeof *cells);
    b.sizes = mgl_alloc_array(n * ROWS_AT_ONCE, sizeof *b.sizes);
    b.lengths = mgl_alloc_array(n * ROWS_AT_ONCE, sizeof *b.lengths);
    b.widths = mgl_zeroed_array(n, sizeof *b.widths);
    b.before = mgl_zeroed_array(n, sizeof *b.before);
    odbc_finish(sql);
    mgl_status status = MGL_OK;
    if (cells == NULL || b.sizes == NULL || b.lengths == NULL || b.widths == NULL ||
        b.before == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(prepare_insert(sql, table, n, err));
    MGL_GO(insert_rows(sql, rows, cells, &b, err));
done:
    odbc_finish(sql);
    o->api.set_statement(o->statement, SQL_ATTR_PARAMSET_SIZE, (SQLPOINTER)1, 0);
    if (status == MGL_OK)
        status = check_loaded(sql, table, b.n_sent, err);
    free_batch(&b);
    mgl_free(cells);
    return status;
}

/* ---- Statements ----------------------------------------------------------------- */

/* One parameter: its text and the description that ODBC needs. */
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
        if (!odbc_went_well(code))
            return odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
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
    odbc_finish(sql);
    mgl_status status = MGL_OK;
    if (parameters == NULL || wide.failed)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_sql_ask(sql, err));
    MGL_GO(bind(sql, values, n_values, parameters, err));
    SQLSMALLINT n = 0;
    if (!odbc_went_well(o->api.execute_text(o->statement, (SQLWCHAR *)wide.data,
                                            (SQLINTEGER)(wide.size / 2))) ||
        !odbc_went_well(o->api.n_columns(o->statement, &n)))
        MGL_GO(odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err));
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
    odbc *o = sql->state;
    SQLWCHAR piece[UNITS_AT_ONCE];
    SQLSMALLINT kind = sql->dialect->fetches_bytes ? SQL_C_BINARY : SQL_C_WCHAR;
    size_t room = sizeof piece - (kind == SQL_C_WCHAR ? sizeof piece[0] : 0);
    SQLLEN bytes = 0;
    SQLRETURN code;
    do {
        code = o->api.data(o->statement, (SQLUSMALLINT)(i + 1), kind, piece, sizeof piece, &bytes);
        if (!odbc_went_well(code))
            return odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
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
    odbc *o = sql->state;
    if (sql->dialect->fetches_bytes)
        return get_cell(sql, i, err, &o->row, missing);
    o->units.size = 0;
    MGL_TRY(get_cell(sql, i, err, &o->units, missing));
    mgl_utf16_to_utf8(&o->row, (const uint16_t *)(void *)o->units.data, o->units.size / 2);
    return MGL_OK;
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
    if (!odbc_went_well(code))
        return odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
    o->row.size = 0;
    for (size_t i = 0; i < sql->n_cells; i++) {
        bool missing;
        size_t before = o->row.size;
        MGL_TRY(get_text(sql, i, err, &missing));
        /* The texts may still move: for now a cell holds the offset of the next one. */
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
    odbc *o = sql->state;
    SQLWCHAR text[MOST_NAME];
    SQLSMALLINT size = 0, type = 0, digits, nullable;
    SQLULEN width = 0;
    if (!odbc_went_well(o->api.describe(o->statement, (SQLUSMALLINT)(i + 1), text, MOST_NAME, &size,
                                        &type, &width, &digits, &nullable)))
        return odbc_fail(sql, SQL_HANDLE_STMT, o->statement, err);
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
    .finish = odbc_finish,
    .load = odbc_load,
    .column = column,
    .begin = begin,
    .end = end,
#endif
};
