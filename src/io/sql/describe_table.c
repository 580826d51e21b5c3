/* Asks an engine about tables: columns and partitions of a source, and whether a target can be
 * written or replaced. */
#include "io/sql/sql.h"

#include <strings.h>

/* Sends a question about a table, or about two. */
static mgl_status ask(mgl_sql *sql, const char *question, const mgl_sql_table *table,
                      const mgl_sql_table *other, mgl_error *err)
{
    mgl_span values[] = {mgl_sql_value(table->schema), mgl_sql_value(table->name),
                         mgl_sql_value(other != NULL ? other->schema : NULL),
                         mgl_sql_value(other != NULL ? other->name : NULL)};
    return sql->driver->send(sql, question, values, question == sql->dialect->irreplaceable ? 4 : 2,
                             err);
}

static bool is_true(mgl_span cell)
{
    return mgl_span_is(cell, "1");
}

static mgl_status add_column(mgl_sql *sql, mgl_sql_columns *columns, mgl_span name, mgl_span type,
                             mgl_sql_column like, mgl_error *err)
{
    MGL_TRY(
        mgl_grow_array(&columns->list, &columns->room, columns->n + 1, sizeof *columns->list, err));
    mgl_sql_column *column = &columns->list[columns->n++];
    *column = like;
    MGL_TRY(mgl_sql_keep(sql, name, err, &column->name));
    return mgl_sql_keep(sql, type, err, &column->type);
}

/* By the catalog of the engine. */
static mgl_status ask_catalog(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err,
                              mgl_sql_columns *out)
{
    MGL_TRY(ask(sql, sql->dialect->columns, table, NULL, err));
    for (bool there = true; there;) {
        MGL_TRY(mgl_sql_fetch(sql, err, &there));
        if (!there)
            break;
        bool texts = mgl_span_is(sql->cells[2], "2"), whole = mgl_span_is(sql->cells[2], "3");
        mgl_sql_column like = {.exact = texts || whole || is_true(sql->cells[2]),
                               .texts = texts,
                               .whole = whole,
                               .numbers = whole || mgl_span_is(sql->cells[2], "4"),
                               .opaque = is_true(sql->cells[3])};
        MGL_TRY(add_column(sql, out, sql->cells[0], sql->cells[1], like, err));
    }
    return MGL_OK;
}

/* By the driver's description of a query without rows, which fails if the table does not exist. */
static mgl_status ask_driver(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err,
                             mgl_sql_columns *out)
{
    mgl_buffer statement = {0}, name = {0};
    mgl_buffer_text(&statement, "SELECT * FROM ");
    mgl_sql_table_name(&statement, sql->dialect, table);
    mgl_buffer_text(&statement, " WHERE 1 = 0");
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_send(sql, &statement, err));
    for (size_t i = 0; i < sql->n_cells; i++) {
        mgl_sql_kind kind = {0};
        name.size = 0;
        MGL_GO(sql->driver->column(sql, i, err, &name, &kind));
        mgl_sql_column like = {
            .exact = kind.exact, .opaque = kind.opaque, .text = kind.text, .width = kind.width};
        MGL_GO(add_column(sql, out, (mgl_span){name.data, name.size},
                          mgl_span_of(kind.opaque ? "binary" : "unknown"), like, err));
    }
done:
    mgl_buffer_free(&name);
    return status;
}

mgl_status mgl_sql_describe(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err,
                            mgl_sql_columns *out)
{
    mgl_status status = sql->dialect->columns != NULL ? ask_catalog(sql, table, err, out)
                                                      : ask_driver(sql, table, err, out);
    mgl_sql_finish(sql);
    return status;
}

static bool is_longer(const mgl_sql_column *column, uint64_t most)
{
    return column->text && most > 0 && (column->width == 0 || column->width > most);
}

mgl_status mgl_sql_refuse_long(mgl_sql *sql, const mgl_sql_table *table,
                               const mgl_sql_columns *columns, mgl_error *err)
{
    unsigned most = sql->dialect->most;
    for (size_t i = 0; i < columns->n; i++) {
        const char *column = columns->list[i].name;
        mgl_buffer statement = {0};
        uint64_t longer = 0;
        if (!is_longer(&columns->list[i], most))
            continue;
        mgl_buffer_text(&statement, "SELECT COUNT(*) FROM ");
        mgl_sql_table_name(&statement, sql->dialect, table);
        mgl_buffer_text(&statement, " WHERE {fn LENGTH(");
        mgl_sql_identifier(&statement, sql->dialect, column);
        mgl_buffer_format(&statement, ")} > %u", most);
        MGL_TRY(mgl_sql_ask_numbers(sql, &statement, 1, err, &longer));
        if (longer > 0)
            return mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, sql->name, 0,
                               "column \"%.60s\" holds texts of more than %u characters, and a "
                               "cast would cut them; give a view that shortens them, or is without "
                               "them",
                               column, most);
    }
    return MGL_OK;
}

/* Bytes of the longest text; *n_long: columns that may hold long ones, *rest: bytes of all others
 * in a row. */
