/* Engines that no dialect knows, through ODBC: SQLite's driver, spoken to in standard SQL. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "io/sql/read_database.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

static const mgl_source_options options = {.no_value = {"", 0}};

typedef struct bench {
    mgl_sql_location location;
    mgl_sql *sql;
} bench;

/* An empty file is an empty database. */
static int connect_to(void **state)
{
    static bench b;
    glob_t drivers;
    char location[512];
    FILE *file = fopen("odbc.db", "w");
    *state = NULL;
    if (file == NULL || fclose(file) != 0)
        return -1;
    if (glob("/usr/lib/*/odbc/libsqlite3odbc.so", 0, NULL, &drivers) == 0) {
        mgl_error err = {0};
        snprintf(location, sizeof location, "odbc:Driver=%s;Database=odbc.db;?table=people",
                 drivers.gl_pathv[0]);
        if (mgl_sql_location_parse(location, &err, &b.location) != MGL_OK)
            return -1;
        if (mgl_sql_connect(&b.location, &err, &b.sql) == MGL_OK)
            *state = &b;
    }
    globfree(&drivers);
    return 0;
}

static int disconnect(void **state)
{
    bench *b = *state;
    if (b != NULL) {
        mgl_sql_close(b->sql);
        mgl_sql_location_free(&b->location);
    }
    return 0;
}

