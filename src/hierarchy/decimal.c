/* Decimal numbers as whole numbers with a scale, so that 0.1 is exact. The builders of cuts and
 * intervals compute with them. */
#include "hierarchy/decimal.h"

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

/* The grammar of mgl_notation_number; the least scale. False if it is no number or
 * has too many digits. */
static bool parse(const mgl_notation *notation, mgl_span text, mgl_decimal *out)
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

/* The same number with a larger scale; false if it has too many digits then. */
static bool rescale(mgl_decimal *number, uint32_t scale)
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

mgl_status mgl_decimal_parameter(mgl_build *build, mgl_span text, mgl_error *err, mgl_decimal *out)
{
    if (parse(NULL, text, out))
        return MGL_OK;
    return mgl_draft_fail(build->draft, 0, err, "'%.*s' is no number of at most %d digits",
                          mgl_span_width(text), text.data, MGL_DECIMAL_DIGITS);
}

static mgl_status fail_value(mgl_build *build, mgl_span value, mgl_error *err)
{
    double number;
    char shown[MGL_SHOWN];
    if (mgl_notation_number(build->ground->notation, value, &number))
        return mgl_build_blame(build, value, err,
                               "the value '%s' needs more than %d digits; round the values first",
                               mgl_shown(value, shown), MGL_DECIMAL_DIGITS);
    return mgl_build_blame(build, value, err,
                           "the value '%s' is no number; name it by `missing` if it means missing "
                           "(`missing: ,NA,VALUE`), give the decimal sign by `decimal`, or take "
                           "a builder for text (mask, groups)",
                           mgl_shown(value, shown));
}

mgl_status mgl_decimals_of(mgl_build *build, mgl_decimal *parameters, size_t n_parameters,
                           mgl_error *err, mgl_decimal **out)
{
    const mgl_ground *ground = build->ground;
    uint32_t scale = 0;
    size_t at = 0;
    mgl_decimal *numbers = mgl_alloc_array(ground->n, sizeof *numbers);
    if (numbers == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n_parameters; i++)
        scale = parameters[i].scale > scale ? parameters[i].scale : scale;
    for (; at < ground->n && parse(ground->notation, ground->values[at].text, &numbers[at]); at++)
        scale = numbers[at].scale > scale ? numbers[at].scale : scale;
    if (at == ground->n)
        for (at = 0; at < ground->n && rescale(&numbers[at], scale);)
            at++;
    if (at < ground->n) {
        mgl_free(numbers);
        return fail_value(build, ground->values[at].text, err);
    }
    for (size_t i = 0; i < n_parameters; i++) {
        if (!rescale(&parameters[i], scale)) {
            mgl_free(numbers);
            return mgl_draft_fail(build->draft, 0, err,
                                  "a number needs more than %d digits beside the values of the "
                                  "column; round the values first",
                                  MGL_DECIMAL_DIGITS);
        }
    }
    *out = numbers;
    return MGL_OK;
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
