/* base: numbers from text and to text. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "made_locale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void whole_numbers_are_parsed_or_refused(void **state)
{
    (void)state;
    uint64_t u = 7;
    assert_true(mgl_parse_u64(mgl_span_of("0"), &u) && u == 0);
    assert_true(mgl_parse_u64(mgl_span_of("007"), &u) && u == 7);
    assert_true(mgl_parse_u64(mgl_span_of("18446744073709551615"), &u) && u == UINT64_MAX);
    static const char *const bad[] = {"",
                                      "18446744073709551616",
                                      "99999999999999999999",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "0x1",
                                      "1e3",
                                      "\xd9\xa1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (mgl_parse_u64(mgl_span_of(bad[i]), &u))
            fail_msg("'%s' is no whole number", bad[i]);
    assert_true(u == UINT64_MAX); /* untouched by what was refused */

    int64_t s;
    assert_true(mgl_parse_i64(mgl_span_of("-9223372036854775807"), &s) && s == -INT64_MAX);
    assert_true(mgl_parse_i64(mgl_span_of("9223372036854775807"), &s) && s == INT64_MAX);
    assert_false(mgl_parse_i64(mgl_span_of("9223372036854775808"), &s));
    assert_false(mgl_parse_i64(mgl_span_of("-"), &s));
    assert_false(mgl_parse_i64(mgl_span_of("--1"), &s));
    assert_false(mgl_parse_i64(mgl_span_of(""), &s));
}

static void a_span_ends_where_it_says(void **state)
{
    (void)state;
    uint64_t u;
    double d;
    assert_true(mgl_parse_u64((mgl_span){"12345", 2}, &u) && u == 12);
    assert_true(mgl_parse_double((mgl_span){"1.2e5", 3}, &d) && d == 1.2);
}

static void check_doubles(void)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},      {"1.5", 1.5},     {"-1.5", -1.5},
                {"+2", 2},     {".5", .5},       {"5.", 5},
                {"1e3", 1000}, {"1E-3", 1e-3},   {"2e+2", 200},
                {"0.1", 0.1},  {"1e308", 1e308}, {"12345678901234567890", 12345678901234567890.0}};
    static const char *const bad[] = {"",    ".",  "e5", "1e",    "1e+", "inf",   "nan", "0x1p3",
                                      "1,5", " 1", "1 ", "1e999", "--1", "1.2.3", "-"};
    double got;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!mgl_parse_double(mgl_span_of(good[i].text), &got) || got != good[i].value)
            fail_msg("'%s' was not read as %g", good[i].text, good[i].value);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (mgl_parse_double(mgl_span_of(bad[i]), &got))
            fail_msg("'%s' is no number", bad[i]);
}

static void real_numbers_are_parsed_or_refused(void **state)
{
    (void)state;
    check_doubles();
}

static void check_written(void)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "0"},
        {7, "7"},
        {-120, "-120"},
        {45554 + 1 / 3.0, "45554.3333333333"},
        {-2 / 3.0, "-0.666666666666667"},
        {(0.1 + 0.2) / 2, "0.15"},
        {0.05, "0.05"},
        {0.000001, "0.000001"},
        {0.00000125, "0.00000125"},
        {0.000000125, "1.25e-7"},
        {-1e-300, "-1e-300"},
        {9007199254740991.0, "9007199254740991"},
        {-9007199254740991.0, "-9007199254740991"},
        {123456789012345678.0, "123456789012346000"},
        {1e20, "100000000000000000000"},
        {1e21, "1e21"},
        {-1.5e300, "-1.5e300"},
        {1.7976931348623157e308, "1.79769313486232e308"},
        {999999.9999999999999, "1000000"},
        {0.9999999999999999, "1"},
        {1234567.125, "1234567.125"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[MGL_NUMBER_TEXT];
        size_t size = mgl_number_write(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(size, strlen(cases[i].text));
    }
}

static void numbers_are_written_as_people_do(void **state)
{
    (void)state;
    check_written();
}

/* Random numbers of all sizes: what is written reads back as the number, to 15 digits, and
 * decimal numbers of up to 15 digits exactly as they are. */
static void written_numbers_read_back(void **state)
{
    (void)state;
    mgl_random random;
    mgl_random_seed(&random, 3);
    for (int i = 0; i < 20000; i++) {
        char text[MGL_NUMBER_TEXT], again[MGL_NUMBER_TEXT], plain[40];
        long long digits = (long long)mgl_random_below(&random, 1000000000000000);
        int power = (int)mgl_random_below(&random, 580) - 290;
        double value, read;
        if (mgl_random_below(&random, 2) == 0)
            power = -(int)mgl_random_below(&random, 16);
        snprintf(plain, sizeof plain, "%s%llde%d", digits % 2 == 0 ? "-" : "", digits, power);
        assert_true(mgl_parse_double(mgl_span_of(plain), &value));
        size_t size = mgl_number_write(value, text);
        assert_true(size < MGL_NUMBER_TEXT && size == strlen(text));
        assert_true(mgl_parse_double(mgl_span_of(text), &read));
        assert_true(read == value);
        value /= 3;
        mgl_number_write(value, text);
        assert_true(mgl_parse_double(mgl_span_of(text), &read));
        assert_true(fabs(read - value) <= 5.1e-15 * fabs(value));
        mgl_number_write(read, again);
        assert_string_equal(again, text);
    }
}

