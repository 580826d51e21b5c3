/* Scales: numbers and dates as places on a line, and places written again. */
#include "test_hierarchy.h"

#include <math.h>

static mgl_hierarchy *hierarchy_of(const char *list)
{
    mgl_hierarchy *hierarchy;
    mgl_dictionary *dictionary = dictionary_of(list);
    assert_int_equal(mgl_hierarchy_make(NULL, "x", dictionary, NULL, &hierarchy), MGL_OK);
    mgl_dictionary_free(dictionary);
    return hierarchy;
}

/* What the leaf with this label is written as. */
static void expect_written(const char *list, const char *label, const char *text)
{
    mgl_hierarchy *hierarchy = hierarchy_of(list);
    mgl_scale *scale;
    char written[MGL_NUMBER_TEXT];
    uint32_t level, leaf;
    assert_int_equal(mgl_scale_new(hierarchy, NULL, &scale), MGL_OK);
    assert_non_null(scale);
    assert_true(mgl_hierarchy_find(hierarchy, mgl_span_of(label), &level, &leaf));
    assert_int_equal(mgl_scale_write(scale, scale->of_leaf[leaf], written), strlen(text));
    assert_string_equal(written, text);
    mgl_scale_free(scale);
    mgl_hierarchy_free(hierarchy);
}

static void numbers_are_written_without_zeros(void **state)
{
    (void)state;
    expect_written("1|2.50|(missing)NA", "2.50", "2.5");
    expect_written("007|-3", "007", "7");
}

static void dates_are_written_as_iso(void **state)
{
    (void)state;
    expect_written("1965-09-13|1970-01-01", "1965-09-13", "1965-09-13");
    expect_written("13.09.1965|1.1.1970", "13.09.1965", "1965-09-13");
    expect_written("09/13/1965|1/1/1970", "09/13/1965", "1965-09-13");
    expect_written("0000-01-01|1999-12-31", "0000-01-01", "0000-01-01");
    expect_written("0000-02-29|1999-12-31", "0000-02-29", "0000-02-29");
}

/* Every day of the calendar, one after another, by a count of its own. */
static void every_day_is_written(void **state)
{
    (void)state;
    static const unsigned lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    mgl_hierarchy *hierarchy = hierarchy_of("0000-01-01|9999-12-31");
    mgl_scale *scale;
    assert_int_equal(mgl_scale_new(hierarchy, NULL, &scale), MGL_OK);
    double day = scale->of_leaf[scale->ordered[0]];
    for (unsigned year = 0; year < 10000; year++) {
        bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for (unsigned month = 1; month <= 12; month++)
            for (unsigned d = 1; d <= lengths[month - 1] + (month == 2 && leap); d++, day++) {
                char expected[64], text[MGL_NUMBER_TEXT];
                snprintf(expected, sizeof expected, "%04u-%02u-%02u", year, month, d);
                mgl_scale_write(scale, day, text);
                if (strcmp(text, expected) != 0)
                    fail_msg("%s was written as %s", expected, text);
            }
    }
    assert_true(day - 1 == scale->of_leaf[scale->ordered[1]]);
    mgl_scale_free(scale);
    mgl_hierarchy_free(hierarchy);
}

static void half_days_are_rounded_up(void **state)
{
    (void)state;
    mgl_hierarchy *hierarchy = hierarchy_of("2000-02-28|2000-02-29");
    mgl_scale *scale;
    char text[MGL_NUMBER_TEXT];
    assert_int_equal(mgl_scale_new(hierarchy, NULL, &scale), MGL_OK);
    double first = scale->of_leaf[scale->ordered[0]];
    mgl_scale_write(scale, first + 0.25, text);
    assert_string_equal(text, "2000-02-28");
    mgl_scale_write(scale, first + 0.5, text);
    assert_string_equal(text, "2000-02-29");
    mgl_scale_free(scale);
    mgl_hierarchy_free(hierarchy);
}

static void other_values_have_no_scale(void **state)
{
    (void)state;
    static const char *const lists[] = {"1|two", "1965-09-13|7", "01/02/2003|02/03/2004",
                                        "(missing)NA", "a|b"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        mgl_hierarchy *hierarchy = hierarchy_of(lists[i]);
        mgl_scale *scale;
        assert_int_equal(mgl_scale_new(hierarchy, NULL, &scale), MGL_OK);
        assert_null(scale);
        mgl_hierarchy_free(hierarchy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_without_zeros),
        cmocka_unit_test(dates_are_written_as_iso),
        cmocka_unit_test(every_day_is_written),
        cmocka_unit_test(half_days_are_rounded_up),
        cmocka_unit_test(other_values_have_no_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
