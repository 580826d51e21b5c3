/* Databases without a server: locations, dialects, the SQL that is sent, UTF-16, counted tables. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "io/intake/intake.h"
#include "io/sql/read_database.h"
#include "io/sql/sql.h"

#include <stdio.h>
#include <string.h>

/* ---- Locations ------------------------------------------------------------------ */

typedef struct location_case {
    const char *location, *server, *schema, *table, *name;
} location_case;

static void locations_are_cut_into_server_and_table(void **state)
{
    (void)state;
    static const location_case cases[] = {
        {"postgresql://h:5/db?table=t", "postgresql://h:5/db", NULL, "t",
         "postgresql://h:5/db?table=t"},
        {"postgresql://me@h/db?table=s.t", "postgresql://me@h/db", "s", "t",
         "postgresql://h/db?table=s.t"},
        {"postgresql:///db?host=/run&table=t&user=me", "postgresql:///db?host=/run&user=me", NULL,
         "t", "postgresql:///db?host=/run&table=t"},
        {"postgresql:///db?table=t&port=3", "postgresql:///db?port=3", NULL, "t",
         "postgresql:///db?port=3&table=t"},
        {"sqlite:/a b/c.db?table=%22x.y%22", "sqlite:/a b/c.db", NULL, "x.y",
         "sqlite:/a b/c.db?table=x.y"},
        {"sqlite:c.db?table=\"a\"\"b\".\"; DROP\"", "sqlite:c.db", "a\"b", "; DROP",
         "sqlite:c.db?table=a\"b.; DROP"},
        {"sqlite:a?table=b?table=50%25 x", "sqlite:a?table=b", NULL, "50% x",
         "sqlite:a?table=b&table=50% x"},
        {"odbc:DSN=x;UID=me;?table=t", "odbc:DSN=x;UID=me;", NULL, "t", "odbc:DSN=x;?table=t"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_error err = {0};
        mgl_sql_location got;
        assert_int_equal(mgl_sql_location_parse(cases[i].location, &err, &got), MGL_OK);
        assert_string_equal(got.server, cases[i].server);
        assert_string_equal(got.table.name, cases[i].table);
        assert_string_equal(got.name, cases[i].name);
        if (cases[i].schema == NULL)
            assert_null(got.table.schema);
        else
            assert_string_equal(got.table.schema, cases[i].schema);
        mgl_sql_location_free(&got);
    }
    assert_null(mgl_sql_driver_of("people.csv"));
    assert_null(mgl_sql_driver_of("mysql://h/db?table=t"));
}

static void incomplete_locations_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "sqlite:a.db",
        "sqlite:a.db?table=",
        "sqlite:a.db?table=a.b.c",
        "sqlite:a.db?table=a%00b",
        "sqlite:a.db?table=\"a",
        "postgresql://me:hidden@h/db?table=t",
        "postgresql://me:hid/den@h/db?table=t",
        "postgresql://h/db?password=hidden&table=t",
        "postgresql://h/db?table=t&PassWord=hidden",
        "odbc:DSN=x;pwd=hidden;?table=t",
        "odbc:DSN=x; Password = hidden;?table=t",
        "odbc:PWD=hidden;DSN=x;?table=t",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_error err = {0};
        mgl_sql_location got;
        assert_int_equal(mgl_sql_location_parse(cases[i], &err, &got), MGL_USAGE);
        assert_null(strstr(err.message, "hidden"));
        mgl_sql_location_free(&got);
    }
}

static void public_names_hide_users_and_secrets(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"people.csv", "people.csv"},
        {"postgresql://me:hidden@h/db?table=t", "postgresql://h/db?table=t"},
        {"postgresql://h/db?password=hidden&table=t&user=me", "postgresql://h/db?table=t"},
        {"odbc:DSN=x;UID=me;PWD=hidden;?table=t", "odbc:DSN=x;?table=t"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *name;
        assert_int_equal(mgl_location_name(cases[i][0], NULL, &name), MGL_OK);
        assert_string_equal(name, cases[i][1]);
        mgl_free(name);
    }
}

