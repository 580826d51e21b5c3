/* Makes SQL statements as texts; nothing here needs a connection. */
#include "io/sql/sql.h"

#include <stdio.h>

static void comma(mgl_buffer *out, size_t i)
{
    if (i > 0)
        mgl_buffer_text(out, ", ");
}

const char mgl_sql_own_names[] = "";

void mgl_sql_write_column(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *table,
                          const char *column)
{
    if (table == mgl_sql_own_names) { /* engines may fold the case of names without quotes */
        mgl_buffer_text(out, column);
        return;
    }
    if (table != NULL)
        mgl_buffer_format(out, "%s.", table);
    mgl_sql_identifier(out, dialect, column);
}

void mgl_sql_write_text(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *table,
                        const char *column)
{
    mgl_buffer_format(out, "%s(", dialect->as_text != NULL ? dialect->as_text : "CAST");
    mgl_sql_write_column(out, dialect, table, column);
    if (dialect->as_text == NULL)
        mgl_buffer_format(out, " AS %s", dialect->cast != NULL ? dialect->cast : dialect->text);
    mgl_buffer_format(out, ")%s", dialect->casts_bytewise ? dialect->bytewise : "");
}

/* Bytes are no text: a cast would refuse them, or replace some. */
static void write_column_text(mgl_buffer *out, const mgl_sql_dialect *dialect,
                              const mgl_sql_column *column)
{
    if (!column->opaque || dialect->hex == NULL) {
        mgl_sql_write_text(out, dialect, NULL, column->name);
        return;
    }
    mgl_buffer_format(out, "%s(", dialect->hex);
    mgl_sql_write_column(out, dialect, NULL, column->name);
    mgl_buffer_text(out, ")");
}

void mgl_sql_begin_compared(mgl_buffer *out, const mgl_sql_dialect *dialect)
{
    mgl_buffer_format(out, "%s%s", dialect->before != NULL ? dialect->before : "",
                      dialect->end_mark != NULL ? "(" : "");
}

void mgl_sql_end_compared(mgl_buffer *out, const mgl_sql_dialect *dialect)
{
    if (dialect->end_mark != NULL)
        mgl_buffer_format(out, "%s)", dialect->end_mark);
    mgl_buffer_text(out, dialect->bytewise);
}

void mgl_sql_write_compared_type(mgl_buffer *out, const mgl_sql_dialect *dialect)
{
    mgl_buffer_format(out, "%s%s", dialect->text, dialect->before == NULL ? dialect->bytewise : "");
}

void mgl_sql_write_uncompared(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *name)
{
    const char *at = dialect->unmarked;
    for (; at != NULL && *at != '\0'; at++) {
        if (at[0] == '%' && at[1] == 's') {
            mgl_buffer_text(out, name);
            at++;
        } else {
            mgl_buffer_append(out, at, 1);
        }
    }
    if (dialect->unmarked == NULL)
        mgl_sql_write_text(out, dialect, mgl_sql_own_names, name);
}

void mgl_sql_write_compared_literal(mgl_buffer *out, const mgl_sql_dialect *dialect, mgl_span text)
{
    mgl_sql_literal(out, dialect, text);
    if (dialect->end_mark != NULL)
        mgl_buffer_text(out, dialect->end_mark);
}

void mgl_sql_write_plain_type(mgl_buffer *out, const mgl_sql_dialect *dialect)
{
    mgl_buffer_format(out, "%s%s", dialect->text, dialect->casts_bytewise ? dialect->bytewise : "");
}

/* Texts are indexed by their beginnings, as many bytes as fit. */
void mgl_sql_write_index(mgl_buffer *out, const mgl_sql_dialect *dialect, char letter, size_t first,
                         size_t n)
{
    enum { ENOUGH = 64, BYTES_OF_LETTER = 4 };
    size_t parts = n < dialect->index_parts ? n : dialect->index_parts;
    if (parts == 0)
        return;
    size_t letters = dialect->index_bytes / BYTES_OF_LETTER / parts;
    mgl_buffer_text(out, ", INDEX (");
    for (size_t i = 0; i < parts; i++) {
        comma(out, i);
        mgl_buffer_format(out, "%c%zu(%zu)", letter, first + i,
                          letters < ENOUGH ? letters : (size_t)ENOUGH);
    }
    mgl_buffer_text(out, ")");
}

/* ---- Tables that are made of rows ------------------------------------------------ */

