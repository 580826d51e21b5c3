/* Days of the proleptic Gregorian calendar as numbers, in any year, and days and times as ISO 8601
 * texts. */
#include "notation/notation.h"

#include <math.h>
#include <stdio.h>

/* Years begin in March, so that the leap day is the last one of its year; eras of 400 years
 * are all alike. */
int64_t mgl_calendar_days(int64_t year, unsigned month, unsigned day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void mgl_calendar_date(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t of_era = days - era * 146097;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t from_march = (5 * of_year + 2) / 153;
    *day = (unsigned)(of_year - (153 * from_march + 2) / 5 + 1);
    *month = (unsigned)(from_march < 10 ? from_march + 3 : from_march - 9);
    *year = years + era * 400 + (*month <= 2);
}

enum { DAY = 86400 };

size_t mgl_date_write(double seconds, char text[MGL_TIME_TEXT])
{
    int64_t year;
    unsigned month, day;
    mgl_calendar_date((int64_t)floor(seconds / DAY), &year, &month, &day);
    return (size_t)snprintf(text, MGL_TIME_TEXT, "%04lld-%02u-%02u", (long long)year, month, day);
}

size_t mgl_datetime_write(double seconds, char text[MGL_TIME_TEXT])
{
    size_t size = mgl_date_write(seconds, text);
    double of_day = seconds - floor(seconds / DAY) * DAY;
    unsigned whole = (unsigned)of_day;
    size += (size_t)snprintf(text + size, MGL_TIME_TEXT - size, "T%02u:%02u:%02u", whole / 3600,
                             whole / 60 % 60, whole % 60);
    unsigned thousandths = (unsigned)((of_day - whole) * 1000 + 0.5);
    if (thousandths > 0 && thousandths < 1000)
        size += (size_t)snprintf(text + size, MGL_TIME_TEXT - size, ".%03u", thousandths);
    return size;
}

/* So many digits as a number; *at goes behind them. */
static bool take_digits(mgl_span text, size_t *at, size_t n, unsigned *out)
{
    *out = 0;
    if (text.size - *at < n)
        return false;
    for (size_t end = *at + n; *at < end; (*at)++) {
        unsigned digit = (unsigned)(unsigned char)text.data[*at] - '0';
        if (digit > 9)
            return false;
        *out = *out * 10 + digit;
    }
    return true;
}

static bool take_byte(mgl_span text, size_t *at, char byte)
{
    return *at < text.size && text.data[(*at)++] == byte;
}

static bool take_date(mgl_span text, size_t *at, double *seconds)
{
    unsigned year, month, day, real_month, real_day;
    int64_t real_year;
    if (!take_digits(text, at, 4, &year) || !take_byte(text, at, '-') ||
        !take_digits(text, at, 2, &month) || !take_byte(text, at, '-') ||
        !take_digits(text, at, 2, &day) || month < 1 || month > 12)
        return false;
    int64_t days = mgl_calendar_days(year, month, day);
    mgl_calendar_date(days, &real_year, &real_month, &real_day);
    *seconds = (double)days * DAY;
    return real_year == year && real_month == month && real_day == day;
}

bool mgl_date_read(mgl_span text, double *seconds)
{
    size_t at = 0;
    return take_date(text, &at, seconds) && at == text.size;
}

bool mgl_datetime_read(mgl_span text, double *seconds)
{
    size_t at = 0;
    unsigned hours, minutes, whole, thousandths = 0;
    if (!take_date(text, &at, seconds) || !take_byte(text, &at, 'T') ||
        !take_digits(text, &at, 2, &hours) || !take_byte(text, &at, ':') ||
        !take_digits(text, &at, 2, &minutes) || !take_byte(text, &at, ':') ||
        !take_digits(text, &at, 2, &whole) || hours > 23 || minutes > 59 || whole > 59)
        return false;
    if (at < text.size && (!take_byte(text, &at, '.') || !take_digits(text, &at, 3, &thousandths)))
        return false;
    *seconds += hours * 3600.0 + minutes * 60.0 + whole + thousandths / 1000.0;
    return at == text.size;
}
