/* Connections to databases, with what is the same for all drivers. */
#include "io/sql/sql.h"

/* Texts in another encoding would lose letters on their way. */
static mgl_status refuse_other_encodings(mgl_sql *sql, mgl_error *err)
{
    bool there = false;
    mgl_status status = MGL_OK;
    MGL_GO(sql->driver->send(sql, sql->dialect->speaks_utf8, NULL, 0, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    if (!there || !mgl_span_is(sql->cells[0], "1"))
        MGL_GO(mgl_fail_at(err, MGL_CODE_DATABASE, sql->name, 0,
                           "the connection has an encoding that lacks letters; set Charset = "
                           "utf8mb4 in odbc.ini"));
done:
    mgl_sql_finish(sql);
    return status;
}

static mgl_status open_session(mgl_sql *sql, const char *server, mgl_error *err)
{
    MGL_TRY(sql->driver->connect(sql, server, err));
    if (sql->dialect->session != NULL)
        MGL_TRY(mgl_sql_run_text(sql, sql->dialect->session, err));
    return sql->dialect->speaks_utf8 != NULL ? refuse_other_encodings(sql, err) : MGL_OK;
}

mgl_status mgl_sql_find_file(mgl_sql *sql, const char *path, mgl_error *err, bool *made)
{
    mgl_file_state file;
    *made = mgl_sys_state_of(path, &file) != 0;
    if (!*made)
        return MGL_OK;
    return sql->makes_file ? mgl_sys_resolve(path, err, &sql->made)
                           : mgl_fail_errno(err, path, "open the database");
}

mgl_status mgl_sql_connect(const mgl_sql_location *location, mgl_error *err, mgl_sql **out)
{
    const mgl_sql_driver *driver = location->driver;
    if (driver->connect == NULL)
        return mgl_fail(err, MGL_CODE_UNSUPPORTED,
                        "this program was built without %s; run scripts/setup and build it again",
                        driver->engine);
    mgl_sql *sql = mgl_zeroed_array(1, sizeof *sql);
    MGL_TRY(mgl_check_memory(sql != NULL, err));
    sql->driver = driver;
    sql->arena = mgl_arena_new();
    sql->name = location->name;
    sql->makes_file = location->makes_file;
    sql->stage = "read";
    mgl_status status = MGL_OK;
    MGL_GO(sql->arena == NULL ? mgl_fail_memory(err) : open_session(sql, location->server, err));
    *out = sql;
    sql = NULL;
done:
    mgl_sql_close(sql);
    return status;
}

void mgl_sql_close(mgl_sql *sql)
{
    if (sql == NULL)
        return;
    sql->driver->close(sql);
    if (sql->made != NULL)
        (void)mgl_sys_unlink(sql->made);
    mgl_free(sql->made);
    mgl_free(sql->cells);
    mgl_arena_free(sql->arena);
    mgl_free(sql);
}

mgl_status mgl_sql_expect(mgl_sql *sql, size_t n, mgl_error *err)
{
    MGL_TRY(mgl_grow_array(&sql->cells, &sql->room, n, sizeof *sql->cells, err));
    sql->n_cells = n;
    return MGL_OK;
}

mgl_status mgl_sql_ask(const mgl_sql *sql, mgl_error *err)
{
    return mgl_progress_report(sql->progress, sql->stage, 0, 0, err);
}

/* A table, schema or database that is not there, or one that is there already, is bad input. */
static mgl_code code_of(const char *state)
{
    static const struct {
        const char *state;
        mgl_code code;
    } data[] = {{"42P01", MGL_CODE_NOT_FOUND}, {"3F000", MGL_CODE_NOT_FOUND},
                {"3D000", MGL_CODE_NOT_FOUND}, {"42S02", MGL_CODE_NOT_FOUND},
                {"42P07", MGL_CODE_EXISTS},    {"42S01", MGL_CODE_EXISTS},
                {"22021", MGL_CODE_ENCODING},  {"22P05", MGL_CODE_ENCODING}};
    for (size_t i = 0; state != NULL && i < sizeof data / sizeof data[0]; i++)
        if (strcmp(state, data[i].state) == 0)
            return data[i].code;
    return MGL_CODE_DATABASE;
}

mgl_status mgl_sql_fail(const mgl_sql *sql, const char *state, const char *words, mgl_error *err)
{
    size_t size = strcspn(words, "\n");
    const char *advice = "";
    /* Words behind a quote or colon can contain a value of the data: they are shown as a pattern.
     */
    if (state != NULL && (strncmp(state, "22", 2) == 0 || strncmp(state, "23", 2) == 0)) {
        size_t quoted = strcspn(words, ":\"'(\n");
        char shown[MGL_SHOWN];
        return mgl_fail_at(err, code_of(state), sql->name, 0, "%.*s%s",
                           (int)(quoted < 400 ? quoted : 400), words,
                           mgl_shown((mgl_span){words + quoted, size - quoted}, shown));
    }
    if (state != NULL && strcmp(state, "42501") == 0)
        advice = "; ask for SELECT on the table, and for CREATE in the schema of the release";
    else if (state != NULL && strcmp(state, "57014") == 0)
        advice = "; raise its time limit, or count fewer columns";
    return mgl_fail_at(err, code_of(state), sql->name, 0, "%.*s%s", (int)(size < 400 ? size : 400),
                       words, advice);
}

mgl_status mgl_sql_send(mgl_sql *sql, mgl_buffer *statement, mgl_error *err)
{
    char *text;
    MGL_TRY(mgl_buffer_take(statement, err, &text));
    mgl_status status = sql->driver->send(sql, text, NULL, 0, err);
    mgl_free(text);
    return status;
}

mgl_status mgl_sql_run(mgl_sql *sql, mgl_buffer *statement, mgl_error *err)
{
    bool there = true;
    mgl_status status = mgl_sql_send(sql, statement, err);
    while (status == MGL_OK && there)
        status = sql->driver->fetch(sql, err, &there);
    mgl_sql_finish(sql);
    return status;
}

mgl_status mgl_sql_run_text(mgl_sql *sql, const char *statements, mgl_error *err)
{
    for (const char *at = statements; *at != '\0'; at += *at == '\n') {
        mgl_buffer text = {0};
        size_t size = strcspn(at, "\n");
        mgl_buffer_append(&text, at, size);
        MGL_TRY(mgl_sql_run(sql, &text, err));
        at += size;
    }
    return MGL_OK;
}

mgl_status mgl_sql_ask_numbers(mgl_sql *sql, mgl_buffer *statement, size_t n, mgl_error *err,
                               uint64_t *numbers)
{
    bool there = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_send(sql, statement, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    bool good = there && sql->n_cells == n;
    for (size_t i = 0; good && i < n; i++) {
        numbers[i] = 0;
        good = sql->cells[i].data == NULL || mgl_parse_u64(sql->cells[i], &numbers[i]);
    }
    if (!good)
        MGL_GO(mgl_fail_at(err, MGL_CODE_INTERNAL, sql->name, 0,
                           "the engine gave no number%s where it was asked for %s; please report "
                           "this",
                           n > 1 ? "s" : "", n > 1 ? "some" : "one"));
done:
    mgl_sql_finish(sql);
    return status;
}

mgl_status mgl_sql_begin(mgl_sql *sql, mgl_error *err)
{
    if (sql->dialect->begin != NULL)
        return mgl_sql_run_text(sql, sql->dialect->begin, err);
    return sql->driver->begin != NULL ? sql->driver->begin(sql, err) : MGL_OK;
}

static mgl_status end(mgl_sql *sql, bool keep, mgl_error *err)
{
    if (sql->dialect->begin != NULL)
        return mgl_sql_run_text(sql, keep ? "COMMIT" : "ROLLBACK", err);
    mgl_sql_finish(sql);
    return sql->driver->end != NULL ? sql->driver->end(sql, keep, err) : MGL_OK;
}

mgl_status mgl_sql_commit(mgl_sql *sql, mgl_error *err)
{
    MGL_TRY(end(sql, true, err));
    mgl_free(sql->made);
    sql->made = NULL;
    return MGL_OK;
}

mgl_status mgl_sql_rollback(mgl_sql *sql, mgl_error *err)
{
    return end(sql, false, err);
}

mgl_status mgl_sql_fetch(mgl_sql *sql, mgl_error *err, bool *there)
{
    MGL_TRY(sql->driver->fetch(sql, err, there));
    for (size_t i = 0; *there && i < sql->n_cells; i++) {
        mgl_span cell = sql->cells[i];
        if (cell.size == 0)
            continue;
        if (mgl_utf8_valid(cell.data, cell.size) < cell.size ||
            memchr(cell.data, '\0', cell.size) != NULL)
            return mgl_fail_at(err, MGL_CODE_ENCODING, sql->name, 0,
                               "column %zu of what was asked for holds bytes that are no text "
                               "(UTF-8); leave the column out, or convert it",
                               i + 1);
    }
    return MGL_OK;
}

void mgl_sql_finish(mgl_sql *sql)
{
    sql->driver->finish(sql);
}
