/* Tables of DuckDB and Parquet files that it made: types, order, counts. */
#include "test_text_files.h"

#include "io/duckdb/duckdb.h"

static const mgl_span missing_tokens[] = {{"", 0}, {"NA", 2}};
static const mgl_source_options usual = {.missing = missing_tokens, .n_missing = 2};

static const char *path_of(const char *ending)
{
    static char path[200];
    snprintf(path, sizeof path, "%.150s%s", test_path(), ending);
    return path;
}

/* Runs statements, in which %s is a path that ends so. */
static void run(const char *const *statements, const char *ending)
{
    mgl_duckdb db;
    mgl_error err = {0};
    assert_int_equal(mgl_duckdb_open(&db, NULL, "test", NULL, &err), MGL_OK);
    for (; *statements != NULL; statements++) {
        mgl_buffer text = {0};
        const char *mark = strstr(*statements, "%s");
        mgl_buffer_append(&text, *statements, mark != NULL ? (size_t)(mark - *statements) : 0);
        mgl_buffer_text(&text, mark != NULL ? path_of(ending) : *statements);
        mgl_buffer_text(&text, mark != NULL ? mark + 2 : "");
        mgl_status status = mgl_duckdb_run(&db, &text, &err);
        if (status == MGL_OK)
            status = mgl_duckdb_fetch(&db, &err);
        if (status != MGL_OK)
            print_error("%s\n", err.message);
        assert_int_equal(status, MGL_OK);
        mgl_buffer_free(&text);
    }
    mgl_duckdb_close(&db);
}

static mgl_status collect(void *context, const mgl_records *records, mgl_error *err)
{
    mgl_buffer *out = context;
    (void)err;
    for (size_t f = 0; f < records->n_records * records->n_fields; f++) {
        mgl_buffer_append(out, records->fields[f].data, records->fields[f].size);
        mgl_buffer_text(out, (f + 1) % records->n_fields == 0 ? "\n" : "|");
    }
    return MGL_OK;
}

static mgl_source *open_source(const char *location)
{
    mgl_error err = {0};
    mgl_source *source;
    mgl_status status = mgl_source_open(location, &usual, &err, &source);
    if (status != MGL_OK)
        print_error("%s\n", err.message);
    assert_int_equal(status, MGL_OK);
    return source;
}

static void every_type_has_its_text(void **state)
{
    (void)state;
    static const char types[] =
        "CREATE TABLE d.\"a \"\"table\" AS SELECT 7::INTEGER AS i, 23.0::DOUBLE AS d, "
        "0.1::FLOAT AS f, 'nan'::DOUBLE AS none, '-inf'::FLOAT AS endless, DATE '1965-09-20' AS "
        "day, TIMESTAMP '2020-01-31 13:45:00' AS t, "
        "118.30::DECIMAL(9,2) AS m, true AS b, 'x, \"y\"' AS \"t'x\", [1, 2] AS list, 'n' AS n";
    static const char *const statements[] = {
        "ATTACH '%s' AS d",
        types,
        "INSERT INTO d.\"a \"\"table\" (i, list) VALUES (NULL, NULL)",
        "CREATE SCHEMA d.s",
        "CREATE TABLE d.s.t AS SELECT 1 AS x",
        "DETACH d",
        NULL};
    char location[300];
    mgl_error err;
    mgl_table *table;
    unlink(path_of(".duckdb"));
    run(statements, ".duckdb");
    snprintf(location, sizeof location, "duckdb:%s?table=a \"table", path_of(".duckdb"));
    mgl_source *source = open_source(location);
    mgl_buffer rows = {0};
    assert_int_equal(mgl_source_each(source, collect, &rows, &err), MGL_OK);
    mgl_buffer_append(&rows, "", 1);
    assert_string_equal(rows.data, "7|23|0.1|nan|-inf|1965-09-20|2020-01-31T13:45:00|118.30|true|"
                                   "\"x, \"\"y\"\"\"|\"[1, 2]\"|n\n|||||||||||\n");
    mgl_buffer_free(&rows);
    assert_int_equal(mgl_source_meta(source, 5)->kind, MGL_CELLS_DATE);
    mgl_column_request n = {11, MGL_ROLE_QUASI}, list = {10, MGL_ROLE_QUASI};
    assert_int_equal(mgl_source_count(source, &n, 1, NULL, &err, &table), MGL_OK);
    assert_int_equal(table->n_rows, 2);
    mgl_table_free(table);
    assert_int_equal(mgl_source_read(source, &list, 1, NULL, NULL, &err, &table), MGL_DATA);
    assert_non_null(strstr(err.message, "INTEGER[]"));
    mgl_source_close(source);

    snprintf(location, sizeof location, "duckdb:%s?table=s.t", path_of(".duckdb"));
    source = open_source(location);
    assert_int_equal(mgl_source_columns(source), 1);
    mgl_source_close(source);
    snprintf(location, sizeof location, "duckdb:%s?table=none", path_of(".duckdb"));
    assert_int_equal(mgl_source_open(location, &usual, &err, &source), MGL_DATA);
    assert_non_null(strstr(err.message, "none"));
    unlink(path_of(".duckdb"));
}

