/* text: values in messages, and cells that spreadsheets would compute. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>

static void expect_message(const char *value, bool verbose, const char *expected)
{
    char text[200], shown[MGL_SHOWN];
    snprintf(text, sizeof text, "the value '%s' is odd", mgl_shown(mgl_span_of(value), shown));
    mgl_hide_values(text, sizeof text, verbose);
    assert_string_equal(text, expected);
}

static void values_have_shapes(void **state)
{
    (void)state;
    expect_message("Ann", true, "the value 'Ann' is odd");
    expect_message(
        "Ann O'Hara, 1965-03-07", false,
        "the value 'Aaa A'Aaaa, 9999-99-99' is odd (values are shown as patterns; `verbose` "
        "shows them as they are)");
    expect_message("\xC3\x89t\xC3\xA9 \xE6\x97\xA5", false,
                   "the value 'aaa a' is odd (values are shown as patterns; `verbose` shows them "
                   "as they are)");
    expect_message("", false, "the value '' is odd");
    /* Control characters, the marks among them, cannot end the value. */
    expect_message("a\x02 secret\x1B", false,
                   "the value 'a? aaaaaa?' is odd (values are shown as patterns; `verbose` shows "
                   "them as they are)");
    expect_message("a\x02 b\x1B", true, "the value 'a? b?' is odd");
}

static void long_values_are_cut(void **state)
{
    (void)state;
    char value[300], shown[MGL_SHOWN], text[40];
    for (size_t i = 0; i + 1 < sizeof value; i += 2)
        memcpy(value + i, "\xC3\xA9", 2);
    for (size_t before = 0; before < 4; before++) {
        memset(value, 'x', before);
        mgl_shown((mgl_span){value, 298}, shown);
        size_t size = strlen(shown);
        assert_true(size <= 62 && size >= 60);
        if (before % 2 == 0) /* an odd number leaves half a character in front */
            assert_int_equal(mgl_utf8_valid(shown, size), size);
    }
    /* A message that is cut within a value hides what is left of it. */
    snprintf(text, sizeof text, "%s",
             mgl_shown(mgl_span_of("SECRETSECRETSECRETSECRETSECRETSECRETSECRET"), shown));
    mgl_hide_values(text, sizeof text, false);
    assert_null(strstr(text, "SECRET"));
    assert_true(strlen(text) < sizeof text);
}

static void formulas_are_known(void **state)
{
    (void)state;
    static const char *const formulas[] = {"=1",
                                           "+A1",
                                           "-A1",
                                           "@x",
                                           "\tx",
                                           "\rx",
                                           "'=1",
                                           "''@",
                                           "-",
                                           "--5",
                                           "=",
                                           "+5x",
                                           "-1+2",
                                           "+49 170 5",
                                           "-cmd",
                                           "\nx",
                                           "\xEF\xBC\x9D"
                                           "1",
                                           "\xEF\xBC\x8Bx",
                                           "\xEF\xBC\x8Dx",
                                           "\xEF\xBC\xA0x"};
    static const char *const others[] = {
        "",   "x=1", "-5",  "+5",   "-1.5e3",   "'",    "'x",   "''",
        "5-", "'-5", " =1", "-5,3", "-1.234,5", "+3 %", "-12%", "\xEF\xBC\x91"};
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        char marked[20];
        mgl_span formula = mgl_span_of(formulas[i]);
        assert_true(mgl_text_is_formula(formula));
        snprintf(marked, sizeof marked, "'%s", formulas[i]);
        assert_true(mgl_span_equal(mgl_text_without_apostrophe(mgl_span_of(marked)), formula));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        mgl_span other = mgl_span_of(others[i]);
        assert_false(mgl_text_is_formula(other));
        assert_true(mgl_span_equal(mgl_text_without_apostrophe(other), other));
        assert_false(mgl_text_is_run(other));
    }
    /* What spreadsheets leave as it is. */
    static const char *const left[] = {"'=1", "-", "--", "---", "'-cmd"};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        assert_false(mgl_text_is_run(mgl_span_of(left[i])));
    assert_true(mgl_text_is_run(mgl_span_of("=1")) && mgl_text_is_run(mgl_span_of("--5")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_shapes),
        cmocka_unit_test(long_values_are_cut),
        cmocka_unit_test(formulas_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