/* ---- SQL ------------------------------------------------------------------------ */

static mgl_sql_column column_list[] = {
    {.name = "zip", .exact = true}, {.name = "a\"ge"}, {.name = "disease", .exact = true}};
static const mgl_sql_columns columns = {column_list, 3, 3};
static mgl_sql_table source = {.schema = "s", .name = "people"},
                     map = {.schema = "r", .name = "map"}, target = {.schema = "r", .name = "made"};

static void expect_text(mgl_buffer *text, const char *expected)
{
    assert_false(text->failed);
    mgl_buffer_append(text, "", 1);
    assert_string_equal(text->data, expected);
    text->size = 0;
}

static void counting_statements_are_as_expected(void **state)
{
    (void)state;
    mgl_buffer text = {0};
    size_t wanted[] = {0, 1};
    mgl_sql_table partition_list[] = {{.schema = "s", .name = "p1"}, {.schema = "s", .name = "p2"}};
    mgl_sql_partitions partitions = {partition_list, 2, 2};
    mgl_sql_counting counting = {
        .table = &source, .columns = &columns, .wanted = wanted, .n_wanted = 2};
    mgl_sql_write_count(&text, mgl_sql_dialect_find("postgresql"), &counting);
    expect_text(&text,
                "SELECT CAST(c1 AS text), CAST(c2 AS text), COUNT(*) FROM (SELECT \"zip\" AS "
                "c1, CAST(\"a\"\"ge\" AS text) COLLATE \"C\" AS c2 FROM \"s\".\"people\") t "
                "GROUP BY c1, c2");
    mgl_sql_write_count(&text, mgl_sql_dialect_find("spark"), &counting);
    expect_text(&text, "SELECT CAST(c1 AS STRING), CAST(c2 AS STRING), COUNT(*) FROM (SELECT `zip` "
                       "AS c1, CAST(`a\"ge` AS STRING) AS c2 FROM `s`.`people`) t GROUP BY c1, c2");
    counting.partitions = &partitions;
    counting.n_wanted = 1;
    mgl_sql_write_count(&text, mgl_sql_dialect_find("postgresql"), &counting);
    expect_text(&text,
                "SELECT CAST(c1 AS text), SUM(n) FROM (SELECT c1, COUNT(*) AS n FROM (SELECT "
                "\"zip\" AS c1 FROM \"s\".\"p1\") t GROUP BY c1 UNION ALL SELECT c1, COUNT(*) AS n "
                "FROM (SELECT \"zip\" AS c1 FROM \"s\".\"p2\") t GROUP BY c1) u GROUP BY c1");
    mgl_buffer_free(&text);
}

/* zip is '1' or missing, and not disease 'it''s' alone: what is false of "and" is false of one. */
static void rows_are_left_out_wherever_the_table_is_read(void **state)
{
    (void)state;
    mgl_buffer text = {0}, condition = {0};
    mgl_span zips[] = {{"1", 1}, {"", 0}}, diseases[] = {{"it's", 4}}, tokens[] = {{"", 0}};
    mgl_filter_step steps[] = {{MGL_FILTER_AMONG, 0, zips, 2},
                               {MGL_FILTER_AMONG, 2, diseases, 1},
                               {MGL_FILTER_AMONG, 2, NULL, 0},
                               {.kind = MGL_FILTER_OR},
                               {.kind = MGL_FILTER_AND}};
    mgl_cell_filter filter = {steps, 5};
    mgl_sql_cells cells = {tokens, 1, {"", 0}};
    const mgl_sql_dialect *dialect = mgl_sql_dialect_find("postgresql");
    mgl_sql_write_filter(&condition, dialect, &columns, &cells, &filter);
    expect_text(
        &condition,
        "((CASE WHEN COALESCE(CAST(\"zip\" AS text), '') COLLATE \"C\" IN ('') THEN '' ELSE "
        "COALESCE(CAST(\"zip\" AS text), '') END) COLLATE \"C\" IN ('1', '')) AND "
        "(((CASE WHEN COALESCE(CAST(\"disease\" AS text), '') COLLATE \"C\" IN ('') THEN '' ELSE "
        "COALESCE(CAST(\"disease\" AS text), '') END) COLLATE \"C\" IN ('it''s')) OR "
        "(1 = 0))");
    mgl_sql_table some = source;
    some.rows = "x";
    mgl_sql_write_select(&text, dialect, &some, &(mgl_sql_columns){column_list, 1, 1});
    expect_text(&text,
                "SELECT CAST(\"zip\" AS text) FROM (SELECT * FROM \"s\".\"people\" WHERE x) r");
    size_t wanted[] = {0};
    mgl_sql_counting counting = {
        .table = &some, .columns = &columns, .wanted = wanted, .n_wanted = 1};
    mgl_sql_write_count(&text, dialect, &counting);
    expect_text(&text,
                "SELECT CAST(c1 AS text), COUNT(*) FROM (SELECT \"zip\" AS c1 FROM (SELECT * "
                "FROM \"s\".\"people\" WHERE x) r) t GROUP BY c1");
    mgl_buffer_free(&text);
    mgl_buffer_free(&condition);
}

