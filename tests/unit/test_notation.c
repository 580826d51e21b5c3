/* Numbers and dates as people write them. */
#include "notation/notation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double none = NAN; /* the text is no number in the notation */

static void numbers_in_three_notations(void **state)
{
    static const struct {
        const char *text;
        double read[MGL_NUMBER_NOTATIONS]; /* plain, point, comma */
    } rows[] = {
        {"35", {35, 35, 35}},
        {"-35", {-35, -35, -35}},
        {"3.5", {3.5, 3.5, NAN}},
        {"3,5", {NAN, NAN, 3.5}},
        {"-0,5", {NAN, NAN, -0.5}},
        {"1.234", {1.234, 1.234, 1234}},
        {"1,234", {NAN, 1234, 1.234}},
        {"1.234,56", {NAN, NAN, 1234.56}},
        {"1,234.56", {NAN, 1234.56, NAN}},
        {"1.234.567", {NAN, NAN, 1234567}},
        {"1,234,567", {NAN, 1234567, NAN}},
        {"1 234,5", {NAN, NAN, 1234.5}},
        {"1\xC2\xA0"
         "234,5",
         {NAN, NAN, 1234.5}},
        {"1\xE2\x80\xAF"
         "234\xE2\x80\xAF"
         "567,5",
         {NAN, NAN, 1234567.5}},
        {"1'234.5", {NAN, 1234.5, NAN}},
        {"1\xE2\x80\x99"
         "234.5",
         {NAN, 1234.5, NAN}},
        {"1 234", {NAN, 1234, 1234}},
        {"1,5e3", {NAN, NAN, 1500}},
        {"12.34", {12.34, 12.34, NAN}},
        {"0.123", {0.123, 0.123, NAN}},   /* no group begins with a zero */
        {"030 123", {NAN, NAN, NAN}},     /* a telephone */
        {"1234.567,8", {NAN, NAN, NAN}},  /* the first group is too long */
        {"1.234 567,8", {NAN, NAN, NAN}}, /* two signs between groups */
        {"1.23,4", {NAN, NAN, NAN}},      /* a group of two digits */
        {"5,", {NAN, NAN, NAN}},
        {"1,2,3", {NAN, NAN, NAN}},
        {"", {NAN, NAN, NAN}},
        {"x", {NAN, NAN, NAN}},
        {"1 2", {NAN, NAN, NAN}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int n = 0; n < MGL_NUMBER_NOTATIONS; n++) {
            mgl_notation notation = {.numbers = (mgl_number_notation)n};
            double number = none;
            bool is = mgl_notation_number(&notation, mgl_span_of(rows[i].text), &number);
            if (is != !isnan(rows[i].read[n]) || (is && number != rows[i].read[n]))
                fail_msg("'%s' in notation %d: %g", rows[i].text, n, number);
        }
}

static void check_sniffed(const char *const *values, mgl_number_verdict verdict,
                          mgl_number_notation numbers)
{
    mgl_number_sniffer sniffer = {0};
    mgl_notation notation;
    for (size_t i = 0; values[i] != NULL; i++)
        mgl_number_sniffer_look(&sniffer, mgl_span_of(values[i]));
    mgl_number_verdict found = mgl_number_sniffer_end(&sniffer, &notation);
    if (found != verdict || notation.numbers != numbers)
        fail_msg("%s ...: verdict %d, notation %d", values[0], found, notation.numbers);
}

static void the_notation_of_a_column_is_found(void **state)
{
    (void)state;
    check_sniffed((const char *[]){"3,5", "12", NULL}, MGL_NUMBERS_CLEAR, MGL_NUMBERS_COMMA);
    check_sniffed((const char *[]){"1.234", "3,5", NULL}, MGL_NUMBERS_CLEAR, MGL_NUMBERS_COMMA);
    check_sniffed((const char *[]){"1.234.567", "1.234", NULL}, MGL_NUMBERS_CLEAR,
                  MGL_NUMBERS_COMMA);
    check_sniffed((const char *[]){"1,234.5", "7", NULL}, MGL_NUMBERS_CLEAR, MGL_NUMBERS_POINT);
    check_sniffed((const char *[]){"1 234", "77", NULL}, MGL_NUMBERS_CLEAR, MGL_NUMBERS_POINT);
    check_sniffed((const char *[]){"1.5", "2", NULL}, MGL_NUMBERS_CLEAR, MGL_NUMBERS_PLAIN);
    check_sniffed((const char *[]){"1.234", "2", NULL}, MGL_NUMBERS_AS_POINTS, MGL_NUMBERS_PLAIN);
    check_sniffed((const char *[]){"1,234", "2", NULL}, MGL_NUMBERS_UNCLEAR, MGL_NUMBERS_PLAIN);
    check_sniffed((const char *[]){"1.5", "3,5", NULL}, MGL_NUMBERS_NONE, MGL_NUMBERS_PLAIN);
    check_sniffed((const char *[]){"123 456", "654 321", NULL}, MGL_NUMBERS_NONE,
                  MGL_NUMBERS_PLAIN);
    check_sniffed((const char *[]){"x", "3,5", NULL}, MGL_NUMBERS_NONE, MGL_NUMBERS_PLAIN);
    check_sniffed((const char *[]){NULL}, MGL_NUMBERS_NONE, MGL_NUMBERS_PLAIN);
}

static void one_slip_does_not_hide_the_notation(void **state)
{
    mgl_number_sniffer sniffer = {0};
    mgl_notation notation;
    (void)state;
    for (int i = 0; i < 19; i++)
        mgl_number_sniffer_look(&sniffer, mgl_span_of("3,5"));
    mgl_number_sniffer with_slip = sniffer;
    mgl_number_sniffer_look(&with_slip, mgl_span_of("3.5"));
    assert_int_equal(mgl_number_sniffer_end(&with_slip, &notation), MGL_NUMBERS_CLEAR);
    assert_int_equal(notation.numbers, MGL_NUMBERS_COMMA);
    mgl_number_sniffer_look(&with_slip, mgl_span_of("n. a."));
    assert_int_equal(mgl_number_sniffer_end(&with_slip, &notation), MGL_NUMBERS_NONE);
    assert_false(mgl_nearly_all(18, 19));
    assert_true(mgl_nearly_all(19, 20));
    assert_true(mgl_nearly_all(990, 1000));
    assert_false(mgl_nearly_all(989, 1000));
}

static void dates_and_times_are_parsed_in_their_orders(void **state)
{
    static const struct {
        const char *text;
        mgl_date_order order;
        unsigned year, month, day;
        double seconds; /* -1: no time */
    } rows[] = {
        {"1965-09-20", MGL_YMD, 1965, 9, 20, -1},
        {"20.9.1965", MGL_DMY, 1965, 9, 20, -1},
        {"9/20/1965", MGL_MDY, 1965, 9, 20, -1},
        {"2024-05-01T13:45:00Z", MGL_YMD, 2024, 5, 1, 49500},
        {"2024-05-01 13:45", MGL_YMD, 2024, 5, 1, 49500},
        {"2024-05-01T13:45:07.25", MGL_YMD, 2024, 5, 1, 49507.25},
        {"2024-05-01T13:45:07,25", MGL_YMD, 2024, 5, 1, 49507.25},
        {"2024-05-01T23:45:00+02:00", MGL_YMD, 2024, 5, 1, 85500}, /* as written */
        {"2024-05-01T23:45-0530", MGL_YMD, 2024, 5, 1, 85500},
        {"2024-05-01T23:45+02", MGL_YMD, 2024, 5, 1, 85500},
        {"2020-01-02 03:04:05.125+02", MGL_YMD, 2020, 1, 2, 11045.125}, /* PostgreSQL */
        {"1890-01-02 03:04:05+00:53:28", MGL_YMD, 1890, 1, 2, 11045},
        {"2020-01-02 03:04:05 UTC", MGL_YMD, 2020, 1, 2, 11045},
        {"2020-01-02 03:04:05+15:59", MGL_YMD, 2020, 1, 2, 11045},
        {"01.05.2024 7:05", MGL_DMY, 2024, 5, 1, 25500},
        {"01.05.2024 07:05:30", MGL_DMY, 2024, 5, 1, 25530},
        {"05/01/2024 1:45 PM", MGL_MDY, 2024, 5, 1, 49500},
        {"05/01/2024 12:00 AM", MGL_MDY, 2024, 5, 1, 0},
        {"05/01/2024 12:30pm", MGL_MDY, 2024, 5, 1, 45000},
        {"2024-02-29 00:00", MGL_YMD, 2024, 2, 29, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mgl_moment m = {0};
        bool is = mgl_moment_parse(NULL, mgl_span_of(rows[i].text), rows[i].order, &m);
        bool timed = rows[i].seconds >= 0;
        if (!is || m.date.year != rows[i].year || m.date.month != rows[i].month ||
            m.date.day != rows[i].day || m.timed != timed ||
            m.seconds != (timed ? rows[i].seconds : 0))
            fail_msg("'%s': %d %u-%u-%u %g", rows[i].text, is, m.date.year, m.date.month,
                     m.date.day, m.seconds);
    }
}

static void texts_that_are_no_dates_are_refused_with_a_reason(void **state)
{
    static const struct {
        const char *text;
        mgl_date_fault fault;
    } rows[] = {
        {"2024-05-01", MGL_DATE_FINE},
        {"31.02.2020", MGL_DATE_IMPOSSIBLE},
        {"00.00.0000", MGL_DATE_IMPOSSIBLE},
        {"2023-02-29", MGL_DATE_IMPOSSIBLE},
        {"01.05.24", MGL_DATE_SHORT_YEAR},
        {"2024-05-01 25:00", MGL_DATE_IMPOSSIBLE},
        {"2024-05-01 13:60", MGL_DATE_IMPOSSIBLE},
        {"2024-05-01 13:45 PM", MGL_DATE_IMPOSSIBLE},
        {"2024-05-01 noon", MGL_DATE_NONE},
        {"2024-05-01x", MGL_DATE_NONE},
        {"2024-05/01", MGL_DATE_NONE},
        {"2024-05", MGL_DATE_NONE},
        {"", MGL_DATE_NONE},
        {"unknown", MGL_DATE_NONE},
        {"2024-05-01T13:45+25:00", MGL_DATE_NONE},
        {"2024-05-01T13:45+02:00:", MGL_DATE_NONE},
        {"2024-05-01T13:45+02:00:61", MGL_DATE_NONE},
        {"2024-05-01T13:45 UT", MGL_DATE_NONE},
        {"infinity", MGL_DATE_OUTSIDE},
        {"-infinity", MGL_DATE_OUTSIDE},
        {"infinity2", MGL_DATE_NONE},
        {"0044-03-15 BC", MGL_DATE_OUTSIDE},
        {"0044-03-15 00:00:00+00 BC", MGL_DATE_OUTSIDE},
        {"0044-03-15 (BC)", MGL_DATE_OUTSIDE},
        {"-0044-03-15", MGL_DATE_OUTSIDE},
        {"12345-01-02 03:04:05", MGL_DATE_OUTSIDE},
        {"+12345-01-02", MGL_DATE_OUTSIDE},
        {"12345-01", MGL_DATE_NONE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (mgl_date_fault_of(NULL, mgl_span_of(rows[i].text)) != rows[i].fault)
            fail_msg("'%s'", rows[i].text);
}

static void a_century_makes_two_digits_a_year(void **state)
{
    mgl_notation notation = {.has_century = true, .century = 25};
    mgl_moment m;
    (void)state;
    assert_true(mgl_moment_parse(&notation, mgl_span_of("01.05.25"), MGL_DMY, &m));
    assert_int_equal(m.date.year, 2025);
    assert_true(mgl_moment_parse(&notation, mgl_span_of("01.05.26 10:00"), MGL_DMY, &m));
    assert_int_equal(m.date.year, 1926);
    assert_true(mgl_moment_parse(&notation, mgl_span_of("01.05.1826"), MGL_DMY, &m));
    assert_int_equal(m.date.year, 1826);
    assert_int_equal(mgl_date_fault_of(&notation, mgl_span_of("31.02.25")), MGL_DATE_IMPOSSIBLE);
    assert_int_equal(mgl_date_orders(&notation, mgl_span_of("31.12.25")), 1u << MGL_DMY);
    assert_int_equal(mgl_date_orders(NULL, mgl_span_of("31.12.25")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_three_notations),
        cmocka_unit_test(the_notation_of_a_column_is_found),
        cmocka_unit_test(one_slip_does_not_hide_the_notation),
        cmocka_unit_test(dates_and_times_are_parsed_in_their_orders),
        cmocka_unit_test(texts_that_are_no_dates_are_refused_with_a_reason),
        cmocka_unit_test(a_century_makes_two_digits_a_year),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
