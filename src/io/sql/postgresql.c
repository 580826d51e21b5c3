/* The driver of PostgreSQL, through libpq. Statements are sent without waiting, so that a job can
 * be cancelled while the server works. */
#include "io/intake/intake.h"
#include "io/sql/sql.h"

#ifdef MGL_POSTGRESQL
#include <libpq-fe.h>

enum { WAIT_MILLISECONDS = 200 };

#define POSTGRESQL_FUNCTIONS(FUNCTION)                                                             \
    FUNCTION(connect, PQconnectdbParams)                                                           \
    FUNCTION(finish, PQfinish)                                                                     \
    FUNCTION(status, PQstatus)                                                                     \
    FUNCTION(error_message, PQerrorMessage)                                                        \
    FUNCTION(send, PQsendQueryParams)                                                              \
    FUNCTION(get_result, PQgetResult)                                                              \
    FUNCTION(single_rows, PQsetSingleRowMode)                                                      \
    FUNCTION(result_status, PQresultStatus)                                                        \
    FUNCTION(error_field, PQresultErrorField)                                                      \
    FUNCTION(clear, PQclear)                                                                       \
    FUNCTION(n_fields, PQnfields)                                                                  \
    FUNCTION(is_null, PQgetisnull)                                                                 \
    FUNCTION(value, PQgetvalue)                                                                    \
    FUNCTION(length, PQgetlength)                                                                  \
    FUNCTION(is_busy, PQisBusy)                                                                    \
    FUNCTION(consume, PQconsumeInput)                                                              \
    FUNCTION(socket, PQsocket)                                                                     \
    FUNCTION(get_cancel, PQgetCancel)                                                              \
    FUNCTION(cancel, PQcancel)                                                                     \
    FUNCTION(free_cancel, PQfreeCancel)                                                            \
    FUNCTION(put_data, PQputCopyData)                                                              \
    FUNCTION(put_end, PQputCopyEnd)                                                                \
    FUNCTION(on_notice, PQsetNoticeProcessor)

typedef struct calls {
    POSTGRESQL_FUNCTIONS(MGL_LIBRARY_POINTER)
} calls;

static const char *const functions[] = {POSTGRESQL_FUNCTIONS(MGL_LIBRARY_NAME)};

static const mgl_library library = {
    "libpq.so.5", "libpq5", "PostgreSQL", functions, sizeof functions / sizeof functions[0], NULL};

typedef struct postgresql {
    calls pq;
    PGconn *connection;
    PGresult *result; /* the row that was fetched */
    bool running;     /* results are to come */
} postgresql;

/* The library never prints. */
static void ignore(void *context, const char *message)
{
    (void)context;
    (void)message;
}

static mgl_status connect(mgl_sql *sql, const char *server, mgl_error *err)
{
    const char *const keys[] = {"dbname", "client_encoding", "fallback_application_name", NULL};
    const char *const values[] = {server, "UTF8", "mingle", NULL};
    postgresql *p = sql->state = mgl_zeroed_array(1, sizeof *p);
    MGL_TRY(mgl_check_memory(p != NULL, err));
    sql->dialect = mgl_sql_dialect_find("postgresql");
    MGL_TRY(mgl_library_load(&library, &p->pq, err));
    p->connection = p->pq.connect(keys, values, 1);
    MGL_TRY(mgl_check_memory(p->connection != NULL, err));
    if (p->pq.status(p->connection) != CONNECTION_OK)
        return mgl_sql_fail(sql, NULL, p->pq.error_message(p->connection), err);
    p->pq.on_notice(p->connection, ignore, NULL);
    MGL_TRY(mgl_sql_run_text(sql, "SET DateStyle = 'ISO, YMD'", err));
    /* A server would go on for hours with the statement of a client that was killed. Those before
     * version 14 cannot be distinguished. */
    (void)mgl_sql_run_text(sql, "SET client_connection_check_interval = '1s'", NULL);
    return MGL_OK;
}

static void clear(postgresql *p)
{
    if (p->result != NULL)
        p->pq.clear(p->result);
    p->result = NULL;
}