/* Two columns, one of them with a level between its values and its top. */
static void grouping_statements_are_as_expected(void **state)
{
    (void)state;
    mgl_buffer text = {0};
    size_t keys[] = {0, 1}, wanted[] = {0, 1};
    mgl_sql_table levels[] = {{.schema = "r", .name = "l1"}, {.schema = "r", .name = "l2"}},
                  table = {.schema = "r", .name = "groups"};
    uint32_t heights[] = {2, 1};
    mgl_sql_groups groups = {.source = &source,
                             .table = &table,
                             .columns = &columns,
                             .keys = keys,
                             .n_keys = 2,
                             .levels = levels,
                             .heights = heights,
                             .least = 5};
    const mgl_sql_dialect *trino = mgl_sql_dialect_find("trino");
    mgl_sql_write_levels(&text, trino, &levels[0], 3);
    expect_text(&text, "CREATE TABLE \"r\".\"l1\" (l0 VARCHAR, l1 VARCHAR, l2 VARCHAR)");
    mgl_sql_write_groups(&text, trino, &groups);
    expect_text(
        &text,
        "CREATE TABLE \"r\".\"groups\" AS SELECT k1, k2, CASE g1 WHEN 0 THEN k1 WHEN 1 THEN a1_1 "
        "ELSE a1_2 END AS c1, CASE g1 WHEN 0 THEN k2 WHEN 1 THEN a2_1 ELSE a2_1 END AS c2 FROM "
        "(SELECT x.*, CASE WHEN g0 IS NOT NULL THEN g0 WHEN SUM(n) OVER (PARTITION BY g0, a1_1, "
        "a2_1) >= 5 THEN 1 END AS g1 FROM (SELECT x.*, CASE WHEN SUM(n) OVER (PARTITION BY k1, "
        "k2) >= 5 THEN 0 END AS g0 FROM (SELECT b.n AS n, b.k1 AS k1, l1.l1 AS a1_1, l1.l2 AS "
        "a1_2, b.k2 AS k2, l2.l1 AS a2_1 FROM (SELECT k1, k2, COUNT(*) AS n FROM (SELECT "
        "(COALESCE(CAST(c1 AS VARCHAR), '')) AS k1, (COALESCE(CAST(c2 AS VARCHAR), '')) AS k2 "
        "FROM (SELECT \"zip\" AS c1, CAST(\"a\"\"ge\" AS VARCHAR) AS c2 FROM "
        "\"s\".\"people\") t) v GROUP BY k1, k2) b JOIN \"r\".\"l1\" l1 ON b.k1 = l1.l0 JOIN "
        "\"r\".\"l2\" l2 ON b.k2 = l2.l0) x) x) x");
    groups.n_keys = 1;
    mgl_sql_write_group_count(&text, trino, &groups, wanted, 2);
    expect_text(&text, "SELECT c1, c2, COUNT(*) FROM (SELECT g.c1 AS c1, CAST(s.\"a\"\"ge\" AS "
                       "VARCHAR) AS c2 FROM \"s\".\"people\" s JOIN \"r\".\"groups\" g ON "
                       "(COALESCE(CAST(s.\"zip\" AS VARCHAR), '')) = g.k1) t GROUP BY c1, c2");
    mgl_sql_write_others(&text, mgl_sql_dialect_find("postgresql"), &source, "zip", &levels[0],
                         &(mgl_sql_cells){0});
    expect_text(&text, "SELECT k1, COUNT(*) FROM (SELECT (COALESCE(CAST(s.\"zip\" AS text), '')) "
                       "COLLATE \"C\" AS k1 FROM \"s\".\"people\" s) b LEFT JOIN \"r\".\"l1\" l1 "
                       "ON b.k1 = l1.l0 WHERE l1.l0 IS NULL GROUP BY k1");
    mgl_buffer_free(&text);
}

