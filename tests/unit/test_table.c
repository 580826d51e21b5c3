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

static void roles_have_names(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dictionaries_number_by_appearance),
        cmocka_unit_test(an_empty_missing_token_works),
        cmocka_unit_test(columns_widen_and_keep_their_codes),
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(roles_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
