/* Which cells of a sensitive column are one value. */
#include "test_text_files.h"

#include "table/table.h"

static bool same(const mgl_cell_rule *rule, const char *a, const char *b)
{
    mgl_buffer x = {0}, y = {0};
    assert_true(mgl_value_key(rule, mgl_span_of(a), &x));
    assert_true(mgl_value_key(rule, mgl_span_of(b), &y));
    bool equal = x.size == y.size && (x.size == 0 || memcmp(x.data, y.data, x.size) == 0);
    mgl_buffer_free(&x);
    mgl_buffer_free(&y);
    return equal;
}

static void texts_are_one_value_in_every_spelling(void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"HIV", "hiv", true},
        {"HIV", "HIV ", true},
        {"HIV", "\xC2\xA0\tHIV\xE3\x80\x80", true}, /* no-break and ideographic blanks */
        {"HIV", "\xEF\xBB\xBFHIV", true},           /* the mark of a byte order */
        {"HIV", "H\xE2\x80\x8BIV", true},           /* a blank without width */
        {"lung  cancer", "Lung cancer", true},
        {"lung \xE2\x80\xA8 cancer", "Lung\tcancer", true},
        {"lung cancer", "lungcancer", false},
        {"\xC3\x89"
         "cole",
         "e\xCC\x81"
         "COLE",
         true},
        {"ecole",
         "\xC3\x89"
         "cole",
         false},
        {"Stra\xC3\x9F"
         "e",
         "STRASSE", true},
        {"\xCE\xA3", "\xCF\x82", true}, /* the sigma at the end of a word */
        /* alpha with acute and iota below, in both orders of the marks */
        {"\xCE\xB1\xCC\x81\xCD\x85", "\xCE\xB1\xCD\x85\xCC\x81", true},
        {"\xFFx", "\xFFX", false}, /* no UTF-8 */
        {"\xFFx", " \xFFx", true},
        {"", "  ", true},
        {"1", "1.0", false},
        {"01", "1", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(same(&(mgl_cell_rule){0}, rows[i].a, rows[i].b), rows[i].same);
    assert_false(same(&(mgl_cell_rule){.exact = true}, "HIV", "hiv"));
    assert_true(same(&(mgl_cell_rule){.exact = true}, "HIV", "HIV"));
}

static void numbers_and_dates_are_compared_as_such(void **state)
{
    mgl_cell_rule points = {.kind = MGL_GIVEN_NUMBER, .notation = {.numbers = MGL_NUMBERS_POINT}},
                  commas = {.kind = MGL_GIVEN_NUMBER, .notation = {.numbers = MGL_NUMBERS_COMMA}},
                  days = {.kind = MGL_GIVEN_DATE, .order = MGL_DMY};
    (void)state;
    assert_true(same(&points, "1", "1.00"));
    assert_true(same(&points, " 01", "+1"));
    assert_true(same(&points, "1,234.5", "1234.50"));
    assert_true(same(&points, "-0", "0"));
    assert_true(same(&points, "1e3", "1000"));
    assert_false(same(&points, "0.1", "0.10000000000000001"));
    assert_true(same(&points, "1e300", "10e299"));
    assert_false(same(&points, "1,5", "1.5"));
    assert_true(same(&commas, "1,5", "1,50"));
    assert_true(same(&commas, "1.234", "1234"));
    assert_true(same(&points, "None", "NONE "));
    assert_true(same(&days, "1.2.2020", "01/02/2020"));
    assert_false(same(&days, "1.2.2020", "2.1.2020"));
    assert_true(same(&days, "Unknown", "unknown"));
}

static mgl_dictionary *dictionary(const char *const *texts, size_t n, bool missing)
{
    mgl_dictionary *d = mgl_dictionary_new();
    assert_non_null(d);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(mgl_dictionary_add(d, mgl_span_of(texts[i])), i);
    if (missing)
        assert_int_equal(mgl_dictionary_add_missing(d, mgl_span_of("")), n);
    return d;
}

static void the_least_spelling_stands_for_a_value(void **state)
{
    static const char *const cells[] = {"hiv", "Flu", "HIV", "na ", "HIV "};
    static const mgl_span missing[] = {{"", 0}, {"NA", 2}};
    static const uint32_t expected[] = {0, 1, 0, 2, 0, 2};
    mgl_cell_rule folded = {0}, exact = {.exact = true};
    mgl_values values;
    (void)state;
    mgl_dictionary *d = dictionary(cells, 5, true);
    assert_int_equal(mgl_values_find(d, &folded, missing, 2, NULL, &values), MGL_OK);
    assert_int_equal(mgl_dictionary_size(values.dictionary), 3);
    assert_int_equal(mgl_dictionary_missing(values.dictionary), 2);
    assert_memory_equal(values.of_code, expected, sizeof expected);
    assert_true(mgl_span_is(mgl_dictionary_value(values.dictionary, 0), "HIV"));
    mgl_values_free(&values);
    assert_int_equal(mgl_values_find(d, &exact, missing, 2, NULL, &values), MGL_OK);
    assert_null(values.dictionary);
    mgl_dictionary_free(d);
}

