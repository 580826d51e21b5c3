/* The driver of SQLite, in this process. */
#include "io/intake/intake.h"
#include "io/sql/sql.h"

#ifdef MGL_SQLITE
#include <sqlite3.h>

#define SQLITE_FUNCTIONS(FUNCTION)                                                                 \
    FUNCTION(open, sqlite3_open_v2)                                                                \
    FUNCTION(close, sqlite3_close_v2)                                                              \
    FUNCTION(message, sqlite3_errmsg)                                                              \
    FUNCTION(prepare, sqlite3_prepare_v2)                                                          \
    FUNCTION(finalize, sqlite3_finalize)                                                           \
    FUNCTION(step, sqlite3_step)                                                                   \
    FUNCTION(reset, sqlite3_reset)                                                                 \
    FUNCTION(bind_text, sqlite3_bind_text)                                                         \
    FUNCTION(bind_null, sqlite3_bind_null)                                                         \
    FUNCTION(n_columns, sqlite3_column_count)                                                      \
    FUNCTION(type, sqlite3_column_type)                                                            \
    FUNCTION(text, sqlite3_column_text)                                                            \
    FUNCTION(bytes, sqlite3_column_bytes)                                                          \
    FUNCTION(on_progress, sqlite3_progress_handler)                                                \
    FUNCTION(busy_timeout, sqlite3_busy_timeout)

typedef struct calls {
    SQLITE_FUNCTIONS(MGL_LIBRARY_POINTER)
} calls;

static const char *const functions[] = {SQLITE_FUNCTIONS(MGL_LIBRARY_NAME)};

static const mgl_library library = {"libsqlite3.so.0",
                                    "libsqlite3-0",
                                    "SQLite",
                                    functions,
                                    sizeof functions / sizeof functions[0],
                                    NULL};

enum { STEPS_BETWEEN_QUESTIONS = 100 * 1000, BUSY_MILLISECONDS = 2000 };

typedef struct lite {
    calls api;
    sqlite3 *db;
    sqlite3_stmt *statement;
    mgl_error stopped; /* why the statement was interrupted */
} lite;

static int ask(void *context)
{
    mgl_sql *sql = context;
    lite *l = sql->state;
    return mgl_sql_ask(sql, &l->stopped) != MGL_OK;
}

static mgl_status fail(const mgl_sql *sql, int code, mgl_error *err)
{
    const lite *l = sql->state;
    if ((code & 0xff) == SQLITE_INTERRUPT)
        return mgl_fail_cancelled(err);
    if ((code & 0xff) == SQLITE_NOMEM)
        return mgl_fail_memory(err);
    if ((code & 0xff) == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT)
        return mgl_fail_at(err, MGL_CODE_FORMAT, sql->name, 0,
                           "this is no SQLite database, or it is damaged (%s); check the path",
                           l->api.message(l->db));
    if ((code & 0xff) == SQLITE_BUSY) /* rows that are fetched one by one hold it, too */
        return mgl_sql_fail(sql, NULL,
                            "database is locked: another program writes it, or this job reads its "
                            "rows from it (as those of a sample); wait, or write the release to "
                            "another file",
                            err);
    return mgl_sql_fail(sql, NULL, l->api.message(l->db), err);
}

static mgl_status connect(mgl_sql *sql, const char *server, mgl_error *err)
{
    const char *path = server + strlen("sqlite:");
    lite *l = sql->state = mgl_zeroed_array(1, sizeof *l);
    bool made;
    MGL_TRY(mgl_check_memory(l != NULL, err));
    sql->dialect = mgl_sql_dialect_find("sqlite");
    MGL_TRY(mgl_library_load(&library, &l->api, err));
    MGL_TRY(mgl_sql_find_file(sql, path, err, &made));
    if (made) {
        int fd = mgl_sys_create(sql->made); /* for its owner alone, as any file of a release */
        if (fd < 0) {
            mgl_status status = mgl_fail_errno(err, path, "make the database");
            mgl_free(sql->made); /* another program's */
            sql->made = NULL;
            return status;
        }
        mgl_sys_close(fd);
    }
    int code = l->api.open(path, &l->db, SQLITE_OPEN_READWRITE, NULL);
    if (code != SQLITE_OK)
        return l->db != NULL ? fail(sql, code, err) : mgl_fail_memory(err);
    l->api.busy_timeout(l->db, BUSY_MILLISECONDS);
    l->api.on_progress(l->db, STEPS_BETWEEN_QUESTIONS, ask, sql);
    return MGL_OK;
}

