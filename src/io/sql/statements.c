/* Makes SQL statements as texts; nothing here needs a connection. */
#include "io/sql/sql.h"

#include <stdarg.h>
#include <stdio.h>

static const char *comma(size_t i)
{
    return i > 0 ? ", " : "";
}

/* c1, c2, ... */
static void write_names(mgl_buffer *out, char letter, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mgl_buffer_format(out, "%s%c%zu", comma(i), letter, i + 1);
}

static void write_one(mgl_buffer *out, const mgl_sql_dialect *dialect, char what, va_list *args)
{
    const void *first =
        what == 'i' || what == 's' || what == 't' || what == 'r' || what == 'x' || what == 'k'
            ? va_arg(*args, const void *)
            : NULL;
    const char *table = what == 'k' || what == 'r' ? va_arg(*args, const char *) : first;
    switch (what) {
    case 'i':
        mgl_sql_identifier(out, dialect, first);
        break;
    case 't':
        mgl_sql_table_name(out, dialect, first);
        break;
    case 'r':
        mgl_sql_rows_name(out, dialect, first, table);
        break;
    case 'x':
        mgl_sql_write_text(out, dialect, table, va_arg(*args, const char *));
        break;
    case 'k':
        mgl_sql_write_compared_key(out, dialect, first, table, va_arg(*args, const char *));
        break;
    case 'l':
        mgl_sql_literal(out, dialect, va_arg(*args, mgl_span));
        break;
    case 'n': {
        char letter = (char)va_arg(*args, int);
        write_names(out, letter, va_arg(*args, size_t));
        break;
    }
    case 'z':
        mgl_buffer_format(out, "%zu", va_arg(*args, size_t));
        break;
    default:
        mgl_buffer_text(out, first);
    }
}

void mgl_sql_append(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (size_t plain; *format != '\0'; format += plain) {
        plain = strcspn(format, "%");
        mgl_buffer_append(out, format, plain);
        if (format[plain] == '%') {
            write_one(out, dialect, format[plain + 1], &args);
            plain += 2;
        }
    }
    va_end(args);
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
    if (!column->opaque || dialect->hex == NULL)
        mgl_sql_write_text(out, dialect, NULL, column->name);
    else
        mgl_sql_append(out, dialect, "%s(%i)", dialect->hex, column->name);
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

static void write_compared(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const mgl_sql_column *column)
{
    mgl_sql_begin_compared(out, dialect);
    write_column_text(out, dialect, column);
    mgl_sql_end_compared(out, dialect);
}

void mgl_sql_write_compared_type(mgl_buffer *out, const mgl_sql_dialect *dialect)
{
    mgl_buffer_format(out, "%s%s", dialect->text, dialect->before == NULL ? dialect->bytewise : "");
}

void mgl_sql_write_uncompared(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *name)
{
    if (dialect->unmarked != NULL)
        mgl_buffer_format(out, dialect->unmarked, name, name);
    else
        mgl_sql_write_text(out, dialect, mgl_sql_own_names, name);
}

void mgl_sql_write_compared_literal(mgl_buffer *out, const mgl_sql_dialect *dialect, mgl_span text)
{
    mgl_sql_literal(out, dialect, text);
    mgl_buffer_text(out, dialect->end_mark != NULL ? dialect->end_mark : "");
}

/* " IN ('a', 'b')" */
static void write_list(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_span *texts,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_text(out, i > 0 ? ", " : " IN (");
        mgl_sql_write_compared_literal(out, dialect, texts[i]);
    }
    mgl_buffer_text(out, ")");
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
    for (size_t i = 0; i < parts; i++)
        mgl_buffer_format(out, "%s%c%zu(%zu)", comma(i), letter, first + i,
                          letters < ENOUGH ? letters : (size_t)ENOUGH);
    mgl_buffer_text(out, ")");
}

/* ---- Tables that are made of rows ------------------------------------------------ */

void mgl_sql_begin_make(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *create,
                        const mgl_sql_table *table, const mgl_buffer *columns)
{
    if (dialect->selects_into)
        return;
    mgl_sql_append(out, dialect, "%s %t", create, table);
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
    if (dialect->selects_into)
        mgl_sql_append(out, dialect, " INTO %t", table);
}

void mgl_sql_write_select(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *table, const mgl_sql_columns *columns)
{
    mgl_buffer_text(out, "SELECT ");
    for (size_t i = 0; i < columns->n; i++) {
        mgl_buffer_text(out, comma(i));
        write_column_text(out, dialect, &columns->list[i]);
    }
    mgl_sql_append(out, dialect, " FROM %r", table, NULL);
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
        mgl_buffer_text(out, comma(i));
        if (counting->cells != NULL && !column->opaque)
            mgl_sql_write_compared_key(out, dialect, counting->cells, NULL, column->name);
        else if (column->exact)
            mgl_sql_write_column(out, dialect, NULL, column->name);
        else
            write_compared(out, dialect, column);
        mgl_buffer_format(out, " AS c%zu", i + 1);
    }
    mgl_sql_append(out, dialect, " FROM %r) t", table, NULL);
}

