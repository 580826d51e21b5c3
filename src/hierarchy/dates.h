/* Dates without a locale: three numbers with - / or . between them, the year in
 * four digits. Of the room hierarchy only. */
#ifndef MGL_HIERARCHY_DATES_H
#define MGL_HIERARCHY_DATES_H

#include "hierarchy/builders.h"

typedef enum mgl_date_order { MGL_YMD, MGL_DMY, MGL_MDY, MGL_DATE_ORDERS } mgl_date_order;

typedef struct mgl_date {
    unsigned year, month, day;
} mgl_date;

const char *mgl_date_order_name(mgl_date_order order); /* "dmy" */
bool mgl_date_order_parse(mgl_span text, mgl_date_order *out);

/* Reads the text in one order; false if it is no existing day so. */
bool mgl_date_parse(mgl_span text, mgl_date_order order, mgl_date *out);

/* Days since a fixed day, to compare dates. */
double mgl_date_days(mgl_date date);
/* The other way round. */
mgl_date mgl_date_of_days(double days);

typedef enum mgl_dates_verdict {
    MGL_DATES_CLEAR,      /* all values are dates in this order */
    MGL_DATES_AMBIGUOUS,  /* dmy and mdy both fit; value `at` tells them apart */
    MGL_DATES_MIXED,      /* value `at` and value `other` have no order in common */
    MGL_DATES_NONE,       /* value `at` is no date */
    MGL_DATES_SHORT_YEAR, /* value `at` has a two-digit year */
    MGL_DATES_IMPOSSIBLE  /* value `at` looks like a date but no such day exists */
} mgl_dates_verdict;

typedef struct mgl_dates_scan {
    mgl_dates_verdict verdict;
    mgl_date_order order;
    size_t at, other;
} mgl_dates_scan;

/* The one order that all values allow. */
mgl_dates_scan mgl_dates_look(const mgl_ground *ground);

#endif
