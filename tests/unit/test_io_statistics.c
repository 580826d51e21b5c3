/* Files of statistics packages: what is read, what is written, what breaks. */
#include "test_text_files.h"

#include "base/fault.h"
#include "io/io.h"
#include "mingle.h"

#ifdef MGL_READSTAT
#include <fcntl.h>
#include <math.h>
#include <readstat.h>

static const mgl_span missing_tokens[] = {{"", 0}, {"NA", 2}};
static const mgl_source_options usual = {.missing = missing_tokens, .n_missing = 2};

/* ---- Files made by the library alone ------------------------------------------------------ */

static ssize_t put(const void *data, size_t size, void *context)
{
    return write(*(int *)context, data, size);
}

static const char *path_of(const char *ending)
{
    static char path[200];
    snprintf(path, sizeof path, "%.150s%s", test_path(), ending);
    return path;
}

/* Columns: a code with labels and missing codes, a day, a text, a fraction. */
static const double codes[] = {1, 2, 99, NAN, -7}, fractions[] = {0.1, 1e21, -2.5, 3, 1.0 / 3};
static const double days[] = {12087792000, 13700275200, NAN, 12087792000, 13700275200};
static const char *const texts[] = {"a", "b \"c\", d", "", "long text", "\xc3\xa9"};
enum { ROWS = 5 };

static void write_spss(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    readstat_writer_t *w = readstat_writer_init();
    readstat_set_data_writer(w, put);
    readstat_label_set_t *set = readstat_add_label_set(w, READSTAT_TYPE_DOUBLE, "codes");
    readstat_label_double_value(set, 1, "one");
    readstat_label_double_value(set, 2, "two");
    readstat_label_double_value(set, 99, "refused");
    readstat_variable_t *code = readstat_add_variable(w, "code", READSTAT_TYPE_DOUBLE, 0);
    readstat_variable_set_label(code, "a code");
    readstat_variable_set_label_set(code, set);
    assert_int_equal(readstat_variable_add_missing_double_range(code, -9, -1), READSTAT_OK);
    assert_int_equal(readstat_variable_add_missing_double_value(code, 99), READSTAT_OK);
    readstat_variable_t *day = readstat_add_variable(w, "day", READSTAT_TYPE_DOUBLE, 0);
    readstat_variable_set_format(day, "EDATE10");
    readstat_variable_t *text = readstat_add_variable(w, "text", READSTAT_TYPE_STRING, 20);
    readstat_variable_t *fraction = readstat_add_variable(w, "fraction", READSTAT_TYPE_DOUBLE, 0);
    assert_int_equal(readstat_begin_writing_sav(w, &fd, ROWS), READSTAT_OK);
    for (size_t r = 0; r < ROWS; r++) {
        readstat_begin_row(w);
        isnan(codes[r]) ? readstat_insert_missing_value(w, code)
                        : readstat_insert_double_value(w, code, codes[r]);
        isnan(days[r]) ? readstat_insert_missing_value(w, day)
                       : readstat_insert_double_value(w, day, days[r]);
        readstat_insert_string_value(w, text, texts[r]);
        readstat_insert_double_value(w, fraction, fractions[r]);
        assert_int_equal(readstat_end_row(w), READSTAT_OK);
    }
    assert_int_equal(readstat_end_writing(w), READSTAT_OK);
    readstat_writer_free(w);
    close(fd);
}

/* ---- Reading ------------------------------------------------------------------------------- */

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

static void assert_rows(mgl_source *source, const char *expected)
{
    mgl_error err;
    mgl_buffer rows = {0};
    assert_int_equal(mgl_source_each(source, collect, &rows, &err), MGL_OK);
    mgl_buffer_append(&rows, "", 1);
    assert_string_equal(rows.data, expected);
    mgl_buffer_free(&rows);
}

static mgl_span cell(const mgl_table *table, size_t column, size_t row)
{
    const mgl_column *c = &table->columns[column];
    return mgl_dictionary_value(c->dictionary, mgl_column_code(c, row));
}

