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

static void hierarchies_are_drawn_as_trees(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hierarchies_are_drawn_as_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
