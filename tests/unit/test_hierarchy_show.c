/* Hierarchies drawn, and builders suggested. */
#include "test_hierarchy.h"

static void expect_drawn(const char *spec, const char *values, size_t max, const char *expected)
{
    mgl_dictionary *d = dictionary_of(values);
    mgl_hierarchy *h = made(spec, d);
    mgl_buffer buffer = {0};
    char *text;
    mgl_hierarchy_draw(h, max, &buffer);
    assert_int_equal(mgl_buffer_take(&buffer, NULL, &text), MGL_OK);
    assert_string_equal(text, expected);
    mgl_free(text);
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
}

static void test_draw(void **state)
{
    (void)state;
    expect_drawn("suppress", "b|a", 0, "*  (2 values): a, b\n");
    expect_drawn("suppress", "a", 0, "*  (1 value): a\n");
    expect_drawn("mask(right,2)", "02138|02139|02141|03000", 0,
                 "*  (4 values)\n"
                 "├─ 021**  (3 values)\n"
                 "│  ├─ 0213*  (2 values): 02138, 02139\n"
                 "│  └─ 0214*  (1 value): 02141\n"
                 "└─ 030**  (1 value)\n"
                 "   └─ 0300*  (1 value): 03000\n");
    /* Leaves beside inner values, the missing value once, rows shortened. */
    expect_drawn("intervals(5,10)", "0|1|2|3|7|10|20|30|(missing)", 3,
                 "*  (9 values)\n"
                 "├─ 0-9  (5 values)\n"
                 "│  ├─ 0-4  (4 values): 0, 1, … 2 more\n"
                 "│  └─ 5-9  (1 value): 7\n"
                 "├─ 10-19  (1 value)\n"
                 "│  └─ 10-14  (1 value): 10\n"
                 "└─ … 3 more  (3 values)\n");
    expect_drawn("mask(right,1)", "a\x1b[1m|a\xc2\x9bx|(missing)", 0,
                 "*  (3 values)\n"
                 "├─ a?[1*  (1 value): a?[1m\n"
                 "├─ a?*  (1 value): a?x\n"
                 "└─ (missing)\n");
    expect_drawn("suppress", "|a|b", 1, "*  (3 values): \"\", … 2 more\n");
}

static void expect_suggestion(mgl_dictionary *d, const char *builder, const char *reason)
{
    mgl_buffer b = {0}, r = {0};
    char *builder_text, *reason_text;
    mgl_hierarchy_suggest(d, &b, &r);
    assert_int_equal(mgl_buffer_take(&b, NULL, &builder_text), MGL_OK);
    assert_int_equal(mgl_buffer_take(&r, NULL, &reason_text), MGL_OK);
    assert_string_equal(builder_text, builder);
    if (strstr(reason_text, reason) == NULL)
        fail_msg("'%s' does not hold '%s'", reason_text, reason);
    if (builder[0] != '\0') { /* what is suggested can be built */
        mgl_hierarchy *h = made(builder, d);
        check_promises(h);
        mgl_hierarchy_free(h);
    }
    mgl_free(builder_text);
    mgl_free(reason_text);
    mgl_dictionary_free(d);
}

static void expect_suggested(const char *values, const char *builder, const char *reason)
{
    expect_suggestion(dictionary_of(values), builder, reason);
}

/* n values made by a format from first, first + step, ... */
static mgl_dictionary *series(const char *format, unsigned n, unsigned first, unsigned step)
{
    mgl_dictionary *d = mgl_dictionary_new();
    char text[64];
    for (unsigned i = 0; i < n; i++) {
        snprintf(text, sizeof text, format, first + i * step);
        mgl_dictionary_add(d, mgl_span_of(text));
    }
    return d;
}

static void test_suggest(void **state)
{
    (void)state;
    expect_suggested("1965-09-20|1964-01-02|(missing)", "dates(month,year,5y,10y)", "dates");
    expect_suggested("20.9.1965|1.2.1965", "dates(month,year)", "dmy");
    expect_suggested("1/2/1965|3/4/1965", "", "read both ways");
    expect_suggested("9/20/65", "", "two-digit year");
    expect_suggested("02138|02139|94142", "mask(right)", "codes of 5 digits");
    expect_suggestion(series("%u", 74, 17, 1), "intervals(5,10,20)", "74 different numbers");
    expect_suggestion(series("%u", 100, 1, 1), "intervals(5,10,20)", "numbers");
    expect_suggestion(series("%u", 60, 1940, 1), "intervals(2,10,20)", "numbers");
    expect_suggestion(series("%u", 30, 1, 1), "intervals(2,10,20)", "numbers");
    expect_suggestion(series("%u", 8, 1, 1), "intervals(2)", "numbers");
    expect_suggestion(series("%u00", 900, 1, 1), "intervals(5000,10000,20000)", "numbers");
    expect_suggestion(series("0.%02u", 73, 1, 1), "intervals(0.05,0.1,0.2)", "numbers");
    expect_suggestion(series("-%u", 30, 0, 40), "intervals(50,100,200)", "numbers");
    expect_suggested("1|2|3", "suppress", "3 different values");
    expect_suggested("male|female|*", "suppress", "2 different values");
    expect_suggestion(series("E%03u.1", 200, 0, 1), "mask(right)", "codes of letters and digits");
    expect_suggestion(series("person number %u", 60, 0, 1), "", "identifier");
    expect_suggested("(missing)", "", "no values");
    expect_suggestion(mgl_dictionary_new(), "", "no values");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_draw), cmocka_unit_test(test_suggest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
