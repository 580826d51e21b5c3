/* The one text of every typed cell (docs/arrow.md#texts-of-cells). */
#include "io/io.h"
#include "notation/notation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* The text of a value of this format, whose bytes begin at `value`. */
static void expect(const char *format, const void *value, const char *expected)
{
    mgl_arrow_type type;
    char room[MGL_ARROW_ROOM];
    assert_true(mgl_arrow_type_of(format, &type));
    mgl_arrow_cells cells = {.type = &type, .n = 1, .values = value};
    mgl_span text = mgl_arrow_show(&cells, 0, room);
    if (!mgl_span_is(text, expected))
        fail_msg("%s: %.*s, not %s", format, (int)text.size, text.data, expected);
}

static void expect_whole(const char *format, int64_t value, const char *expected)
{
    expect(format, &value, expected); /* little-endian: the low bytes are the number */
}

static void whole_numbers(void **state)
{
    (void)state;
    expect_whole("c", -128, "-128");
    expect_whole("C", 255, "255");
    expect_whole("s", -32768, "-32768");
    expect_whole("S", 65535, "65535");
    expect_whole("i", INT32_MIN, "-2147483648");
    expect_whole("I", UINT32_MAX, "4294967295");
    expect_whole("l", INT64_MIN, "-9223372036854775808");
    expect_whole("l", 0, "0");
    expect_whole("L", -1, "18446744073709551615");
}

static void truths(void **state)
{
    (void)state;
    expect("b", "\x01", "true");
    expect("b", "\x02", "false");
}

static void floats(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } doubles[] = {{1.0, "1"},
                   {-0.0, "0"},
                   {0.1, "0.1"},
                   {1e300, "1e300"},
                   {1.5e-7, "1.5e-7"},
                   {-2.5, "-2.5"},
                   {1e21, "1e21"},
                   {123456789012, "123456789012"},
                   {0.1 + 0.2, "0.30000000000000004"},
                   {INFINITY, "inf"},
                   {-INFINITY, "-inf"},
                   {NAN, "nan"},
                   {5e-324, "5e-324"}};
    static const struct {
        float value;
        const char *text;
    } singles[] = {{0.1F, "0.1"}, {16777216.0F, "16777216"}, {-0.0F, "0"}, {1e-45F, "1e-45"}};
    static const struct {
        uint16_t value;
        const char *text;
    } halves[] = {{0x3c00, "1"},     {0x2e66, "0.1"},    {0x7bff, "65504"},      {0xc100, "-2.5"},
                  {0x0001, "6e-8"},  {0x8000, "0"},      {0x7c00, "inf"},        {0xfc00, "-inf"},
                  {0x7e00, "nan"},   {0x3555, "0.3333"}, {0x0400, "0.00006104"}, {0x3c01, "1.001"},
                  {0x4a19, "12.195"}};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        expect("g", &doubles[i].value, doubles[i].text);
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
        expect("f", &singles[i].value, singles[i].text);
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        expect("e", &halves[i].value, halves[i].text);
}

/* The half that a number is nearest to, ties to even, by trying all. */
static unsigned nearest_half(double number)
{
    static const double step = 0x1p-24;
    double size = fabs(number);
    unsigned best = 0;
    for (unsigned bits = 0; bits < 0x7c00; bits++) {
        unsigned exponent = bits >> 10, fraction = bits & 0x3ff;
        double value =
            exponent == 0 ? fraction * step : ldexp(fraction + 1024.0, (int)exponent - 25);
        unsigned at = best >> 10;
        double known =
            at == 0 ? (best & 0x3ff) * step : ldexp((best & 0x3ff) + 1024.0, (int)at - 25);
        if (fabs(value - size) < fabs(known - size))
            best = bits;
    }
    return best;
}

static void every_half_reads_back(void **state)
{
    (void)state;
    mgl_arrow_type type;
    assert_true(mgl_arrow_type_of("e", &type));
    for (uint16_t bits = 1; bits < 0x7c00; bits = (uint16_t)(bits + 37)) {
        char room[MGL_ARROW_ROOM];
        double number;
        mgl_arrow_cells cells = {.type = &type, .n = 1, .values = &bits};
        mgl_span text = mgl_arrow_show(&cells, 0, room);
        assert_true(mgl_parse_double(text, &number));
        assert_int_equal(nearest_half(number), bits);
    }
}