/* Each partition is counted where it lies, and only its counts come together. */
static void write_partitions(mgl_buffer *out, const mgl_sql_dialect *dialect,
                             const mgl_sql_counting *counting)
{
    size_t n = counting->n_wanted;
    mgl_buffer_text(out, "(");
    for (size_t p = 0; p < counting->partitions->n; p++) {
        mgl_sql_append(out, dialect, "%sSELECT %n%sCOUNT(*) AS n FROM ", p > 0 ? " UNION ALL " : "",
                       'c', n, comma(n));
        write_columns(out, dialect, counting, &counting->partitions->list[p]);
        mgl_sql_append(out, dialect, " GROUP BY %n", 'c', n);
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
    mgl_sql_append(out, dialect, " GROUP BY %n", 'c', counting->n_wanted);
}

static void write_number(mgl_buffer *out, const mgl_sql_dialect *dialect,
                         const mgl_sql_counting *counting, const char *having)
{
    mgl_buffer_text(out, "SELECT COUNT(*) FROM (SELECT COUNT(*) AS n FROM ");
    mgl_sql_write_counted(out, dialect, counting);
    mgl_sql_append(out, dialect, " GROUP BY %n%s) g", 'c', counting->n_wanted, having);
}

void mgl_sql_write_number_of_groups(mgl_buffer *out, const mgl_sql_dialect *dialect,
                                    const mgl_sql_counting *counting)
{
    write_number(out, dialect, counting, "");
}

void mgl_sql_write_number_alone(mgl_buffer *out, const mgl_sql_dialect *dialect,
                                const mgl_sql_counting *counting)
{
    write_number(out, dialect, counting, " HAVING COUNT(*) = 1");
}

void mgl_sql_write_uniqueness(mgl_buffer *out, const mgl_sql_dialect *dialect,
                              const mgl_sql_table *table, const mgl_sql_column *column)
{
    mgl_buffer_text(out, "SELECT COUNT(*), SUM(CASE WHEN n = 1 THEN 1 ELSE 0 END), "
                         "SUM(CASE WHEN v LIKE '% %' OR v LIKE '%.%' OR v LIKE '%,%' OR v = '' "
                         "THEN 0 ELSE 1 END) FROM (SELECT v, COUNT(*) AS n FROM (SELECT ");
    write_compared(out, dialect, column);
    mgl_sql_append(out, dialect, " AS v FROM %t) t GROUP BY v) g WHERE v IS NOT NULL", table);
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
    write_compared(out, dialect, column);
    mgl_buffer_text(out, " AS v");
    for (size_t i = 1; i <= n_others; i++) {
        mgl_buffer_text(out, ", ");
        mgl_sql_begin_compared(out, dialect);
        mgl_sql_append(out, dialect, "COALESCE(%x, '')", NULL, others[i - 1]);
        mgl_sql_end_compared(out, dialect);
        mgl_buffer_format(out, " AS q%zu", i);
    }
    mgl_sql_append(out, dialect, " FROM %r) t GROUP BY v) g WHERE n > 1", table, NULL);
}

/* ---- The release ---------------------------------------------------------------- */

/* COALESCE(CAST(s."zip" AS text), '') */
static void write_cell(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_cells *cells,
                       const char *table, const char *column)
{
    mgl_sql_append(out, dialect, "COALESCE(%x, %l)", table, column, cells->no_value);
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
    write_list(out, dialect, cells->missing, cells->n_missing);
    mgl_sql_append(out, dialect, " THEN %l ELSE ", cells->missing[0]);
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
    mgl_sql_append(out, dialect, "EXEC sp_rename %l, %l", (mgl_span){name.data, name.size},
                   mgl_span_of(to));
    mgl_buffer_free(&name);
}

void mgl_sql_write_rename(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *from, const char *to)
{
    mgl_sql_table renamed = {.catalog = from->catalog, .schema = from->schema, .name = to};
    if (dialect->renaming == MGL_SQL_RENAME_PROCEDURE) {
        write_procedure(out, dialect, from, to);
        return;
    }
    bool table = dialect->renaming == MGL_SQL_RENAME_TABLE;
    if (dialect->renaming == MGL_SQL_RENAME_TO)
        renamed.catalog = renamed.schema = NULL;
    mgl_sql_append(out, dialect, table ? "RENAME TABLE %t TO %t" : "ALTER TABLE %t RENAME TO %t",
                   from, &renamed);
}

void mgl_sql_write_drop(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_table *table)
{
    mgl_sql_append(out, dialect, "DROP TABLE %t", table);
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
    write_list(out, dialect, step->texts, step->n);
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
