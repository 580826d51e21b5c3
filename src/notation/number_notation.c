/* Reads numbers with decimal points or commas and separated thousands, detects which of them a
 * column has, and computes with exact decimal numbers. */
#include "notation/notation.h"

/* Signs that set thousands apart, beside the second one of point and comma. */
static const mgl_span signs[] = {
    {" ", 1}, {"\xC2\xA0", 2},     {"\xE2\x80\xAF", 3}, {"\xE2\x80\x89", 3},
    {"'", 1}, {"\xE2\x80\x99", 3},
};

static bool begins_with(mgl_span text, mgl_span with)
{
    return text.size >= with.size && memcmp(text.data, with.data, with.size) == 0;
}

static void skip(mgl_span *text, size_t n)
{
    text->data += n;
    text->size -= n;
}

/* The sign in front of the text; empty if absent. */
static mgl_span sign_of(mgl_span text, char other)
{
    if (text.size > 0 && text.data[0] == other)
        return (mgl_span){text.data, 1};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (begins_with(text, signs[i]))
            return signs[i];
    return (mgl_span){"", 0};
}

/* Moves the digits in front of the text over. Returns how many. */
static size_t move_digits(mgl_span *text, char **to)
{
    size_t n = 0;
    for (; text->size > 0 && text->data[0] >= '0' && text->data[0] <= '9'; n++) {
        *(*to)++ = text->data[0];
        skip(text, 1);
    }
    return n;
}

/* The digits before the decimal sign. False if a group has the wrong size. */
static bool move_whole(mgl_span *text, char other, char **to)
{
    bool zero = text->size > 0 && text->data[0] == '0';
    size_t n = move_digits(text, to);
    mgl_span sign = sign_of(*text, other);
    if (sign.size == 0)
        return true;
    if (n == 0 || n > 3 || zero)
        return false;
    while (begins_with(*text, sign)) {
        skip(text, sign.size);
        if (move_digits(text, to) != 3)
            return false;
    }
    return true;
}

static bool to_plain(bool comma, mgl_span text, char room[MGL_PLAIN_TEXT], mgl_span *out)
{
    char *to = room, decimal = comma ? ',' : '.', other = comma ? '.' : ',';
    if (text.size == 0 || text.size >= MGL_PLAIN_TEXT)
        return false;
    if (text.data[0] == '-' || text.data[0] == '+') {
        *to++ = text.data[0];
        skip(&text, 1);
    }
    if (!move_whole(&text, other, &to))
        return false;
    if (text.size > 0 && text.data[0] == decimal) {
        *to++ = '.';
        skip(&text, 1);
        /* "5," is the beginning of a list; a point may end a number as it always could. */
        if (move_digits(&text, &to) == 0 && comma)
            return false;
    }
    if (memchr(text.data, '.', text.size) != NULL)
        return false;
    memcpy(to, text.data, text.size);
    to += text.size;
    *out = (mgl_span){room, (size_t)(to - room)};
    return true;
}

bool mgl_notation_plain(const mgl_notation *notation, mgl_span text, char room[MGL_PLAIN_TEXT],
                        mgl_span *out)
{
    double ignored;
    *out = text;
    if (notation != NULL && notation->numbers != MGL_NUMBERS_PLAIN &&
        !to_plain(notation->numbers == MGL_NUMBERS_COMMA, text, room, out))
        return false;
    return mgl_parse_double(*out, &ignored);
}

bool mgl_notation_number(const mgl_notation *notation, mgl_span text, double *out)
{
    char room[MGL_PLAIN_TEXT];
    if (notation != NULL && notation->numbers != MGL_NUMBERS_PLAIN &&
        !to_plain(notation->numbers == MGL_NUMBERS_COMMA, text, room, &text))
        return false;
    return mgl_parse_double(text, out);
}

void mgl_notation_sign(const mgl_notation *notation, char *text, size_t size)
{
    char *point = notation->numbers == MGL_NUMBERS_COMMA ? memchr(text, '.', size) : NULL;
    if (point != NULL)
        *point = ',';
}

/* Digits, and a point with digits behind it: what most numbers are, and quickly recognized. */
typedef struct digits {
    size_t whole, fraction; /* how many before and behind the point */
    bool zero;              /* the first one is a zero */
} digits;

/* False if there is anything else, or so much that it may be no number. */
static bool are_digits(mgl_span text, digits *out)
{
    size_t i = 0;
    *out = (digits){.zero = text.data[0] == '0'};
    for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++)
        out->whole++;
    if (i < text.size && text.data[i] == '.')
        for (i++; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++)
            out->fraction++;
    return i == text.size && out->whole > 0 && i < 32 && text.data[i - 1] != '.';
}

