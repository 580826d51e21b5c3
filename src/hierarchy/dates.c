#include "hierarchy/dates.h"

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

typedef struct parts {
    unsigned number[3], n_digits[3];
} parts;

static bool separates(char c)
{
    return c == '-' || c == '/' || c == '.';
}

/* Three numbers of at most four digits, the same separator twice. */
static bool split(mgl_span text, parts *out)
{
    size_t at = 0;
    char separator = '\0';
    *out = (parts){0};
    for (int part = 0; part < 3; part++) {
        for (; at < text.size && text.data[at] >= '0' && text.data[at] <= '9'; at++) {
            if (++out->n_digits[part] > 4)
                return false;
            out->number[part] = out->number[part] * 10 + (unsigned)(text.data[at] - '0');
        }
        if (out->n_digits[part] == 0)
            return false;
        if (part == 2)
            break;
        if (at == text.size || !separates(text.data[at]) ||
            (part == 1 && text.data[at] != separator))
            return false;
        separator = text.data[at++];
    }
    return at == text.size;
}

static unsigned days_of(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static bool read_parts(const parts *p, mgl_date_order order, mgl_date *out)
{
    static const unsigned char place[MGL_DATE_ORDERS][3] = {{0, 1, 2}, {2, 1, 0}, {2, 0, 1}};
    const unsigned char *at = place[order]; /* of year, month, day */
    if (p->n_digits[at[0]] != 4 || p->n_digits[at[1]] > 2 || p->n_digits[at[2]] > 2)
        return false;
    mgl_date date = {p->number[at[0]], p->number[at[1]], p->number[at[2]]};
    if (date.month < 1 || date.month > 12 || date.day < 1 ||
        date.day > days_of(date.year, date.month))
        return false;
    *out = date;
    return true;
}

bool mgl_date_parse(mgl_span text, mgl_date_order order, mgl_date *out)
{
    parts p;
    return split(text, &p) && read_parts(&p, order, out);
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

static mgl_dates_verdict judge_unreadable(bool is_split, const parts *p)
{
    if (!is_split)
        return MGL_DATES_NONE;
    if (p->n_digits[0] <= 2 && p->n_digits[1] <= 2 && p->n_digits[2] <= 2)
        return MGL_DATES_SHORT_YEAR;
    bool year = (p->n_digits[0] == 4) != (p->n_digits[2] == 4) && p->n_digits[1] <= 2;
    return year ? MGL_DATES_IMPOSSIBLE : MGL_DATES_NONE;
}

mgl_dates_scan mgl_dates_look(const mgl_ground *ground)
{
    enum { ALL = (1 << MGL_DATE_ORDERS) - 1, BOTH = 1 << MGL_DMY | 1 << MGL_MDY };
    unsigned allowed = ALL;
    size_t excluded_by[MGL_DATE_ORDERS] = {0}, telling = SIZE_MAX;
    for (size_t i = 0; i < ground->n; i++) {
        parts p;
        mgl_date dates[MGL_DATE_ORDERS] = {{0}};
        bool is_split = split(ground->values[i].text, &p);
        unsigned mine = 0;
        for (int order = 0; order < MGL_DATE_ORDERS; order++)
            if (is_split && read_parts(&p, (mgl_date_order)order, &dates[order]))
                mine |= 1u << order;
        if (mine == 0)
            return (mgl_dates_scan){.verdict = judge_unreadable(is_split, &p), .at = i};
        if ((mine & allowed) == 0) {
            int order = 0;
            while ((mine >> order & 1) == 0)
                order++;
            return (mgl_dates_scan){MGL_DATES_MIXED, MGL_YMD, i, excluded_by[order]};
        }
        for (int order = 0; order < MGL_DATE_ORDERS; order++)
            if ((allowed & ~mine) >> order & 1)
                excluded_by[order] = i;
        allowed &= mine;
        if (mine == BOTH && telling == SIZE_MAX && dates[MGL_DMY].day != dates[MGL_DMY].month)
            telling = i;
    }
    /* 05/05/1965 is the same day either way. */
    if (allowed == BOTH && telling != SIZE_MAX)
        return (mgl_dates_scan){MGL_DATES_AMBIGUOUS, MGL_DMY, telling, telling};
    mgl_date_order order = allowed & 1 << MGL_YMD   ? MGL_YMD
                           : allowed & 1 << MGL_DMY ? MGL_DMY
                                                    : MGL_MDY;
    return (mgl_dates_scan){.verdict = MGL_DATES_CLEAR, .order = order};
}
