/* The table of how engines write SQL; a new engine is a row here. Drivers choose a dialect,
 * statements are made by it. */
#include "io/sql/sql.h"

#include <strings.h>

/* The parameters, and the table they name. */
#define POSTGRESQL_TABLE                                                                           \
    "WITH p(s, t) AS (VALUES (CAST(? AS text), CAST(? AS text))), "                                \
    "r(id) AS (SELECT to_regclass(concat_ws('.', quote_ident(s), quote_ident(t))) FROM p) "

static const mgl_sql_dialect dialects[] = {
    /* What most engines understand, for those that have no row. */
    {.name = "standard",
     .product = "",
     .quote = '"',
     .text = "VARCHAR(4000)",
     .bytewise = "",
     .random = "RAND()",
     .create_map = "CREATE TABLE",
     .map_beside = true},
    {.name = "postgresql",
     .product = "PostgreSQL",
     .quote = '"',
     .text = "text",
     .bytewise = " COLLATE \"C\"",
     .random = "gen_random_uuid()",         /* random() can be predicted from some of its numbers */
     .create_map = "CREATE UNLOGGED TABLE", /* a temporary one would need another right */
     .map_beside = true,
     .analyze = "ANALYZE",
     .begin = "BEGIN ISOLATION LEVEL REPEATABLE READ",
     .undoes_create = true,
     .filters = true,
     .columns = POSTGRESQL_TABLE
     "SELECT a.attname, format_type(a.atttypid, a.atttypmod), "
     "CASE WHEN y.typtype = 'e' OR y.typname IN ('bool', 'int2', 'int4', 'int8', 'oid', "
     "'date', 'timestamp', 'timestamptz', 'time', 'uuid') "
     "OR y.typname = 'numeric' AND a.atttypmod <> -1 "
     "OR y.typname IN ('text', 'varchar', 'bpchar', 'name') "
     "AND COALESCE(c.collisdeterministic, true) THEN 1 ELSE 0 END, "
     "CASE WHEN y.typcategory IN ('A', 'C', 'G', 'P', 'R') "
     "OR y.typname IN ('bytea', 'json', 'jsonb', 'xml', 'tsvector') THEN 1 ELSE 0 END "
     "FROM r JOIN pg_attribute a ON a.attrelid = r.id JOIN pg_type y ON y.oid = a.atttypid "
     "LEFT JOIN pg_collation c ON c.oid = a.attcollation "
     "WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum",
     .partitions = POSTGRESQL_TABLE
     "SELECT n.nspname, c.relname, CASE WHEN c.relkind = 'f' THEN 1 ELSE 0 END, "
     "CASE WHEN has_table_privilege(c.oid, 'SELECT') THEN 1 ELSE 0 END "
     "FROM r CROSS JOIN LATERAL pg_partition_tree(r.id) x JOIN pg_class c ON c.oid = x.relid "
     "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE x.isleaf ORDER BY 1, 2"},
    {.name = "sqlite",
     .product = "SQLite",
     .quote = '"',
     .text = "TEXT",
     .bytewise = " COLLATE BINARY",
     .random = "random()",
     .create_map = "CREATE TEMPORARY TABLE", /* the file need not grow for it */
     .begin = "BEGIN",
     .undoes_create = true,
     .filters = true,
     .columns = "WITH p(s, t) AS (VALUES (?, ?)) SELECT i.name, i.type, 0, "
                "CASE WHEN upper(i.type) LIKE '%BLOB%' THEN 1 ELSE 0 END "
                "FROM p, pragma_table_info(p.t, p.s) AS i ORDER BY i.cid"},
    {.name = "spark",
     .product = "Spark SQL",
     .quote = '`',
     .backslashes = true,
     .text = "STRING",
     .bytewise = "",
     .random = "rand()",
     .create_map = "CREATE TABLE",
     .map_beside = true},
    {.name = "trino",
     .product = "Trino",
     .quote = '"',
     .text = "VARCHAR",
     .bytewise = "",
     .random = "random()",
     .create_map = "CREATE TABLE",
     .map_beside = true},
    {.name = "snowflake",
     .product = "Snowflake",
     .quote = '"',
     .backslashes = true,
     .text = "VARCHAR",
     .bytewise = "",
     .random = "RANDOM()",
     .create_map = "CREATE TEMPORARY TABLE",
     .map_beside = true},
};

const mgl_sql_dialect *mgl_sql_dialects(size_t *n)
{
    *n = sizeof dialects / sizeof dialects[0];
    return dialects;
}

const mgl_sql_dialect *mgl_sql_dialect_find(const char *name)
{
    size_t n;
    const mgl_sql_dialect *all = mgl_sql_dialects(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    return NULL;
}

const mgl_sql_dialect *mgl_sql_dialect_of_product(const char *product)
{
    size_t n;
    const mgl_sql_dialect *all = mgl_sql_dialects(&n);
    for (size_t i = 1; i < n; i++)
        if (strncasecmp(product, all[i].product, strlen(all[i].product)) == 0)
            return &all[i];
    return &all[0];
}

static void quote(mgl_buffer *out, char around, bool backslashes, mgl_span text)
{
    mgl_buffer_append(out, &around, 1);
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == around || (backslashes && text.data[i] == '\\'))
            mgl_buffer_append(out, text.data + i, 1);
        mgl_buffer_append(out, text.data + i, 1);
    }
    mgl_buffer_append(out, &around, 1);
}

void mgl_sql_identifier(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *name)
{
    quote(out, dialect->quote, false, mgl_span_of(name));
}

void mgl_sql_literal(mgl_buffer *out, const mgl_sql_dialect *dialect, mgl_span text)
{
    quote(out, '\'', dialect->backslashes, text);
}

void mgl_sql_rows_name(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_table *table,
                       const char *alias)
{
    mgl_buffer_text(out, table->rows != NULL ? "(SELECT * FROM " : "");
    mgl_sql_table_name(out, dialect, table);
    if (table->rows != NULL)
        mgl_buffer_format(out, " WHERE %s)", table->rows);
    if (alias != NULL || table->rows != NULL)
        mgl_buffer_format(out, " %s", alias != NULL ? alias : "r");
}

void mgl_sql_table_name(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_table *table)
{
    if (table->schema != NULL) {
        mgl_sql_identifier(out, dialect, table->schema);
        mgl_buffer_text(out, ".");
    }
    mgl_sql_identifier(out, dialect, table->name);
}