static mgl_status ask_longest(mgl_sql *sql, const mgl_sql_table *table,
                              const mgl_sql_columns *columns, mgl_error *err, uint64_t *longest,
                              uint64_t *n_long, uint64_t *rest)
{
    enum { BYTES_OF_LETTER = 4, BYTES_OF_VALUE = 64 };
    const mgl_sql_dialect *dialect = sql->dialect;
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "SELECT GREATEST(0, 0");
    *n_long = *rest = *longest = 0;
    for (size_t i = 0; i < columns->n; i++) {
        const mgl_sql_column *column = &columns->list[i];
        if (!is_longer(column, dialect->sort_bytes / BYTES_OF_LETTER)) {
            *rest += column->text ? column->width * BYTES_OF_LETTER : BYTES_OF_VALUE;
            continue;
        }
        mgl_buffer_text(&statement, ", COALESCE(MAX(LENGTH(");
        mgl_sql_write_text(&statement, dialect, NULL, column->name);
        mgl_buffer_text(&statement, ")), 0)");
        ++*n_long;
    }
    mgl_buffer_text(&statement, ") FROM ");
    mgl_sql_table_name(&statement, dialect, table);
    if (*n_long > 0)
        return mgl_sql_ask_numbers(sql, &statement, 1, err, longest);
    mgl_buffer_free(&statement);
    return MGL_OK;
}

/* A sort needs memory for 15 rows. */
mgl_status mgl_sql_fit_sorts(mgl_sql *sql, const mgl_sql_table *table,
                             const mgl_sql_columns *columns, mgl_error *err)
{
    enum { ROWS = 16, LEAST_BUFFER = 64 << 20, MOST_SORTED = 8 << 20 };
    uint64_t longest, n_long, rest;
    mgl_buffer statements = {0};
    if (sql->dialect->sort_bytes == 0)
        return MGL_OK;
    MGL_TRY(ask_longest(sql, table, columns, err, &longest, &n_long, &rest));
    if (longest > MOST_SORTED)
        return mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, sql->name, 0,
                           "the table holds texts of more than %d bytes, which this engine does "
                           "not tell apart by their ends; give a view without them",
                           MOST_SORTED);
    if (longest <= sql->dialect->sort_bytes)
        return MGL_OK;
    uint64_t room = ROWS * (n_long * (longest + 64) + rest);
    mgl_buffer_format(&statements,
                      "SET SESSION max_sort_length = %llu\nSET SESSION sort_buffer_size = %llu",
                      (unsigned long long)longest, (unsigned long long)(room + LEAST_BUFFER));
    const char *text;
    MGL_TRY(mgl_buffer_keep(&statements, sql->arena, err, &text));
    return mgl_sql_run_text(sql, text, err);
}

void mgl_sql_columns_free(mgl_sql_columns *columns)
{
    mgl_free(columns->list);
    *columns = (mgl_sql_columns){0};
}

mgl_status mgl_sql_find_partitions(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err,
                                   mgl_sql_partitions *out)
{
    if (sql->dialect->partitions == NULL)
        return MGL_OK;
    bool foreign = false, readable = true, there = true;
    mgl_status status = MGL_OK;
    MGL_GO(ask(sql, sql->dialect->partitions, table, NULL, err));
    while (there) {
        MGL_GO(mgl_sql_fetch(sql, err, &there));
        if (!there)
            break;
        MGL_GO(mgl_grow_array(&out->list, &out->room, out->n + 1, sizeof *out->list, err));
        mgl_sql_table *partition = &out->list[out->n++];
        *partition = (mgl_sql_table){0};
        MGL_GO(mgl_sql_keep(sql, sql->cells[0], err, &partition->schema));
        MGL_GO(mgl_sql_keep(sql, sql->cells[1], err, &partition->name));
        foreign = foreign || is_true(sql->cells[2]);
        readable = readable && is_true(sql->cells[3]);
    }
    if (!foreign || !readable || out->n < 2)
        mgl_sql_partitions_free(out);
    for (size_t i = 0; i < out->n; i++)
        out->list[i].rows = table->rows;
done:
    mgl_sql_finish(sql);
    return status;
}

void mgl_sql_partitions_free(mgl_sql_partitions *partitions)
{
    mgl_free(partitions->list);
    *partitions = (mgl_sql_partitions){0};
}

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
    mgl_span schema = mgl_sql_value(source->table.schema);
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
    return mgl_fail_key_at(err, MGL_CODE_OUTPUT, target->name, "output",
                           "a table of the schema %.*s is temporary: it ends with the "
                           "connection; name another schema",
                           mgl_span_width(schema), schema.data);
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

static mgl_status exists(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err, bool *out)
{
    mgl_sql_columns columns = {0};
    mgl_status status = mgl_sql_describe(sql, table, err, &columns);
    *out = columns.n > 0;
    mgl_sql_columns_free(&columns);
    /* Drivers report in many ways that a table does not exist. A failure of another kind comes
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
    MGL_TRY(refuse_temporary(sql, target, mgl_sql_value(target->table.schema), err));
    MGL_TRY(check_making(sql, target, err)); /* without rights the check of what is there fails */
    MGL_TRY(exists(sql, &target->table, err, &there));
    if (there && !overwrite)
        return mgl_fail_key_at(err, MGL_CODE_EXISTS, target->name, "output",
                               "the table exists already; drop it, choose another name, or have it "
                               "replaced (`overwrite`)");
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

mgl_status mgl_sql_drop(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_sql_write_drop(&statement, sql->dialect, table);
    return mgl_sql_run(sql, &statement, err);
}

mgl_status mgl_sql_drop_replaced(mgl_sql *sql, const mgl_sql_table *old, mgl_error *err,
                                 mgl_buffer *grants)
{
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
    MGL_GO(mgl_sql_drop(sql, old, err));
done:
    mgl_sql_finish(sql);
    return status;
}

mgl_status mgl_sql_run_all(mgl_sql *sql, const mgl_buffer *statements, mgl_error *err)
{
    for (size_t at = 0; at < statements->size; at += strlen(statements->data + at) + 1) {
        mgl_buffer one = {0};
        mgl_buffer_text(&one, statements->data + at);
        MGL_TRY(mgl_sql_run(sql, &one, err));
    }
    return MGL_OK;
}

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