typedef struct release_case {
    const char *dialect, *map, *release;
} release_case;

static void release_statements_are_as_expected_per_dialect(void **state)
{
    (void)state;
    static const release_case cases[] = {
        {"trino", "CREATE TABLE \"r\".\"map\" (k1 VARCHAR, r1 VARCHAR)",
         "CREATE TABLE \"r\".\"made\" AS SELECT m.r1 AS \"zip\", s.\"disease\" AS \"disease\" FROM "
         "\"s\".\"people\" s JOIN \"r\".\"map\" m ON (CASE WHEN COALESCE(CAST(s.\"zip\" AS "
         "VARCHAR), '') IN ('', 'it''s \\') THEN '' ELSE COALESCE(CAST(s.\"zip\" AS VARCHAR), '') "
         "END) = m.k1 ORDER BY random()"},
        {"snowflake", "CREATE TEMPORARY TABLE \"r\".\"map\" (k1 VARCHAR, r1 VARCHAR)",
         "CREATE TABLE \"r\".\"made\" AS SELECT m.r1 AS \"zip\", s.\"disease\" AS \"disease\" FROM "
         "\"s\".\"people\" s JOIN \"r\".\"map\" m ON (CASE WHEN COALESCE(CAST(s.\"zip\" AS "
         "VARCHAR), '') IN ('', 'it''s \\\\') THEN '' ELSE COALESCE(CAST(s.\"zip\" AS VARCHAR), "
         "'') END) = m.k1 ORDER BY RANDOM()"},
        {"spark", "CREATE TABLE `r`.`map` (k1 STRING, r1 STRING)",
         "CREATE TABLE `r`.`made` AS SELECT m.r1 AS `zip`, s.`disease` AS `disease` FROM "
         "`s`.`people` s JOIN `r`.`map` m ON (CASE WHEN COALESCE(CAST(s.`zip` AS STRING), '') IN "
         "('', 'it\\'s \\\\') THEN '' ELSE COALESCE(CAST(s.`zip` AS STRING), '') END) = m.k1 ORDER "
         "BY rand()"},
        {"mysql",
         "CREATE TEMPORARY TABLE `r`.`map` (k1 LONGTEXT CHARACTER SET utf8mb4 COLLATE "
         "utf8mb4_0900_bin, r1 LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin, INDEX "
         "(k1(64)))",
         "CREATE TABLE `r`.`made` AS SELECT m.r1 AS `zip`, s.`disease` AS `disease` FROM "
         "`s`.`people` s JOIN `r`.`map` m ON (CASE WHEN COALESCE(CAST(s.`zip` AS CHAR CHARACTER "
         "SET utf8mb4) COLLATE utf8mb4_0900_bin, '') COLLATE utf8mb4_0900_bin IN ('', 'it''s "
         "\\\\') THEN '' ELSE COALESCE(CAST(s.`zip` AS CHAR CHARACTER SET utf8mb4) COLLATE "
         "utf8mb4_0900_bin, '') END) COLLATE utf8mb4_0900_bin = m.k1 ORDER BY RANDOM_BYTES(16)"},
        {"sqlite", "CREATE TEMPORARY TABLE \"r\".\"map\" (k1 TEXT COLLATE BINARY, r1 TEXT)",
         "CREATE TABLE \"r\".\"made\" AS SELECT m.r1 AS \"zip\", s.\"disease\" AS \"disease\" FROM "
         "\"s\".\"people\" s JOIN \"r\".\"map\" m ON (CASE WHEN COALESCE(CAST(s.\"zip\" AS TEXT), "
         "'') COLLATE BINARY IN ('', 'it''s \\') THEN '' ELSE COALESCE(CAST(s.\"zip\" AS TEXT), "
         "'') "
         "END) COLLATE BINARY = m.k1 ORDER BY random()"},
        {"sqlserver",
         "CREATE TABLE [r].[map] (k1 NVARCHAR(MAX) COLLATE Latin1_General_100_BIN2, r1 "
         "NVARCHAR(MAX))",
         "SELECT m.r1 AS [zip], s.[disease] AS [disease] INTO [r].[made] FROM [s].[people] s JOIN "
         "[r].[map] m ON ((CASE WHEN (COALESCE(CAST(s.[zip] AS NVARCHAR(MAX)), N'') + N'|') "
         "COLLATE "
         "Latin1_General_100_BIN2 IN (N'' + N'|', N'it''s \\' + N'|') THEN N'' ELSE "
         "COALESCE(CAST(s.[zip] AS NVARCHAR(MAX)), N'') END) + N'|') COLLATE "
         "Latin1_General_100_BIN2 = (m.k1 + N'|') COLLATE Latin1_General_100_BIN2 ORDER BY "
         "NEWID()"},
        {"oracle", "CREATE TABLE \"r\".\"map\" (k1 VARCHAR2(4000), r1 VARCHAR2(4000))",
         "CREATE TABLE \"r\".\"made\" AS SELECT m.r1 AS \"zip\", s.\"disease\" AS \"disease\" FROM "
         "\"s\".\"people\" s JOIN \"r\".\"map\" m ON ((CASE WHEN (COALESCE(TO_CHAR(s.\"zip\"), '') "
         "|| '|') IN ('' || '|', 'it''s \\' || '|') THEN '' ELSE COALESCE(TO_CHAR(s.\"zip\"), '') "
         "END) || '|') = (m.k1 || '|') ORDER BY DBMS_RANDOM.VALUE"},
        {"bigquery", "CREATE TABLE `r`.`map` (k1 STRING, r1 STRING)",
         "CREATE TABLE `r`.`made` AS SELECT m.r1 AS `zip`, s.`disease` AS `disease` FROM "
         "`s`.`people` s JOIN `r`.`map` m ON COLLATE((CASE WHEN COLLATE(COALESCE(CAST(s.`zip` AS "
         "STRING), ''), '') IN ('', 'it\\'s \\\\') THEN '' ELSE COALESCE(CAST(s.`zip` AS STRING), "
         "'') "
         "END), '') = COLLATE(m.k1, '') ORDER BY GENERATE_UUID()"},
        {"clickhouse",
         "CREATE TABLE `r`.`map` (k1 String, r1 String) ENGINE = MergeTree ORDER BY tuple()",
         "CREATE TABLE `r`.`made` ENGINE = MergeTree ORDER BY tuple() AS SELECT m.r1 AS `zip`, "
         "s.`disease` AS `disease` FROM `s`.`people` s JOIN `r`.`map` m ON (CASE WHEN "
         "COALESCE(toString(s.`zip`), '') IN ('', 'it\\'s \\\\') THEN '' ELSE "
         "COALESCE(toString(s.`zip`), '') END) = m.k1 ORDER BY generateUUIDv4()"},
    };
    const char *names[] = {"zip", "disease"}, *keys[] = {"zip"};
    size_t places[] = {0, SIZE_MAX};
    mgl_span missing[] = {{"", 0}, {"it's \\", 6}};
    mgl_sql_release release = {.source = &source,
                               .map = &map,
                               .target = &target,
                               .names = names,
                               .places = places,
                               .n_columns = 2,
                               .n_mapped = 1,
                               .keys = keys,
                               .cells = {missing, 2, {"", 0}},
                               .shuffle = true};
    mgl_buffer text = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const mgl_sql_dialect *dialect = mgl_sql_dialect_find(cases[i].dialect);
        mgl_sql_write_map(&text, dialect, &release);
        expect_text(&text, cases[i].map);
        mgl_sql_write_release(&text, dialect, &release);
        expect_text(&text, cases[i].release);
    }
    release.cells.n_missing = 0;
    release.shuffle = false;
    mgl_sql_write_release(&text, mgl_sql_dialect_find("postgresql"), &release);
    expect_text(&text, "CREATE TABLE \"r\".\"made\" AS SELECT m.r1 AS \"zip\", s.\"disease\" AS "
                       "\"disease\" FROM \"s\".\"people\" s JOIN \"r\".\"map\" m ON "
                       "(COALESCE(CAST(s.\"zip\" AS text), '')) COLLATE \"C\" = m.k1");
    /* Of a map alone, with a type. */
    const char *types[] = {"integer"};
    release.n_columns = 1;
    release.types = types;
    release.repeats = release.shuffle = true;
    mgl_sql_write_map(&text, mgl_sql_dialect_find("postgresql"), &release);
    expect_text(&text, "CREATE UNLOGGED TABLE \"r\".\"map\" (r1 integer, n bigint, o bigint)");
    mgl_sql_write_release(&text, mgl_sql_dialect_find("postgresql"), &release);
    expect_text(&text, "CREATE TABLE \"r\".\"made\" AS SELECT m.r1 AS \"zip\" FROM \"r\".\"map\" m "
                       "CROSS JOIN LATERAL pg_catalog.generate_series(1, m.n) AS i "
                       "ORDER BY pg_catalog.hashint8extended(i, m.o)");
    mgl_buffer_free(&text);
}

