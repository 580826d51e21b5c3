/* Asks, before anything is counted, whether a release can be made where it is to go: rights, a
 * table that is there already, and whether that can be replaced; replaces it in the end. Also
 * whether two connections lead to the same database. push_release.c, load_release.c and the shards
 * call it. */
#include "io/sql/sql.h"

#include <strings.h>

static mgl_span span_or_none(const char *text)
{
    return text != NULL ? mgl_span_of(text) : (mgl_span){NULL, 0};
}

/* Sends a question about a table, or about two. */
static mgl_status ask(mgl_sql *sql, const char *question, const mgl_sql_table *table,
                      const mgl_sql_table *other, mgl_error *err)
{
    mgl_span values[] = {span_or_none(table->schema), span_or_none(table->name),
                         span_or_none(other != NULL ? other->schema : NULL),
                         span_or_none(other != NULL ? other->name : NULL)};
    return sql->driver->send(sql, question, values, question == sql->dialect->irreplaceable ? 4 : 2,
                             err);
}

/* ---- Rights ----------------------------------------------------------------------- */

static bool is_read(const mgl_sql_columns *columns, const mgl_push_target *target, mgl_span name)
{
    for (size_t i = 0; i < target->n_read; i++)
        if (mgl_span_is(name, columns->list[target->read[i]].name))
            return true;
    return false;
}

mgl_status mgl_sql_check_reading(mgl_sql *sql, const mgl_sql_location *source,
                                 const mgl_sql_columns *columns, const mgl_push_target *target,
                                 mgl_error *err)
{
    mgl_buffer table = {0};
    bool there = true;
    if (sql->dialect->unreadable == NULL)
        return MGL_OK;
    mgl_sql_table_name(&table, sql->dialect, &source->table);
    mgl_status status = MGL_OK;
    MGL_GO(ask(sql, sql->dialect->unreadable, &source->table, NULL, err));
    while (there) {
        MGL_GO(mgl_sql_fetch(sql, err, &there));
        if (!there || !is_read(columns, target, sql->cells[1]))
            continue;
        MGL_GO(mgl_fail_at(err, MGL_CODE_DATABASE, source->name, 0,
                           "the role %.*s may not read the column \"%.*s\"; have the owner of the "
                           "table run GRANT SELECT ON %.*s TO %.*s",
                           mgl_span_width(sql->cells[0]), sql->cells[0].data,
                           mgl_span_width(sql->cells[1]), sql->cells[1].data, (int)table.size,
                           table.data, mgl_span_width(sql->cells[0]), sql->cells[0].data));
    }
done:
    mgl_sql_finish(sql);
    mgl_buffer_free(&table);
    return status;
}

/* pg_temp, and the schemas behind it, which have a number: pg_temp_3. */
static bool is_fleeting(const mgl_sql_dialect *dialect, mgl_span schema)
{
    size_t size = dialect->fleeting != NULL ? strlen(dialect->fleeting) : 0;
    if (size == 0 || schema.size < size || strncasecmp(schema.data, dialect->fleeting, size) != 0)
        return false;
    if (schema.size == size)
        return true;
    for (size_t i = size + 1; i < schema.size; i++)
        if (schema.data[i] < '0' || schema.data[i] > '9')
            return false;
    return schema.data[size] == '_' && schema.size > size + 1;
}

mgl_status mgl_sql_refuse_temporary_source(const mgl_sql *sql, const mgl_sql_location *source,
                                           mgl_error *err)
{
    mgl_span schema = span_or_none(source->table.schema);
    if (!is_fleeting(sql->dialect, schema))
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_NOT_FOUND, source->name, 0,
                       "a table of the schema %.*s is temporary: only the connection that made it "
                       "can read it; copy it to a table of another schema",
                       mgl_span_width(schema), schema.data);
}

static mgl_status refuse_temporary(const mgl_sql *sql, const mgl_sql_location *target,
                                   mgl_span schema, mgl_error *err)
{
    if (!is_fleeting(sql->dialect, schema))
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail_at(err, MGL_CODE_OUTPUT, target->name, 0,
                                     "a table of the schema %.*s is temporary: it ends with the "
                                     "connection; name another schema",
                                     mgl_span_width(schema), schema.data),
                         "output");
}