static void finish(mgl_sql *sql)
{
    lite *l = sql->state;
    if (l->statement != NULL)
        l->api.finalize(l->statement);
    l->statement = NULL;
}

static void close_database(mgl_sql *sql)
{
    lite *l = sql->state;
    if (l != NULL && l->db != NULL) {
        finish(sql);
        l->api.close(l->db);
    }
    mgl_free(l);
}

/* The texts must live until the statement has run. */
static int bind(const lite *l, const mgl_span *values, size_t n)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < n; i++)
        code = values[i].data == NULL ? l->api.bind_null(l->statement, (int)i + 1)
                                      : l->api.bind_text(l->statement, (int)i + 1, values[i].data,
                                                         (int)values[i].size, SQLITE_STATIC);
    return code;
}

static mgl_status send(mgl_sql *sql, const char *statement, const mgl_span *values, size_t n_values,
                       mgl_error *err)
{
    lite *l = sql->state;
    finish(sql);
    int code = l->api.prepare(l->db, statement, -1, &l->statement, NULL);
    if (code == SQLITE_OK)
        code = bind(l, values, n_values);
    return code == SQLITE_OK ? MGL_OK : fail(sql, code, err);
}

static mgl_status fetch(mgl_sql *sql, mgl_error *err, bool *there)
{
    lite *l = sql->state;
    int code = l->api.step(l->statement);
    *there = code == SQLITE_ROW;
    if (code == SQLITE_DONE)
        return MGL_OK;
    if (code != SQLITE_ROW)
        return fail(sql, code, err);
    size_t n = (size_t)l->api.n_columns(l->statement);
    MGL_TRY(mgl_sql_expect(sql, n, err));
    for (size_t i = 0; i < n; i++) {
        const char *text = l->api.type(l->statement, (int)i) != SQLITE_NULL
                               ? (const char *)l->api.text(l->statement, (int)i)
                               : NULL;
        sql->cells[i] =
            (mgl_span){text, text != NULL ? (size_t)l->api.bytes(l->statement, (int)i) : 0};
    }
    return MGL_OK;
}

static mgl_status load(mgl_sql *sql, const char *table, const mgl_sql_rows *rows, mgl_error *err)
{
    lite *l = sql->state;
    size_t n_columns = rows->n_columns;
    mgl_buffer statement = {0};
    mgl_span *cells = mgl_alloc_array(n_columns, sizeof *cells);
    mgl_buffer_format(&statement, "INSERT INTO %s VALUES (", table);
    for (size_t i = 0; i < n_columns; i++)
        mgl_buffer_text(&statement, i > 0 ? ",?" : "?");
    mgl_buffer_text(&statement, ")");
    mgl_status status = cells == NULL ? mgl_fail_memory(err) : mgl_sql_send(sql, &statement, err);
    while (status == MGL_OK && rows->next(rows->context, cells)) {
        int code = bind(l, cells, n_columns);
        if (code == SQLITE_OK)
            code = l->api.step(l->statement);
        status = code == SQLITE_DONE ? MGL_OK : fail(sql, code, err);
        l->api.reset(l->statement);
    }
    finish(sql);
    mgl_buffer_free(&statement); /* where it was not sent */
    mgl_free(cells);
    return status;
}

#endif

const mgl_sql_driver mgl_sql_sqlite = {
    .scheme = "sqlite:",
    .engine = "SQLite",
    .separators = "",
    .secrets = "",
    .users = "",
    .typed = true,
    .makes_file = true,
#ifdef MGL_SQLITE
    .connect = connect,
    .close = close_database,
    .send = send,
    .fetch = fetch,
    .finish = finish,
    .load = load,
#endif
};
