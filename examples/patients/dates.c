#include "dates.h"

// Both ways count in years that begin on 1 March, so that a leap day is a year's last day, and
// from 1 March 0000, so that nothing here is negative.
enum { DAYS_BEFORE_1970 = 719468, DAYS_PER_400_YEARS = 146097 };

int32_t day_number(date when)
{
    int year = when.year - (when.month <= 2);
    int month_from_march = (when.month + 9) % 12;
    int day_of_year = (153 * month_from_march + 2) / 5 + when.day - 1;
    return year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - DAYS_BEFORE_1970;
}

date day_date(int32_t number)
{
    int days = number + DAYS_BEFORE_1970;
    int era = days / DAYS_PER_400_YEARS;
    int day_of_era = days % DAYS_PER_400_YEARS;
    int year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int month_from_march = (5 * day_of_year + 2) / 153;

    date when;
    when.day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    when.month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    when.year = era * 400 + year_of_era + (when.month <= 2);
    return when;
}

bool day_is_weekend(int32_t number)
{
    int weekday = (number % 7 + 7 + 4) % 7; // 0 is Sunday
    return weekday == 0 || weekday == 6;
}