/* Nothing is made where each cell is a value of its own, also if one of them is missing. */
static void plain_cells_stay_as_they_are(void **state)
{
    static const char *const cells[] = {"hiv", "flu", "1", "1.0"};
    static const mgl_span missing[] = {{"", 0}, {"NA", 2}};
    mgl_cell_rule folded = {0}, numbers = {.kind = MGL_GIVEN_NUMBER};
    mgl_values values;
    (void)state;
    mgl_dictionary *d = dictionary(cells, 4, true);
    assert_int_equal(mgl_values_find(d, &folded, missing, 2, NULL, &values), MGL_OK);
    assert_null(values.dictionary);
    assert_null(values.of_code);
    assert_int_equal(mgl_values_find(d, &numbers, missing, 2, NULL, &values), MGL_OK);
    assert_int_equal(mgl_dictionary_size(values.dictionary), 4);
    mgl_values_free(&values);
    mgl_dictionary_free(d);
}

static void columns_of_values_follow_their_cells(void **state)
{
    static const char *const cells[] = {"a", "A", "b"};
    mgl_cell_rule folded = {0};
    mgl_values values;
    mgl_column made;
    (void)state;
    mgl_table *table = mgl_table_new(1);
    mgl_column *column = &table->columns[0];
    column->name = mgl_alloc(2);
    strcpy(column->name, "s");
    for (size_t i = 0; i < 3; i++)
        mgl_dictionary_add(column->dictionary, mgl_span_of(cells[i]));
    table->n_rows = 6;
    assert_true(mgl_column_reserve(column, 0, 6));
    for (size_t row = 0; row < 6; row++)
        mgl_column_set(column, row, row % 3);
    assert_int_equal(mgl_values_find(column->dictionary, &folded, NULL, 0, NULL, &values), MGL_OK);
    assert_int_equal(mgl_values_column(&values, column, 6, NULL, &made), MGL_OK);
    for (size_t row = 0; row < 6; row++)
        assert_int_equal(mgl_column_code(&made, row), row % 3 == 2);
    mgl_column_clear(&made);
    mgl_values_free(&values);
    mgl_table_free(table);
}

/* The same through a window, of which two rows are in memory at a time. */
static void columns_of_values_follow_a_window(void **state)
{
    static const char *const cells[] = {"a", "A", "b"};
    mgl_cell_rule folded = {0};
    mgl_values values;
    mgl_column made;
    mgl_window *window;
    (void)state;
    mgl_table *stripe = mgl_table_new(2), *table = mgl_table_new(2);
    assert_int_equal(mgl_window_new(1 << 20, NULL, &window), MGL_OK);
    for (size_t c = 0; c < 2; c++) {
        table->columns[c].name = mgl_alloc(2);
        strcpy(table->columns[c].name, "s");
        for (size_t i = 0; i < 3; i++)
            mgl_dictionary_add(table->columns[c].dictionary, mgl_span_of(cells[i]));
        assert_true(mgl_column_reserve(&stripe->columns[c], 0, 2));
    }
    stripe->n_rows = 2;
    for (size_t row = 0; row < 6; row += 2) {
        for (size_t i = 0; i < 2; i++) {
            mgl_column_set(&stripe->columns[0], i, 2);
            mgl_column_set(&stripe->columns[1], i, (row + i) % 3);
        }
        assert_int_equal(mgl_window_add(window, stripe, NULL), MGL_OK);
    }
    assert_int_equal(mgl_window_attach(window, table, NULL), MGL_OK);
    assert_int_equal(mgl_values_find(table->columns[1].dictionary, &folded, NULL, 0, NULL, &values),
                     MGL_OK);
    assert_int_equal(mgl_values_column(&values, &table->columns[1], 6, NULL, &made), MGL_OK);
    for (size_t row = 0; row < 6; row++) {
        size_t first, n;
        assert_int_equal(mgl_column_reach(&made, row, NULL, &first, &n), MGL_OK);
        assert_int_equal(mgl_column_code(&made, row - first), row % 3 == 2);
    }
    mgl_column_clear(&made);
    mgl_values_free(&values);
    mgl_table_free(table);
    mgl_table_free(stripe);
}

static void texts_are_found_by_their_value(void **state)
{
    static const char *const cells[] = {"Flu", "HIV", "flu"};
    mgl_cell_rule folded = {0};
    mgl_value_finder finder;
    (void)state;
    mgl_dictionary *d = dictionary(cells, 3, true);
    assert_int_equal(mgl_value_finder_of(&folded, d, NULL, &finder), MGL_OK);
    assert_int_equal(mgl_value_find(&finder, mgl_span_of(" FLU")), 0);
    assert_int_equal(mgl_value_find(&finder, mgl_span_of("hiv")), 1);
    assert_int_equal(mgl_value_find(&finder, mgl_span_of("")), MGL_NOT_FOUND);
    mgl_value_finder_free(&finder);
    mgl_dictionary_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_one_value_in_every_spelling),
        cmocka_unit_test(numbers_and_dates_are_compared_as_such),
        cmocka_unit_test(the_least_spelling_stands_for_a_value),
        cmocka_unit_test(plain_cells_stay_as_they_are),
        cmocka_unit_test(columns_of_values_follow_their_cells),
        cmocka_unit_test(columns_of_values_follow_a_window),
        cmocka_unit_test(texts_are_found_by_their_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
