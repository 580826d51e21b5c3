/* Roles that are proposed: a column that singles most rows out never passes, whatever its values
 * look like and whatever it is called. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <setjmp.h>
#include <cmocka.h>

#include "risk/risk.h"

enum { MOST = 200 };

/* The advice about a column of n values that the format makes of numbers, in so many rows each. */
static mgl_advice advise(const char *name, const char *format, int n, uint64_t rows)
{
    mgl_error err = {0};
    mgl_profile profile;
    uint64_t counts[MOST];
    mgl_dictionary *values = mgl_dictionary_new();
    assert_non_null(values);
    for (int i = 0; i < n; i++) {
        char text[120];
        snprintf(text, sizeof text, format, 100 + i, i % 28 + 1, i);
        uint32_t code = mgl_dictionary_add(values, mgl_span_of(text));
        assert_int_equal(code, i);
        counts[code] = rows;
    }
    assert_int_equal(mgl_profile_of(name, values, counts, &err, &profile), MGL_OK);
    mgl_dictionary_free(values);
    return mgl_advise(&profile);
}

static const char *const shapes[] = {
    "%d",
    "-%d",
    "2016.%d",
    "%d,25",
    "1%d-01-%02d",
    "1%d-01-%02dT10:00:00",
    "%d.01.1999 10:%02d",
    "AB-%d",
    "%d3e4567-e89b-12d3-a456-426614174000",
    "p%d@example.org",
    "Anna Berg%d",
    "seen on ward %d and sent home",
    "+43 1 234 %d",
};

static const char *const names[] = {"x",   "income", "diagnosis", "city", "age",      "name",
                                    "id",  "weight", "wgt",       "note", "hhid",     "patient",
                                    "zip", "sex",    "religion",  "date", "favourite"};

static void what_singles_rows_out_is_never_insensitive(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            mgl_advice advice = advise(names[n], shapes[s], 60, 1);
            assert_int_not_equal(advice.role, MGL_ROLE_INSENSITIVE);
            assert_int_not_equal(advice.role, MGL_ROLE_NONE);
            assert_true(advice.reason[0] != '\0');
        }
}

/* Sensitive columns are released as they are: texts that single out are never such. */
static void texts_that_single_out_are_not_released(void **state)
{
    (void)state;
    static const char *const secret[] = {"diagnosis", "religion", "x", "note", "city", "job"};
    static const char *const texts[] = {"AB-%d", "Anna Berg%d", "seen on ward %d and sent home"};
    for (size_t n = 0; n < sizeof secret / sizeof secret[0]; n++)
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
            assert_int_equal(advise(secret[n], texts[t], 60, 1).role, MGL_ROLE_IDENTIFIER);
}

static void only_constant_columns_are_insensitive(void **state)
{
    (void)state;
    assert_int_equal(advise("x", "v%d", 1, 50).role, MGL_ROLE_INSENSITIVE);
    assert_int_equal(advise("x", "v%d", 2, 50).role, MGL_ROLE_QUASI);
    assert_int_equal(advise("x", "%d", 150, 3).role, MGL_ROLE_QUASI);
    /* The leak guard objects to what is called like an identifier. */
    assert_int_equal(advise("id", "v%d", 1, 50).role, MGL_ROLE_IDENTIFIER);
}

static void names_speak_of_roles(void **state)
{
    (void)state;
    assert_int_equal(advise("diagnosis", "d%d", 5, 20).role, MGL_ROLE_SENSITIVE);
    assert_int_equal(advise("income", "%d7.25", 100, 1).role, MGL_ROLE_SENSITIVE);
    assert_int_equal(advise("Geburtsdatum", "1%d-01-%02d", 100, 1).role, MGL_ROLE_QUASI);
    assert_int_equal(advise("city", "town%d", 100, 4).role, MGL_ROLE_QUASI);
    assert_int_equal(advise("patient_id", "%d", 100, 2).role, MGL_ROLE_IDENTIFIER);
    assert_int_equal(advise("household_id", "%d", 100, 2).role, MGL_ROLE_IDENTIFIER);
    assert_int_equal(advise("sampling_weight", "%d.5", 100, 2).role, MGL_ROLE_IDENTIFIER);
}

/* Sixty words are no classes of income, so what they are decides: letters make them. */
static mgl_advice advise_words(const char *name)
{
    mgl_error err = {0};
    mgl_profile profile;
    uint64_t counts[MOST];
    mgl_dictionary *values = mgl_dictionary_new();
    assert_non_null(values);
    for (int i = 0; i < 60; i++) {
        char text[20];
        snprintf(text, sizeof text, "%c%can%c", 'A' + i % 20, 'a' + i / 20, 'a' + i % 7);
        counts[mgl_dictionary_add(values, mgl_span_of(text))] = 2 + 200 / (i + 1);
    }
    assert_int_equal(mgl_profile_of(name, values, counts, &err, &profile), MGL_OK);
    mgl_dictionary_free(values);
    return mgl_advise(&profile);
}

static void many_words_are_no_amounts(void **state)
{
    (void)state;
    assert_int_equal(advise_words("salary").role, MGL_ROLE_QUASI);
    assert_int_equal(advise_words("diagnosis").role, MGL_ROLE_SENSITIVE);
    assert_int_equal(advise("income", "class %d", 40, 5).role, MGL_ROLE_SENSITIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_singles_rows_out_is_never_insensitive),
        cmocka_unit_test(texts_that_single_out_are_not_released),
        cmocka_unit_test(only_constant_columns_are_insensitive),
        cmocka_unit_test(names_speak_of_roles),
        cmocka_unit_test(many_words_are_no_amounts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
