/* Dictionaries, columns that widen, roles. */
#include "test_text_files.h"

#include "table/table.h"

static void dictionaries_number_by_appearance(void **state)
{
    (void)state;
    mgl_dictionary *d = mgl_dictionary_new();
    assert_non_null(d);
    assert_int_equal(mgl_dictionary_missing(d), MGL_NOT_FOUND);
    assert_int_equal(mgl_dictionary_add(d, mgl_span_of("NA")), 0);
    assert_int_equal(mgl_dictionary_add(d, mgl_span_of("x")), 1);
    /* Missing is a value of its own even where its text occurs. */
    assert_int_equal(mgl_dictionary_add_missing(d, mgl_span_of("NA")), 2);
    assert_int_equal(mgl_dictionary_add_missing(d, mgl_span_of("?")), 2);
    assert_int_equal(mgl_dictionary_add(d, mgl_span_of("y")), 3);
    assert_int_equal(mgl_dictionary_add(d, mgl_span_of("NA")), 0);
    assert_int_equal(mgl_dictionary_find(d, mgl_span_of("NA")), 0);
    assert_int_equal(mgl_dictionary_find(d, mgl_span_of("z")), MGL_NOT_FOUND);
    assert_int_equal(mgl_dictionary_missing(d), 2);
    assert_int_equal(mgl_dictionary_size(d), 4);
    assert_true(mgl_span_is(mgl_dictionary_value(d, 2), "NA"));
    assert_true(mgl_span_is(mgl_dictionary_value(d, 3), "y"));
    mgl_dictionary_free(d);
}

static void an_empty_missing_token_works(void **state)
{
    (void)state;
    mgl_dictionary *d = mgl_dictionary_new();
    assert_non_null(d);
    assert_int_equal(mgl_dictionary_add_missing(d, (mgl_span){NULL, 0}), 0);
    assert_int_equal(mgl_dictionary_add(d, (mgl_span){"", 0}), 1);
    assert_int_equal(mgl_dictionary_value(d, 0).size, 0);
    mgl_dictionary_free(d);
}

static void columns_widen_and_keep_their_codes(void **state)
{
    (void)state;
    static const uint32_t codes[] = {0, 255, 256, 1, 65535, 65536, 2, 4000000000u};
    mgl_table *table = mgl_table_new(2);
    assert_non_null(table);
    mgl_column *column = &table->columns[1];
    unsigned widths[] = {1, 1, 2, 2, 2, 4, 4, 4};
    for (size_t i = 0; i < 8; i++) {
        assert_true(mgl_column_widen(column, i, codes[i]));
        assert_true(mgl_column_reserve(column, i, 1));
        assert_int_equal(column->width, widths[i]);
        mgl_column_set(column, i, codes[i]);
        for (size_t j = 0; j <= i; j++)
            assert_int_equal(mgl_column_code(column, j), codes[j]);
    }
    assert_false(mgl_column_reserve(column, SIZE_MAX, 2));
    mgl_table_free(table);
}

static void columns_are_found_by_name(void **state)
{
    (void)state;
    mgl_table *table = mgl_table_new(2);
    assert_non_null(table);
    assert_null(mgl_table_column(table, "age"));
    table->columns[1].name = mgl_alloc(4);
    strcpy(table->columns[1].name, "age");
    assert_ptr_equal(mgl_table_column(table, "age"), &table->columns[1]);
    assert_null(mgl_table_column(table, "sex"));
    mgl_table_free(table);
    mgl_table_free(NULL);
}

static void names_of_roles_are_parsed_back(void **state)
{
    (void)state;
    for (int role = MGL_ROLE_IDENTIFIER; role < MGL_ROLES; role++) {
        mgl_role parsed;
        assert_true(mgl_role_parse(mgl_span_of(mgl_role_name((mgl_role)role)), &parsed));
        assert_int_equal(parsed, role);
    }
    mgl_role parsed;
    assert_false(mgl_role_parse(mgl_span_of("none"), &parsed));
    assert_false(mgl_role_parse(mgl_span_of("Quasi"), &parsed));
}

