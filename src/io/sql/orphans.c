/* Drops tables that a killed run has left under a name of its own, where a rollback does not. The
 * owner of such a table holds a lock of the engine for as long as it is connected, and the comment
 * of the table names it: a table whose lock nobody has is nobody's. push_release.c and
 * load_release.c call it. */
#include "io/sql/sql.h"

#include <stdio.h>

enum { LOCK_NAME = sizeof "mingle_0123456789abcdef" };

void mgl_sql_write_mark(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *mark)
{
    if (mark == NULL)
        return;
    mgl_buffer_text(out, " COMMENT = ");
    mgl_sql_literal(out, dialect, mgl_span_of(mark));
}

mgl_status mgl_sql_publish(mgl_sql *sql, const mgl_sql_table *staged, const char *name,
                           mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_sql_write_rename(&statement, sql->dialect, staged, name);
    if (sql->mark != NULL)
        mgl_buffer_text(&statement, ", COMMENT = ''");
    mgl_status status = mgl_sql_run(sql, &statement, err);
    mgl_buffer_free(&statement);
    return status;
}

/* The lock, and the comment that names it. */
static mgl_status hold(mgl_sql *sql, mgl_error *err)
{
    uint32_t numbers[2];
    char lock[LOCK_NAME];
    bool there = false;
    mgl_buffer mark = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sys_entropy(numbers, sizeof numbers, err));
    snprintf(lock, sizeof lock, "mingle_%08x%08x", numbers[0], numbers[1]);
    mgl_span name = mgl_span_of(lock);
    MGL_GO(sql->driver->send(sql, sql->dialect->claim, &name, 1, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    if (!there || sql->n_cells != 2 || !mgl_span_is(sql->cells[0], "1"))
        MGL_GO(mgl_fail_at(err, MGL_CODE_DATABASE, sql->name, 0,
                           "the server gives no lock that would tell others whose the new tables "
                           "are; try again"));
    mgl_buffer_format(&mark, "staged by mingle, lock %s of ", lock);
    mgl_buffer_span(&mark, sql->cells[1]);
    MGL_GO(mgl_buffer_take(&mark, err, &sql->mark));
done:
    mgl_sql_finish(sql);
    mgl_buffer_free(&mark);
    return status;
}

/* One orphan, dropped; *there: there was one. */
static mgl_status drop_next(mgl_sql *sql, const char *schema, mgl_error *err, bool *there)
{
    mgl_span value = schema != NULL ? mgl_span_of(schema) : (mgl_span){NULL, 0};
    mgl_buffer names[2] = {{0}, {0}};
    mgl_sql_table table = {0};
    mgl_buffer statement = {0};
    mgl_status status = MGL_OK;
    MGL_GO(sql->driver->send(sql, sql->dialect->orphans, &value, 1, err));
    MGL_GO(mgl_sql_fetch(sql, err, there));
    if (*there) {
        mgl_buffer_span(&names[0], sql->cells[0]);
        mgl_buffer_span(&names[1], sql->cells[1]);
    }
    mgl_sql_finish(sql);
    if (!*there)
        goto done;
    MGL_GO(mgl_buffer_take(&names[0], err, &table.schema));
    MGL_GO(mgl_buffer_take(&names[1], err, &table.name));
    mgl_sql_write_drop(&statement, sql->dialect, &table);
    /* Another run may have been faster, and a right may lack: neither keeps this one from going
     * on. */
    *there = mgl_sql_run(sql, &statement, NULL) == MGL_OK;
done:
    mgl_sql_finish(sql);
    mgl_buffer_free(&names[0]);
    mgl_buffer_free(&names[1]);
    mgl_buffer_free(&statement);
    mgl_free(table.schema);
    mgl_free(table.name);
    return status;
}

mgl_status mgl_sql_claim(mgl_sql *sql, const char *schema, mgl_error *err)
{
    bool there = true;
    if (sql->dialect->claim == NULL || sql->mark != NULL)
        return MGL_OK;
    MGL_TRY(hold(sql, err));
    while (there)
        MGL_TRY(drop_next(sql, schema, err, &there));
    return MGL_OK;
}
