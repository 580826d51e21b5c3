// Calendar days as numbers: day 0 is 1970-01-01, a Thursday.
#ifndef PATIENTS_DATES_H
#define PATIENTS_DATES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int year, month, day;
} date;

int32_t day_number(date when);
date day_date(int32_t number);
bool day_is_weekend(int32_t number);

#endif
