/* The table of SQL dialects; a new engine is a row here. */
#include "io/sql/sql.h"

#include <strings.h>

/* The parameters, and the table they name. */
#define POSTGRESQL_TABLE                                                                           \
    "WITH p(s, t) AS (VALUES (CAST(? AS text), CAST(? AS text))), "                                \
    "r(id) AS (SELECT to_regclass(concat_ws('.', quote_ident(s), quote_ident(t))) FROM p) "

/* What MariaDB and MySQL share. A transaction that sees one state of the data ends with the first
 * table that is made; what follows may not lock the rows of the source, as CREATE TABLE AS would
 * under REPEATABLE READ. Groups are hashed in memory as long as they fit into 256 MB, not 16. Of
 * comments only those are ours that name a lock of this server. */
#define MYSQL(collation)                                                                           \
    .quote = '`', .backslashes = true, .text = "LONGTEXT CHARACTER SET utf8mb4",                   \
    .cast = "CHAR CHARACTER SET utf8mb4", .bytewise = " COLLATE " collation,                       \
    .casts_bytewise = true, .fetches_bytes = true, .hex = "HEX", .sort_bytes = 1024,               \
    .row_bytes = 65535, .random = "RANDOM_BYTES(16)", /* RAND() can be predicted */                \
        .create_map = "CREATE TEMPORARY TABLE", /* rights on a schema hold for all tables in it */ \
        .map_beside = true, .index_parts = 16, .index_bytes = 3072, .filters = true,               \
    .renaming = MGL_SQL_RENAME_PATH,                                                               \
    .setting = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",                \
    .load = "LOAD DATA LOCAL INFILE 'map.csv' INTO TABLE %s CHARACTER SET utf8mb4 FIELDS "         \
            "TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY '' IGNORE 1 LINES",          \
    .session = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'\n"               \
               "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED\n"                          \
               "SET SESSION max_length_for_sort_data = 65536\n"                                    \
               "SET SESSION sort_buffer_size = GREATEST(@@sort_buffer_size, 67108864)\n"           \
               "SET SESSION tmp_table_size = GREATEST(@@tmp_table_size, 268435456)\n"              \
               "SET SESSION max_heap_table_size = GREATEST(@@max_heap_table_size, 268435456)",     \
    .speaks_utf8 = "SELECT @@character_set_client = 'utf8mb4' AND @@character_set_results = "      \
                   "'utf8mb4' AND @@character_set_connection = 'utf8mb4'",                         \
    .begin = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ\n"                                   \
             "START TRANSACTION WITH CONSISTENT SNAPSHOT",                                         \
    .claim = "SELECT GET_LOCK(?, 0), CONCAT(@@hostname, ' ', @@server_id, ' ', @@port)",           \
    .orphans =                                                                                     \
        "SELECT table_schema, table_name FROM information_schema.tables "                          \
        "WHERE table_schema = COALESCE(?, DATABASE()) AND table_type = 'BASE TABLE' "              \
        "AND table_name REGEXP '^mingle_release_[0-9a-f]{8}$' "                                    \
        "AND table_comment REGEXP '^staged by mingle, lock mingle_[0-9a-f]{16} of ' "              \
        "AND SUBSTRING(table_comment, 51) = CONCAT(@@hostname, ' ', @@server_id, ' ', @@port) "    \
        "AND IS_FREE_LOCK(SUBSTRING(table_comment, 24, 23)) = 1"

#define POSTGRESQL_TWO_TABLES                                                                      \
    "WITH p(s, t, ss, st) AS (VALUES (CAST(? AS text), CAST(? AS text), CAST(? AS text), "         \
    "CAST(? AS text))), r(id, other) AS (SELECT "                                                  \
    "to_regclass(concat_ws('.', quote_ident(s), quote_ident(t))), "                                \
    "to_regclass(NULLIF(concat_ws('.', quote_ident(ss), quote_ident(st)), '')) FROM p) "

