/* HIPAA's Safe Harbor: what a text tells about how old somebody is. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "risk/risk.h"

static bool finds(const char *column, const char *text, unsigned year)
{
    return mgl_safe_harbor_finds(column, mgl_span_of(text), year) != NULL;
}

static void years_of_birth_above_89(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool finds;
    } cases[] = {{"1937", false},       {"1936", true},       {"1920-1929", true},
                 {"1930-1939", true},   {"1937-1939", false}, {"1940-1949", false},
                 {"[1930,1940)", true}, {"<1937", false},     {"<1920", false},
                 {">=1937", false},     {">=1930", true},     {"1934 or earlier", false},
                 {"192*", true},        {"19**", true},       {"194*", false},
                 {"*", false},          {"****", false},      {"1950-0*-**", true},
                 {"1950-03", true},     {"", false},          {"1950-**-**", false}};
    static const char *const columns[] = {"birth", "birth_year", "yob", "dob", "Year of birth"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
            if (finds(columns[c], cases[i].text, 2026) != cases[i].finds)
                fail_msg("%s in %s", cases[i].text, columns[c]);
}

/* The same year of birth is told or not by the year of the release. */
static void ages_are_reckoned_from_the_year_given(void **state)
{
    (void)state;
    assert_true(finds("birth", "1930", 2020));
    assert_false(finds("birth", "1930", 2019));
    /* Other columns may hold years, and numbers of births are no years. */
    assert_false(finds("built", "1930", 2026));
    assert_false(finds("birth order", "3", 2026));
    assert_false(finds("birth weight", "3.2", 2026));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(years_of_birth_above_89),
        cmocka_unit_test(ages_are_reckoned_from_the_year_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