static void tables_are_renamed_per_dialect(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"postgresql", "ALTER TABLE \"s\".\"people\" RENAME TO \"a]b\""},
        {"snowflake", "ALTER TABLE \"s\".\"people\" RENAME TO \"s\".\"a]b\""},
        {"clickhouse", "RENAME TABLE `s`.`people` TO `s`.`a]b`"},
        {"sqlserver", "EXEC sp_rename N'[s].[people]', N'a]b'"},
    };
    mgl_buffer text = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_sql_write_rename(&text, mgl_sql_dialect_find(cases[i][0]), &source, "a]b");
        expect_text(&text, cases[i][1]);
    }
    mgl_sql_identifier(&text, mgl_sql_dialect_find("sqlserver"), "a]b[");
    expect_text(&text, "[a]]b[]");
    mgl_sql_literal(&text, mgl_sql_dialect_find("bigquery"), (mgl_span){"a\nb'`", 5});
    expect_text(&text, "'a\\nb\\'`'");
    mgl_sql_identifier(&text, mgl_sql_dialect_find("bigquery"), "it's a ` \\");
    expect_text(&text, "`it's a \\` \\\\`");
    assert_false(mgl_sql_can_be_name(mgl_sql_dialect_find("oracle"), "a\"b"));
    assert_true(mgl_sql_can_be_name(mgl_sql_dialect_find("sqlite"), "a\"b"));
    mgl_buffer_free(&text);
}