static void decimals(void **state)
{
    (void)state;
    static const int64_t large[] = {0, 0, 0, INT64_MIN}, one_and_a_half[] = {150, 0, 0, 0};
    static const int64_t ones[] = {-1, -1, -1, -1}, most[] = {-1, INT64_MAX};
    expect_whole("d:9,2,32", 150, "1.50");
    expect_whole("d:9,2,32", -5, "-0.05");
    expect_whole("d:18,0,64", -42, "-42");
    expect_whole("d:18,-2,64", 12, "1200");
    expect_whole("d:18,-2,64", 0, "0");
    expect_whole("d:18,3,64", 0, "0.000");
    expect_whole("d:5,7,32", 12345, "0.0012345");
    expect("d:19,2", one_and_a_half, "1.50");
    expect("d:38,0", ones, "-1");
    expect("d:38,10,128", most, "17014118346046923173168730371.5884105727");
    expect("d:76,2,256", ones, "-0.01");
    expect("d:76,0,256", large,
           "-57896044618658097711785492504343953926634992332820282019728792003956564819968");
    expect("d:76,76,256", large,
           "-5.7896044618658097711785492504343953926634992332820282019728792003956564819968");
}

static void days(void **state)
{
    (void)state;
    expect_whole("tdD", 0, "1970-01-01");
    expect_whole("tdD", -1, "1969-12-31");
    expect_whole("tdD", 11016, "2000-02-29");
    expect_whole("tdD", -719528, "0000-01-01");
    expect_whole("tdD", -719529, "-0001-12-31");
    expect_whole("tdD", 2932896, "9999-12-31");
    expect_whole("tdD", 2932897, "+10000-01-01");
    expect_whole("tdm", 86400000, "1970-01-02");
    expect_whole("tdm", -86400000, "1969-12-31");
}

static void times(void **state)
{
    (void)state;
    expect_whole("tts", 49500, "13:45:00");
    expect_whole("ttm", 49500250, "13:45:00.250");
    expect_whole("ttm", 49500000, "13:45:00");
    expect_whole("ttu", 1, "00:00:00.000001");
    expect_whole("ttu", 1000, "00:00:00.001");
    expect_whole("ttn", 86399999999999, "23:59:59.999999999");
    expect_whole("ttn", 1000000000, "00:00:01");
}

static void moments(void **state)
{
    (void)state;
    expect_whole("tss:", 0, "1970-01-01T00:00:00");
    expect_whole("tss:Europe/Berlin", 1582977599, "2020-02-29T11:59:59Z");
    expect_whole("tsm:", -1, "1969-12-31T23:59:59.999");
    expect_whole("tsu:", 1582977599000001, "2020-02-29T11:59:59.000001");
    expect_whole("tsn:UTC", -1, "1969-12-31T23:59:59.999999999Z");
    expect_whole("tsn:", INT64_MIN, "1677-09-21T00:12:43.145224192");
    expect_whole("tss:", 253402300800, "+10000-01-01T00:00:00");
    expect_whole("tss:", INT64_MAX, "+292277026596-12-04T15:30:07");
    expect_whole("tss:", INT64_MIN, "-292277022657-01-27T08:29:52");
}

/* Dates and moments in years of four digits are what the project reads as such. */
static void dates_are_read_as_dates(void **state)
{
    (void)state;
    static const char *const texts[] = {"1965-09-20", "2020-02-29T11:59:59",
                                        "2020-02-29T11:59:59.000001", "2020-02-29T11:59:59Z"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mgl_moment moment;
        assert_true(mgl_moment_parse(NULL, mgl_span_of(texts[i]), MGL_YMD, &moment));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(truths),
        cmocka_unit_test(floats),
        cmocka_unit_test(every_half_reads_back),
        cmocka_unit_test(decimals),
        cmocka_unit_test(days),
        cmocka_unit_test(times),
        cmocka_unit_test(moments),
        cmocka_unit_test(dates_are_read_as_dates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