static void spss_files_are_read(void **state)
{
    (void)state;
    mgl_error err;
    mgl_source *source;
    mgl_table *table;
    write_spss(path_of(".sav"));
    assert_int_equal(mgl_source_open(path_of(".sav"), &usual, &err, &source), MGL_OK);
    assert_int_equal(mgl_source_columns(source), 4);
    assert_string_equal(mgl_source_column(source, 1), "day");
    const mgl_column_meta *meta = mgl_source_meta(source, 0);
    assert_int_equal(meta->kind, MGL_CELLS_NUMBER);
    assert_string_equal(meta->label, "a code");
    assert_int_equal(meta->labels.n, 3);
    assert_true(mgl_span_is(mgl_label_of(&meta->labels, mgl_span_of("99")), "refused"));
    assert_int_equal(meta->n_missing, 2);
    assert_int_equal(mgl_source_meta(source, 1)->kind, MGL_CELLS_DATE);
    assert_int_equal(mgl_source_meta(source, 2)->kind, MGL_CELLS_TEXT);

    /* Columns that are only copied keep their codes; counted ones do not. */
    assert_rows(source, "1|1965-10-31|a|0.1\n2|2016-12-05|\"b \"\"c\"\", d\"|1e21\n99|||-2.5\n"
                        "|1965-10-31|long text|3\n-7|2016-12-05|\xc3\xa9|0.3333333333333333\n");
    mgl_column_request requested[] = {{0, MGL_ROLE_QUASI}, {3, MGL_ROLE_QUASI}};
    assert_int_equal(mgl_source_read(source, requested, 2, NULL, NULL, &err, &table), MGL_OK);
    assert_int_equal(table->n_rows, ROWS);
    uint32_t missing = mgl_dictionary_missing(table->columns[0].dictionary);
    for (size_t r = 0; r < ROWS; r++)
        assert_int_equal(mgl_column_code(&table->columns[0], r) == missing, r >= 2);
    assert_true(mgl_span_is(cell(table, 0, 1), "2"));
    assert_true(mgl_span_is(cell(table, 1, 0), "0.1"));
    assert_int_equal(mgl_dictionary_labels(table->columns[0].dictionary)->n, 3);
    assert_rows(source, "1|1965-10-31|a|0.1\n2|2016-12-05|\"b \"\"c\"\", d\"|1e21\n|||-2.5\n"
                        "|1965-10-31|long text|3\n|2016-12-05|\xc3\xa9|0.3333333333333333\n");
    mgl_table_free(table);
    mgl_source_close(source);
}