static void dialects_are_found_by_name_and_product(void **state)
{
    (void)state;
    size_t n;
    const mgl_sql_dialect *all = mgl_sql_dialects(&n);
    assert_true(n >= 6);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(mgl_sql_dialect_find(all[i].name), &all[i]);
        assert_ptr_equal(mgl_sql_dialect_of_product(all[i].product), &all[i]);
        assert_true(all[i].text != NULL && all[i].bytewise != NULL && all[i].random != NULL &&
                    all[i].create_map != NULL && all[i].quote != 0);
        assert_true(all[i].begin != NULL || !all[i].undoes_create);
    }
    assert_string_equal(mgl_sql_dialect_of_product("Spark SQL 3.5")->name, "spark");
    assert_string_equal(mgl_sql_dialect_of_product("Unheard of")->name, "standard");
}

/* ---- UTF-16 --------------------------------------------------------------------- */

static void utf16_there_and_back(void **state)
{
    (void)state;
    mgl_buffer wide = {0}, back = {0};
    for (uint32_t point = 1; point <= 0x10FFFF; point += point < 0x3000 ? 1 : 977) {
        if (point >= 0xD800 && point < 0xE000)
            continue;
        uint16_t units[2] = {(uint16_t)point, 0};
        size_t n = 1;
        if (point >= 0x10000) {
            units[0] = (uint16_t)(0xD800 + ((point - 0x10000) >> 10));
            units[1] = (uint16_t)(0xDC00 + ((point - 0x10000) & 0x3FF));
            n = 2;
        }
        back.size = wide.size = 0;
        mgl_utf16_to_utf8(&back, units, n);
        assert_int_equal(mgl_utf8_valid(back.data, back.size), back.size);
        mgl_utf8_to_utf16(&wide, (mgl_span){back.data, back.size});
        assert_int_equal(wide.size, 2 * n);
        assert_memory_equal(wide.data, units, 2 * n);
    }
    static const uint16_t alone[] = {'a', 0xD801, 'b', 0xDC01};
    back.size = 0;
    mgl_utf16_to_utf8(&back, alone, 4);
    assert_int_equal(back.size, 8);
    assert_memory_equal(back.data,
                        "a\xEF\xBF\xBD"
                        "b\xEF\xBF\xBD",
                        8);
    static const char *const broken[] = {"\x80", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xFF"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        wide.size = 0;
        mgl_utf8_to_utf16(&wide, mgl_span_of(broken[i]));
        assert_int_equal(wide.size, 2 * strlen(broken[i]));
        assert_memory_equal(wide.data, "\xFD\xFF", 2);
    }
    mgl_buffer_free(&wide);
    mgl_buffer_free(&back);
}

