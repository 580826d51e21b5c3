/* Periods of time: days, weeks, months, quarters, years and runs of years, as numbers and as texts.
 * The builder of dates writes them; meaning.c reads them back. */
#include "hierarchy/periods.h"

static const char *const names[MGL_PERIOD_KINDS] = {"hour",  "day",     "week",
                                                    "month", "quarter", "year"};

bool mgl_period_named(mgl_span name, mgl_period *out)
{
    uint64_t n;
    for (int kind = 0; kind < MGL_PERIOD_KINDS; kind++)
        if (mgl_span_is(name, names[kind])) {
            *out = (mgl_period){(mgl_period_kind)kind, 1};
            return true;
        }
    if (name.size < 2 || name.data[name.size - 1] != 'y' ||
        !mgl_parse_u64((mgl_span){name.data, name.size - 1}, &n) || n < 2 || n > 10000)
        return false;
    *out = (mgl_period){MGL_PERIOD_YEARS, (uint32_t)n};
    return true;
}

bool mgl_period_nests(mgl_period within, mgl_period period)
{
    if (within.kind == MGL_PERIOD_YEARS)
        return period.kind == MGL_PERIOD_YEARS && period.years % within.years == 0;
    /* Months and years begin in the middle of weeks. */
    return within.kind < period.kind && within.kind != MGL_PERIOD_WEEK;
}

/* Days are counted from a Wednesday: day 1 is 400 years before 0000-03-01, and 400 years are whole
 * weeks. */
static unsigned weekday(double day) /* 0: Monday */
{
    return ((unsigned)day + 1) % 7;
}

/* The year of a week is that of its Thursday. */
static uint64_t week_of(mgl_date date)
{
    double day = mgl_date_days(date), thursday = day - weekday(day) + 3;
    unsigned year = mgl_date_of_days(thursday).year;
    unsigned week = (unsigned)(thursday - mgl_date_days((mgl_date){year, 1, 1})) / 7 + 1;
    return (uint64_t)year * 100 + week;
}

uint64_t mgl_period_of(mgl_period period, const mgl_moment *moment)
{
    mgl_date date = moment->date;
    uint64_t month = (uint64_t)date.year * 100 + date.month, day = month * 100 + date.day;
    switch (period.kind) {
    case MGL_PERIOD_HOUR:
        return day * 100 + (uint64_t)(moment->seconds / 3600);
    case MGL_PERIOD_DAY:
        return day;
    case MGL_PERIOD_WEEK:
        return week_of(date);
    case MGL_PERIOD_MONTH:
        return month;
    case MGL_PERIOD_QUARTER:
        return (uint64_t)date.year * 100 + (date.month - 1) / 3 + 1;
    default:
        return date.year / period.years;
    }
}

void mgl_period_write(mgl_period period, uint64_t number, mgl_buffer *out)
{
    unsigned long long n = number;
    switch (period.kind) {
    case MGL_PERIOD_HOUR:
        mgl_period_write((mgl_period){MGL_PERIOD_DAY, 1}, number / 100, out);
        mgl_buffer_format(out, "T%02llu", n % 100);
        break;
    case MGL_PERIOD_DAY:
        mgl_period_write((mgl_period){MGL_PERIOD_MONTH, 1}, number / 100, out);
        mgl_buffer_format(out, "-%02llu", n % 100);
        break;
    case MGL_PERIOD_WEEK:
        mgl_buffer_format(out, "%04llu-W%02llu", n / 100, n % 100);
        break;
    case MGL_PERIOD_MONTH:
        mgl_buffer_format(out, "%04llu-%02llu", n / 100, n % 100);
        break;
    case MGL_PERIOD_QUARTER:
        mgl_buffer_format(out, "%04llu-Q%llu", n / 100, n % 100);
        break;
    default:
        if (period.years == 1)
            mgl_buffer_format(out, "%04llu", n);
        else
            mgl_buffer_format(out, "%04llu-%04llu", n * period.years,
                              n * period.years + period.years - 1);
    }
}

/* So many digits at a place; false if they are not there. */
static bool digits_at(mgl_span text, size_t at, size_t n, unsigned *out)
{
    uint64_t number;
    if (at + n > text.size || !mgl_parse_u64((mgl_span){text.data + at, n}, &number))
        return false;
    *out = (unsigned)number;
    return true;
}

static double first_of_month(unsigned year, unsigned month)
{
    return mgl_date_days((mgl_date){year + (month - 1) / 12, (month - 1) % 12 + 1, 1});
}

static bool whole_months(unsigned year, unsigned month, unsigned n, mgl_period_span *out)
{
    *out =
        (mgl_period_span){first_of_month(year, month), first_of_month(year, month + n) - 1, false};
    return true;
}

/* 2024-W18 */
static bool read_week(mgl_span label, unsigned year, mgl_period_span *out)
{
    unsigned week;
    if (label.data[5] != 'W' || !digits_at(label, 6, 2, &week) || week < 1)
        return false;
    /* The 4th of January is always in week 1. */
    double fourth = mgl_date_days((mgl_date){year, 1, 4});
    double monday = fourth - weekday(fourth) + 7.0 * (week - 1);
    *out = (mgl_period_span){monday, monday + 6, false};
    return week_of(mgl_date_of_days(monday)) == (uint64_t)year * 100 + week;
}

/* 2024-05-01, and 2024-05-01T13 */
static bool read_day(mgl_span label, mgl_period_span *out)
{
    mgl_moment moment;
    unsigned at_hour = 0;
    mgl_span day = {label.data, 10};
    bool hour = label.size == 13;
    if (day.data[4] != '-' || !mgl_moment_parse(NULL, day, MGL_YMD, &moment) ||
        (hour && (label.data[10] != 'T' || !digits_at(label, 11, 2, &at_hour) || at_hour > 23)))
        return false;
    double first = mgl_date_days(moment.date) + at_hour / 24.0;
    *out = (mgl_period_span){first, first, hour};
    return true;
}

bool mgl_period_parse(mgl_span label, mgl_period_span *out)
{
    unsigned year, other;
    if (!digits_at(label, 0, 4, &year) || year == 0)
        return false;
    if (label.size == 4)
        return whole_months(year, 1, 12, out);
    if (label.size < 7 || label.data[4] != '-')
        return false;
    if (label.size == 7 && digits_at(label, 5, 2, &other))
        return other >= 1 && other <= 12 && whole_months(year, other, 1, out);
    if (label.size == 7 && label.data[5] == 'Q' && digits_at(label, 6, 1, &other))
        return other >= 1 && other <= 4 && whole_months(year, 3 * other - 2, 3, out);
    if (label.size == 8)
        return read_week(label, year, out);
    if (label.size == 9 && digits_at(label, 5, 4, &other))
        return year <= other && whole_months(year, 1, 12 * (other - year + 1), out);
    return (label.size == 10 || label.size == 13) && read_day(label, out);
}
