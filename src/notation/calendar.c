/* Days of the proleptic Gregorian calendar as numbers, in any year. Formats that store days as
 * numbers call it: statistics files, workbooks, Arrow tables. */
#include "notation/notation.h"

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
