/* Reads and writes numbers, the same in every locale. Job files, builders and formats read with it;
 * sinks and certificates write with it. */
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool mgl_parse_u64(mgl_span text, uint64_t *out)
{
    uint64_t value = 0;
    if (text.size == 0)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        unsigned digit = (unsigned)(unsigned char)text.data[i] - '0';
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool mgl_parse_i64(mgl_span text, int64_t *out)
{
    bool negative = text.size > 0 && text.data[0] == '-';
    uint64_t magnitude;
    if (negative)
        text.data++, text.size--;
    if (!mgl_parse_u64(text, &magnitude) || magnitude > (uint64_t)INT64_MAX)
        return false;
    *out = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

static size_t digits_at(mgl_span text, size_t i)
{
    size_t start = i;
    while (i < text.size && text.data[i] >= '0' && text.data[i] <= '9')
        i++;
    return i - start;
}

enum {
    MOST_TEXT = 55,        /* characters of a number */
    MOST_EXPONENT = 99999, /* far beyond every double */
    EXACT_DIGITS = 15,     /* so many digits are a double exactly */
    EXACT_POWER = 22       /* and so are the powers of ten up to this one */
};

static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A number as its digits, without the decimal point, times a power of ten. */
typedef struct decimal {
    bool negative;
    char digits[MOST_TEXT];
    size_t n_digits;
    int power;
} decimal;

static bool take_exponent(mgl_span text, int *out)
{
    bool negative = text.size > 0 && text.data[0] == '-';
    size_t i = text.size > 0 && (text.data[0] == '-' || text.data[0] == '+');
    int value = 0;
    if (i == text.size || digits_at(text, i) != text.size - i)
        return false;
    for (; i < text.size; i++)
        value = value < MOST_EXPONENT ? value * 10 + (text.data[i] - '0') : value;
    *out = negative ? -value : value;
    return true;
}

static bool take_decimal(mgl_span text, decimal *out)
{
    size_t i = text.data[0] == '-' || text.data[0] == '+', whole = digits_at(text, i), fraction = 0;
    out->negative = text.data[0] == '-';
    memcpy(out->digits, text.data + i, whole);
    i += whole;
    if (i < text.size && text.data[i] == '.') {
        fraction = digits_at(text, i + 1);
        memcpy(out->digits + whole, text.data + i + 1, fraction);
        i += 1 + fraction;
    }
    out->n_digits = whole + fraction;
    out->power = 0;
    if (out->n_digits == 0)
        return false;
    if (i < text.size && (text.data[i] == 'e' || text.data[i] == 'E')) {
        if (!take_exponent((mgl_span){text.data + i + 1, text.size - i - 1}, &out->power))
            return false;
        i = text.size;
    }
    out->power -= (int)fraction;
    return i == text.size;
}

/* Few digits and a small power, as nearly all numbers have them: both are doubles exactly, and a
 * single operation rounds rightly. */
static bool is_short(const decimal *number, double *out)
{
    int power = number->power < 0 ? -number->power : number->power;
    if (number->n_digits > EXACT_DIGITS || power > EXACT_POWER)
        return false;
    int64_t digits = 0;
    for (size_t i = 0; i < number->n_digits; i++)
        digits = digits * 10 + (number->digits[i] - '0');
    *out = number->power < 0 ? (double)digits / powers[power] : (double)digits * powers[power];
    return true;
}

/* strtod rounds rightly, and wants the decimal sign of the locale: so it is not given any. */
static double of_text(const decimal *number)
{
    char text[MOST_TEXT + 16];
    memcpy(text, number->digits, number->n_digits);
    snprintf(text + number->n_digits, sizeof text - number->n_digits, "e%d", number->power);
    return strtod(text, NULL);
}

bool mgl_parse_double(mgl_span text, double *out)
{
    decimal number;
    double value;
    if (text.size == 0 || text.size > MOST_TEXT || !take_decimal(text, &number))
        return false;
    if (!is_short(&number, &value))
        value = of_text(&number);
    if (!isfinite(value))
        return false;
    *out = number.negative ? -value : value;
    return true;
}

bool mgl_parse_share(mgl_span text, bool percent, uint64_t total, uint64_t *out)
{
    size_t whole = digits_at(text, 0), fraction = 0;
    size_t i = whole;
    if (i < text.size && text.data[i] == '.') {
        fraction = digits_at(text, i + 1);
        i += 1 + fraction;
    }
    if (whole + fraction == 0 || i != text.size || whole > 6 || fraction > 12)
        return false;
    unsigned __int128 numerator = 0, denominator = percent ? 100 : 1;
    for (size_t j = 0; j < text.size; j++) {
        if (text.data[j] == '.')
            continue;
        numerator = numerator * 10 + (unsigned)(text.data[j] - '0');
        if (j > whole)
            denominator *= 10;
    }
    if (numerator > denominator)
        return false;
    *out = (uint64_t)(numerator * total / denominator);
    return true;
}

enum { DIGITS = 15, ALL_DIGITS = 17 };

/* The first wanted digits of a positive number, without zeros at the end, and the power of ten of
 * the first of them. The digits are picked from a text whose decimal point may be any. */
static size_t take_digits(double value, size_t wanted, char digits[ALL_DIGITS], int *power)
{
    char text[MGL_NUMBER_TEXT];
    size_t n = 0;
    snprintf(text, sizeof text, "%.*e", (int)wanted - 1, value);
    const char *at = text;
    for (; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9' && n < wanted)
            digits[n++] = *at;
    *power = (int)strtol(at + 1, NULL, 10);
    while (n > 1 && digits[n - 1] == '0')
        n--;
    return n;
}

static char *put(char *at, const char *digits, size_t n)
{
    memcpy(at, digits, n);
    return at + n;
}

static char *put_zeros(char *at, int n)
{
    for (int i = 0; i < n; i++)
        *at++ = '0';
    return at;
}

static size_t write_number(double value, size_t wanted, char text[MGL_NUMBER_TEXT])
{
    char digits[ALL_DIGITS], *at = text;
    int power;
    if (fabs(value) < 9007199254740992.0 && value == floor(value)) /* 2^53 */
        return (size_t)snprintf(text, MGL_NUMBER_TEXT, "%lld", (long long)value);
    if (value < 0)
        *at++ = '-';
    size_t n = take_digits(fabs(value), wanted, digits, &power);
    bool plain = power >= -6 && power < 21;
    int point = plain ? power + 1 : 1; /* digits before the decimal point */
    if (point <= 0) {
        at = put(at, "0.", 2);
        at = put_zeros(at, -point);
        point = 0;
    }
    size_t whole = (size_t)point < n ? (size_t)point : n;
    at = put(at, digits, whole);
    at = put_zeros(at, point - (int)whole);
    if (whole > 0 && whole < n)
        *at++ = '.';
    at = put(at, digits + whole, n - whole);
    *at = '\0';
    if (!plain)
        at += snprintf(at, 8, "e%d", power);
    return (size_t)(at - text);
}

size_t mgl_number_write(double value, char text[MGL_NUMBER_TEXT])
{
    return write_number(value, DIGITS, text);
}

static size_t write_endless(double value, char text[MGL_NUMBER_TEXT])
{
    const char *word = isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    memcpy(text, word, strlen(word) + 1);
    return strlen(word);
}

/* Numbers with few decimals, which most are, without the work of printf: m / 10^k with m below
 * 10^15 is the number that these digits are read as, and no other 15 digits are. 0: it is none of
 * them. */
static size_t write_few_decimals(double value, char text[MGL_NUMBER_TEXT])
{
    enum { MOST_DECIMALS = 6 };
    static const double powers[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6};
    double size = fabs(value), scaled = 0;
    size_t decimals = 1, n = 0;
    char digits[ALL_DIGITS + 2];
    if (!(size >= 1e-4 && size < 1e9) || size == floor(size))
        return 0;
    for (; decimals <= MOST_DECIMALS; decimals++) {
        scaled = nearbyint(size * powers[decimals]);
        if (scaled / powers[decimals] == size)
            break;
    }
    if (decimals > MOST_DECIMALS)
        return 0;
    for (uint64_t left = (uint64_t)scaled; left > 0 || n <= decimals; left /= 10)
        digits[n++] = (char)('0' + left % 10);
    char *at = text;
    if (value < 0)
        *at++ = '-';
    while (n > 0) {
        if (n == decimals)
            *at++ = '.';
        *at++ = digits[--n];
    }
    *at = '\0';
    return (size_t)(at - text);
}

size_t mgl_number_write_exact(double value, char text[MGL_NUMBER_TEXT])
{
    if (!isfinite(value))
        return write_endless(value, text);
    size_t size = write_few_decimals(value, text);
    if (size > 0)
        return size;
    /* The smallest numbers of all have fewer digits to tell them apart. */
    for (size_t wanted = fabs(value) < DBL_MIN ? 1 : DIGITS; wanted <= ALL_DIGITS; wanted++) {
        double again;
        size = write_number(value, wanted, text);
        if (mgl_parse_double((mgl_span){text, size}, &again) && again == value)
            break;
    }
    return size;
}

size_t mgl_number_write_single(float value, char text[MGL_NUMBER_TEXT])
{
    enum { SINGLE_DIGITS = 6, ALL_SINGLE_DIGITS = 9 };
    size_t size = 0;
    if (!isfinite(value))
        return write_endless((double)value, text);
    for (size_t wanted = fabsf(value) < FLT_MIN ? 1 : SINGLE_DIGITS; wanted <= ALL_SINGLE_DIGITS;
         wanted++) {
        double again;
        size = write_number((double)value, wanted, text);
        if (mgl_parse_double((mgl_span){text, size}, &again) && (float)again == value)
            break;
    }
    return size;
}
