/* Excel workbooks: what is written, read back, and what breaks on the way. */
#include "test_text_files.h"

#include "base/fault.h"
#include "io/io.h"
#include "io/xlsx/xlsx.h"

#ifdef MGL_XLSX
#include <fcntl.h>

static const mgl_span missing_tokens[] = {{"", 0}, {"NA", 2}};
static const mgl_source_options usual = {.missing = missing_tokens, .n_missing = 2};

static const char *path_of(const char *rest)
{
    static char path[200];
    snprintf(path, sizeof path, "%.150s.xlsx%s", test_path(), rest);
    return path;
}

static int remove_workbook(void **state)
{
    (void)state;
    unlink(path_of(""));
    return 0;
}

typedef struct release {
    const char *target; /* behind the path: #SHEET */
    const mgl_sink_column *columns;
    size_t n_columns, n_rows;
    const char *const *cells; /* [n_rows * n_columns] */
    uint64_t claimed;         /* rows; 0: n_rows */
    size_t n_missing;
} release;

static mgl_status write_release(const release *r, mgl_error *err, mgl_buffer *warnings)
{
    char path[200], target[260];
    mgl_buffer packed = {0};
    snprintf(path, sizeof path, "%s", path_of(""));
    snprintf(target, sizeof target, "%s%s", path, r->target != NULL ? r->target : "");
    for (size_t i = 0; i < r->n_rows * r->n_columns; i++)
        mgl_cells_put(&packed, mgl_span_of(r->cells[i]));
    unlink(path);
    int rows = mgl_sys_spool(), fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    mgl_status status = MGL_OK;
    if (packed.failed || rows < 0 || fd < 0 || mgl_sys_write(rows, packed.data, packed.size) != 0)
        status = mgl_fail_memory(err);
    mgl_sink_request request = {.path = path,
                                .fd = fd,
                                .target = target,
                                .columns = r->columns,
                                .n_columns = r->n_columns,
                                .n_rows = r->claimed > 0 ? r->claimed : r->n_rows,
                                .missing = missing_tokens,
                                .n_missing = r->n_missing > 0 ? r->n_missing : 2,
                                .warnings = warnings};
    if (status == MGL_OK)
        status = mgl_cell_reader_new(rows, r->n_columns, err, &request.rows);
    if (status == MGL_OK)
        status = mgl_sink_write(mgl_location_of(target).format, &request, err);
    mgl_cell_reader_free(request.rows);
    mgl_buffer_free(&packed);
    mgl_sys_close(rows);
    close(fd);
    return status;
}

static mgl_status collect(void *context, const mgl_records *records, mgl_error *err)
{
    mgl_buffer *out = context, scratch = {0};
    (void)err;
    for (size_t f = 0; f < records->n_records * records->n_fields; f++) {
        scratch.size = 0;
        mgl_buffer_span(out, mgl_field_value(records->fields[f], &scratch));
        mgl_buffer_text(out, (f + 1) % records->n_fields == 0 ? "\n" : "|");
    }
    mgl_buffer_free(&scratch);
    return MGL_OK;
}

/* Reads the workbook; the kinds of its columns are known after the first pass. */
static mgl_status read_back(mgl_error *err, mgl_buffer *rows, mgl_column_meta *meta, size_t n)
{
    mgl_source *source;
    mgl_table *table = NULL;
    mgl_column_request request = {0, MGL_ROLE_QUASI};
    MGL_TRY(mgl_source_open(path_of(""), &usual, err, &source));
    mgl_status status = mgl_source_read(source, &request, 1, NULL, NULL, err, &table);
    for (size_t c = 0; status == MGL_OK && c < n; c++)
        meta[c] = *mgl_source_meta(source, c);
    if (status == MGL_OK)
        status = mgl_source_each(source, collect, rows, err);
    mgl_table_free(table);
    mgl_source_close(source);
    return status;
}