/* ---- Counted tables --------------------------------------------------------------- */

static void counted_groups_become_rows(void **state)
{
    (void)state;
    mgl_span missing[] = {{"NA", 2}, {"", 0}};
    mgl_source_options options = {.missing = missing, .n_missing = 2, .no_value = missing[0]};
    mgl_counted counted = {.table = mgl_table_new(1), .options = &options};
    assert_non_null(counted.table);
    mgl_span cells[] = {{"x", 1}, {NULL, 0}, {"", 0}, {"NA", 2}, {"y", 1}};
    for (size_t i = 0; i < 5; i++)
        assert_true(mgl_counted_add(&counted, &cells[i], 10 + i));
    for (size_t i = 0; i < 300; i++) {
        char text[8];
        int size = snprintf(text, sizeof text, "v%zu", i);
        assert_true(mgl_counted_add(&counted, &(mgl_span){text, (size_t)size}, 1));
    }
    const mgl_column *column = &counted.table->columns[0];
    assert_int_equal(counted.table->n_rows, 305);
    assert_int_equal(counted.table->times[3], 13);
    assert_int_equal(mgl_column_code(column, 1), mgl_dictionary_missing(column->dictionary));
    assert_int_equal(mgl_column_code(column, 2), mgl_column_code(column, 1));
    assert_int_equal(mgl_column_code(column, 3), mgl_column_code(column, 1));
    assert_int_not_equal(mgl_column_code(column, 4), mgl_column_code(column, 0));
    assert_int_equal(mgl_column_code(column, 304),
                     mgl_dictionary_find(column->dictionary, mgl_span_of("v299")));
    mgl_table_free(counted.table);
}

/* An engine that has four groups of two columns and gives them from either end. */
typedef struct engine {
    bool backwards;
    int given;
} engine;

