/* The one text of a typed cell (docs/arrow.md#texts-of-cells). Classes, sensitive values,
 * hierarchies and releases as text are made of it. The source of Arrow tables calls it. */
#include "io/arrow/arrow.h"
#include "notation/notation.h"

#include <math.h>
#include <stdio.h>

/* ---- Whole numbers ------------------------------------------------------------------------------
 */

/* Whole columns are written so, row by row, so it is not left to snprintf. */
static size_t write_whole(bool negative, uint64_t magnitude, char room[MGL_ARROW_ROOM])
{
    enum { MOST_DIGITS_OF_WHOLE = 20 };
    char digits[MOST_DIGITS_OF_WHOLE];
    size_t n = 0, size = 0;
    do {
        digits[n++] = (char)('0' + magnitude % 10);
    } while ((magnitude /= 10) > 0);
    if (negative)
        room[size++] = '-';
    while (n > 0)
        room[size++] = digits[--n];
    return size;
}

/* ---- Floats ------------------------------------------------------------------------------------
 */

static double of_half(uint16_t bits)
{
    int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    double size = exponent == 0     ? ldexp(fraction, -24)
                  : exponent < 0x1f ? ldexp(fraction + 0x400, exponent - 25)
                  : fraction == 0   ? (double)INFINITY
                                    : (double)NAN;
    return bits >> 15 != 0 ? -size : size;
}

/* Is the number nearer to this half than to any other? Halves lie 2^-11 of the next power of two
 * apart, but at least 2^-24, and below a power of two half as far. */
static bool is_nearest_half(double number, double half)
{
    int exponent;
    frexp(half, &exponent);
    double step = ldexp(1, exponent - 11 > -24 ? exponent - 11 : -24);
    double below = fabs(half) == ldexp(1, exponent - 1) && step > ldexp(1, -24) ? step / 2 : step;
    double off = half < 0 ? half - number : number - half;
    return off >= 0 ? off < step / 2 : -off < below / 2;
}

/* With as many digits as tell halves apart: 0.1, not 0.0999755859375. Whole numbers are written in
 * full, as larger floats are. */
static size_t write_half(double half, char text[MGL_NUMBER_TEXT])
{
    enum { MOST_DIGITS = 5 };
    for (int digits = 1; isfinite(half) && half != floor(half) && digits <= MOST_DIGITS; digits++) {
        char tried[MGL_NUMBER_TEXT];
        double number;
        snprintf(tried, sizeof tried, "%.*e", digits - 1, half);
        if (mgl_parse_double(mgl_span_of(tried), &number) && is_nearest_half(number, half))
            return mgl_number_write_exact(number, text);
    }
    return mgl_number_write_exact(half, text);
}

static size_t write_float(const mgl_arrow_cells *cells, size_t i, char text[MGL_NUMBER_TEXT])
{
    const char *values = cells->values;
    size_t at = cells->first + i;
    uint16_t half;
    float single;
    double exact;
    switch (cells->type->width) {
    case 2:
        memcpy(&half, values + at * sizeof half, sizeof half);
        return write_half(of_half(half), text);
    case 4:
        memcpy(&single, values + at * sizeof single, sizeof single);
        return mgl_number_write_single(single, text);
    default:
        memcpy(&exact, values + at * sizeof exact, sizeof exact);
        return mgl_number_write_exact(exact, text);
    }
}

/* ---- Decimals ----------------------------------------------------------------------------------
 */

enum { MOST_WORDS = 8, MOST_DIGITS = 80, WORD_DIGITS = 9, WORD_OF_DIGITS = 1000000000 };

