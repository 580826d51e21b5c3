/* Sources: names, codes, missing cells, refusals, threads, progress. */
#include "test_text_files.h"

#include "io/io.h"

static const mgl_span missing_tokens[] = {{"", 0}, {"NA", 2}};
static const mgl_source_options usual = {.missing = missing_tokens, .n_missing = 2};

static mgl_source *open_text(const char *text, const mgl_source_options *options)
{
    mgl_error err;
    mgl_source *source;
    if (mgl_source_open(test_text(text), options, &err, &source) != MGL_OK)
        fail_msg("%s", err.message);
    return source;
}

static mgl_table *read_all(mgl_source *source, mgl_pool *pool)
{
    mgl_error err;
    mgl_table *table;
    mgl_column_request requested[64];
    size_t n = mgl_source_columns(source);
    for (size_t c = 0; c < n; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    if (mgl_source_read(source, requested, n, pool, NULL, &err, &table) != MGL_OK)
        fail_msg("%s", err.message);
    return table;
}

static void assert_cell(const mgl_table *table, size_t column, size_t row, const char *text)
{
    const mgl_column *c = &table->columns[column];
    assert_true(mgl_span_is(mgl_dictionary_value(c->dictionary, mgl_column_code(c, row)), text));
}

static void quoted_and_plain_cells_are_read(void **state)
{
    (void)state;
    mgl_source *source = open_text("sex;\"the age\";x\r\nMale;39;\"a;b\"\r\n\"Male\";50;\"say "
                                   "\"\"no\"\"\"\r\nFemale;39;plain",
                                   &usual);
    assert_string_equal(mgl_source_name(source), test_path());
    assert_int_equal(mgl_source_columns(source), 3);
    assert_string_equal(mgl_source_column(source, 1), "the age");
    assert_int_equal(mgl_source_find(source, "x"), 2);
    assert_int_equal(mgl_source_find(source, "y"), SIZE_MAX);
    const mgl_dialect *dialect = mgl_source_dialect(source);
    assert_true(dialect->delimiter == ';' && dialect->crlf && !dialect->final_newline);
    mgl_table *table = read_all(source, NULL);
    assert_int_equal(table->n_rows, 3);
    assert_int_equal(table->n_columns, 3);
    assert_string_equal(table->columns[0].name, "sex");
    assert_int_equal(mgl_dictionary_size(table->columns[0].dictionary), 2);
    assert_int_equal(mgl_column_code(&table->columns[0], 1), 0); /* quoted or not: one value */
    assert_int_equal(mgl_column_code(&table->columns[0], 2), 1);
    assert_cell(table, 1, 1, "50");
    assert_cell(table, 2, 0, "a;b");
    assert_cell(table, 2, 1, "say \"no\"");
    assert_cell(table, 2, 2, "plain");
    mgl_table_free(table);
    mgl_source_close(source);
}

static void wishes_choose_and_order_columns(void **state)
{
    (void)state;
    mgl_source *source = open_text("a,b,c\n1,2,3\n4,5,6\n", &usual);
    const mgl_column_request requested[] = {{2, MGL_ROLE_SENSITIVE}, {0, MGL_ROLE_QUASI}};
    mgl_error err;
    mgl_table *table;
    assert_int_equal(mgl_source_read(source, requested, 2, NULL, NULL, &err, &table), MGL_OK);
    assert_int_equal(table->n_columns, 2);
    assert_string_equal(table->columns[0].name, "c");
    assert_int_equal(table->columns[0].role, MGL_ROLE_SENSITIVE);
    assert_int_equal(table->columns[0].source_index, 2);
    assert_cell(table, 0, 1, "6");
    assert_cell(table, 1, 1, "4");
    mgl_table_free(table);
    assert_int_equal(mgl_source_read(source, requested, 0, NULL, NULL, &err, &table), MGL_OK);
    assert_int_equal(table->n_rows, 2);
    mgl_table_free(table);
    mgl_source_close(source);
}

static void missing_cells_are_one_value(void **state)
{
    (void)state;
    mgl_source *source = open_text("a,b\nNA,1\n,2\n\"\",3\n\"NA\",4\nna,5\n NA,6\n", &usual);
    mgl_table *table = read_all(source, NULL);
    const mgl_column *column = &table->columns[0];
    for (size_t row = 0; row < 4; row++)
        assert_int_equal(mgl_column_code(column, row), mgl_dictionary_missing(column->dictionary));
    assert_int_equal(mgl_dictionary_size(column->dictionary), 3);
    assert_cell(table, 0, 0, "");
    assert_cell(table, 0, 4, "na");
    assert_cell(table, 0, 5, " NA");
    assert_int_equal(mgl_dictionary_missing(table->columns[1].dictionary), MGL_NOT_FOUND);
    mgl_table_free(table);
    mgl_source_close(source);
    mgl_source_options none = {0};
    source = open_text("a,b\nNA,1\n,2\n", &none);
    table = read_all(source, NULL);
    assert_int_equal(mgl_dictionary_missing(table->columns[0].dictionary), MGL_NOT_FOUND);
    assert_cell(table, 0, 1, "");
    mgl_table_free(table);
    mgl_source_close(source);
}

static void columns_without_names_get_them_on_demand(void **state)
{
    (void)state;
    mgl_source_options options = {.no_header = true};
    mgl_source *source = open_text("a,a\n1,2\n", &options);
    assert_string_equal(mgl_source_column(source, 1), "column2");
    mgl_table *table = read_all(source, NULL);
    assert_int_equal(table->n_rows, 2);
    assert_cell(table, 0, 0, "a");
    mgl_table_free(table);
    mgl_source_close(source);
    options = (mgl_source_options){.allow_unnamed = true};
    source = open_text(",b,\"\"\n1,2,3\n", &options);
    assert_string_equal(mgl_source_column(source, 0), "row.names");
    assert_string_equal(mgl_source_column(source, 2), "column3");
    mgl_source_close(source);
}

static void row_names_of_r_are_a_column(void **state)
{
    static const char *const tables[] = {
        "\"\",\"a\",\"b\"\n\"1\",7,\"x\"\n\"2\",8,\"y\"\n", /* write.csv */
        "\"a\";\"b\"\n\"1\";7;\"x\"\n\"2\";8;\"y\"\n",      /* write.table */
        "a\tb\n1\t7\tx\n2\t8\ty\n",                         /* quote = FALSE */
        "\"a\" \"b\"\n\"Ann\" 7 \"x\"\n\"Bob\" 8 \"y\"\n",  /* blanks between */
        "\"a\" \"b\"\r\n\"1\" 7 \"x\"\r\n\"2\" 8 \"y\"\r\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        mgl_source_options options = {0};
        mgl_source *source = open_text(tables[i], &options);
        assert_int_equal(mgl_source_columns(source), 3);
        assert_string_equal(mgl_source_column(source, 0), "row.names");
        assert_string_equal(mgl_source_column(source, 1), "a");
        mgl_table *table = read_all(source, NULL);
        assert_int_equal(table->n_rows, 2);
        assert_cell(table, 1, 1, "8");
        assert_cell(table, 2, 1, "y");
        assert_int_equal(mgl_source_line(source, 1), 3);
        mgl_table_free(table);
        mgl_source_close(source);
    }
}

static void lines_that_end_in_a_delimiter_have_an_empty_column(void **state)
{
    (void)state;
    mgl_source_options options = {0};
    mgl_source *source = open_text("a,b,\n1,2,\n3,4,\n", &options);
    assert_string_equal(mgl_source_column(source, 2), "column3");
    mgl_source_close(source);
}

static void refuse(const char *text, const mgl_source_options *options, uint64_t line,
                   const char *words)
{
    mgl_error err;
    mgl_source *source;
    assert_int_equal(mgl_source_open(test_text(text), options, &err, &source), MGL_DATA);
    assert_message(err.message, line, words);
}

static void bad_tables_are_refused(void **state)
{
    (void)state;
    refuse("a,b,a\n1,2,3\n", &usual, 1, "columns 1 and 3 are both called 'a'");
    refuse("a,\"a\"\n1,2\n", &usual, 1, "columns 1 and 2");
    refuse("a,,c\n1,2,3\n", &usual, 1, "column 2 has no name");
    refuse("a,b\n", &usual, 0, "no rows");
    refuse("a,b", &usual, 0, "no rows");
    refuse("", &usual, 0, "empty");
    refuse("\xef\xbb\xbf", &usual, 0, "empty");
    mgl_source_options unnamed = {.allow_unnamed = true};
    refuse("column2,\n1,2\n", &unnamed, 1, "columns 1 and 2 are both called 'column2'");
}

/* Faults in columns nobody wished for are still faults. */
static void every_column_is_checked(void **state)
{
    (void)state;
    static const char *const lines[] = {"1,\xff", "1", "1,2,3", "1,x\"y", "1,\"x\" "};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        /* Beyond the first block, so that opening does not see it. */
        mgl_buffer text = {0};
        mgl_buffer_text(&text, "a,b\n");
        for (int row = 0; row < 200000; row++)
            mgl_buffer_text(&text, "1,2\n");
        mgl_buffer_format(&text, "%s\n", lines[i]);
        assert_false(text.failed);
        mgl_error err;
        mgl_source *source;
        mgl_table *table;
        mgl_column_request request = {0, MGL_ROLE_QUASI};
        assert_int_equal(mgl_source_open(test_file(text.data, text.size), &usual, &err, &source),
                         MGL_OK);
        assert_int_equal(mgl_source_read(source, &request, 1, NULL, NULL, &err, &table), MGL_DATA);
        assert_message(err.message, 200002, "");
        mgl_source_close(source);
        mgl_buffer_free(&text);
    }
}

