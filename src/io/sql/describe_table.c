/* Asks an engine what it knows of a table: its columns, its partitions. read_database.c,
 * push_release.c and regroup_rare.c call it. */
#include "io/sql/sql.h"

static mgl_status copy_cell(mgl_span cell, mgl_error *err, char **out)
{
    mgl_buffer text = {0};
    mgl_buffer_span(&text, cell);
    mgl_status status = mgl_buffer_take(&text, err, out);
    mgl_buffer_free(&text);
    return status;
}

static bool is_true(mgl_span cell)
{
    return mgl_span_is(cell, "1");
}

/* ---- Columns -------------------------------------------------------------------- */

static mgl_status add_column(mgl_sql_columns *columns, mgl_span name, mgl_span type, bool exact,
                             bool opaque, mgl_error *err)
{
    if (!mgl_grow(&columns->list, &columns->room, columns->n + 1, sizeof *columns->list))
        return mgl_fail_memory(err);
    mgl_sql_column *column = &columns->list[columns->n++];
    *column = (mgl_sql_column){.exact = exact, .opaque = opaque};
    MGL_TRY(copy_cell(name, err, &column->name));
    return copy_cell(type, err, &column->type);
}

/* As the catalog of the engine says. */
static mgl_status ask_catalog(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err,
                              mgl_sql_columns *out)
{
    mgl_span values[] = {table->schema != NULL ? mgl_span_of(table->schema) : (mgl_span){NULL, 0},
                         mgl_span_of(table->name)};
    MGL_TRY(sql->driver->send(sql, sql->dialect->columns, values, 2, err));
    for (bool there = true; there;) {
        MGL_TRY(mgl_sql_fetch(sql, err, &there));
        if (there)
            MGL_TRY(add_column(out, sql->cells[0], sql->cells[1], is_true(sql->cells[2]),
                               is_true(sql->cells[3]), err));
    }
    return MGL_OK;
}

/* As the driver says of a query without rows, which fails if the table is not there. */
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
        bool opaque = false;
        name.size = 0;
        MGL_GO(sql->driver->column(sql, i, err, &name, &opaque));
        MGL_GO(add_column(out, (mgl_span){name.data, name.size},
                          mgl_span_of(opaque ? "binary" : "unknown"), false, opaque, err));
    }
done:
    mgl_buffer_free(&statement);
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

mgl_status mgl_sql_refuse_existing(mgl_sql *sql, const mgl_sql_location *target, mgl_error *err)
{
    mgl_sql_columns columns = {0};
    mgl_status status = mgl_sql_describe(sql, &target->table, err, &columns);
    bool exists = columns.n > 0;
    mgl_sql_columns_free(&columns);
    /* Drivers have many ways to say that there is no such table. A failure of another kind comes
     * again with the next statement. */
    if (status != MGL_OK && status != MGL_CANCELLED && sql->dialect->columns == NULL)
        return MGL_OK;
    if (status != MGL_OK || !exists)
        return status;
    return mgl_blame_key(err,
                         mgl_fail_at(err, MGL_CODE_EXISTS, target->name, 0,
                                     "the table exists already; drop it, or choose another name"),
                         "output");
}

void mgl_sql_columns_free(mgl_sql_columns *columns)
{
    for (size_t i = 0; i < columns->n; i++) {
        mgl_free(columns->list[i].name);
        mgl_free(columns->list[i].type);
    }
    mgl_free(columns->list);
    *columns = (mgl_sql_columns){0};
}

/* ---- Partitions ----------------------------------------------------------------- */

static mgl_status add_partition(mgl_sql_partitions *partitions, mgl_span schema, mgl_span name,
                                mgl_error *err)
{
    if (!mgl_grow(&partitions->list, &partitions->room, partitions->n + 1,
                  sizeof *partitions->list))
        return mgl_fail_memory(err);
    mgl_sql_table *partition = &partitions->list[partitions->n++];
    *partition = (mgl_sql_table){0};
    MGL_TRY(copy_cell(schema, err, &partition->schema));
    return copy_cell(name, err, &partition->name);
}

mgl_status mgl_sql_find_partitions(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err,
                                   mgl_sql_partitions *out)
{
    if (sql->dialect->partitions == NULL)
        return MGL_OK;
    mgl_span values[] = {table->schema != NULL ? mgl_span_of(table->schema) : (mgl_span){NULL, 0},
                         mgl_span_of(table->name)};
    bool foreign = false, readable = true, there = true;
    mgl_status status = MGL_OK;
    MGL_GO(sql->driver->send(sql, sql->dialect->partitions, values, 2, err));
    while (there) {
        MGL_GO(mgl_sql_fetch(sql, err, &there));
        if (!there)
            break;
        MGL_GO(add_partition(out, sql->cells[0], sql->cells[1], err));
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
    for (size_t i = 0; i < partitions->n; i++) {
        mgl_free(partitions->list[i].schema);
        mgl_free(partitions->list[i].name);
    }
    mgl_free(partitions->list);
    *partitions = (mgl_sql_partitions){0};
}
