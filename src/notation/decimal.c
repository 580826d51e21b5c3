/* Decimal numbers as whole numbers with a scale, so that 0.1 is exact. Builders of hierarchies and
 * treatments of columns compute with them. */
#include "notation/notation.h"

static bool too_long(__int128 digits)
{
    const __int128 half = 1000000000000000000; /* 18 of the 36 digits */
    return digits >= half * half || digits <= -half * half;
}
_Static_assert(MGL_DECIMAL_DIGITS == 36, "too_long knows the number");

/* Unsigned, because a checked product of signed ones needs a call that clang's
 * sanitizer does not link; too_long sees to it that there is room. */
static __int128 times_10(__int128 digits)
{
    return (__int128)((unsigned __int128)digits * 10);
}

/* The digits before the exponent; *scale counts those after the point. */
static bool parse_digits(mgl_span text, size_t *at, __int128 *digits, int *scale)
{
    bool point = false;
    *digits = 0;
    *scale = 0;
    for (; *at < text.size; ++*at) {
        char c = text.data[*at];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
            break;
        *digits = times_10(*digits) + (c - '0');
        *scale += point;
        if (too_long(*digits))
            return false;
    }
    return true;
}

bool mgl_decimal_parse(const mgl_notation *notation, mgl_span text, mgl_decimal *out)
{
    char room[MGL_PLAIN_TEXT];
    if (!mgl_notation_plain(notation, text, room, &text)) /* the grammar is its business */
        return false;
    size_t at = text.data[0] == '-' || text.data[0] == '+';
    __int128 digits;
    int scale;
    if (!parse_digits(text, &at, &digits, &scale))
        return false;
    if (at < text.size) {
        int64_t exponent;
        at++;
        at += text.data[at] == '+';
        if (!mgl_parse_i64((mgl_span){text.data + at, text.size - at}, &exponent) ||
            exponent > 1000 || exponent < -1000)
            return false;
        scale -= (int)exponent;
    }
    if (digits == 0)
        scale = 0;
    for (; scale > 0 && digits % 10 == 0; scale--)
        digits /= 10;
    for (; scale < 0; scale++) {
        digits = times_10(digits);
        if (too_long(digits))
            return false;
    }
    if (scale > MGL_DECIMAL_DIGITS)
        return false;
    *out = (mgl_decimal){text.data[0] == '-' ? -digits : digits, (uint32_t)scale};
    return true;
}

bool mgl_decimal_rescale(mgl_decimal *number, uint32_t scale)
{
    mgl_decimal scaled = *number;
    for (; scaled.scale < scale; scaled.scale++) {
        scaled.digits = times_10(scaled.digits);
        if (too_long(scaled.digits))
            return false;
    }
    *number = scaled;
    return true;
}

size_t mgl_decimal_write(const mgl_notation *notation, __int128 digits, uint32_t scale,
                         char text[MGL_DECIMAL_TEXT])
{
    char reversed[MGL_DECIMAL_TEXT];
    size_t n = 0, size = 0;
    bool negative = digits < 0;
    if (negative)
        digits = -digits;
    for (; scale > 0 && digits % 10 == 0; scale--)
        digits /= 10;
    for (uint32_t i = 0; digits > 0 || i <= scale; i++, digits /= 10) {
        if (i == scale && scale > 0)
            reversed[n++] = '.';
        reversed[n++] = (char)('0' + (int)(digits % 10));
    }
    if (negative)
        text[size++] = '-';
    while (n > 0)
        text[size++] = reversed[--n];
    text[size] = '\0';
    if (notation != NULL)
        mgl_notation_sign(notation, text, size);
    return size;
}

void mgl_decimal_range(const mgl_notation *notation, mgl_buffer *out, __int128 lo, __int128 hi,
                       uint32_t scale)
{
    char low[MGL_DECIMAL_TEXT], high[MGL_DECIMAL_TEXT];
    bool integers = scale == 0;
    mgl_decimal_write(notation, lo, scale, low);
    mgl_decimal_write(notation, integers ? hi - 1 : hi, scale, high);
    bool comma = notation != NULL && notation->numbers == MGL_NUMBERS_COMMA;
    mgl_buffer_format(out, integers ? "%s-%s" : comma ? "[%s-%s)" : "[%s,%s)", low, high);
}