/* What mgl_notation_number makes of such a number. */
static void count_digits(mgl_number_sniffer *s, const digits *d)
{
    bool group = d->fraction == 3 && d->whole <= 3 && !d->zero;
    bool comma = d->fraction == 0 || group;
    s->readable[MGL_NUMBERS_PLAIN]++;
    s->readable[MGL_NUMBERS_POINT]++;
    s->readable[MGL_NUMBERS_COMMA] += comma;
    s->only[MGL_NUMBERS_POINT] += !comma;
    s->differ += group;
}

void mgl_number_sniffer_look(mgl_number_sniffer *s, mgl_span text)
{
    double number[MGL_NUMBER_NOTATIONS];
    bool is[MGL_NUMBER_NOTATIONS];
    s->shortest = s->values == 0 || text.size < s->shortest ? text.size : s->shortest;
    s->longest = text.size > s->longest ? text.size : s->longest;
    s->values++;
    /* Names and the like, which most columns of text begin with. */
    char first = text.size > 0 ? text.data[0] : 'x';
    if ((first < '0' || first > '9') && first != '-' && first != '+' && first != '.' &&
        first != ',')
        return;
    digits d;
    if (are_digits(text, &d)) {
        count_digits(s, &d);
        return;
    }
    for (int n = 0; n < MGL_NUMBER_NOTATIONS; n++) {
        mgl_notation notation = {.numbers = (mgl_number_notation)n};
        is[n] = mgl_notation_number(&notation, text, &number[n]);
        s->readable[n] += is[n];
    }
    s->only[MGL_NUMBERS_POINT] += is[MGL_NUMBERS_POINT] && !is[MGL_NUMBERS_COMMA];
    s->only[MGL_NUMBERS_COMMA] += is[MGL_NUMBERS_COMMA] && !is[MGL_NUMBERS_POINT];
    s->differ += is[MGL_NUMBERS_POINT] && is[MGL_NUMBERS_COMMA] &&
                 number[MGL_NUMBERS_POINT] != number[MGL_NUMBERS_COMMA];
}

bool mgl_nearly_all(uint64_t fitting, uint64_t values)
{
    uint64_t others = values - fitting;
    return others == 0 || (others == 1 && values >= MGL_NEARLY_FROM) ||
           others <= values / MGL_NEARLY_ALL;
}

static mgl_number_verdict judge(const mgl_number_sniffer *s, mgl_notation *out)
{
    const uint64_t *readable = s->readable, *only = s->only;
    out->numbers = MGL_NUMBERS_PLAIN;
    if (s->values == 0)
        return MGL_NUMBERS_NONE;
    /* What was read as numbers without a notation stays what it was. */
    if (mgl_nearly_all(readable[MGL_NUMBERS_PLAIN], s->values))
        return s->differ > 0 && mgl_nearly_all(readable[MGL_NUMBERS_COMMA], s->values) &&
                       only[MGL_NUMBERS_POINT] == 0
                   ? MGL_NUMBERS_AS_POINTS
                   : MGL_NUMBERS_CLEAR;
    bool point = mgl_nearly_all(readable[MGL_NUMBERS_POINT], s->values);
    bool comma = mgl_nearly_all(readable[MGL_NUMBERS_COMMA], s->values);
    if (point && comma && only[MGL_NUMBERS_POINT] == only[MGL_NUMBERS_COMMA]) {
        if (s->differ > 0)
            return MGL_NUMBERS_UNCLEAR;
        /* 123 456 789 and 987 654 321, all of one length, are codes in groups. */
        if (s->values > 1 && s->shortest == s->longest)
            return MGL_NUMBERS_NONE;
        out->numbers = MGL_NUMBERS_POINT;
        return MGL_NUMBERS_CLEAR;
    }
    if (!point && !comma)
        return MGL_NUMBERS_NONE;
    bool takes_comma = comma && (!point || only[MGL_NUMBERS_COMMA] > only[MGL_NUMBERS_POINT]);
    out->numbers = takes_comma ? MGL_NUMBERS_COMMA : MGL_NUMBERS_POINT;
    return MGL_NUMBERS_CLEAR;
}

mgl_number_verdict mgl_number_sniffer_end(const mgl_number_sniffer *s, mgl_notation *out)
{
    mgl_number_verdict verdict = judge(s, out);
    out->unsure = verdict == MGL_NUMBERS_AS_POINTS || verdict == MGL_NUMBERS_UNCLEAR;
    return verdict;
}

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