void mgl_sql_begin_make(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *create,
                        const mgl_sql_table *table, const mgl_buffer *columns)
{
    if (dialect->selects_into)
        return;
    mgl_buffer_format(out, "%s ", create);
    mgl_sql_table_name(out, dialect, table);
    if (columns != NULL && columns->size > 0)
        mgl_buffer_append(out, columns->data, columns->size);
    out->failed = out->failed || (columns != NULL && columns->failed);
    mgl_buffer_format(out, "%s AS ", dialect->made_as != NULL ? dialect->made_as : "");
}

void mgl_sql_end_columns(mgl_buffer *out, const mgl_sql_dialect *dialect)
{
    mgl_buffer_format(out, ")%s", dialect->made_as != NULL ? dialect->made_as : "");
}

void mgl_sql_end_make(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_table *table)
{
    if (!dialect->selects_into)
        return;
    mgl_buffer_text(out, " INTO ");
    mgl_sql_table_name(out, dialect, table);
}

void mgl_sql_write_select(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *table, const mgl_sql_columns *columns)
{
    mgl_buffer_text(out, "SELECT ");
    for (size_t i = 0; i < columns->n; i++) {
        comma(out, i);
        write_column_text(out, dialect, &columns->list[i]);
    }
    mgl_buffer_text(out, " FROM ");
    mgl_sql_rows_name(out, dialect, table, NULL);
}

/* ---- Counting ------------------------------------------------------------------- */

/* (SELECT "zip" AS c1, CAST("age" AS text) AS c2 FROM "t"). Columns whose values are equal exactly
 * if their texts are stay as they are: such a GROUP BY can be sent on to other machines. */
static void write_columns(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_counting *counting, const mgl_sql_table *table)
{
    mgl_buffer_text(out, "(SELECT ");
    for (size_t i = 0; i < counting->n_wanted; i++) {
        const mgl_sql_column *column = &counting->columns->list[counting->wanted[i]];
        comma(out, i);
        if (counting->cells != NULL && !column->opaque) {
            mgl_sql_write_compared_key(out, dialect, counting->cells, NULL, column->name);
        } else if (column->exact) {
            mgl_sql_write_column(out, dialect, NULL, column->name);
        } else {
            mgl_sql_begin_compared(out, dialect);
            write_column_text(out, dialect, column);
            mgl_sql_end_compared(out, dialect);
        }
        mgl_buffer_format(out, " AS c%zu", i + 1);
    }
    mgl_buffer_text(out, " FROM ");
    mgl_sql_rows_name(out, dialect, table, NULL);
    mgl_buffer_text(out, ") t");
}

static void write_group_by(mgl_buffer *out, size_t n)
{
    mgl_buffer_text(out, " GROUP BY ");
    for (size_t i = 0; i < n; i++) {
        comma(out, i);
        mgl_buffer_format(out, "c%zu", i + 1);
    }
}

/* Each partition is counted where it lies, and only its counts come together. */
static void write_partitions(mgl_buffer *out, const mgl_sql_dialect *dialect,
                             const mgl_sql_counting *counting)
{
    mgl_buffer_text(out, "(");
    for (size_t p = 0; p < counting->partitions->n; p++) {
        mgl_buffer_text(out, p > 0 ? " UNION ALL SELECT " : "SELECT ");
        for (size_t i = 0; i < counting->n_wanted; i++)
            mgl_buffer_format(out, "c%zu, ", i + 1);
        mgl_buffer_text(out, "COUNT(*) AS n FROM ");
        write_columns(out, dialect, counting, &counting->partitions->list[p]);
        write_group_by(out, counting->n_wanted);
    }
    mgl_buffer_text(out, ") u");
}

bool mgl_sql_write_counted(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const mgl_sql_counting *counting)
{
    bool partitions = counting->partitions != NULL && counting->partitions->n > 0;
    if (partitions)
        write_partitions(out, dialect, counting);
    else
        write_columns(out, dialect, counting, counting->table);
    return partitions;
}

void mgl_sql_write_count(mgl_buffer *out, const mgl_sql_dialect *dialect,
                         const mgl_sql_counting *counting)
{
    bool partitions = counting->partitions != NULL && counting->partitions->n > 0;
    mgl_buffer_text(out, "SELECT ");
    for (size_t i = 0; i < counting->n_wanted; i++) {
        char name[24];
        snprintf(name, sizeof name, "c%zu", i + 1);
        mgl_sql_write_uncompared(out, dialect, name);
        mgl_buffer_text(out, ", ");
    }
    mgl_buffer_text(out, partitions ? "SUM(n) FROM " : "COUNT(*) FROM ");
    mgl_sql_write_counted(out, dialect, counting);
    write_group_by(out, counting->n_wanted);
}