/* The words of a number of up to 256 bits, least first, without its sign. */
static bool take_words(const char *value, unsigned width, uint32_t words[MOST_WORDS])
{
    unsigned n = width / 4;
    memset(words, 0, MOST_WORDS * sizeof *words);
    memcpy(words, value, width);
    bool negative = words[n - 1] >> 31 != 0;
    uint64_t carry = 1;
    for (unsigned i = 0; negative && i < n; i++) {
        carry += (uint32_t)~words[i];
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return negative;
}

/* Divides by 10^9 and returns the rest. */
static uint32_t divide(uint32_t words[MOST_WORDS])
{
    uint64_t rest = 0;
    for (size_t i = MOST_WORDS; i-- > 0;) {
        uint64_t word = rest << 32 | words[i];
        words[i] = (uint32_t)(word / WORD_OF_DIGITS);
        rest = word % WORD_OF_DIGITS;
    }
    return (uint32_t)rest;
}

/* Its digits, the last one first and without zeros in front; returns how many. */
static size_t take_digits(uint32_t words[MOST_WORDS], char digits[MOST_DIGITS + WORD_DIGITS])
{
    size_t n = 0, used = 0;
    while (n < MOST_DIGITS) {
        uint32_t rest = divide(words);
        for (size_t d = 0; d < WORD_DIGITS; d++, rest /= 10) {
            digits[n++] = (char)('0' + rest % 10);
            if (rest % 10 != 0)
                used = n;
        }
    }
    return used;
}

/* All digits behind the point that the scale says: 1.50. A negative scale is zeros. */
static size_t write_decimal(const mgl_arrow_cells *cells, size_t i, char room[MGL_ARROW_ROOM])
{
    unsigned width = cells->type->width;
    uint32_t words[MOST_WORDS];
    char digits[MOST_DIGITS + WORD_DIGITS], *at = room;
    const char *value = (const char *)cells->values + (cells->first + i) * width;
    bool negative = take_words(value, width, words);
    size_t n = take_digits(words, digits);
    size_t behind = cells->type->scale > 0 ? (size_t)cells->type->scale : 0;
    if (negative)
        *at++ = '-';
    if (n <= behind)
        *at++ = '0';
    for (size_t d = n > behind ? n : behind; d-- > 0;) {
        if (d + 1 == behind)
            *at++ = '.';
        *at++ = d < n ? digits[d] : '0';
    }
    for (int zeros = n > 0 ? -cells->type->scale : 0; zeros > 0; zeros--)
        *at++ = '0';
    return (size_t)(at - room);
}

/* ---- Days and times ----------------------------------------------------------------------------
 */

/* Years from 0000 to 9999 as they are; others have a sign: +12345, -0044. */
static size_t write_day(int64_t days, char *room)
{
    int64_t year;
    unsigned month, day;
    mgl_calendar_date(days, &year, &month, &day);
    const char *sign = year < 0 ? "-" : year > 9999 ? "+" : "";
    return (size_t)snprintf(room, MGL_ARROW_ROOM, "%s%04lld-%02u-%02u", sign,
                            (long long)(year < 0 ? -year : year), month, day);
}

/* No digits behind the second if there is nothing, else 3, 6 or 9, the least that tell all. */
static size_t write_time(int64_t of_day, int64_t unit, char *room)
{
    unsigned seconds = (unsigned)(of_day / unit);
    size_t size = (size_t)snprintf(room, MGL_ARROW_ROOM / 2, "%02u:%02u:%02u", seconds / 3600,
                                   seconds / 60 % 60, seconds % 60);
    int64_t fraction = of_day % unit * (1000000000 / unit);
    int digits = 9;
    if (fraction == 0)
        return size;
    for (; fraction % 1000 == 0; fraction /= 1000)
        digits -= 3;
    return size + (size_t)snprintf(room + size, MGL_ARROW_ROOM / 2, ".%0*lld", digits,
                                   (long long)fraction);
}

static int64_t floor_divide(int64_t number, int64_t by, int64_t *rest)
{
    *rest = number % by + (number % by < 0 ? by : 0);
    return number / by - (number % by < 0);
}

static size_t write_moment(const mgl_arrow_type *type, int64_t moment, char room[MGL_ARROW_ROOM])
{
    enum { DAY = 86400 };
    int64_t of_day, days = floor_divide(moment, DAY * type->unit, &of_day);
    size_t size = write_day(days, room);
    room[size++] = 'T';
    size += write_time(of_day, type->unit, room + size);
    if (type->zoned)
        room[size++] = 'Z';
    return size;
}

/* ---- All ---------------------------------------------------------------------------------------
 */

static mgl_span show_bool(const mgl_arrow_cells *cells, size_t i)
{
    return mgl_span_of(mgl_bit_at(cells->values, cells->first + i) ? "true" : "false");
}

mgl_span mgl_arrow_show(const mgl_arrow_cells *cells, size_t i, char room[MGL_ARROW_ROOM])
{
    const mgl_arrow_type *type = cells->type;
    int64_t whole, rest;
    size_t size = 0;
    switch (type->kind) {
    case MGL_ARROW_TEXT:
    case MGL_ARROW_LARGE_TEXT:
    case MGL_ARROW_VIEW:
        return mgl_arrow_text_at(cells, i);
    case MGL_ARROW_BOOL:
        return show_bool(cells, i);
    case MGL_ARROW_SIGNED:
        whole = mgl_arrow_signed_at(cells, i);
        size = write_whole(whole < 0, whole < 0 ? -(uint64_t)whole : (uint64_t)whole, room);
        break;
    case MGL_ARROW_UNSIGNED:
        size = write_whole(false, mgl_arrow_unsigned_at(cells, i), room);
        break;
    case MGL_ARROW_FLOAT:
        size = write_float(cells, i, room);
        break;
    case MGL_ARROW_DECIMAL:
        size = write_decimal(cells, i, room);
        break;
    case MGL_ARROW_DAY:
        size = write_day(floor_divide(mgl_arrow_signed_at(cells, i), type->unit, &rest), room);
        break;
    case MGL_ARROW_TIME:
        size = write_time(mgl_arrow_signed_at(cells, i), type->unit, room);
        break;
    case MGL_ARROW_MOMENT:
        size = write_moment(type, mgl_arrow_signed_at(cells, i), room);
        break;
    case MGL_ARROW_NULL:
        break;
    }
    return (mgl_span){room, size};
}
