/* Periods of time, as steps of a ladder of dates and as labels: 2024-05-01T13, 2024-05-01,
 * 2024-W18, 2024-05, 2024-Q2, 2024, 2020-2024. Private to the module. */
#ifndef MGL_HIERARCHY_PERIODS_H
#define MGL_HIERARCHY_PERIODS_H

#include "hierarchy/builders.h"

/* In the order of coarseness. */
typedef enum mgl_period_kind {
    MGL_PERIOD_HOUR,
    MGL_PERIOD_DAY,
    MGL_PERIOD_WEEK, /* of ISO 8601: from Monday on, in the year that has its Thursday */
    MGL_PERIOD_MONTH,
    MGL_PERIOD_QUARTER,
    MGL_PERIOD_YEARS,
    MGL_PERIOD_KINDS
} mgl_period_kind;

typedef struct mgl_period {
    mgl_period_kind kind;
    uint32_t years; /* of MGL_PERIOD_YEARS: how many a run has */
} mgl_period;

/* "hour", "day", "week", "month", "quarter", "year", "5y". */
bool mgl_period_named(mgl_span name, mgl_period *out);

/* Each period of the first lies within one of the second. */
bool mgl_period_nests(mgl_period within, mgl_period period);

/* The number of the period that a moment lies in: it grows with time. */
uint64_t mgl_period_of(mgl_period period, const mgl_moment *moment);
/* Its label. */
void mgl_period_write(mgl_period period, uint64_t number, mgl_buffer *out);

/* What a label stands for: days from first to last, or the hour that begins at first. */
typedef struct mgl_period_span {
    double first, last;
    bool hour;
} mgl_period_span;
bool mgl_period_parse(mgl_span label, mgl_period_span *out);

#endif