/* Groups and maps of some hundred thousand combinations are hashed in memory, 256 MB of it; a
 * server that allows more than that keeps what it has. What is sorted is read again in another
 * order than it lies in, and runs that fit into the caches of a processor are faster than one that
 * does not: servers that limit hashes apart from sorts (version 13 or later) get 16 MB for these.
 * Compiling takes longer than it saves. Workers that join and sort save more than handing rows over
 * costs. A few thousand rows show how many different ones there are. */
#define POSTGRESQL_PLAN                                                                            \
    "SELECT set_config('jit', 'off', true), "                                                      \
    "set_config('parallel_tuple_cost', '0.01', true), "                                            \
    "set_config('default_statistics_target', '10', true), "                                        \
    "CASE WHEN s.m IS NULL THEN set_config('work_mem', greatest(s.w, 131072)::text, true) "        \
    "ELSE set_config('hash_mem_multiplier', "                                                      \
    "least(greatest(s.w * s.m / 16384, 16), 1000)::text, true) "                                   \
    "|| set_config('work_mem', '16MB', true) END FROM (SELECT "                                    \
    "max(setting::numeric) FILTER (WHERE name = 'work_mem') AS w, "                                \
    "max(setting::numeric) FILTER (WHERE name = 'hash_mem_multiplier') AS m "                      \
    "FROM pg_settings WHERE name IN ('work_mem', 'hash_mem_multiplier')) s"