/* A table in which columns have 2, 300, 70000 and all different values, some of them long,
 * some quoted. */
static void write_large(mgl_buffer *text, int rows, bool crlf)
{
    uint64_t seed = 5;
    mgl_buffer_text(text, crlf ? "a,b,c,d\r\n" : "a,b,c,d\n");
    for (int row = 0; row < rows; row++) {
        uint64_t r = test_random(&seed);
        mgl_buffer_format(text, "%s,%.*s%u,", r & 1 ? "yes" : "\"no\"", (int)(r >> 8) % 3 * 16,
                          "a text that is long enough to not fit into a word",
                          (unsigned)(r >> 16) % 300);
        mgl_buffer_format(text, "\"v%u\",%d", (unsigned)(r >> 32) % 70000, row);
        mgl_buffer_text(text, crlf ? "\r\n" : "\n");
    }
    assert_false(text->failed);
}

static void large_tables_are_the_same_for_any_threads(void **state)
{
    (void)state;
    enum { ROWS = 300000 };
    for (int crlf = 0; crlf < 2; crlf++) {
        mgl_buffer text = {0};
        write_large(&text, ROWS, crlf);
        mgl_error err;
        mgl_source *source;
        mgl_pool *pool;
        assert_int_equal(mgl_source_open(test_file(text.data, text.size), &usual, &err, &source),
                         MGL_OK);
        assert_int_equal(mgl_pool_new(4, &err, &pool), MGL_OK);
        mgl_table *one = read_all(source, NULL), *four = read_all(source, pool);
        assert_int_equal(one->n_rows, ROWS);
        assert_int_equal(four->n_rows, ROWS);
        static const unsigned widths[] = {1, 2, 4, 4};
        /* The second pass gives the cells again: each must be what its code says. */
        for (size_t c = 0; c < 4; c++) {
            assert_int_equal(one->columns[c].width, widths[c]);
            assert_int_equal(four->columns[c].width, widths[c]);
            assert_memory_equal(one->columns[c].codes, four->columns[c].codes, ROWS * widths[c]);
            uint32_t size = mgl_dictionary_size(one->columns[c].dictionary), largest = 0;
            assert_int_equal(size, mgl_dictionary_size(four->columns[c].dictionary));
            for (size_t row = 0; row < ROWS; row++) { /* numbered by first appearance */
                uint32_t code = mgl_column_code(&one->columns[c], row);
                assert_true(code <= largest);
                largest += code == largest;
            }
            assert_int_equal(largest, size);
        }
        mgl_records records;
        mgl_buffer scratch = {0};
        size_t row = 0;
        assert_int_equal(mgl_source_rewind(source, &err), MGL_OK);
        do {
            assert_int_equal(mgl_source_next(source, &err, &records), MGL_OK);
            assert_int_equal(records.n_records > 0 ? records.first_line : row + 2, row + 2);
            for (size_t r = 0; r < records.n_records; r++, row++)
                for (size_t c = 0; c < 4; c++) {
                    mgl_span cell = mgl_field_value(records.fields[r * 4 + c], &scratch);
                    uint32_t code = mgl_column_code(&one->columns[c], row);
                    assert_true(mgl_span_equal(
                        cell, mgl_dictionary_value(four->columns[c].dictionary, code)));
                }
        } while (records.n_records > 0);
        assert_int_equal(row, ROWS);
        mgl_buffer_free(&scratch);
        mgl_table_free(one);
        mgl_table_free(four);
        mgl_pool_free(pool);
        mgl_source_close(source);
        mgl_buffer_free(&text);
    }
}