/* A SAS file, and the catalog beside it that has the labels of its codes. */
static void write_sas(const char *data, const char *catalog)
{
    int fd = open(data, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    readstat_writer_t *w = readstat_writer_init();
    readstat_set_data_writer(w, put);
    readstat_variable_t *code = readstat_add_variable(w, "code", READSTAT_TYPE_DOUBLE, 0);
    readstat_variable_set_label(code, "a code");
    readstat_variable_set_format(code, "CODES");
    readstat_variable_t *day = readstat_add_variable(w, "day", READSTAT_TYPE_DOUBLE, 0);
    readstat_variable_set_format(day, "DATE9");
    readstat_variable_t *text = readstat_add_variable(w, "text", READSTAT_TYPE_STRING, 12);
    assert_int_equal(readstat_begin_writing_sas7bdat(w, &fd, 3), READSTAT_OK);
    for (size_t r = 0; r < 3; r++) {
        readstat_begin_row(w);
        r == 2 ? readstat_insert_missing_value(w, code)
               : readstat_insert_double_value(w, code, (double)r + 1);
        readstat_insert_double_value(w, day, (double)(2129 + r)); /* days since 1960 */
        readstat_insert_string_value(w, text, r == 1 ? "" : "some text");
        assert_int_equal(readstat_end_row(w), READSTAT_OK);
    }
    assert_int_equal(readstat_end_writing(w), READSTAT_OK);
    readstat_writer_free(w);
    close(fd);

    fd = open(catalog, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    w = readstat_writer_init();
    readstat_set_data_writer(w, put);
    readstat_label_set_t *set = readstat_add_label_set(w, READSTAT_TYPE_DOUBLE, "CODES");
    readstat_label_double_value(set, 1, "one");
    readstat_label_double_value(set, 2, "two");
    assert_int_equal(readstat_begin_writing_sas7bcat(w, &fd), READSTAT_OK);
    assert_int_equal(readstat_end_writing(w), READSTAT_OK);
    readstat_writer_free(w);
    close(fd);
}

static void sas_files_are_read(void **state)
{
    (void)state;
    char catalog[200];
    mgl_error err;
    mgl_source *source;
    snprintf(catalog, sizeof catalog, "%.190s", path_of(".sas7bcat"));
    write_sas(path_of(".sas7bdat"), catalog);
    if (mgl_source_open(path_of(".sas7bdat"), &usual, &err, &source) != MGL_OK)
        fail_msg("%s", err.message);
    assert_int_equal(mgl_source_columns(source), 3);
    const mgl_column_meta *meta = mgl_source_meta(source, 0);
    assert_int_equal(meta->kind, MGL_CELLS_NUMBER);
    assert_string_equal(meta->label, "a code");
    assert_int_equal(meta->labels.n, 2);
    assert_true(mgl_span_is(mgl_label_of(&meta->labels, mgl_span_of("2")), "two"));
    assert_int_equal(mgl_source_meta(source, 1)->kind, MGL_CELLS_DATE);
    assert_rows(source, "1|1965-10-30|some text\n2|1965-10-31|\n|1965-11-01|some text\n");
    mgl_source_close(source);
    unlink(catalog); /* without it there are no labels */
    assert_int_equal(mgl_source_open(path_of(".sas7bdat"), &usual, &err, &source), MGL_OK);
    assert_int_equal(mgl_source_meta(source, 0)->labels.n, 0);
    mgl_source_close(source);
    unlink(path_of(".sas7bdat"));
}

/* ---- Writing ------------------------------------------------------------------------------- */

static const mgl_value_label labels[] = {{{"1", 1}, {"one", 3}}, {{"2", 1}, {"two", 3}}};
static const mgl_column_meta code_meta = {
    .kind = MGL_CELLS_NUMBER, .label = "a code", .labels = {labels, 2}};
static const char *const cells[][4] = {{"1", "1965-10-31", "x", "1.5"},
                                       {"2", "", "a longer text", "-0.1"},
                                       {"", "2020-02-29", "y", "100"}};

/* Writes the cells above; narrow: the first column is no column of numbers any more. */
static mgl_status write_cells(const char *path, bool narrow, mgl_error *err, mgl_buffer *warnings)
{
    mgl_sink_column columns[] = {{.name = "code",
                                  .meta = &code_meta,
                                  .longest = 5,
                                  .numbers = !narrow,
                                  .whole = !narrow,
                                  .labels = {labels, 2}},
                                 {.name = "day", .longest = 10, .dates = true},
                                 {.name = "text", .longest = 13},
                                 {.name = "x", .longest = 4, .numbers = true}};
    mgl_buffer packed = {0};
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 4; c++)
            mgl_cells_put(&packed, mgl_span_of(narrow && c == 0 ? "10-19" : cells[r][c]));
    unlink(path); /* a file that is truncated is written to the disk when it is closed */
    int rows = mgl_sys_spool(), fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    mgl_status status = MGL_OK;
    if (packed.failed || rows < 0 || fd < 0 || mgl_sys_write(rows, packed.data, packed.size) != 0)
        status = mgl_fail_memory(err);
    mgl_sink_request request = {.path = path,
                                .fd = fd,
                                .target = path,
                                .columns = columns,
                                .n_columns = 4,
                                .n_rows = 3,
                                .missing = missing_tokens,
                                .n_missing = 2,
                                .warnings = warnings};
    if (status == MGL_OK)
        status = mgl_cell_reader_new(rows, 4, err, &request.rows);
    if (status == MGL_OK)
        status = mgl_sink_write(mgl_location_of(path).format, &request, err);
    mgl_cell_reader_free(request.rows);
    mgl_buffer_free(&packed);
    mgl_sys_close(rows);
    close(fd);
    return status;
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    static const char *const endings[] = {".sav", ".zsav", ".dta", ".xpt"};
    for (size_t i = 0; i < 4; i++) {
        mgl_error err;
        mgl_source *source;
        mgl_buffer warnings = {0};
        assert_int_equal(write_cells(path_of(endings[i]), false, &err, &warnings), MGL_OK);
        assert_int_equal(warnings.size, 0);
        assert_int_equal(mgl_source_open(path_of(endings[i]), &usual, &err, &source), MGL_OK);
        assert_rows(source, "1|1965-10-31|x|1.5\n2||a longer text|-0.1\n|2020-02-29|y|100\n");
        const mgl_column_meta *meta = mgl_source_meta(source, 0);
        assert_string_equal(meta->label, "a code");
        assert_int_equal(meta->labels.n, strcmp(endings[i], ".xpt") == 0 ? 0 : 2);
        mgl_source_close(source);
        assert_int_equal(write_cells(path_of(endings[i]), true, &err, &warnings), MGL_OK);
        mgl_buffer_append(&warnings, "", 1);
        assert_non_null(strstr(warnings.data, "column code is written as text"));
        mgl_buffer_free(&warnings);
        unlink(path_of(endings[i]));
    }
}

/* ---- Damage -------------------------------------------------------------------------------- */

static void cut_files_are_refused(void **state)
{
    (void)state;
    static const char *const endings[] = {".sav", ".dta"};
    for (size_t i = 0; i < 2; i++) {
        mgl_error err;
        mgl_buffer warnings = {0};
        mgl_file_state whole;
        assert_int_equal(write_cells(path_of(endings[i]), false, &err, &warnings), MGL_OK);
        assert_int_equal(mgl_sys_state_of(path_of(endings[i]), &whole), 0);
        for (uint64_t size = 0; size < whole.size; size += whole.size / 40 + 1) {
            mgl_source *source;
            mgl_table *table;
            mgl_column_request request = {0, MGL_ROLE_QUASI};
            assert_int_equal(truncate(path_of(endings[i]), (off_t)size), 0);
            mgl_status status = mgl_source_open(path_of(endings[i]), &usual, &err, &source);
            if (status == MGL_OK) {
                status = mgl_source_read(source, &request, 1, NULL, NULL, &err, &table);
                mgl_source_close(source);
            }
            assert_int_equal(status, MGL_DATA);
            assert_non_null(strstr(err.message, "damaged"));
            assert_int_equal(write_cells(path_of(endings[i]), false, &err, &warnings), MGL_OK);
        }
        mgl_buffer_free(&warnings);
        unlink(path_of(endings[i]));
    }
}

/* ---- Labels of a release ----------------------------------------------------------------------
 */

/* Releases the rows with the codes 1 and 2 of an SPSS file, the code in this role, and opens it. */
static mgl_source *release_codes(const char *role, const char *ending)
{
    char input[200];
    mgl_error err = {0};
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_source *source = NULL;
    write_spss(path_of(".sav"));
    snprintf(input, sizeof input, "%s", path_of(".sav"));
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    const char *const keys[][2] = {{"data", input},
                                   {"output", path_of(ending)},
                                   {"where", "code in (1, 2)"},
                                   {role, "code"},
                                   {strcmp(role, "qi") == 0 ? "insensitive" : "qi", "text"},
                                   {"identifier", "day,fraction"},
                                   {"allow-leaks", "true"},
                                   {"overwrite", "true"},
                                   {"k", "1"}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_int_equal(mgl_job_set(job, keys[i][0], keys[i][1], &err), MGL_OK);
    if (mgl_job_run(job, "anonymize", &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_result_free(result);
    mgl_job_free(job);
    assert_int_equal(mgl_source_open(path_of(ending), &usual, &err, &source), MGL_OK);
    unlink(input);
    unlink(path_of(ending));
    return source;
}

static void labels_stay_with_released_values(void **state)
{
    (void)state;
    static const char *const roles[] = {"insensitive", "sensitive", "qi"}, *const endings[] = {
                                                                               ".out.sav",
                                                                               ".out.dta"};
    for (size_t i = 0; i < 6; i++) {
        mgl_source *source = release_codes(roles[i / 2], endings[i % 2]);
        const mgl_column_meta *meta = mgl_source_meta(source, mgl_source_find(source, "code"));
        assert_int_equal(meta->labels.n, 2);
        assert_true(mgl_span_is(mgl_label_of(&meta->labels, mgl_span_of("1")), "one"));
        assert_true(mgl_span_is(mgl_label_of(&meta->labels, mgl_span_of("2")), "two"));
        mgl_source_close(source);
    }
}

#ifdef MGL_FAULTS
static mgl_status use(const char *path, mgl_error *err)
{
    mgl_buffer warnings = {0}, rows = {0};
    mgl_source *source = NULL;
    mgl_table *table = NULL;
    mgl_column_request request = {0, MGL_ROLE_QUASI};
    mgl_status status = write_cells(path, false, err, &warnings);
    if (status == MGL_OK)
        status = mgl_source_open(path, &usual, err, &source);
    if (status == MGL_OK)
        status = mgl_source_read(source, &request, 1, NULL, NULL, err, &table);
    if (status == MGL_OK)
        status = mgl_source_each(source, collect, &rows, err);
    mgl_table_free(table);
    mgl_source_close(source);
    mgl_buffer_free(&warnings);
    mgl_buffer_free(&rows);
    return status;
}

static void every_fault_while_reading_or_writing_is_an_error(void **state)
{
    (void)state;
    static const mgl_fault_kind kinds[] = {MGL_FAULT_MEMORY, MGL_FAULT_OPEN, MGL_FAULT_READ,
                                           MGL_FAULT_WRITE};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        uint64_t failures = 0;
        for (uint64_t number = 1;; number++) {
            mgl_error err = {0};
            mgl_fault_arm(kinds[k], number);
            mgl_status status = use(path_of(".sav"), &err);
            bool reached = mgl_fault_count(kinds[k]) >= number;
            mgl_fault_arm(kinds[k], 0);
            if (!reached) {
                assert_int_equal(status, MGL_OK);
                break;
            }
            if (status != MGL_OK)
                assert_int_equal(status, MGL_SYSTEM);
            failures += status != MGL_OK;
        }
        assert_true(failures > 0);
    }
    unlink(path_of(".sav"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spss_files_are_read),
        cmocka_unit_test(sas_files_are_read),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(labels_stay_with_released_values),
#ifdef MGL_FAULTS
        cmocka_unit_test(every_fault_while_reading_or_writing_is_an_error),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, test_remove);
}
#else
static void statistics_files_need_the_library(void **state)
{
    (void)state;
    print_message("skipped: built without libreadstat\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(statistics_files_need_the_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
