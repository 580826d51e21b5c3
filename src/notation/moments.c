/* Reads dates and times of day in the orders that people write them. */
#include "notation/notation.h"

static const char *const order_names[MGL_DATE_ORDERS] = {"ymd", "dmy", "mdy"};

const char *mgl_date_order_name(mgl_date_order order)
{
    return order_names[order];
}

bool mgl_date_order_parse(mgl_span text, mgl_date_order *out)
{
    for (int order = 0; order < MGL_DATE_ORDERS; order++) {
        if (mgl_span_is(text, order_names[order])) {
            *out = (mgl_date_order)order;
            return true;
        }
    }
    return false;
}

static unsigned days_of(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

/* Days before the year that begins in March of this one. */
static unsigned days_before(unsigned year)
{
    return 365 * year + year / 4 - year / 100 + year / 400;
}

/* Days of the proleptic Gregorian calendar, which repeats every 400 years: counted from 400 years
 * before 0000-03-01, since years that begin in March end with the leap day. */
double mgl_date_days(mgl_date date)
{
    bool early = date.month <= 2; /* still of the year before */
    unsigned year = date.year + 400 - early, month = early ? date.month + 9 : date.month - 3;
    unsigned days_of_year = (153 * month + 2) / 5 + date.day;
    return days_before(year) + days_of_year;
}

mgl_date mgl_date_of_days(double days)
{
    unsigned day = (unsigned)days - 1, year = day / 366;
    while (days_before(year + 1) <= day)
        year++;
    unsigned rest = day - days_before(year), month = (5 * rest + 2) / 153;
    unsigned of_month = rest - (153 * month + 2) / 5 + 1;
    return month < 10 ? (mgl_date){year - 400, month + 3, of_month}
                      : (mgl_date){year - 399, month - 9, of_month};
}

typedef struct cursor {
    const char *at, *end;
} cursor;

static bool take(cursor *c, char byte)
{
    bool there = c->at < c->end && *c->at == byte;
    c->at += there;
    return there;
}

/* Up to most digits; returns how many. */
static unsigned take_digits(cursor *c, unsigned most, unsigned *number)
{
    unsigned n = 0;
    for (*number = 0; n < most && c->at < c->end && *c->at >= '0' && *c->at <= '9'; n++)
        *number = *number * 10 + (unsigned)(*c->at++ - '0');
    return n;
}

typedef struct day_fields {
    unsigned number[3], n_digits[3];
} day_fields;

/* Three numbers of at most four digits, the same separator twice. */
static bool take_day_fields(cursor *c, day_fields *out)
{
    char separator = '\0';
    for (int i = 0; i < 3; i++) {
        out->n_digits[i] = take_digits(c, 4, &out->number[i]);
        if (out->n_digits[i] == 0)
            return false;
        if (i == 2)
            break;
        if (i == 0)
            separator = c->at < c->end ? *c->at : '\0';
        if ((separator != '-' && separator != '/' && separator != '.') || !take(c, separator))
            return false;
    }
    return true;
}

/* AM or PM, in any case, with or without a blank in front. 0: neither. */
static char take_half(cursor *c)
{
    cursor here = *c;
    take(&here, ' ');
    if (here.end - here.at < 2)
        return 0;
    char half = (char)(here.at[0] | 0x20), m = (char)(here.at[1] | 0x20);
    if ((half != 'a' && half != 'p') || m != 'm')
        return 0;
    c->at = here.at + 2;
    return half;
}

static bool take_word(cursor *c, const char *word)
{
    size_t size = strlen(word);
    bool there = (size_t)(c->end - c->at) >= size && memcmp(c->at, word, size) == 0;
    c->at += there ? size : 0;
    return there;
}

/* Z, UTC, +02:00, +0200, +02, and with seconds, as zones were before they were agreed upon: at most
 * 15 hours. */
static bool take_zone(cursor *c)
{
    unsigned hours, minutes = 0, seconds = 0;
    cursor here = *c;
    take(&here, ' ');
    if (take(&here, 'Z') || take(&here, 'z') || take_word(&here, "UTC")) {
        *c = here;
        return true;
    }
    if (!take(&here, '+') && !take(&here, '-'))
        return true;
    if (take_digits(&here, 2, &hours) != 2)
        return false;
    bool colon = take(&here, ':');
    unsigned n = take_digits(&here, 2, &minutes);
    if (n == 2 && colon && take(&here, ':') && take_digits(&here, 2, &seconds) != 2)
        return false;
    *c = here;
    return (n == 2 || (n == 0 && !colon)) && hours <= 15 && minutes < 60 && seconds < 60;
}

/* The digits behind the sign of a fraction. */
static bool take_fraction(cursor *c, double *seconds)
{
    double unit = 0.1;
    if (!take(c, '.') && !take(c, ','))
        return true;
    const char *first = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; unit /= 10)
        *seconds += (*c->at++ - '0') * unit;
    return c->at > first;
}