typedef struct place {
    const mgl_table *table;
    size_t row;
} place;

static mgl_status compare(void *context, const mgl_records *records, mgl_error *err)
{
    place *p = context;
    (void)err;
    for (size_t r = 0; r < records->n_records; r++, p->row++)
        for (size_t c = 0; c < p->table->n_columns; c++) {
            const mgl_column *column = &p->table->columns[c];
            mgl_span value =
                mgl_dictionary_value(column->dictionary, mgl_column_code(column, p->row));
            mgl_field field = records->fields[r * records->n_fields + c];
            if (!mgl_span_equal(value, (mgl_span){field.data, field.size}))
                return MGL_DATA;
        }
    return MGL_OK;
}

/* Several row groups, which threads read side by side. */
static void both_passes_have_one_order(void **state)
{
    (void)state;
    enum { ROWS = 300000 };
    static const char *const statements[] = {
        "COPY (SELECT i AS id, hash(i) % 97 AS x, 'v' || hash(i) % 13 AS y FROM range(300000) "
        "t(i)) TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 20000)",
        NULL};
    run(statements, ".parquet");
    mgl_error err;
    mgl_source *source = open_source(path_of(".parquet"));
    mgl_column_request requested[] = {
        {0, MGL_ROLE_QUASI}, {1, MGL_ROLE_QUASI}, {2, MGL_ROLE_QUASI}};
    mgl_table *table, *counted;
    assert_int_equal(mgl_source_read(source, requested, 3, NULL, NULL, &err, &table), MGL_OK);
    assert_int_equal(table->n_rows, ROWS);
    place p = {table, 0};
    assert_int_equal(mgl_source_each(source, compare, &p, &err), MGL_OK);
    assert_int_equal(p.row, ROWS);

    assert_int_equal(mgl_source_count(source, requested + 1, 2, NULL, &err, &counted), MGL_OK);
    uint64_t total = 0, plain[97][13] = {{0}};
    const mgl_column *x = &table->columns[1], *y = &table->columns[2];
    for (size_t row = 0; row < ROWS; row++)
        plain[mgl_column_code(x, row)][mgl_column_code(y, row)]++;
    for (size_t row = 0; row < counted->n_rows; row++) {
        const mgl_column *a = &counted->columns[0], *b = &counted->columns[1];
        mgl_span first = mgl_dictionary_value(a->dictionary, mgl_column_code(a, row));
        mgl_span second = mgl_dictionary_value(b->dictionary, mgl_column_code(b, row));
        assert_int_equal(plain[mgl_dictionary_find(x->dictionary, first)]
                              [mgl_dictionary_find(y->dictionary, second)],
                         counted->times[row]);
        total += counted->times[row];
    }
    assert_int_equal(total, ROWS);
    for (uint32_t code = 1; code < mgl_dictionary_size(counted->columns[1].dictionary); code++)
        assert_true(mgl_span_compare(mgl_dictionary_value(counted->columns[1].dictionary, code - 1),
                                     mgl_dictionary_value(counted->columns[1].dictionary, code)) <
                    0);
    mgl_table_free(table);
    mgl_table_free(counted);
    mgl_source_close(source);
    unlink(path_of(".parquet"));
}

static int have_library(void)
{
    mgl_duckdb db;
    const char *build = getenv("BUILD");
    char path[4096];
    if (getenv("MINGLE_DUCKDB") == NULL && build != NULL) {
        snprintf(path, sizeof path, "%s/libduckdb.so", build);
        setenv("MINGLE_DUCKDB", path, 1);
    }
    mgl_status status = mgl_duckdb_open(&db, NULL, "test", NULL, NULL);
    mgl_duckdb_close(&db);
    return status == MGL_OK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_has_its_text),
        cmocka_unit_test(both_passes_have_one_order),
    };
    if (!have_library()) {
        printf("skipped: the library of DuckDB is not there (make duckdb)\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, test_remove);
}
