/* How the values of a column write dates. Private to the module. */
#ifndef MGL_HIERARCHY_DATE_ORDER_H
#define MGL_HIERARCHY_DATE_ORDER_H

#include "hierarchy/builders.h"

typedef enum mgl_dates_verdict {
    MGL_DATES_CLEAR,      /* all values are dates in this order */
    MGL_DATES_AMBIGUOUS,  /* `order` and `second` both fit; value `at` distinguishes them */
    MGL_DATES_MIXED,      /* value `at` and value `other` have no order in common */
    MGL_DATES_NONE,       /* value `at` is no date */
    MGL_DATES_SHORT_YEAR, /* value `at` has a two-digit year */
    MGL_DATES_IMPOSSIBLE, /* value `at` looks like a date but no such day exists */
    MGL_DATES_OUTSIDE     /* value `at` lies outside the years that dates have */
} mgl_dates_verdict;

typedef struct mgl_dates_scan {
    mgl_dates_verdict verdict;
    mgl_date_order order;
    size_t at, other;
    mgl_date_order second;
} mgl_dates_scan;

/* The one order that all values allow. */
mgl_dates_scan mgl_dates_look(const mgl_ground *ground);

#endif