void mgl_sql_write_number_of_groups(mgl_buffer *out, const mgl_sql_dialect *dialect,
                                    const mgl_sql_counting *counting)
{
    mgl_buffer_text(out, "SELECT COUNT(*) FROM (SELECT COUNT(*) AS n FROM ");
    mgl_sql_write_counted(out, dialect, counting);
    write_group_by(out, counting->n_wanted);
    mgl_buffer_text(out, ") g");
}

void mgl_sql_write_number_alone(mgl_buffer *out, const mgl_sql_dialect *dialect,
                                const mgl_sql_counting *counting)
{
    mgl_buffer_text(out, "SELECT COUNT(*) FROM (SELECT COUNT(*) AS n FROM ");
    mgl_sql_write_counted(out, dialect, counting);
    write_group_by(out, counting->n_wanted);
    mgl_buffer_text(out, " HAVING COUNT(*) = 1) g");
}

void mgl_sql_write_uniqueness(mgl_buffer *out, const mgl_sql_dialect *dialect,
                              const mgl_sql_table *table, const mgl_sql_column *column)
{
    mgl_buffer_text(out, "SELECT COUNT(*), SUM(CASE WHEN n = 1 THEN 1 ELSE 0 END), "
                         "SUM(CASE WHEN v LIKE '% %' OR v LIKE '%.%' OR v LIKE '%,%' OR v = '' "
                         "THEN 0 ELSE 1 END) FROM (SELECT v, COUNT(*) AS n FROM (SELECT ");
    mgl_sql_begin_compared(out, dialect);
    write_column_text(out, dialect, column);
    mgl_sql_end_compared(out, dialect);
    mgl_buffer_text(out, " AS v FROM ");
    mgl_sql_table_name(out, dialect, table);
    mgl_buffer_text(out, ") t GROUP BY v) g WHERE v IS NOT NULL");
}

void mgl_sql_write_telling(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const mgl_sql_table *table, const mgl_sql_column *column,
                           const char *const *others, size_t n_others)
{
    mgl_buffer_text(out, "SELECT SUM(n)");
    for (size_t i = 1; i <= n_others; i++)
        mgl_buffer_format(out, ", SUM(CASE WHEN l%zu = h%zu THEN n ELSE 0 END)", i, i);
    mgl_buffer_text(out, " FROM (SELECT COUNT(*) AS n");
    for (size_t i = 1; i <= n_others; i++)
        mgl_buffer_format(out, ", MIN(q%zu) AS l%zu, MAX(q%zu) AS h%zu", i, i, i, i);
    mgl_buffer_text(out, " FROM (SELECT ");
    mgl_sql_begin_compared(out, dialect);
    write_column_text(out, dialect, column);
    mgl_sql_end_compared(out, dialect);
    mgl_buffer_text(out, " AS v");
    for (size_t i = 1; i <= n_others; i++) {
        mgl_buffer_text(out, ", ");
        mgl_sql_begin_compared(out, dialect);
        mgl_buffer_text(out, "COALESCE(");
        mgl_sql_write_text(out, dialect, NULL, others[i - 1]);
        mgl_buffer_text(out, ", '')");
        mgl_sql_end_compared(out, dialect);
        mgl_buffer_format(out, " AS q%zu", i);
    }
    mgl_buffer_text(out, " FROM ");
    mgl_sql_rows_name(out, dialect, table, NULL);
    mgl_buffer_text(out, ") t GROUP BY v) g WHERE n > 1");
}

/* ---- The release ---------------------------------------------------------------- */

/* COALESCE(CAST(s."zip" AS text), '') */
static void write_cell(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_cells *cells,
                       const char *table, const char *column)
{
    mgl_buffer_text(out, "COALESCE(");
    mgl_sql_write_text(out, dialect, table, column);
    mgl_buffer_text(out, ", ");
    mgl_sql_literal(out, dialect, cells->no_value);
    mgl_buffer_text(out, ")");
}

void mgl_sql_write_key(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_cells *cells,
                       const char *table, const char *column)
{
    if (cells->n_missing == 0) {
        write_cell(out, dialect, cells, table, column);
        return;
    }
    mgl_buffer_text(out, "CASE WHEN ");
    mgl_sql_begin_compared(out, dialect);
    write_cell(out, dialect, cells, table, column);
    mgl_sql_end_compared(out, dialect);
    mgl_buffer_text(out, " IN (");
    for (size_t i = 0; i < cells->n_missing; i++) {
        comma(out, i);
        mgl_sql_write_compared_literal(out, dialect, cells->missing[i]);
    }
    mgl_buffer_text(out, ") THEN ");
    mgl_sql_literal(out, dialect, cells->missing[0]);
    mgl_buffer_text(out, " ELSE ");
    write_cell(out, dialect, cells, table, column);
    mgl_buffer_text(out, " END");
}