/* Writes it, expects the warnings, and reads the rows again. */
static void assert_written(const release *r, const char *warned, const char *expected,
                           mgl_column_meta *meta)
{
    mgl_error err = {0};
    mgl_buffer warnings = {0}, rows = {0};
    if (write_release(r, &err, &warnings) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_buffer_append(&warnings, "", 1);
    if (warned == NULL ? warnings.size > 1 : strstr(warnings.data, warned) == NULL)
        fail_msg("warned: %s", warnings.data);
    if (read_back(&err, &rows, meta, meta != NULL ? r->n_columns : 0) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_buffer_append(&rows, "", 1);
    assert_string_equal(rows.data, expected);
    mgl_buffer_free(&warnings);
    mgl_buffer_free(&rows);
}

static void assert_refused(const release *r, mgl_status status, const char *words)
{
    mgl_error err = {0};
    mgl_buffer warnings = {0};
    assert_int_equal(write_release(r, &err, &warnings), status);
    if (strstr(err.message, words) == NULL)
        fail_msg("got \"%s\", wanted \"%s\"", err.message, words);
    mgl_buffer_free(&warnings);
}

static const mgl_sink_column plain[] = {{.name = "text", .longest = 20},
                                        {.name = "whole", .numbers = true, .whole = true},
                                        {.name = "number", .numbers = true},
                                        {.name = "day", .dates = true},
                                        {.name = "moment", .datetimes = true}};

/* ---- What comes back ------------------------------------------------------------------------ */

static void columns_of_text_files_keep_every_cell(void **state)
{
    (void)state;
    static const char *const cells[] = {
        "02138", "-5",  "0.1",    "1965-10-31", "2024-01-01T13:45:07",
        "=1+1",  "",    "1e21",   "",           "2024-01-01T00:00:00",
        "NA",    "NA",  "-2.5",   "1900-01-01", "2024-01-01T13:45:07.250",
        " a  b", "123", "100000", "9999-12-31", ""};
    mgl_column_meta meta[5];
    assert_written(&(release){.columns = plain, .n_columns = 5, .n_rows = 4, .cells = cells}, NULL,
                   "02138|-5|0.1|1965-10-31|2024-01-01T13:45:07\n"
                   "=1+1||1e21||2024-01-01T00:00:00\n"
                   "NA||-2.5|1900-01-01|2024-01-01T13:45:07.250\n"
                   " a  b|123|100000|9999-12-31|\n",
                   meta);
    static const mgl_cell_kind kinds[] = {MGL_CELLS_TEXT, MGL_CELLS_NUMBER, MGL_CELLS_NUMBER,
                                          MGL_CELLS_DATE, MGL_CELLS_DATETIME};
    for (size_t c = 0; c < 5; c++)
        assert_int_equal(meta[c].kind, kinds[c]);
}

static void texts_that_xml_lacks_come_back(void **state)
{
    (void)state;
    static const char *const cells[] = {
        "a\rb\x01\x1f", "_x000D_ _x005F_",  "\xef\xbf\xbe\xef\xbf\xbf",
        "<&>\"'\n\t",   "\xf0\x9f\x98\x80", "_x00"};
    assert_written(&(release){.columns = plain, .n_columns = 1, .n_rows = 6, .cells = cells}, NULL,
                   "a\rb\x01\x1f\n_x000D_ _x005F_\n\xef\xbf\xbe\xef\xbf\xbf\n<&>\"'\n\t\n"
                   "\xf0\x9f\x98\x80\n_x00\n",
                   NULL);
}

/* Columns of a workbook: each cell is what it was, unless a text looks the same. */
static void cells_of_workbooks_keep_their_kind(void **state)
{
    (void)state;
    enum {
        ALL = MGL_LOOKS_NUMBER | MGL_LOOKS_DATE | MGL_LOOKS_DATETIME | MGL_LOOKS_TIME |
              MGL_LOOKS_BOOLEAN
    };
    static const mgl_column_meta mixed = {.by_cell = true, .looks = ALL},
                                 dates = {.by_cell = true, .looks = MGL_LOOKS_DATE};
    static const mgl_sink_column columns[] = {{.name = "mixed", .meta = &mixed},
                                              {.name = "dates", .meta = &dates}};
    static const char *const cells[] = {"12",       "12",   "02138",    "1965-10-31",
                                        "TRUE",     "TRUE", "13:45:00", "12:0",
                                        "36:00:01", "x",    "x",        "1"};
    mgl_column_meta meta[2];
    assert_written(&(release){.columns = columns, .n_columns = 2, .n_rows = 6, .cells = cells},
                   NULL, "12|12\n02138|1965-10-31\nTRUE|TRUE\n13:45:00|12:0\n36:00:01|x\nx|1\n",
                   meta);
    assert_int_equal(meta[0].looks, MGL_LOOKS_NUMBER | MGL_LOOKS_BOOLEAN | MGL_LOOKS_TIME);
    assert_int_equal(meta[1].looks, MGL_LOOKS_DATE);
}

static void numbers_beyond_what_excel_keeps(void **state)
{
    (void)state;
    static const mgl_sink_column ids = {
        .name = "id", .numbers = true, .whole = true, .longest = 16};
    static const mgl_sink_column exact = {.name = "x", .numbers = true, .exact = true};
    static const mgl_sink_column passed = {.name = "x", .numbers = true};
    static const char *const numbers[] = {"1234567890123456", "7"}, *const fractions[] = {
                                                                        "0.30000000000000004",
                                                                        "0.1"};
    mgl_column_meta meta;
    assert_written(&(release){.columns = &ids, .n_columns = 1, .n_rows = 2, .cells = numbers},
                   "column id is written as text, since Excel keeps 15 digits",
                   "1234567890123456\n7\n", &meta);
    assert_int_equal(meta.kind, MGL_CELLS_TEXT);
    assert_written(&(release){.columns = &exact, .n_columns = 1, .n_rows = 2, .cells = fractions},
                   "1 cells of column x are written as text", "0.30000000000000004\n0.1\n", &meta);
    assert_written(&(release){.columns = &passed, .n_columns = 1, .n_rows = 2, .cells = fractions},
                   "1 numbers of column x are rounded", "0.3\n0.1\n", &meta);
}

static void days_before_1900_are_texts(void **state)
{
    (void)state;
    static const char *const days[] = {"1899-12-31", "1900-02-28", "1900-03-01"};
    mgl_column_meta meta;
    assert_written(&(release){.columns = &plain[3], .n_columns = 1, .n_rows = 3, .cells = days},
                   "1 cells of column day are written as text",
                   "1899-12-31\n1900-02-28\n1900-03-01\n", &meta);
}

static void rows_without_values_stay_rows(void **state)
{
    (void)state;
    static const char *const cells[] = {"a", "1", "", "", "", "2"};
    release r = {.columns = plain, .n_columns = 2, .n_rows = 3, .cells = cells};
    assert_written(&r, NULL, "a|1\nNA|\n|2\n", NULL);
    r.n_missing = 1;
    assert_refused(&r, MGL_DATA, "row 2 of the release has no values at all");
}

/* ---- The same bytes, whoever writes and when ------------------------------------------------- */

static size_t read_bytes(char *bytes, size_t most)
{
    FILE *file = fopen(path_of(""), "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, most, file);
    fclose(file);
    return size;
}

static void equal_releases_are_equal_files(void **state)
{
    (void)state;
    static const char *const cells[] = {"a", "1", "0.5", "1965-10-31", ""};
    static char first[1 << 16], second[1 << 16];
    release r = {.columns = plain, .n_columns = 5, .n_rows = 1, .cells = cells};
    assert_written(&r, NULL, "a|1|0.5|1965-10-31|\n", NULL);
    size_t size = read_bytes(first, sizeof first);
    sleep(1); /* the clock of zip archives has steps of two seconds, that of properties of one */
    assert_written(&r, NULL, "a|1|0.5|1965-10-31|\n", NULL);
    assert_int_equal(read_bytes(second, sizeof second), size);
    assert_memory_equal(first, second, size);
}

/* ---- Limits -------------------------------------------------------------------------------- */

static void what_excel_cannot_hold_is_refused(void **state)
{
    (void)state;
    static const char *const cells[] = {"x"};
    release r = {.columns = plain, .n_columns = 1, .n_rows = 1, .cells = cells};
    r.claimed = 1048576;
    assert_refused(&r, MGL_DATA,
                   "the release has 1048576 rows, and xlsx files have room for 1048575");
    r.claimed = 0;
    mgl_sink_column *many = calloc(16385, sizeof *many);
    r.columns = many;
    r.n_columns = 16385;
    r.n_rows = 0;
    assert_refused(&r, MGL_DATA, "16385 columns, and Excel has room for 16,384");
    free(many);

    char *text = malloc(32769);
    memset(text, 'x', 32768);
    text[32768] = '\0';
    const char *long_cell[] = {text};
    release cell = {.columns = plain, .n_columns = 1, .n_rows = 1, .cells = long_cell};
    assert_refused(&cell, MGL_DATA, "column text has a cell of 32768 characters");
    memcpy(text, "\xc3\xa9", 2); /* a character less */
    mgl_error err;
    mgl_buffer warnings = {0};
    assert_int_equal(write_release(&cell, &err, &warnings), MGL_OK);
    free(text);
}

static void names_of_sheets_are_checked(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "a[b", "a:b", "a*", "a?",      "a\\b",
        "'a",  "a'",  "",   "HISTORY", "12345678901234567890123456789012",
        "\xff"};
    static const char *const good[] = {"A b", "1234567890123456789012345678901", "it's",
                                       "\xc3\xa9"};
    mgl_error err;
    const mgl_format *format;
    char location[300];
    unlink(path_of(""));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(location, sizeof location, "%s#%s", path_of(""), bad[i]);
        if (mgl_format_to_write(location, &err, &format) != MGL_USAGE)
            fail_msg("%s", bad[i]);
        assert_non_null(strstr(err.message, "choose another one"));
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        snprintf(location, sizeof location, "%s#%s", path_of(""), good[i]);
        assert_int_equal(mgl_format_to_write(location, &err, &format), MGL_OK);
    }
}

/* ---- Faults -------------------------------------------------------------------------------- */

#ifdef MGL_FAULTS
static mgl_status use(mgl_error *err)
{
    static const char *const cells[] = {"a", "1", "0.5", "1965-10-31", "2024-01-01T13:45:07",
                                        "b", "2", "1.5", "1965-11-01", "2024-01-01T13:45:08"};
    mgl_buffer warnings = {0}, rows = {0};
    mgl_status status = write_release(
        &(release){.columns = plain, .n_columns = 5, .n_rows = 2, .cells = cells, .target = "#A"},
        err, &warnings);
    if (status == MGL_OK)
        status = read_back(err, &rows, NULL, 0);
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
            mgl_status status = use(&err);
            bool reached = mgl_fault_count(kinds[k]) >= number;
            mgl_fault_arm(kinds[k], 0);
            if (!reached) {
                assert_int_equal(status, MGL_OK);
                break;
            }
            if (status != MGL_OK) {
                if (status != MGL_SYSTEM)
                    fail_msg("%s", err.message);
                assert_true(strlen(err.message) > 0);
                failures++;
            }
        }
        assert_true(failures > 0);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_text_files_keep_every_cell),
        cmocka_unit_test(texts_that_xml_lacks_come_back),
        cmocka_unit_test(cells_of_workbooks_keep_their_kind),
        cmocka_unit_test(numbers_beyond_what_excel_keeps),
        cmocka_unit_test(days_before_1900_are_texts),
        cmocka_unit_test(rows_without_values_stay_rows),
        cmocka_unit_test(equal_releases_are_equal_files),
        cmocka_unit_test(what_excel_cannot_hold_is_refused),
        cmocka_unit_test(names_of_sheets_are_checked),
#ifdef MGL_FAULTS
        cmocka_unit_test(every_fault_while_reading_or_writing_is_an_error),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, remove_workbook);
}
#else
int main(void)
{
    puts("skipped: built without the libraries for workbooks");
    return 77;
}
#endif