static void numbers_ignore_the_locale(void **state)
{
    (void)state;
    if (!enter_locale("de_DE"))
        skip();
    check_doubles();
    check_written();
    uint64_t rows;
    assert_true(mgl_parse_share(mgl_span_of("0.07"), false, 100, &rows) && rows == 7);
    assert_false(mgl_parse_share(mgl_span_of("0,07"), false, 100, &rows));
    leave_locale();
}

static void shares_are_rounded_down_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool percent;
        uint64_t total, rows;
    } good[] = {
        {"0.07", false, 100, 7},
        {"0.29", false, 100, 29},
        {"0.57", false, 100, 57},
        {"7", true, 100, 7},
        {"5", true, 30162, 1508},
        {"0.05", false, 30162, 1508},
        {"100", true, 12, 12},
        {"1", false, 12, 12},
        {"1.000", false, 12, 12},
        {"0", true, 12, 0},
        {".5", false, 3, 1},
        {"33.3", true, 1000, 333},
        {"0.999999999999", false, 1000, 999},
        {"5.", true, 100, 5},
        {"100", true, UINT64_MAX, UINT64_MAX},
        {"0.5", false, UINT64_MAX, UINT64_MAX / 2},
        {"2", true, 0, 0},
        {"0.1", true, 1000, 1},
        {"0.1", true, 999, 0},
    };
    static const char *const bad[] = {"",     ".",   "1.01", "-0.1", "+0.1", "5%",
                                      "1e-2", "0,5", " 0.5", "0.5 ", "0..5", "half"};
    uint64_t rows;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!mgl_parse_share(mgl_span_of(good[i].text), good[i].percent, good[i].total, &rows) ||
            rows != good[i].rows)
            fail_msg("%s%s of %llu", good[i].text, good[i].percent ? "%" : "",
                     (unsigned long long)good[i].total);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (mgl_parse_share(mgl_span_of(bad[i]), false, 100, &rows))
            fail_msg("'%s' is no share", bad[i]);
    assert_false(mgl_parse_share(mgl_span_of("100.1"), true, 100, &rows));
}

/* Every share of two decimals, of every total: what plain whole-number arithmetic gives. */
static void shares_equal_whole_number_arithmetic(void **state)
{
    (void)state;
    for (unsigned hundredths = 0; hundredths <= 100; hundredths++)
        for (unsigned total = 0; total < 400; total++) {
            char text[16];
            uint64_t rows, again;
            snprintf(text, sizeof text, "%u.%02u", hundredths / 100, hundredths % 100);
            assert_true(mgl_parse_share(mgl_span_of(text), false, total, &rows));
            assert_int_equal(rows, hundredths * total / 100);
            snprintf(text, sizeof text, "%u", hundredths);
            assert_true(mgl_parse_share(mgl_span_of(text), true, total, &again));
            assert_int_equal(again, rows);
        }
}

/* Random bits as numbers of 8 and of 4 bytes: the text gives the very number back. */
static void exact_numbers_read_back(void **state)
{
    (void)state;
    char text[MGL_NUMBER_TEXT];
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        double value, again;
        float single;
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t half = (uint32_t)(bits >> 32);
        memcpy(&value, &bits, sizeof value);
        memcpy(&single, &half, sizeof single);
        size_t size = mgl_number_write_exact(value, text);
        if (isfinite(value)) {
            assert_true(mgl_parse_double((mgl_span){text, size}, &again));
            assert_true(again == value);
        }
        size = mgl_number_write_single(single, text);
        if (isfinite(single)) {
            assert_true(mgl_parse_double((mgl_span){text, size}, &again));
            assert_true((float)again == single);
        }
    }
    assert_int_equal(mgl_number_write_exact(0.1, text), 3);
    assert_int_equal(mgl_number_write_single(0.1F, text), 3);
    mgl_number_write_exact(0.1 + 0.2, text);
    assert_string_equal(text, "0.30000000000000004");
    mgl_number_write_exact(-HUGE_VAL, text);
    assert_string_equal(text, "-inf");
    mgl_number_write_single((float)NAN, text);
    assert_string_equal(text, "nan");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_parsed_or_refused),
        cmocka_unit_test(a_span_ends_where_it_says),
        cmocka_unit_test(real_numbers_are_parsed_or_refused),
        cmocka_unit_test(numbers_ignore_the_locale),
        cmocka_unit_test(shares_are_rounded_down_exactly),
        cmocka_unit_test(shares_equal_whole_number_arithmetic),
        cmocka_unit_test(numbers_are_written_as_people_do),
        cmocka_unit_test(written_numbers_read_back),
        cmocka_unit_test(exact_numbers_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