static mgl_status fail(const mgl_sql *sql, mgl_error *err)
{
    const postgresql *p = sql->state;
    const char *state = NULL, *words = NULL;
    if (p->result != NULL) {
        state = p->pq.error_field(p->result, PG_DIAG_SQLSTATE);
        words = p->pq.error_field(p->result, PG_DIAG_MESSAGE_PRIMARY);
    }
    return mgl_sql_fail(sql, state, words != NULL ? words : p->pq.error_message(p->connection),
                        err);
}

static void stop(const postgresql *p)
{
    char words[256];
    PGcancel *cancel = p->pq.get_cancel(p->connection);
    if (cancel == NULL)
        return;
    (void)p->pq.cancel(cancel, words, sizeof words);
    p->pq.free_cancel(cancel);
}

/* The next result; NULL after the last. */
static mgl_status next_result(mgl_sql *sql, mgl_error *err)
{
    postgresql *p = sql->state;
    clear(p);
    while (p->pq.is_busy(p->connection)) {
        MGL_TRY(mgl_sql_ask(sql, err));
        mgl_sys_wait(p->pq.socket(p->connection), WAIT_MILLISECONDS);
        if (!p->pq.consume(p->connection))
            return fail(sql, err);
    }
    p->result = p->pq.get_result(p->connection);
    p->running = p->result != NULL;
    return MGL_OK;
}

static void finish(mgl_sql *sql)
{
    postgresql *p = sql->state;
    clear(p);
    if (!p->running)
        return;
    stop(p);
    while ((p->result = p->pq.get_result(p->connection)) != NULL) {
        bool copying = p->pq.result_status(p->result) == PGRES_COPY_IN;
        clear(p);
        if (copying && p->pq.put_end(p->connection, "given up") != 1)
            break;
    }
    p->running = false;
}

static void close_connection(mgl_sql *sql)
{
    postgresql *p = sql->state;
    if (p != NULL && p->connection != NULL) {
        finish(sql);
        p->pq.finish(p->connection);
    }
    mgl_free(p);
}

/* Parameters are numbered here. */
static void number_parameters(mgl_buffer *out, const char *statement)
{
    for (unsigned number = 0; *statement != '\0'; statement++)
        if (*statement == '?')
            mgl_buffer_format(out, "$%u", ++number);
        else
            mgl_buffer_append(out, statement, 1);
    mgl_buffer_append(out, "", 1);
}

static mgl_status copy_values(const mgl_span *values, size_t n, mgl_arena *arena, const char **out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = NULL;
        if (values[i].data == NULL)
            continue;
        out[i] = mgl_arena_copy(arena, values[i].data, values[i].size);
        if (out[i] == NULL)
            return MGL_SYSTEM;
    }
    return MGL_OK;
}

static mgl_status send(mgl_sql *sql, const char *statement, const mgl_span *values, size_t n_values,
                       mgl_error *err)
{
    postgresql *p = sql->state;
    mgl_buffer text = {0};
    mgl_arena *arena = mgl_arena_new();
    const char *copies[8];
    if (n_values > 0)
        number_parameters(&text, statement);
    mgl_status status = MGL_OK;
    if (arena == NULL || text.failed || copy_values(values, n_values, arena, copies) != MGL_OK)
        status = mgl_fail_memory(err);
    else if (!p->pq.send(p->connection, n_values > 0 ? text.data : statement, (int)n_values, NULL,
                         copies, NULL, NULL, 0))
        status = fail(sql, err);
    if (status == MGL_OK) {
        p->running = true;
        (void)p->pq.single_rows(p->connection);
    }
    mgl_arena_free(arena);
    mgl_buffer_free(&text);
    return status;
}