static mgl_status check_making(mgl_sql *sql, const mgl_sql_location *target, mgl_error *err)
{
    bool there = false;
    if (sql->dialect->forbidden == NULL)
        return MGL_OK;
    mgl_status status = MGL_OK;
    MGL_GO(ask(sql, sql->dialect->forbidden, &target->table, NULL, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    if (there && sql->cells[1].data == NULL)
        MGL_GO(mgl_fail_at(err, MGL_CODE_NOT_FOUND, target->name, 0,
                           "there is no schema for it; make one, or name another"));
    if (there) /* the first of the search path can be such a schema */
        MGL_GO(refuse_temporary(sql, target, sql->cells[1], err));
    if (there)
        MGL_GO(mgl_fail_at(err, MGL_CODE_DATABASE, target->name, 0,
                           "the role %.*s may not make tables in the schema %.*s; have its owner "
                           "run GRANT USAGE, CREATE ON SCHEMA %.*s TO %.*s",
                           mgl_span_width(sql->cells[0]), sql->cells[0].data,
                           mgl_span_width(sql->cells[1]), sql->cells[1].data,
                           mgl_span_width(sql->cells[1]), sql->cells[1].data,
                           mgl_span_width(sql->cells[0]), sql->cells[0].data));
done:
    mgl_sql_finish(sql);
    return mgl_blame_key(err, status, "output");
}

/* ---- A table that is there already ------------------------------------------------- */

static mgl_status exists(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err, bool *out)
{
    mgl_sql_columns columns = {0};
    mgl_status status = mgl_sql_describe(sql, table, err, &columns);
    *out = columns.n > 0;
    mgl_sql_columns_free(&columns);
    /* Drivers have many ways to say that there is no such table. A failure of another kind comes
     * again with the next statement. */
    if (status != MGL_OK && status != MGL_CANCELLED && sql->dialect->columns == NULL) {
        *out = false;
        return MGL_OK;
    }
    return status;
}

static mgl_status check_replacing(mgl_sql *sql, const mgl_sql_location *target,
                                  const mgl_sql_table *source, mgl_error *err)
{
    bool there = false;
    if (!sql->dialect->undoes_create)
        return mgl_fail_at(err, MGL_CODE_UNSUPPORTED, target->name, 0,
                           "`overwrite`: this engine cannot replace a table in one step; drop it, "
                           "or choose another name");
    mgl_status status = MGL_OK;
    MGL_GO(ask(sql, sql->dialect->irreplaceable, &target->table, source, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    if (there && sql->cells[0].data != NULL)
        MGL_GO(mgl_fail_at(err, MGL_CODE_EXISTS, target->name, 0,
                           "the table cannot be replaced: %.*s; choose another name",
                           (int)(sql->cells[0].size < 300 ? sql->cells[0].size : 300),
                           sql->cells[0].data));
done:
    mgl_sql_finish(sql);
    return status;
}

mgl_status mgl_sql_check_target(mgl_sql *sql, const mgl_sql_location *target, bool overwrite,
                                const mgl_sql_table *source, mgl_error *err)
{
    bool there;
    MGL_TRY(refuse_temporary(sql, target, span_or_none(target->table.schema), err));
    MGL_TRY(check_making(sql, target, err)); /* without rights one cannot ask what is there */
    MGL_TRY(exists(sql, &target->table, err, &there));
    if (there && !overwrite)
        return mgl_blame_key(
            err,
            mgl_fail_at(err, MGL_CODE_EXISTS, target->name, 0,
                        "the table exists already; drop it, choose another name, or have it "
                        "replaced (`overwrite`)"),
            "output");
    return there ? mgl_blame_key(err, check_replacing(sql, target, source, err), "output") : MGL_OK;
}

/* Statements of the engine, one a row. */
static mgl_status fetch_statements(mgl_sql *sql, mgl_error *err, mgl_buffer *out)
{
    for (bool there = true;;) {
        MGL_TRY(mgl_sql_fetch(sql, err, &there));
        if (!there)
            return out->failed ? mgl_fail_memory(err) : MGL_OK;
        mgl_buffer_span(out, sql->cells[0]);
        mgl_buffer_append(out, "", 1);
    }
}

mgl_status mgl_sql_drop_replaced(mgl_sql *sql, const mgl_sql_table *old, mgl_error *err,
                                 mgl_buffer *grants)
{
    mgl_buffer drop = {0};
    bool there;
    mgl_status status = MGL_OK;
    MGL_TRY(exists(sql, old, err, &there));
    if (!there)
        return MGL_OK;
    if (sql->dialect->grants != NULL) {
        MGL_GO(ask(sql, sql->dialect->grants, old, NULL, err));
        MGL_GO(fetch_statements(sql, err, grants));
        mgl_sql_finish(sql);
    }
    mgl_sql_write_drop(&drop, sql->dialect, old);
    MGL_GO(mgl_sql_run(sql, &drop, err));
done:
    mgl_sql_finish(sql);
    mgl_buffer_free(&drop);
    return status;
}

mgl_status mgl_sql_run_all(mgl_sql *sql, const mgl_buffer *statements, mgl_error *err)
{
    mgl_buffer one = {0};
    mgl_status status = MGL_OK;
    for (size_t at = 0; at < statements->size; at += strlen(statements->data + at) + 1) {
        one.size = 0;
        mgl_buffer_text(&one, statements->data + at);
        MGL_GO(mgl_sql_run(sql, &one, err));
    }
done:
    mgl_buffer_free(&one);
    return status;
}

/* ---- The same database -------------------------------------------------------------- */

/* Takes a lock; *role is a copy of the name of the role. */
static mgl_status take_lock(mgl_sql *sql, long long number, mgl_error *err, bool *taken,
                            mgl_buffer *role)
{
    mgl_buffer statement = {0};
    bool there = false;
    mgl_buffer_format(&statement, sql->dialect->lock, number);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_send(sql, &statement, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    *taken = there && mgl_span_is(sql->cells[0], "1");
    if (there)
        mgl_buffer_span(role, sql->cells[1]);
done:
    mgl_sql_finish(sql);
    mgl_buffer_free(&statement);
    return status;
}

mgl_status mgl_sql_same_database(mgl_sql *one, mgl_sql *other, mgl_error *err, bool *database,
                                 bool *role)
{
    mgl_buffer roles[2] = {{0}};
    bool taken[2] = {false};
    long long number;
    *database = *role = false;
    if (one->dialect->lock == NULL || one->dialect != other->dialect)
        return MGL_OK;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sys_entropy(&number, sizeof number, err));
    MGL_GO(take_lock(one, number, err, &taken[0], &roles[0]));
    MGL_GO(take_lock(other, number, err, &taken[1], &roles[1]));
    *database = taken[0] && !taken[1];
    *role = mgl_span_equal((mgl_span){roles[0].data, roles[0].size},
                           (mgl_span){roles[1].data, roles[1].size});
done:
    mgl_buffer_free(&roles[0]);
    mgl_buffer_free(&roles[1]);
    return status;
}