/* Around the sizes at which the coder takes another way, and with one byte's difference. */
static void values_of_any_length_are_told_apart(void **state)
{
    (void)state;
    enum { LONGEST = 40, ROUNDS = 50 };
    mgl_buffer text = {0};
    mgl_buffer_text(&text, "a,b\r\n");
    for (int round = 0; round < ROUNDS; round++)
        for (int size = 0; size <= LONGEST; size++)
            for (int odd = 0; odd <= size; odd++) { /* odd == size: none is */
                char value[LONGEST + 1];
                memset(value, 'x', sizeof value);
                value[odd] = 'y';
                mgl_buffer_format(&text, "%.*s,%.*s\r\n", size, value, size, value);
            }
    assert_false(text.failed);
    mgl_error err;
    mgl_source *source;
    mgl_source_options options = {0};
    assert_int_equal(mgl_source_open(test_file(text.data, text.size), &options, &err, &source),
                     MGL_OK);
    mgl_table *table = read_all(source, NULL);
    size_t distinct = (LONGEST + 1) * (LONGEST + 2) / 2;
    assert_int_equal(table->n_rows, distinct * ROUNDS);
    for (size_t c = 0; c < 2; c++) {
        assert_int_equal(mgl_dictionary_size(table->columns[c].dictionary), distinct);
        for (size_t row = 0; row < table->n_rows; row++)
            assert_int_equal(mgl_column_code(&table->columns[c], row), row % distinct);
    }
    mgl_table_free(table);
    mgl_source_close(source);
    mgl_buffer_free(&text);
}

