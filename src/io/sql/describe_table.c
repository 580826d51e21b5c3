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

static mgl_status add_column(mgl_sql_columns *columns, mgl_span name, mgl_span type,
                             mgl_sql_column like, mgl_error *err)
{
    if (!mgl_grow(&columns->list, &columns->room, columns->n + 1, sizeof *columns->list))
        return mgl_fail_memory(err);
    mgl_sql_column *column = &columns->list[columns->n++];
    *column = like;
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
        if (!there)
            break;
        bool texts = mgl_span_is(sql->cells[2], "2"), whole = mgl_span_is(sql->cells[2], "3");
        mgl_sql_column like = {.exact = texts || whole || is_true(sql->cells[2]),
                               .texts = texts,
                               .whole = whole,
                               .numbers = whole || mgl_span_is(sql->cells[2], "4"),
                               .opaque = is_true(sql->cells[3])};
        MGL_TRY(add_column(out, sql->cells[0], sql->cells[1], like, err));
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
        mgl_sql_kind kind = {0};
        name.size = 0;
        MGL_GO(sql->driver->column(sql, i, err, &name, &kind));
        MGL_GO(add_column(
            out, (mgl_span){name.data, name.size}, mgl_span_of(kind.opaque ? "binary" : "unknown"),
            (mgl_sql_column){
                .exact = kind.exact, .opaque = kind.opaque, .text = kind.text, .width = kind.width},
            err));
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

/* One number. */
static mgl_status ask_number(mgl_sql *sql, const mgl_buffer *statement, mgl_error *err,
                             uint64_t *out)
{
    bool there = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_send(sql, statement, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    if (!there || sql->n_cells != 1 || !mgl_parse_u64(sql->cells[0], out))
        MGL_GO(mgl_fail_at(err, MGL_CODE_INTERNAL, sql->name, 0,
                           "the engine gave no number where it was asked for one; please report "
                           "this"));
done:
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
    mgl_buffer statement = {0};
    unsigned most = sql->dialect->most;
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < columns->n; i++) {
        const char *column = columns->list[i].name;
        uint64_t longer = 0;
        if (!is_longer(&columns->list[i], most))
            continue;
        statement.size = 0;
        mgl_buffer_text(&statement, "SELECT COUNT(*) FROM ");
        mgl_sql_table_name(&statement, sql->dialect, table);
        mgl_buffer_text(&statement, " WHERE {fn LENGTH(");
        mgl_sql_identifier(&statement, sql->dialect, column);
        mgl_buffer_format(&statement, ")} > %u", most);
        MGL_GO(ask_number(sql, &statement, err, &longer));
        if (longer > 0)
            MGL_GO(mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, sql->name, 0,
                               "column \"%.60s\" holds texts of more than %u characters, and a "
                               "cast would cut them; give a view that shortens them, or is without "
                               "them",
                               column, most));
    }
done:
    mgl_buffer_free(&statement);
    return status;
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
    mgl_status status = MGL_OK;
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
        MGL_GO(ask_number(sql, &statement, err, longest));
done:
    mgl_buffer_free(&statement);
    return status;
}

/* A sort wants room for 15 rows. */
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
    mgl_buffer_append(&statements, "", 1);
    mgl_status status =
        statements.failed ? mgl_fail_memory(err) : mgl_sql_run_text(sql, statements.data, err);
    mgl_buffer_free(&statements);
    return status;
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