static mgl_status fetch(mgl_sql *sql, mgl_error *err, bool *there)
{
    postgresql *p = sql->state;
    *there = false;
    for (;;) {
        MGL_TRY(next_result(sql, err));
        if (p->result == NULL)
            return MGL_OK;
        ExecStatusType kind = p->pq.result_status(p->result);
        if (kind == PGRES_SINGLE_TUPLE)
            break;
        if (kind != PGRES_TUPLES_OK && kind != PGRES_COMMAND_OK)
            return fail(sql, err);
    }
    size_t n = (size_t)p->pq.n_fields(p->result);
    MGL_TRY(mgl_sql_expect(sql, n, err));
    for (size_t i = 0; i < n; i++)
        sql->cells[i] = p->pq.is_null(p->result, 0, (int)i)
                            ? (mgl_span){NULL, 0}
                            : (mgl_span){p->pq.value(p->result, 0, (int)i),
                                         (size_t)p->pq.length(p->result, 0, (int)i)};
    *there = true;
    return MGL_OK;
}

static char escaped_letter(char c)
{
    return c == '\\' ? '\\' : c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : '\0';
}

static void append_cell(mgl_buffer *out, mgl_span cell)
{
    if (cell.data == NULL)
        mgl_buffer_text(out, "\\N");
    for (size_t i = 0, begin = 0; i <= cell.size && cell.size > 0; i++) {
        char escaped[2] = {'\\', i < cell.size ? escaped_letter(cell.data[i]) : '\0'};
        if (i < cell.size && escaped[1] == '\0')
            continue;
        mgl_buffer_append(out, cell.data + begin, i - begin);
        if (i < cell.size)
            mgl_buffer_append(out, escaped, 2);
        begin = i + 1;
    }
}

static mgl_status put_rows(mgl_sql *sql, const mgl_sql_rows *rows, mgl_span *cells,
                           mgl_buffer *lines, mgl_error *err)
{
    enum { BLOCK = 64 * 1024 };
    postgresql *p = sql->state;
    for (bool there = true; there;) {
        there = rows->next(rows->context, cells);
        for (size_t i = 0; there && i < rows->n_columns; i++) {
            if (i > 0)
                mgl_buffer_text(lines, "\t");
            append_cell(lines, cells[i]);
        }
        if (there)
            mgl_buffer_text(lines, "\n");
        if (lines->failed)
            return mgl_fail_memory(err);
        if (lines->size < BLOCK && there)
            continue;
        MGL_TRY(mgl_sql_ask(sql, err));
        if (lines->size > 0 && p->pq.put_data(p->connection, lines->data, (int)lines->size) != 1)
            return fail(sql, err);
        lines->size = 0;
    }
    return MGL_OK;
}

static mgl_status copy_rows(mgl_sql *sql, const mgl_sql_rows *rows, mgl_error *err)
{
    postgresql *p = sql->state;
    mgl_buffer lines = {0};
    mgl_span *cells = mgl_alloc_array(rows->n_columns, sizeof *cells);
    mgl_status status = MGL_OK;
    MGL_GO(cells == NULL ? mgl_fail_memory(err) : next_result(sql, err));
    if (p->result == NULL || p->pq.result_status(p->result) != PGRES_COPY_IN)
        MGL_GO(fail(sql, err));
    MGL_GO(put_rows(sql, rows, cells, &lines, err));
done:
    if (p->pq.put_end(p->connection, status == MGL_OK ? NULL : "given up") != 1 && status == MGL_OK)
        status = fail(sql, err);
    mgl_buffer_free(&lines);
    mgl_free(cells);
    return status;
}

static mgl_status load(mgl_sql *sql, const char *table, const mgl_sql_rows *rows, mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_buffer_format(&statement, "COPY %s FROM STDIN", table);
    bool there = true;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_send(sql, &statement, err));
    MGL_GO(copy_rows(sql, rows, err));
    while (there)
        MGL_GO(fetch(sql, err, &there));
done:
    finish(sql);
    return status;
}

#endif

const mgl_sql_driver mgl_sql_postgresql = {
    .scheme = "postgresql://",
    .engine = "PostgreSQL",
    .separators = "?&",
    .secrets = " password sslpassword ",
    .users = " user ",
    .typed = true,
#ifdef MGL_POSTGRESQL
    .connect = connect,
    .close = close_connection,
    .send = send,
    .fetch = fetch,
    .finish = finish,
    .load = load,
#endif
};