void mgl_sql_write_compared_key(mgl_buffer *out, const mgl_sql_dialect *dialect,
                                const mgl_sql_cells *cells, const char *table, const char *column)
{
    mgl_sql_begin_compared(out, dialect);
    mgl_buffer_text(out, "(");
    mgl_sql_write_key(out, dialect, cells, table, column);
    mgl_buffer_text(out, ")");
    mgl_sql_end_compared(out, dialect);
}

/* EXEC sp_rename N'[s].[a]', N'b' */
static void write_procedure(mgl_buffer *out, const mgl_sql_dialect *dialect,
                            const mgl_sql_table *from, const char *to)
{
    mgl_buffer name = {0};
    mgl_sql_table_name(&name, dialect, from);
    out->failed = out->failed || name.failed;
    mgl_buffer_text(out, "EXEC sp_rename ");
    mgl_sql_literal(out, dialect, (mgl_span){name.data, name.size});
    mgl_buffer_text(out, ", ");
    mgl_sql_literal(out, dialect, mgl_span_of(to));
    mgl_buffer_free(&name);
}

void mgl_sql_write_rename(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *from, const char *to)
{
    mgl_sql_table renamed = {.catalog = from->catalog, .schema = from->schema, .name = (char *)to};
    if (dialect->renaming == MGL_SQL_RENAME_PROCEDURE) {
        write_procedure(out, dialect, from, to);
        return;
    }
    bool table = dialect->renaming == MGL_SQL_RENAME_TABLE;
    mgl_buffer_text(out, table ? "RENAME TABLE " : "ALTER TABLE ");
    mgl_sql_table_name(out, dialect, from);
    mgl_buffer_text(out, table ? " TO " : " RENAME TO ");
    if (dialect->renaming == MGL_SQL_RENAME_TO)
        renamed.catalog = renamed.schema = NULL;
    mgl_sql_table_name(out, dialect, &renamed);
}

void mgl_sql_write_drop(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_table *table)
{
    mgl_buffer_text(out, "DROP TABLE ");
    mgl_sql_table_name(out, dialect, table);
}

/* ---- Some rows ------------------------------------------------------------------ */

static void write_among(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *column,
                        const mgl_sql_cells *cells, const mgl_filter_step *step)
{
    if (step->n == 0) {
        mgl_buffer_text(out, "1 = 0");
        return;
    }
    mgl_sql_write_compared_key(out, dialect, cells, NULL, column);
    mgl_buffer_text(out, " IN (");
    for (size_t i = 0; i < step->n; i++) {
        comma(out, i);
        mgl_sql_write_compared_literal(out, dialect, step->texts[i]);
    }
    mgl_buffer_text(out, ")");
}

/* Where what the step with this number puts together begins. */
static size_t first_step(const mgl_cell_filter *filter, size_t last)
{
    size_t wanted = 1, i = last + 1;
    while (wanted > 0)
        wanted = filter->steps[--i].kind == MGL_FILTER_AMONG ? wanted - 1 : wanted + 1;
    return i;
}

static void write_step(mgl_buffer *out, const mgl_sql_dialect *dialect,
                       const mgl_sql_columns *columns, const mgl_sql_cells *cells,
                       const mgl_cell_filter *filter, size_t last)
{
    const mgl_filter_step *step = &filter->steps[last];
    if (step->kind == MGL_FILTER_AMONG) {
        write_among(out, dialect, columns->list[step->column].name, cells, step);
        return;
    }
    size_t right = first_step(filter, last - 1);
    mgl_buffer_text(out, "(");
    write_step(out, dialect, columns, cells, filter, right - 1);
    mgl_buffer_text(out, step->kind == MGL_FILTER_AND ? ") AND (" : ") OR (");
    write_step(out, dialect, columns, cells, filter, last - 1);
    mgl_buffer_text(out, ")");
}

void mgl_sql_write_filter(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_columns *columns, const mgl_sql_cells *cells,
                          const mgl_cell_filter *filter)
{
    write_step(out, dialect, columns, cells, filter, filter->n_steps - 1);
}