static bool next_row(void *context, mgl_span *cells)
{
    size_t *row = context;
    static const char long_text[] = "0123456789";
    static char text[5000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = long_text[i % 10];
    cells[0] =
        *row == 1 ? (mgl_span){NULL, 0} : mgl_span_of(*row < 3 ? "\xC3\xA9\xF0\x9F\x98\x80" : "b");
    cells[1] = *row == 4 ? (mgl_span){text, sizeof text} : mgl_span_of("it's");
    return (*row)++ < 5;
}

static void engines_without_a_dialect_are_described_by_their_driver(void **state)
{
    bench *b = *state;
    if (b == NULL) {
        print_message("skipped: no ODBC driver of SQLite\n");
        skip();
    }
    mgl_error err = {0};
    mgl_sql_columns columns = {0};
    assert_string_equal(b->sql->dialect->name, "sqlite");
    b->sql->dialect = mgl_sql_dialect_find("standard");
    assert_int_equal(mgl_sql_check_target(b->sql, &b->location, false, NULL, &err), MGL_OK);
    assert_int_not_equal(mgl_sql_describe(b->sql, &b->location.table, &err, &columns), MGL_OK);
    mgl_sql_columns_free(&columns);
    assert_int_equal(
        mgl_sql_run_text(b->sql, "CREATE TABLE people (\"z ip\" VARCHAR(4000), job VARCHAR(4000))",
                         &err),
        MGL_OK);
    assert_int_equal(mgl_sql_describe(b->sql, &b->location.table, &err, &columns), MGL_OK);
    assert_int_equal(columns.n, 2);
    assert_string_equal(columns.list[0].name, "z ip");
    assert_false(columns.list[0].opaque || columns.list[0].exact);
    assert_int_equal(mgl_sql_check_target(b->sql, &b->location, false, NULL, &err), MGL_DATA);

    size_t row = 0, wanted[] = {0, 1};
    mgl_sql_rows rows = {2, next_row, &row};
    assert_int_equal(b->sql->driver->load(b->sql, "people", &rows, &err), MGL_OK);
    mgl_table *table = mgl_table_new(2);
    assert_non_null(table);
    mgl_sql_counting counting = {
        .table = &b->location.table, .columns = &columns, .wanted = wanted, .n_wanted = 2};
    mgl_buffer statement = {0};
    mgl_sql_write_count(&statement, b->sql->dialect, &counting);
    assert_int_equal(mgl_sql_fetch_counts(b->sql, &statement, &options, 0, &err, table), MGL_OK);
    mgl_buffer_free(&statement);
    assert_int_equal(table->n_rows, 4); /* no value, twice the smile, b, b with a long text */
    const mgl_dictionary *zips = table->columns[0].dictionary;
    uint32_t smile = mgl_dictionary_find(zips, mgl_span_of("\xC3\xA9\xF0\x9F\x98\x80"));
    assert_int_not_equal(smile, MGL_NOT_FOUND);
    assert_int_not_equal(mgl_dictionary_find(zips, mgl_span_of("")), MGL_NOT_FOUND);
    uint64_t records = 0;
    size_t longest = 0;
    for (size_t r = 0; r < table->n_rows; r++) {
        const mgl_column *jobs = &table->columns[1];
        mgl_span job = mgl_dictionary_value(jobs->dictionary, mgl_column_code(jobs, r));
        longest = job.size > longest ? job.size : longest;
        records += table->times[r];
        if (mgl_column_code(&table->columns[0], r) == smile)
            assert_int_equal(table->times[r], 2);
    }
    assert_int_equal(records, 5);
    assert_int_equal(longest, 5000);
    mgl_table_free(table);
    mgl_sql_columns_free(&columns);
}

/* Rows of many arrays, some with a text that fills one by itself. */
static bool next_of_many(void *context, mgl_span *cells)
{
    static char text[40000];
    size_t *row = context;
    memset(text, 'x', sizeof text);
    cells[0] = *row % 7 == 0 ? (mgl_span){NULL, 0} : mgl_span_of(*row % 2 == 0 ? "" : "a");
    cells[1] = (mgl_span){text, *row % 900 == 899 ? sizeof text : *row % 5};
    return (*row)++ < 2500;
}

static void rows_go_in_by_arrays_and_long_texts_are_refused_where_casts_cut(void **state)
{
    bench *b = *state;
    if (b == NULL)
        skip();
    mgl_error err = {0};
    mgl_sql_columns columns = {0};
    size_t row = 0;
    mgl_sql_rows rows = {2, next_of_many, &row};
    b->sql->dialect = mgl_sql_dialect_find("standard");
    assert_int_equal(mgl_sql_run_text(b->sql, "CREATE TABLE people (a VARCHAR(20), b TEXT)", &err),
                     MGL_OK);
    assert_int_equal(b->sql->driver->load(b->sql, "people", &rows, &err), MGL_OK);
    mgl_buffer asked = {0};
    mgl_buffer_text(&asked, "SELECT COUNT(*), COUNT(a), SUM(a = ''), SUM(LENGTH(b)) FROM people");
    bool there = false;
    assert_int_equal(mgl_sql_send(b->sql, &asked, &err), MGL_OK);
    assert_int_equal(mgl_sql_fetch(b->sql, &err, &there), MGL_OK);
    assert_true(there && mgl_span_is(b->sql->cells[0], "2500"));
    assert_true(mgl_span_is(b->sql->cells[1], "2142"));
    assert_true(mgl_span_is(b->sql->cells[2], "1071"));
    assert_true(mgl_span_is(b->sql->cells[3], "84992")); /* 2 of 40,000, others 0 to 4 */
    mgl_sql_finish(b->sql);
    mgl_buffer_free(&asked);

    assert_int_equal(mgl_sql_describe(b->sql, &b->location.table, &err, &columns), MGL_OK);
    assert_int_equal(mgl_sql_refuse_long(b->sql, &b->location.table, &columns, &err), MGL_DATA);
    assert_non_null(strstr(err.message, "column \"b\" holds texts of more than 4000 characters"));
    assert_int_equal(mgl_sql_run_text(b->sql, "DELETE FROM people WHERE LENGTH(b) > 4000", &err),
                     MGL_OK);
    assert_int_equal(mgl_sql_refuse_long(b->sql, &b->location.table, &columns, &err), MGL_OK);
    mgl_sql_columns_free(&columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(engines_without_a_dialect_are_described_by_their_driver,
                                        connect_to, disconnect),
        cmocka_unit_test_setup_teardown(
            rows_go_in_by_arrays_and_long_texts_are_refused_where_casts_cut, connect_to,
            disconnect)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
