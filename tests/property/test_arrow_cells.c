/* Random tables of all types that go through an import and an export come out cell for cell. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "arrow_table.h"
#include "io/arrow/arrow.h"
#include "stream_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns whose cells can be of one type: words, whole numbers, floats, booleans, days. */
static void write_cell(brute_random *random, int column, char *out, size_t size)
{
    static const char *const words[] = {"a", "", "two words", "\xC3\xA9",
                                        "longer than twelve bytes"};
    if (brute_chance(random, 10))
        snprintf(out, size, "NA");
    else if (column == 0)
        snprintf(out, size, "%s", words[brute_below(random, 5)]);
    else if (column == 1)
        snprintf(out, size, "%d", brute_below(random, 90) - 45);
    else if (column == 2)
        snprintf(out, size, "%g", brute_between(random, -30, 30) / 4.0 + 100);
    else if (column == 3)
        snprintf(out, size, "%s", brute_chance(random, 50) ? "true" : "false");
    else
        snprintf(out, size, "%04d-%02d-%02d", brute_between(random, 1890, 2060),
                 brute_between(random, 1, 12), brute_between(random, 1, 28));
}

static char *draw_text(brute_random *random)
{
    brute_text text = {0};
    int n_rows = brute_below(random, 60);
    brute_append_text(&text, "words;whole;float;flag;day\n");
    for (int r = 0; r < n_rows; r++)
        for (int c = 0; c < 5; c++) {
            char cell[64];
            write_cell(random, c, cell, sizeof cell);
            brute_append_text(&text, cell);
            brute_append_text(&text, c < 4 ? ";" : "\n");
        }
    brute_append(&text, "", 1);
    return text.data;
}

static void expect_cells(const brute_csv *csv, const streamed *found, uint64_t seed)
{
    assert_int_equal(found->n_rows + 1, csv->n_rows);
    assert_int_equal(found->n_columns, csv->n_columns);
    for (size_t c = 0; c < csv->n_columns; c++)
        assert_string_equal(found->names[c], brute_csv_value(csv, 0, c));
    for (size_t r = 0; r < found->n_rows; r++)
        for (size_t c = 0; c < found->n_columns; c++) {
            const char *expected = brute_csv_value(csv, r + 1, c);
            const char *cell = streamed_cell(found, r, c);
            bool missing = expected[0] == '\0' || strcmp(expected, "NA") == 0;
            if (missing != (cell == NULL) || (cell != NULL && strcmp(cell, expected) != 0))
                fail_msg("seed %llu, row %zu, column %s of format %s: %s instead of %s",
                         (unsigned long long)seed, r, found->names[c], found->formats[c],
                         cell != NULL ? cell : "null", expected);
        }
}

static void tables_come_out_of_an_import_as_they_went_in(void **state)
{
    int n = brute_cases(300);
    (void)state;
    for (int i = 0; i < n; i++) {
        brute_random random = {(uint64_t)i + 1};
        arrow_maker maker = {0};
        struct ArrowArrayStream stream;
        mgl_arrow_table *table;
        mgl_error err = {0};
        streamed found;
        brute_csv csv;
        char *text = draw_text(&random);
        assert_true(brute_csv_parse(text, strlen(text), ';', &csv));
        arrow_table_stream(&maker, &csv, true, &random, &stream);
        if (mgl_arrow_import(&stream, "table", NULL, &err, &table) != MGL_OK)
            fail_msg("%s", err.message);
        assert_int_equal(mgl_arrow_export(table, &err, &stream), MGL_OK);
        mgl_arrow_release(table); /* the stream holds it */
        streamed_read(&stream, &found);
        expect_cells(&csv, &found, (uint64_t)i);
        assert_int_equal(maker.arrays + maker.schemas + maker.streams, 0);
        streamed_free(&found);
        brute_csv_free(&csv);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_come_out_of_an_import_as_they_went_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
