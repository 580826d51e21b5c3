/* What a single value looks like. */
#include "profile/profile.h"

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

/* 1.234.567,5 and 3,14 with a point in place of the comma. */
static bool read_comma_number(mgl_span text, double *number)
{
    char plain[48];
    size_t n = 0;
    bool comma = false;
    if (text.size >= sizeof plain)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '.' && (comma || n == 0))
            return false;
        if (c == '.')
            continue;
        if (c == ',' && comma)
            return false;
        comma = comma || c == ',';
        plain[n++] = c == ',' ? '.' : c;
    }
    return comma && mgl_parse_double((mgl_span){plain, n}, number);
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
    s->commas += !plain;
    s->padded += whole && text.size > sign + 1 && text.data[sign] == '0';
    s->low = number < s->low ? number : s->low;
    s->high = number > s->high ? number : s->high;
}

/* hh:mm, with what may follow: seconds, their fraction, a zone. */
static bool is_time(mgl_span text)
{
    if (text.size < 4)
        return false;
    size_t hours = is_digit(text.data[1]) ? 2 : 1;
    if (!is_digit(text.data[0]) || text.size < hours + 3 || text.data[hours] != ':')
        return false;
    for (size_t i = hours + 1; i < text.size; i++)
        if (!is_digit(text.data[i]) && strchr(":.,+-Z ", text.data[i]) == NULL &&
            !is_letter(text.data[i]))
            return false;
    return is_digit(text.data[hours + 1]) && is_digit(text.data[hours + 2]);
}

static void add_date(mgl_shapes *s, mgl_span text)
{
    size_t at = 0;
    while (at < text.size && text.data[at] != ' ' && text.data[at] != 'T')
        at++;
    if (at < 6 || !mgl_ground_text_of((mgl_span){text.data, at}).is_date)
        return;
    s->dates += at == text.size;
    s->date_times += at < text.size && is_time((mgl_span){text.data + at + 1, text.size - at - 1});
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