/* A time of day. *form: is it written like one, whether or not it exists? */
static bool take_time(cursor *c, bool *form, double *out)
{
    unsigned hour, minute, second = 0;
    double fraction = 0;
    *form = take_digits(c, 2, &hour) > 0 && take(c, ':') && take_digits(c, 2, &minute) == 2;
    if (*form && take(c, ':'))
        *form = take_digits(c, 2, &second) == 2 && take_fraction(c, &fraction);
    if (!*form)
        return false;
    char half = take_half(c);
    *form = take_zone(c) && c->at == c->end;
    if (!*form || minute > 59 || second > 60 || (half ? hour < 1 || hour > 12 : hour > 23))
        return false;
    if (half)
        hour = hour % 12 + (half == 'p' ? 12 : 0);
    /* A leap second belongs to the minute it is written in. */
    *out = hour * 3600 + minute * 60 + (second == 60 ? 59.999 : second + fraction);
    return true;
}

typedef struct written {
    day_fields day;
    bool form; /* of a date, and of a time if there is one */
    bool timed, time_exists;
    double seconds;
} written;

static written take_apart(mgl_span text)
{
    written w = {.time_exists = true};
    cursor c = {text.data, text.data + text.size};
    w.form = take_day_fields(&c, &w.day);
    if (!w.form || c.at == c.end)
        return w;
    w.timed = take(&c, 'T') || take(&c, 't') || take(&c, ' ');
    while (w.timed && take(&c, ' '))
        continue;
    w.form = w.timed;
    if (w.timed)
        w.time_exists = take_time(&c, &w.form, &w.seconds);
    return w;
}

/* The year of so many digits; false if the notation does not define it. Years of two digits stand
 * last: if 31.02.25 could be 1931-02-25, hardly any column would be clear. */
static bool read_year(const mgl_notation *notation, unsigned number, unsigned n_digits, bool last,
                      unsigned *out)
{
    bool short_year = n_digits == 2 && last && notation != NULL && notation->has_century;
    *out = !short_year ? number : number <= notation->century ? 2000 + number : 1900 + number;
    return n_digits == 4 || short_year;
}

static bool read_day_fields(const mgl_notation *notation, const day_fields *p, mgl_date_order order,
                            mgl_date *out)
{
    static const unsigned char place[MGL_DATE_ORDERS][3] = {{0, 1, 2}, {2, 1, 0}, {2, 0, 1}};
    const unsigned char *at = place[order]; /* of year, month, day */
    mgl_date date = {0, p->number[at[1]], p->number[at[2]]};
    if (!read_year(notation, p->number[at[0]], p->n_digits[at[0]], at[0] == 2, &date.year) ||
        p->n_digits[at[1]] > 2 || p->n_digits[at[2]] > 2)
        return false;
    if (date.month < 1 || date.month > 12 || date.day < 1 ||
        date.day > days_of(date.year, date.month))
        return false;
    *out = date;
    return true;
}

bool mgl_moment_parse(const mgl_notation *notation, mgl_span text, mgl_date_order order,
                      mgl_moment *out)
{
    written w = take_apart(text);
    mgl_moment moment = {.timed = w.timed, .seconds = w.seconds};
    if (!w.form || !w.time_exists || !read_day_fields(notation, &w.day, order, &moment.date))
        return false;
    *out = moment;
    return true;
}

double mgl_moment_days(const mgl_moment *moment)
{
    return mgl_date_days(moment->date) + moment->seconds / 86400;
}

unsigned mgl_date_orders(const mgl_notation *notation, mgl_span text)
{
    unsigned orders = 0;
    written w = take_apart(text);
    mgl_date ignored;
    for (int order = 0; w.form && w.time_exists && order < MGL_DATE_ORDERS; order++)
        if (read_day_fields(notation, &w.day, (mgl_date_order)order, &ignored))
            orders |= 1u << order;
    return orders;
}

static bool ends_in(mgl_span text, const char *end)
{
    size_t size = strlen(end);
    return text.size > size && memcmp(text.data + text.size - size, end, size) == 0;
}

/* infinity, 0044-03-15 BC, 12345-01-01, -0044-03-15. */
static bool is_outside(mgl_span text)
{
    cursor c = {text.data, text.data + text.size};
    unsigned number;
    bool sign = take(&c, '-') || take(&c, '+');
    if (take_word(&c, "infinity") || take_word(&c, "Infinity"))
        return c.at == c.end;
    unsigned digits = take_digits(&c, 9, &number);
    if (digits < 4 || !take(&c, '-') || take_digits(&c, 2, &number) != 2 || !take(&c, '-') ||
        take_digits(&c, 2, &number) != 2)
        return false;
    return sign || digits > 4 || ends_in(text, " BC") || ends_in(text, "(BC)");
}

mgl_date_fault mgl_date_fault_of(const mgl_notation *notation, mgl_span text)
{
    if (mgl_date_orders(notation, text) != 0)
        return MGL_DATE_FINE;
    if (is_outside(text))
        return MGL_DATE_OUTSIDE;
    written w = take_apart(text);
    const unsigned *n = w.day.n_digits;
    if (!w.form)
        return MGL_DATE_NONE;
    bool short_years = n[0] <= 2 && n[1] <= 2 && n[2] <= 2;
    if (short_years && (notation == NULL || !notation->has_century))
        return MGL_DATE_SHORT_YEAR;
    bool year = (n[0] == 4) != (n[2] == 4) && n[1] <= 2;
    return year || short_years ? MGL_DATE_IMPOSSIBLE : MGL_DATE_NONE;
}