typedef struct listener {
    int calls, stop_at;
    uint64_t done, total;
} listener;

static int listen(void *user, const char *stage, uint64_t done, uint64_t total)
{
    listener *l = user;
    assert_string_equal(stage, "read");
    assert_true(done >= l->done && done <= total);
    l->done = done;
    l->total = total;
    return ++l->calls == l->stop_at;
}

static void progress_is_told_and_can_stop(void **state)
{
    (void)state;
    mgl_buffer text = {0};
    write_large(&text, 400000, false);
    mgl_error err;
    mgl_source *source;
    assert_int_equal(mgl_source_open(test_file(text.data, text.size), &usual, &err, &source),
                     MGL_OK);
    mgl_pool *pools[2] = {NULL, NULL};
    assert_int_equal(mgl_pool_new(2, &err, &pools[1]), MGL_OK);
    mgl_column_request request = {1, MGL_ROLE_QUASI};
    for (int i = 0; i < 2; i++) {
        listener l = {0};
        mgl_progress progress = {listen, &l, NULL};
        mgl_table *table;
        assert_int_equal(mgl_source_read(source, &request, 1, pools[i], &progress, &err, &table),
                         MGL_OK);
        mgl_table_free(table);
        assert_true(l.calls >= 3);
        assert_int_equal(l.total, text.size);
        assert_int_equal(l.done, text.size);
        l = (listener){.stop_at = 2};
        assert_int_equal(mgl_source_read(source, &request, 1, pools[i], &progress, &err, &table),
                         MGL_CANCELLED);
        assert_int_equal(l.calls, 2);
    }
    mgl_pool_free(pools[1]);
    mgl_source_close(source);
    mgl_buffer_free(&text);
}