static mgl_status send_nothing(mgl_sql *sql, const char *statement, const mgl_span *values,
                               size_t n_values, mgl_error *err)
{
    (void)statement;
    (void)values;
    (void)n_values;
    return mgl_sql_expect(sql, 3, err);
}

static mgl_status fetch_group(mgl_sql *sql, mgl_error *err, bool *there)
{
    static const char *const groups[4][3] = {
        {"b", NULL, "3"}, {"c", "y", "1"}, {"a", "z", "2"}, {"b", "x", "5"}};
    engine *e = sql->state;
    (void)err;
    *there = e->given < 4;
    if (!*there)
        return MGL_OK;
    const char *const *group = groups[e->backwards ? 3 - e->given : e->given];
    for (size_t i = 0; i < 3; i++)
        sql->cells[i] = group[i] != NULL ? mgl_span_of(group[i]) : (mgl_span){NULL, 0};
    e->given++;
    return MGL_OK;
}

static void finish_nothing(mgl_sql *sql)
{
    (void)sql;
}

static mgl_table *count_groups(engine *e)
{
    static const mgl_sql_driver driver = {
        .send = send_nothing, .fetch = fetch_group, .finish = finish_nothing};
    mgl_span missing[] = {{"NA", 2}};
    mgl_source_options options = {.missing = missing, .n_missing = 1, .no_value = missing[0]};
    mgl_sql sql = {
        .driver = &driver, .dialect = mgl_sql_dialect_find("standard"), .state = e, .name = "test"};
    size_t wanted[] = {0, 1};
    mgl_sql_counting counting = {
        .table = &source, .columns = &columns, .wanted = wanted, .n_wanted = 2};
    mgl_table *table = mgl_table_new(2);
    mgl_error err = {0};
    assert_non_null(table);
    mgl_buffer statement = {0};
    mgl_sql_write_count(&statement, sql.dialect, &counting);
    assert_int_equal(mgl_sql_fetch_counts(&sql, &statement, &options, 0, &err, table), MGL_OK);
    mgl_buffer_free(&statement);
    mgl_free(sql.cells);
    return table;
}

/* Engines give groups in any order, which must not be seen in what is made of them (parts, sums).
 */
static void groups_in_any_order_give_equal_tables(void **state)
{
    (void)state;
    static const char *const in_order[2][4] = {{"a", "b", "c", NULL}, {"x", "y", "z", "NA"}};
    for (int backwards = 0; backwards < 2; backwards++) {
        mgl_table *table = count_groups(&(engine){.backwards = backwards});
        assert_int_equal(table->n_rows, 4);
        for (size_t c = 0; c < 2; c++)
            for (uint32_t code = 0; code < mgl_dictionary_size(table->columns[c].dictionary);
                 code++)
                assert_true(mgl_span_is(mgl_dictionary_value(table->columns[c].dictionary, code),
                                        in_order[c][code]));
        size_t first = backwards ? 3 : 0; /* b, NA */
        assert_int_equal(table->times[first], 3);
        assert_int_equal(mgl_column_code(&table->columns[0], first), 1);
        assert_int_equal(mgl_column_code(&table->columns[1], first), 3);
        assert_int_equal(mgl_dictionary_missing(table->columns[1].dictionary), 3);
        mgl_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locations_are_cut_into_server_and_table),
        cmocka_unit_test(incomplete_locations_are_refused),
        cmocka_unit_test(public_names_hide_users_and_secrets),
        cmocka_unit_test(counting_statements_are_as_expected),
        cmocka_unit_test(rows_are_left_out_wherever_the_table_is_read),
        cmocka_unit_test(grouping_statements_are_as_expected),
        cmocka_unit_test(release_statements_are_as_expected_per_dialect),
        cmocka_unit_test(tables_are_renamed_per_dialect),
        cmocka_unit_test(dialects_are_found_by_name_and_product),
        cmocka_unit_test(utf16_there_and_back),
        cmocka_unit_test(counted_groups_become_rows),
        cmocka_unit_test(groups_in_any_order_give_equal_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