static const mgl_sql_dialect dialects[] = {
    /* What most engines understand, for those that have no row. */
    {.name = "standard",
     .product = "",
     .quote = '"',
     .text = "VARCHAR(4000)",
     .most = 4000,
     .bytewise = "",
     .random = "RAND()",
     .create_map = "CREATE TABLE",
     .map_beside = true},
    {.name = "postgresql",
     .product = "PostgreSQL",
     .fleeting = "pg_temp",
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
     .unload = "psql: \\copy (QUERY) TO 'counts.csv' CSV HEADER",
     .load = "psql: \\copy %s FROM 'map.csv' CSV HEADER",
     .plan = POSTGRESQL_PLAN,
     .hash_text = "pg_catalog.hashtextextended",
     .hash_whole = "pg_catalog.hashint8extended",
     .has_places = POSTGRESQL_TABLE
     "SELECT 1 FROM r JOIN pg_class c ON c.oid = r.id AND c.relkind IN ('r', 'm') "
     "WHERE has_table_privilege(r.id, 'SELECT') "
     "AND to_regprocedure('pg_catalog.hashtidextended(tid,bigint)') IS NOT NULL",
     .unreadable = POSTGRESQL_TABLE
     "SELECT quote_ident(current_user), a.attname FROM r JOIN pg_attribute a ON a.attrelid = r.id "
     "WHERE a.attnum > 0 AND NOT a.attisdropped "
     "AND NOT has_column_privilege(r.id, a.attnum, 'SELECT')",
     .forbidden = "WITH p(s, t) AS (VALUES (CAST(? AS text), CAST(? AS text))) "
                  "SELECT quote_ident(current_user), quote_ident(n.nspname) FROM p LEFT JOIN "
                  "pg_namespace n ON n.nspname = COALESCE(p.s, current_schema()) "
                  "WHERE n.oid IS NULL OR left(n.nspname, 8) = 'pg_temp_' "
                  "OR NOT has_schema_privilege(n.oid, 'USAGE') "
                  "OR NOT has_schema_privilege(n.oid, 'CREATE')",
     .irreplaceable = POSTGRESQL_TWO_TABLES
     "SELECT CASE WHEN r.id = r.other THEN 'it is the table that is read' "
     "WHEN c.relkind <> 'r' THEN 'it is no plain table' "
     "WHEN c.relispartition OR c.relhassubclass THEN 'it is a part of another table, or has parts' "
     "WHEN c.relrowsecurity THEN 'its policies, by which roles see some rows only, would be lost' "
     "WHEN NOT pg_has_role(c.relowner, 'USAGE') THEN 'it belongs to another role' "
     "ELSE (SELECT 'other things depend on it (' || min(pg_describe_object(d.classid, d.objid, 0)) "
     "|| ')' FROM pg_depend d LEFT JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass "
     "AND w.oid = d.objid WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid "
     "AND d.deptype = 'n' HAVING count(*) > 0) END FROM r JOIN pg_class c ON c.oid = r.id",
     .grants = POSTGRESQL_TABLE
     "SELECT format('GRANT %s ON %s TO %s%s', x.privilege_type, r.id, "
     "CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END, "
     "CASE WHEN x.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) "
     "FROM r JOIN pg_class c ON c.oid = r.id CROSS JOIN LATERAL aclexplode(c.relacl) x "
     "WHERE x.grantee <> c.relowner",
     .lock = "SELECT CASE WHEN pg_try_advisory_xact_lock(%lld) THEN 1 ELSE 0 END, current_user",
     .place_order = "pg_catalog.hashtidextended(s.ctid, %lld)",
     .series = "LATERAL pg_catalog.generate_series(1, m.n) AS i",
     .columns = POSTGRESQL_TABLE
     "SELECT a.attname, format_type(a.atttypid, a.atttypmod), "
     "CASE WHEN y.typname IN ('int2', 'int4', 'int8') THEN 3 "
     "WHEN y.typtype = 'e' OR y.typname IN ('bool', 'oid', 'date', "
     "'timestamp', 'timestamptz', 'time', 'uuid') "
     "OR y.typname = 'numeric' AND a.atttypmod <> -1 THEN 1 "
     "WHEN y.typname IN ('text', 'varchar', 'bpchar', 'name') "
     "AND COALESCE(c.collisdeterministic, true) THEN 2 ELSE 0 END, "
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
     .fleeting = "temp",
     .quote = '"',
     .text = "TEXT",
     .bytewise = " COLLATE BINARY",
     .random = "random()",
     .create_map = "CREATE TEMPORARY TABLE", /* the file need not grow for it */
     .begin = "BEGIN",
     .undoes_create = true,
     .filters = true,
     .indexes_columns = true,
     .unload = "sqlite3: .headers on, .mode csv, .once counts.csv",
     .load = "sqlite3: .import --csv --skip 1 map.csv %s",
     .irreplaceable =
         "WITH p(s, t, ss, st) AS (VALUES (?, ?, ?, ?)) "
         "SELECT CASE WHEN lower(p.t) = lower(p.st) THEN 'it is the table that is read' "
         "WHEN m.type <> 'table' THEN 'it is no plain table' "
         "WHEN EXISTS (SELECT 1 FROM sqlite_master v WHERE v.type IN ('view', 'trigger') "
         "AND instr(lower(v.sql), lower(p.t)) > 0) THEN 'views or triggers name it' END "
         "FROM p JOIN sqlite_master m ON lower(m.name) = lower(p.t)",
     .columns = "WITH p(s, t) AS (VALUES (?, ?)) SELECT i.name, i.type, "
                "CASE WHEN upper(i.type) LIKE '%INT%' THEN 4 ELSE 0 END, "
                "CASE WHEN upper(i.type) LIKE '%BLOB%' THEN 1 ELSE 0 END "
                "FROM p, pragma_table_info(p.t, p.s) AS i ORDER BY i.cid"},
    {.name = "mariadb", .product = "MariaDB", MYSQL("utf8mb4_nopad_bin")},
    {.name = "mysql", .product = "MySQL", MYSQL("utf8mb4_0900_bin")},
    {.name = "spark",
     .product = "Spark SQL",
     .quote = '`',
     .escapes = true, /* two literals side by side are one there, without a quote in between */
     .text = "STRING",
     .bytewise = "",
     .random = "rand()",
     .create_map = "CREATE TABLE",
     .map_beside = true,
     .unload = "INSERT OVERWRITE DIRECTORY 'counts' USING csv OPTIONS (header 'true', escape '\"') "
               "QUERY",
     .load = "read map.csv with the options header, multiLine and escape '\"', and insert it into "
             "%s"},
    {.name = "trino",
     .product = "Trino",
     .quote = '"',
     .text = "VARCHAR",
     .bytewise = "",
     .random = "random()",
     .create_map = "CREATE TABLE",
     .map_beside = true,
     .unload = "trino --output-format CSV_HEADER --execute QUERY"},
    {.name = "snowflake",
     .product = "Snowflake",
     .quote = '"',
     .backslashes = true,
     .text = "VARCHAR",
     .bytewise = "",
     .random = "RANDOM()",
     .create_map = "CREATE TEMPORARY TABLE",
     .renaming = MGL_SQL_RENAME_PATH, /* a name alone would be one of the current schema */
     .map_beside = true,
     .unload =
         "COPY INTO @~/counts.csv FROM (QUERY) FILE_FORMAT = (TYPE = CSV "
         "FIELD_OPTIONALLY_ENCLOSED_BY = '\"' COMPRESSION = NONE) HEADER = TRUE SINGLE = TRUE",
     .load = "COPY INTO %s FROM @~/map.csv FILE_FORMAT = (TYPE = CSV SKIP_HEADER = 1 "
             "FIELD_OPTIONALLY_ENCLOSED_BY = '\"')"},
    {.name = "duckdb",
     .product = "DuckDB",
     .quote = '"',
     .text = "VARCHAR",
     .bytewise = " COLLATE \"binary\"",
     .random = "gen_random_uuid()",
     .create_map = "CREATE TEMPORARY TABLE",
     .begin = "BEGIN",
     .undoes_create = true,
     .columns = "WITH p(s, t) AS (VALUES (?, ?)) SELECT column_name, data_type, '0', '0' "
                "FROM p, duckdb_columns() c WHERE c.table_name = p.t AND "
                "c.schema_name = COALESCE(p.s, 'main') AND c.database_name = current_database() "
                "ORDER BY c.column_index",
     .unload = "COPY (QUERY) TO 'counts.csv' (HEADER)",
     .load = "COPY %s FROM 'map.csv' (HEADER)"},
    /* Texts are equal there if they differ in blanks at their ends alone, in any collation. */
    {.name = "sqlserver",
     .product = "Microsoft SQL Server",
     .quote = '[',
     .quote_end = ']',
     .national = "N",
     .text = "NVARCHAR(MAX)",
     .bytewise = " COLLATE Latin1_General_100_BIN2",
     .end_mark = " + N'|'",
     .unmarked = "SUBSTRING(%s, 1, LEN(%s) - 1)",
     .random = "NEWID()",
     .create_map = "CREATE TABLE",
     .selects_into = true,
     .renaming = MGL_SQL_RENAME_PROCEDURE,
     .map_beside = true,
     .load = "BULK INSERT %s FROM 'map.csv' WITH (FORMAT = 'CSV', FIRSTROW = 2, CODEPAGE = "
             "'65001')"},
    /* An empty text is NULL there, which equals nothing. */
    {.name = "oracle",
     .product = "Oracle",
     .quote = '"',
     .names_lack_quotes = true,
     .text = "VARCHAR2(4000)",
     .most = 4000,
     .as_text = "TO_CHAR", /* a cast would cut what is longer */
     .bytewise = "",
     .end_mark = " || '|'",
     .unmarked = "SUBSTR(%s, 1, LENGTH(%s) - 1)",
     .setting = "ALTER SESSION SET NLS_COMP = 'BINARY'",
     .random = "DBMS_RANDOM.VALUE",
     .create_map = "CREATE TABLE",
     .map_beside = true,
     .unload = "SQL*Plus: SET MARKUP CSV ON QUOTE ON, SPOOL counts.csv",
     .load = "SQL*Loader: INTO TABLE %s FIELDS CSV WITH EMBEDDED, OPTIONS (SKIP=1)"},
    {.name = "bigquery",
     .product = "Google BigQuery",
     .quote = '`',
     .escapes = true,
     .names_escape = true,
     .text = "STRING",
     .before = "COLLATE(",
     .bytewise = ", '')",
     .random = "GENERATE_UUID()",
     .create_map = "CREATE TABLE",
     .map_beside = true,
     .unload = "EXPORT DATA OPTIONS (uri = 'gs://BUCKET/counts-*.csv', format = 'CSV', header = "
               "true) AS QUERY",
     .load =
         "bq load --source_format=CSV --skip_leading_rows=1 --allow_quoted_newlines %s map.csv"},
    {.name = "redshift",
     .product = "Redshift",
     .quote = '"',
     .backslashes = true,
     .text = "VARCHAR(65535)",
     .most = 65535,
     .before = "COLLATE(",
     .bytewise = ", 'case_sensitive')",
     .end_mark = " || '|'", /* blanks at the ends of texts of fixed width are not compared */
     .unmarked = "SUBSTRING(%s, 1, LEN(%s) - 1)",
     .random = "RANDOM()",
     .create_map = "CREATE TABLE",
     .map_beside = true,
     .unload = "UNLOAD ('QUERY') TO 's3://BUCKET/counts' IAM_ROLE default FORMAT CSV HEADER",
     .load = "COPY %s FROM 's3://BUCKET/map.csv' IAM_ROLE default FORMAT CSV IGNOREHEADER 1"},
    {.name = "clickhouse",
     .product = "ClickHouse",
     .quote = '`',
     .escapes = true,
     .names_escape = true,
     .text = "String",
     .as_text = "toString", /* a cast refuses NULL */
     .bytewise = "",
     .random = "generateUUIDv4()",
     .create_map = "CREATE TABLE",
     .made_as = " ENGINE = MergeTree ORDER BY tuple()",
     .renaming = MGL_SQL_RENAME_TABLE,
     .map_beside = true,
     .unload = "clickhouse-client --format CSVWithNames --query QUERY",
     .load = "clickhouse-client --query 'INSERT INTO %s FORMAT CSVWithNames' < map.csv"},
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

/* A line that ends within a literal may end the statement. */
static void escape(mgl_buffer *out, char end, char c)
{
    const char *escaped = c == '\n' ? "\\n" : c == '\r' ? "\\r" : NULL;
    if (escaped != NULL) {
        mgl_buffer_text(out, escaped);
        return;
    }
    if (c == '\\' || c == end)
        mgl_buffer_text(out, "\\");
    mgl_buffer_append(out, &c, 1);
}

static void quote(mgl_buffer *out, char end, bool escapes, bool backslashes, mgl_span text)
{
    for (size_t i = 0; i < text.size; i++) {
        if (escapes) {
            escape(out, end, text.data[i]);
            continue;
        }
        if (text.data[i] == end || (backslashes && text.data[i] == '\\'))
            mgl_buffer_append(out, text.data + i, 1);
        mgl_buffer_append(out, text.data + i, 1);
    }
    mgl_buffer_append(out, &end, 1);
}

static char end_of_name(const mgl_sql_dialect *dialect)
{
    return dialect->quote_end != '\0' ? dialect->quote_end : dialect->quote;
}

bool mgl_sql_can_be_name(const mgl_sql_dialect *dialect, const char *name)
{
    return !dialect->names_lack_quotes || strchr(name, dialect->quote) == NULL;
}

void mgl_sql_identifier(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *name)
{
    mgl_buffer_append(out, &dialect->quote, 1);
    quote(out, end_of_name(dialect), dialect->names_escape, false, mgl_span_of(name));
}

void mgl_sql_literal(mgl_buffer *out, const mgl_sql_dialect *dialect, mgl_span text)
{
    mgl_buffer_format(out, "%s'", dialect->national != NULL ? dialect->national : "");
    quote(out, '\'', dialect->escapes, dialect->backslashes, text);
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
    if (table->catalog != NULL) {
        mgl_sql_identifier(out, dialect, table->catalog);
        mgl_buffer_text(out, ".");
    }
    if (table->schema != NULL) {
        mgl_sql_identifier(out, dialect, table->schema);
        mgl_buffer_text(out, ".");
    }
    mgl_sql_identifier(out, dialect, table->name);
}