static void a_change_between_the_passes_is_seen(void **state)
{
    (void)state;
    mgl_source *source = open_text("a,b\n1,2\n", &usual);
    mgl_table_free(read_all(source, NULL));
    FILE *file = fopen(test_path(), "ab");
    assert_non_null(file);
    fputs("3,4\n", file);
    fclose(file);
    mgl_error err;
    mgl_records records;
    assert_int_equal(mgl_source_rewind(source, &err), MGL_OK);
    assert_int_equal(mgl_source_next(source, &err, &records), MGL_DATA);
    assert_message(err.message, 0, "grown");
    mgl_source_close(source);
}

static void formats_are_found_by_their_endings(void **state)
{
    (void)state;
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n), *found;
    assert_true(n >= 1);
    assert_string_equal(formats[0]->name, "csv");
    assert_true(formats[0]->text);
    for (size_t i = 0; i < n; i++) {
        char location[100];
        if (formats[i]->scheme == NULL && formats[i]->endings == NULL)
            continue; /* known by what it holds */
        snprintf(location, sizeof location, "%s%.20s",
                 formats[i]->scheme != NULL ? formats[i]->scheme : "x",
                 formats[i]->endings != NULL ? formats[i]->endings : "");
        location[strcspn(location, " ")] = '\0';
        assert_ptr_equal(mgl_location_of(location).format, formats[i]);
    }
    assert_ptr_equal(mgl_location_of("-").format, formats[0]);
    assert_ptr_equal(mgl_location_of("data").format, formats[0]);
    assert_ptr_equal(mgl_location_of("DATA.CSV").format, formats[0]);
    assert_int_equal(mgl_format_to_write("-", NULL, &found), MGL_OK);
}

/* Every day of 800 years, and odd times of day. */
static void days_and_times_read_back(void **state)
{
    (void)state;
    char text[MGL_TIME_TEXT];
    double seconds;
    for (int day = -141428; day < 151000; day++) {
        size_t size = mgl_date_write(day * 86400.0 + day % 86400 * (day > 0), text);
        assert_true(mgl_date_read((mgl_span){text, size}, &seconds));
        double moment = day * 86400.0 + (day & 0xffff) + 0.125 * (day & 7);
        size = mgl_datetime_write(moment, text);
        assert_true(mgl_datetime_read((mgl_span){text, size}, &seconds));
        assert_true(seconds == moment);
    }
    assert_int_equal(mgl_date_write(-1, text), 10);
    assert_string_equal(text, "1969-12-31");
    assert_true(mgl_date_read(mgl_span_of("2000-02-29"), &seconds));
    assert_true(seconds == 951782400);
    static const char *const wrong[] = {"1900-02-29", "2000-13-01", "2000-00-10",  "2000-1-10",
                                        "2000-01-32", "20000101",   "2000-01-01 ", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(mgl_date_read(mgl_span_of(wrong[i]), &seconds));
    assert_false(mgl_datetime_read(mgl_span_of("2000-01-01T24:00:00"), &seconds));
    assert_false(mgl_datetime_read(mgl_span_of("2000-01-01T12:00"), &seconds));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quoted_and_plain_cells_are_read),
        cmocka_unit_test(wishes_choose_and_order_columns),
        cmocka_unit_test(missing_cells_are_one_value),
        cmocka_unit_test(columns_without_names_get_them_on_demand),
        cmocka_unit_test(row_names_of_r_are_a_column),
        cmocka_unit_test(lines_that_end_in_a_delimiter_have_an_empty_column),
        cmocka_unit_test(bad_tables_are_refused),
        cmocka_unit_test(every_column_is_checked),
        cmocka_unit_test(large_tables_are_the_same_for_any_threads),
        cmocka_unit_test(values_of_any_length_are_told_apart),
        cmocka_unit_test(progress_is_told_and_can_stop),
        cmocka_unit_test(a_change_between_the_passes_is_seen),
        cmocka_unit_test(formats_are_found_by_their_endings),
        cmocka_unit_test(days_and_times_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, test_remove);
}
