/* Codes of columns whose cells repeat for a long time before something new comes: short,
 * longer than a lane of the cache, longer than the cache takes; with and without CR. */
#include "test_text_files.h"

#include "brute.h"
#include "io/io.h"

enum { ROWS = 20000, COLUMNS = 5 };

/* Few values at first; rarely a new one, which may be longer than any before. */
static void make_cell(brute_random *random, int column, int row, char *out, size_t size)
{
    static const char *const tails[] = {"", "-of-16-bytes", "-which-is-a-good-deal-longer",
                                        "-which-is-longer-than-what-the-cache-takes"};
    int n = 2 + column * 20, newest = row / 500;
    bool fresh = brute_below(random, 400) == 0;
    int value = fresh ? n + brute_below(random, newest + 1) : brute_below(random, n);
    int tail = fresh && row > ROWS / 4 * column ? brute_below(random, 4) : 0;
    snprintf(out, size, "v%d%s", value, tails[tail]);
}

static void check_codes(const char *line_end, uint64_t seed)
{
    static char cells[ROWS][COLUMNS][64];
    brute_random random = {seed};
    mgl_buffer text = {0};
    mgl_buffer_format(&text, "a;b;c;d;e%s", line_end);
    for (int row = 0; row < ROWS; row++)
        for (int c = 0; c < COLUMNS; c++) {
            char *cell = cells[row][c];
            make_cell(&random, c, row, cell, sizeof cells[row][c]);
            mgl_buffer_format(&text, "%s%s", cell, c + 1 < COLUMNS ? ";" : line_end);
        }
    assert_false(text.failed);
    test_file(text.data, text.size);
    mgl_buffer_free(&text);

    mgl_source_options options = {0};
    mgl_column_request requested[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    mgl_source *source;
    mgl_table *table;
    assert_int_equal(mgl_source_open(test_path(), &options, NULL, &source), MGL_OK);
    assert_int_equal(mgl_source_read(source, requested, COLUMNS, NULL, NULL, NULL, &table), MGL_OK);
    assert_int_equal(table->n_rows, ROWS);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t c = 0; c < COLUMNS; c++) {
            const mgl_column *column = &table->columns[c];
            uint32_t code = mgl_column_code(column, row);
            if (!mgl_span_is(mgl_dictionary_value(column->dictionary, code), cells[row][c]))
                fail_msg("row %zu, column %zu is not %s", row, c, cells[row][c]);
        }
    mgl_table_free(table);
    mgl_source_close(source);
}

static void values_that_first_occur_late_are_coded(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        check_codes("\n", seed);
        check_codes("\r\n", seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_that_first_occur_late_are_coded)};
    return cmocka_run_group_tests(tests, NULL, test_remove);
}