static mgl_table *spelled(const char *const *cells, size_t n)
{
    mgl_table *table = mgl_table_new(1);
    mgl_column *column = &table->columns[0];
    assert_true(mgl_column_reserve(column, 0, n));
    for (size_t row = 0; row < n; row++)
        mgl_column_set(column, row,
                       mgl_dictionary_add(column->dictionary, mgl_span_of(cells[row])));
    table->n_rows = n;
    return table;
}

static mgl_span cell(const mgl_table *table, size_t row)
{
    const mgl_column *column = &table->columns[0];
    return mgl_dictionary_value(column->dictionary, mgl_column_code(column, row));
}

static void spellings_become_one(void **state)
{
    static const char *const cells[] = {"flu", " FLU", "Flu\xC2\xA0", "FLU",
                                        "Flu", "cold", "na ",         "\t"};
    static const mgl_span missing[] = {{"", 0}, {"NA", 2}};
    static const struct {
        mgl_spelling spelling;
        const char *expected[8];
    } rows[] = {
        {{.trim = true}, {"flu", "FLU", "Flu", "FLU", "Flu", "cold", "na", ""}},
        {{.fold_case = true}, {"FLU", " FLU", "Flu\xC2\xA0", "FLU", "FLU", "cold", "na ", "\t"}},
        {{.trim = true, .fold_case = true}, {"FLU", "FLU", "FLU", "FLU", "FLU", "cold", "", ""}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mgl_table *table = spelled(cells, 8);
        assert_int_equal(mgl_table_respell(table, rows[i].spelling, missing, 2, 0, NULL), MGL_OK);
        for (size_t row = 0; row < 8; row++)
            assert_true(mgl_span_is(cell(table, row), rows[i].expected[row]));
        mgl_table_free(table);
    }
}

static void the_most_frequent_spelling_stands_for_all(void **state)
{
    static const char *const cells[] = {"b", "B", "b",
                                        "\xC3\x89"
                                        "cole",
                                        "e\xCC\x81"
                                        "cole"};
    mgl_spelling spelling = {.fold_case = true};
    (void)state;
    mgl_table *table = spelled(cells, 5);
    table->times = mgl_alloc_array(5, sizeof *table->times);
    for (size_t row = 0; row < 5; row++)
        table->times[row] = row == 1 ? 3 : 1;
    assert_int_equal(mgl_table_respell(table, spelling, NULL, 0, 0, NULL), MGL_OK);
    assert_true(mgl_span_is(cell(table, 0), "B"));
    assert_true(mgl_span_equal(cell(table, 3), cell(table, 4)));
    assert_int_equal(mgl_dictionary_size(table->columns[0].dictionary), 2);
    mgl_table_free(table);
}

static void another_table_is_spelled_alike(void **state)
{
    static const char *const here[] = {"Paris", "Lyon"}, *const there[] = {"PARIS", "Nice", "lyon"};
    mgl_spelling spelling = {.fold_case = true};
    (void)state;
    mgl_table *first = spelled(here, 2), *other = spelled(there, 3);
    assert_int_equal(
        mgl_column_adopt(&other->columns[0], first->columns[0].dictionary, spelling, NULL), MGL_OK);
    assert_true(mgl_span_is(cell(other, 0), "Paris"));
    assert_true(mgl_span_is(cell(other, 1), "Nice"));
    assert_true(mgl_span_is(cell(other, 2), "Lyon"));
    mgl_table_free(first);
    mgl_table_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dictionaries_number_by_appearance),
        cmocka_unit_test(an_empty_missing_token_works),
        cmocka_unit_test(columns_widen_and_keep_their_codes),
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(names_of_roles_are_parsed_back),
        cmocka_unit_test(spellings_become_one),
        cmocka_unit_test(the_most_frequent_spelling_stands_for_all),
        cmocka_unit_test(another_table_is_spelled_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
