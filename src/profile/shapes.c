/* Counts what single values look like: numbers, dates, words, identifiers. profile.c calls it for
 * each value. */
#include "profile/profile.h"

#include <math.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes from 0x80 on are taken for letters: names have accents. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool is_capital(char c)
{
    return (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* 1.234.567,5 and 3,14. */
static bool read_comma_number(mgl_span text, double *number)
{
    static const mgl_notation comma = {.numbers = MGL_NUMBERS_COMMA};
    return mgl_notation_number(&comma, text, number);
}

static void add_number(mgl_shapes *s, mgl_span text)
{
    double number;
    bool plain = mgl_parse_double(text, &number);
    if (!plain && !read_comma_number(text, &number))
        return;
    size_t sign = text.data[0] == '-' || text.data[0] == '+';
    bool whole = plain;
    for (size_t i = sign; whole && i < text.size; i++)
        whole = is_digit(text.data[i]);
    s->integers += whole;
    s->points += plain && !whole;
    s->round += plain && !whole && number == floor(number);
    s->commas += !plain;
    s->padded += whole && text.size > sign + 1 && text.data[sign] == '0';
    s->low = number < s->low ? number : s->low;
    s->high = number > s->high ? number : s->high;
}

/* Two-digit years are dates whatever century they are of. */
static void add_date(mgl_shapes *s, mgl_span text)
{
    static const mgl_notation any_century = {.has_century = true};
    mgl_moment moment;
    unsigned orders = mgl_date_orders(&any_century, text);
    if (orders == 0 ||
        !mgl_moment_parse(&any_century, text, (mgl_date_order)__builtin_ctz(orders), &moment))
        return;
    s->short_years += mgl_date_fault_of(NULL, text) == MGL_DATE_SHORT_YEAR;
    s->dates += !moment.timed;
    s->date_times += moment.timed;
}

/* Words and how they are written. */
typedef struct wording {
    size_t words, capitalized, digits, others; /* others: neither letters nor what names have */
} wording;

static wording word_it(mgl_span text)
{
    wording w = {0};
    bool inside = false;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool letter = is_letter(c);
        if (!inside && (letter || is_digit(c))) {
            w.words++;
            w.capitalized += is_capital(c);
        }
        inside = letter || is_digit(c) || c == '\'' || c == '-' || c == '.';
        w.digits += is_digit(c);
        w.others += !letter && !is_digit(c) && strchr(" .,'-", c) == NULL;
    }
    return w;
}

enum { SHORTEST_TEXT = 20, FEWEST_WORDS_OF_TEXT = 4, LONGEST_NAME = 60, MOST_WORDS_OF_NAME = 5 };

static void add_wording(mgl_shapes *s, mgl_span text)
{
    wording w = word_it(text);
    bool blank = memchr(text.data, ' ', text.size) != NULL;
    bool plain = w.digits == 0 && w.others == 0;
    s->codes += !blank && w.digits > 0;
    s->words += !blank && plain;
    /* "van der Berg": two of the words must be capitalized, not all. */
    s->names += plain && text.size <= LONGEST_NAME && w.words >= 2 &&
                w.words <= MOST_WORDS_OF_NAME && w.capitalized >= 2;
    s->texts += blank && (text.size >= SHORTEST_TEXT || w.words >= FEWEST_WORDS_OF_TEXT);
}

void mgl_shapes_add(mgl_shapes *s, mgl_span value)
{
    size_t n;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    mgl_span text = mgl_span_trim(value);
    if (text.size == 0)
        return;
    s->shortest = s->values == 0 || text.size < s->shortest ? text.size : s->shortest;
    s->longest = text.size > s->longest ? text.size : s->longest;
    s->values++;
    add_number(s, text);
    add_date(s, text);
    add_wording(s, text);
    for (size_t k = 0; k < n; k++)
        s->identifiers[k] += kinds[k].looks != NULL && kinds[k].looks(text);
}
