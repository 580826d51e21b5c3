/* A builder for a column, guessed from its values: what a careful person would try
 * first. Each guess is tried in turn; the first that fits is taken. */
#include "hierarchy/dates.h"

#include <math.h>

enum {
    FEW_VALUES = 50, /* text up to this many is worth no hierarchy by rule */
    FEW_CODES = 5    /* so many numbers are codes (1 male, 2 female), not quantities */
};

typedef struct suggestion {
    const mgl_ground *ground;
    mgl_buffer *builder, *reason;
} suggestion;

static bool suggest_dates(suggestion *s)
{
    const mgl_ground_value *values = s->ground->values;
    mgl_dates_scan scan = mgl_dates_look(s->ground);
    mgl_moment first, moment;
    switch (scan.verdict) {
    case MGL_DATES_AMBIGUOUS:
        mgl_buffer_format(s->reason,
                          "dates, but all of them can be read both ways: take "
                          "dates(dmy; month,year,5y,10y) or dates(mdy; month,year,5y,10y)");
        return true;
    case MGL_DATES_SHORT_YEAR:
        mgl_buffer_format(s->reason,
                          "looks like dates, but some have a two-digit year: write years with "
                          "four digits");
        return true;
    case MGL_DATES_CLEAR:
        break;
    default:
        return false;
    }
    bool one_year = true;
    mgl_moment_parse(s->ground->notation, values[0].text, scan.order, &first);
    for (size_t i = 1; i < s->ground->n && one_year; i++)
        one_year =
            mgl_moment_parse(s->ground->notation, values[i].text, scan.order, &moment) &&
            moment.date.year == first.date.year;
    mgl_buffer_text(s->builder, one_year ? "dates(month,year)" : "dates(month,year,5y,10y)");
    mgl_buffer_format(s->reason, "dates, written %s", mgl_date_order_name(scan.order));
    return true;
}

static bool all_digits(mgl_span text)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
    return text.size > 0;
}

/* 1965 is a number to count with, 02138 is not. */
static bool is_year(mgl_span text)
{
    uint64_t year;
    return text.size == 4 && mgl_parse_u64(text, &year) && year >= 1850 && year <= 2100;
}

static bool suggest_codes(suggestion *s)
{
    const mgl_ground *ground = s->ground;
    size_t size = ground->values[0].text.size;
    bool years = true;
    if (size < 4 || size > 9)
        return false;
    for (size_t i = 0; i < ground->n; i++) {
        mgl_span text = ground->values[i].text;
        if (text.size != size || !all_digits(text))
            return false;
        years = years && is_year(text);
    }
    if (years)
        return false;
    mgl_buffer_text(s->builder, "mask(right)");
    mgl_buffer_format(s->reason, "codes of %zu digits, such as ZIP codes", size);
    return true;
}

/* 1, 2 or 5 times a power of ten: the largest that is not above the number. */
static void round_down(double number, int *digit, int *exponent)
{
    /* Nudged up, because 0.05 / 0.01 may come out just below 5. */
    *exponent = (int)floor(log10(number) + 1e-9);
    double leading = number / pow(10, *exponent) + 1e-9;
    *digit = leading >= 5 ? 5 : leading >= 2 ? 2 : 1;
}

/* digit * 10^exponent as decimal text. */
static void write_width(mgl_buffer *out, int digit, int exponent)
{
    for (; digit % 10 == 0; digit /= 10)
        exponent++;
    if (exponent < 0) {
        mgl_buffer_text(out, "0.");
        for (int i = exponent + 1; i < 0; i++)
            mgl_buffer_append(out, "0", 1);
    }
    mgl_buffer_format(out, "%d", digit);
    for (; exponent > 0; exponent--)
        mgl_buffer_append(out, "0", 1);
}

static bool are_integers(const mgl_ground *ground)
{
    for (size_t i = 0; i < ground->n; i++) {
        mgl_span text = ground->values[i].text;
        bool sign = text.data[0] == '-' || text.data[0] == '+';
        if (!all_digits((mgl_span){text.data + sign, text.size - sign}))
            return false;
    }
    return true;
}

static bool suggest_intervals(suggestion *s)
{
    const mgl_ground *ground = s->ground;
    double low, high;
    int digit, exponent;
    if (!ground->numeric || ground->n <= FEW_CODES)
        return false;
    /* They are sorted. */
    mgl_span first = ground->values[0].text, last = ground->values[ground->n - 1].text;
    mgl_notation_number(ground->notation, first, &low);
    mgl_notation_number(ground->notation, last, &high);
    double range = high - low;
    if (!(range > 1e-9 && range < 1e18))
        return false;
    /* About a dozen intervals on the first level: 5 years for ages. */
    round_down(range / 12, &digit, &exponent);
    if (are_integers(ground) && exponent < 0)
        digit = 2, exponent = 0;
    int factors[] = {1, digit == 5 ? 2 : 5, digit == 5 ? 4 : 10};
    mgl_buffer_text(s->builder, "intervals(");
    for (size_t i = 0; i < 3; i++) {
        double width = digit * factors[i] * pow(10, exponent);
        if (i > 0 && width > range) /* one interval says no more than the top */
            break;
        if (i > 0)
            mgl_buffer_append(s->builder, ",", 1);
        write_width(s->builder, digit * factors[i], exponent);
    }
    mgl_buffer_append(s->builder, ")", 1);
    mgl_buffer_format(s->reason, "%zu different numbers", ground->n);
    return true;
}

static bool suggest_few(suggestion *s)
{
    if (s->ground->n > FEW_VALUES)
        return false;
    mgl_buffer_text(s->builder, "suppress");
    mgl_buffer_format(s->reason,
                      "%zu different value%s; groups(FILE) or a hierarchy file keeps more of them",
                      s->ground->n, s->ground->n == 1 ? "" : "s");
    return true;
}

/* E11.9, K35: the front of such codes means more than the end. */
static bool is_short_code(mgl_span text)
{
    bool digit = false;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        digit = digit || (c >= '0' && c <= '9');
        if (!letter && c != '.' && c != '-' && !(c >= '0' && c <= '9'))
            return false;
    }
    return digit && text.size >= 2 && text.size <= 8;
}

static bool suggest_short_codes(suggestion *s)
{
    for (size_t i = 0; i < s->ground->n; i++)
        if (!is_short_code(s->ground->values[i].text))
            return false;
    mgl_buffer_text(s->builder, "mask(right)");
    mgl_buffer_text(s->reason, "short codes of letters and digits");
    return true;
}

static bool suggest_nothing(suggestion *s)
{
    mgl_buffer_format(s->reason,
                      "%zu different texts: looks like an identifier or free text; drop the "
                      "column, or write a hierarchy file",
                      s->ground->n);
    return true;
}

void mgl_hierarchy_suggest(const mgl_dictionary *dictionary, mgl_buffer *builder,
                           mgl_buffer *reason)
{
    static bool (*const guesses[])(suggestion *) = {suggest_dates,       suggest_codes,
                                                    suggest_intervals,   suggest_few,
                                                    suggest_short_codes, suggest_nothing};
    mgl_ground ground;
    if (mgl_ground_of(dictionary, NULL, &ground) != MGL_OK) {
        builder->failed = reason->failed = true;
        return;
    }
    suggestion s = {&ground, builder, reason};
    if (ground.n == 0)
        mgl_buffer_text(reason, "no values");
    for (size_t i = 0; ground.n > 0 && !guesses[i](&s); i++)
        continue;
    mgl_ground_free(&ground);
}
