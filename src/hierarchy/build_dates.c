/* Builds dates(month,year,5y,10y): 1965-09-20 -> 1965-09 -> 1965 -> 1965-1969 -> 1960-1969 -> *.
 * Level 0 keeps the text of the data, the levels above are ISO. Finds out first in which order
 * days, months and years stand. A row of the table in builders.c. */
#include "hierarchy/builders.h"

/* Periods of time, as steps of a ladder of dates and as labels: 2024-05-01T13, 2024-05-01,
 * 2024-W18, 2024-05, 2024-Q2, 2024, 2020-2024. */

/* In the order of coarseness. */
typedef enum period_kind {
    PERIOD_HOUR,
    PERIOD_DAY,
    PERIOD_WEEK, /* of ISO 8601: from Monday on, in the year that has its Thursday */
    PERIOD_MONTH,
    PERIOD_QUARTER,
    PERIOD_YEARS,
    PERIOD_KINDS
} period_kind;

typedef struct period_step {
    period_kind kind;
    uint32_t years; /* of PERIOD_YEARS: how many a run has */
} period_step;

typedef enum dates_verdict {
    DATES_CLEAR,      /* all values are dates in this order */
    DATES_AMBIGUOUS,  /* `order` and `second` both fit; value `at` distinguishes them */
    DATES_MIXED,      /* value `at` and value `other` have no order in common */
    DATES_NONE,       /* value `at` is no date */
    DATES_SHORT_YEAR, /* value `at` has a two-digit year */
    DATES_IMPOSSIBLE, /* value `at` looks like a date but no such day exists */
    DATES_OUTSIDE     /* value `at` lies outside the years that dates have */
} dates_verdict;

typedef struct dates_scan {
    dates_verdict verdict;
    mgl_date_order order;
    size_t at, other;
    mgl_date_order second;
} dates_scan;

static dates_verdict judge_unreadable(const mgl_notation *notation, mgl_span text)
{
    switch (mgl_date_fault_of(notation, text)) {
    case MGL_DATE_SHORT_YEAR:
        return DATES_SHORT_YEAR;
    case MGL_DATE_IMPOSSIBLE:
        return DATES_IMPOSSIBLE;
    case MGL_DATE_OUTSIDE:
        return DATES_OUTSIDE;
    default:
        return DATES_NONE;
    }
}

static mgl_date_order lowest(unsigned orders)
{
    return (mgl_date_order)__builtin_ctz(orders);
}

/* Is it another day in another one of the orders? 05/05/1965 is the same day either way. */
static bool distinguishes(const mgl_notation *notation, mgl_span text, unsigned orders)
{
    mgl_moment first, moment;
    mgl_moment_parse(notation, text, lowest(orders), &first);
    for (orders &= orders - 1; orders != 0; orders &= orders - 1)
        if (mgl_moment_parse(notation, text, lowest(orders), &moment) &&
            mgl_date_days(moment.date) != mgl_date_days(first.date))
            return true;
    return false;
}

/* The one order that all values allow. */
static dates_scan dates_look(const mgl_ground *ground)
{
    unsigned allowed = (1u << MGL_DATE_ORDERS) - 1;
    size_t excluded_by[MGL_DATE_ORDERS] = {0};
    for (size_t i = 0; i < ground->n; i++) {
        mgl_span text = ground->values[i].text;
        unsigned mine = mgl_date_orders(ground->notation, text);
        if (mine == 0)
            return (dates_scan){.verdict = judge_unreadable(ground->notation, text), .at = i};
        if ((mine & allowed) == 0)
            return (dates_scan){
                .verdict = DATES_MIXED, .at = i, .other = excluded_by[lowest(mine)]};
        for (int order = 0; order < MGL_DATE_ORDERS; order++)
            if ((allowed & ~mine) >> order & 1)
                excluded_by[order] = i;
        allowed &= mine;
    }
    dates_scan scan = {.verdict = DATES_CLEAR, .order = lowest(allowed)};
    unsigned others = allowed & (allowed - 1);
    for (size_t i = 0; others != 0 && i < ground->n; i++) {
        if (!distinguishes(ground->notation, ground->values[i].text, allowed))
            continue;
        scan = (dates_scan){DATES_AMBIGUOUS, scan.order, i, i, lowest(others)};
        break;
    }
    return scan;
}

static const char *const names[PERIOD_KINDS] = {"hour", "day", "week", "month", "quarter", "year"};

/* "hour", "day", "week", "month", "quarter", "year", "5y". */
static bool period_named(mgl_span name, period_step *out)
{
    uint64_t n;
    for (int kind = 0; kind < PERIOD_KINDS; kind++)
        if (mgl_span_is(name, names[kind])) {
            *out = (period_step){(period_kind)kind, 1};
            return true;
        }
    if (name.size < 2 || name.data[name.size - 1] != 'y' ||
        !mgl_parse_u64((mgl_span){name.data, name.size - 1}, &n) || n < 2 || n > 10000)
        return false;
    *out = (period_step){PERIOD_YEARS, (uint32_t)n};
    return true;
}

/* Each period of the first lies within one of the second. */
static bool period_nests(period_step within, period_step period)
{
    if (within.kind == PERIOD_YEARS)
        return period.kind == PERIOD_YEARS && period.years % within.years == 0;
    /* Months and years begin in the middle of weeks. */
    return within.kind < period.kind && within.kind != PERIOD_WEEK;
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

/* The number of the period that a moment lies in: it grows with time. */
static uint64_t period_of(period_step period, const mgl_moment *moment)
{
    mgl_date date = moment->date;
    uint64_t month = (uint64_t)date.year * 100 + date.month, day = month * 100 + date.day;
    switch (period.kind) {
    case PERIOD_HOUR:
        return day * 100 + (uint64_t)(moment->seconds / 3600);
    case PERIOD_DAY:
        return day;
    case PERIOD_WEEK:
        return week_of(date);
    case PERIOD_MONTH:
        return month;
    case PERIOD_QUARTER:
        return (uint64_t)date.year * 100 + (date.month - 1) / 3 + 1;
    default:
        return date.year / period.years;
    }
}

/* Its label. */
static void period_write(period_step period, uint64_t number, mgl_buffer *out)
{
    unsigned long long n = number;
    switch (period.kind) {
    case PERIOD_HOUR:
        period_write((period_step){PERIOD_DAY, 1}, number / 100, out);
        mgl_buffer_format(out, "T%02llu", n % 100);
        break;
    case PERIOD_DAY:
        period_write((period_step){PERIOD_MONTH, 1}, number / 100, out);
        mgl_buffer_format(out, "-%02llu", n % 100);
        break;
    case PERIOD_WEEK:
        mgl_buffer_format(out, "%04llu-W%02llu", n / 100, n % 100);
        break;
    case PERIOD_MONTH:
        mgl_buffer_format(out, "%04llu-%02llu", n / 100, n % 100);
        break;
    case PERIOD_QUARTER:
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

typedef struct plan {
    bool order_given;
    mgl_date_order order;
    uint32_t n_levels; /* above level 0 */
    period_step periods[MGL_MOST_LEVELS];
    mgl_moment *moments; /* of the values, in their order */
} plan;

static mgl_status check_step(mgl_build *build, mgl_span step, const plan *p, period_step period,
                             mgl_error *err)
{
    if (p->n_levels == 0)
        return MGL_OK;
    period_step below = p->periods[p->n_levels - 1];
    if (period.kind < below.kind || (period.kind == below.kind && period.years <= below.years))
        return mgl_draft_fail(build->draft, 0, err,
                              "'%.*s' does not come after the step before it; write the steps "
                              "from the shortest to the longest",
                              mgl_span_width(step), step.data);
    if (below.kind == PERIOD_WEEK)
        return mgl_draft_fail(build->draft, 0, err,
                              "a week can lie in two of what '%.*s' names, so that they are no "
                              "levels of one hierarchy; take week or '%.*s', not both",
                              mgl_span_width(step), step.data, mgl_span_width(step), step.data);
    if (!period_nests(below, period))
        return mgl_draft_fail(build->draft, 0, err,
                              "%u years are no multiple of %u, so that their runs would cut "
                              "each other; each step must be a multiple of the last",
                              period.years, below.years);
    return MGL_OK;
}

static mgl_status add_step(mgl_build *build, mgl_span step, plan *p, mgl_error *err)
{
    period_step period;
    if (!period_named(step, &period))
        return mgl_draft_fail(build->draft, 0, err,
                              "'%.*s' is no step of dates; the steps are hour, day, week, month, "
                              "quarter, year, and 5y, 10y and so on",
                              mgl_span_width(step), step.data);
    if (p->n_levels == MGL_MOST_LEVELS)
        return mgl_draft_fail(build->draft, 0, err, "more than %d steps", MGL_MOST_LEVELS);
    MGL_TRY(check_step(build, step, p, period, err));
    p->periods[p->n_levels++] = period;
    return MGL_OK;
}

static mgl_status parse(mgl_build *build, mgl_error *err, plan *out)
{
    mgl_span rest = build->arguments, step;
    const char *semicolon = memchr(rest.data, ';', rest.size);
    out->order_given = semicolon != NULL;
    out->n_levels = 0;
    if (semicolon != NULL) {
        size_t size = (size_t)(semicolon - rest.data);
        mgl_span order = mgl_span_trim((mgl_span){rest.data, size});
        if (!mgl_date_order_parse(order, &out->order))
            return mgl_draft_fail(build->draft, 0, err,
                                  "'%.*s' is no order of a date; write ymd, dmy or mdy",
                                  mgl_span_width(order), order.data);
        rest = (mgl_span){semicolon + 1, rest.size - size - 1};
    }
    while (mgl_next_argument(&rest, &step))
        MGL_TRY(add_step(build, step, out, err));
    return MGL_OK;
}

static mgl_status fail_look(mgl_build *build, const dates_scan *scan, mgl_error *err)
{
    char value[MGL_SHOWN], other[MGL_SHOWN];
    const char *first = mgl_date_order_name(scan->order);
    const char *second = mgl_date_order_name(scan->second);
    mgl_shown(build->ground->values[scan->at].text, value);
    mgl_shown(build->ground->values[scan->other].text, other);
    switch (scan->verdict) {
    case DATES_AMBIGUOUS:
        return mgl_draft_fail(build->draft, 0, err,
                              "the order of day and month is not clear ('%s' and all other values "
                              "can be read both ways); give it: dates(%s; ...) or dates(%s; ...)",
                              value, first, second);
    case DATES_MIXED:
        return mgl_draft_fail(build->draft, 0, err,
                              "'%s' and '%s' are not written in the same order of day, month "
                              "and year; write all dates alike, best as 1965-09-20",
                              other, value);
    case DATES_SHORT_YEAR:
        return mgl_build_blame(build, build->ground->values[scan->at].text, err,
                               "the year of '%s' has two digits, its century is not known; say "
                               "by `century: YY` up to which year it is 20YY, or write years with "
                               "four digits",
                               value);
    case DATES_IMPOSSIBLE:
        return mgl_build_blame(
            build, build->ground->values[scan->at].text, err,
            "'%s' is a day that does not exist, or a time of day; correct it, or "
            "name it by `missing` (`missing: ,NA,VALUE`)",
            value);
    case DATES_OUTSIDE:
        return mgl_build_blame(
            build, build->ground->values[scan->at].text, err,
            "'%s' lies outside the years 0000 to 9999 (infinity, a year BC or "
            "of five digits); name it by `missing` (`missing: ,NA,infinity`), or "
            "leave such rows out with `where`",
            value);
    default:
        return mgl_build_blame(build, build->ground->values[scan->at].text, err,
                               "the value '%s' is no date; dates are written 1965-09-20, "
                               "20.9.1965 or 9/20/1965, a time may follow (name it by `missing` "
                               "if it means missing: `missing: ,NA,VALUE`)",
                               value);
    }
}

static mgl_status fail_value(mgl_build *build, const plan *p, size_t i, mgl_error *err)
{
    char shown[MGL_SHOWN];
    mgl_ground one = *build->ground;
    one.n = 1;
    one.values = &build->ground->values[i];
    dates_scan scan = dates_look(&one);
    scan.at = scan.other = i;
    if (scan.verdict != DATES_CLEAR && scan.verdict != DATES_AMBIGUOUS)
        return fail_look(build, &scan, err);
    return mgl_build_blame(build, build->ground->values[i].text, err,
                           "the value '%s' is no date in the order %s; correct it, or give "
                           "another order (ymd, dmy, mdy)",
                           mgl_shown(build->ground->values[i].text, shown),
                           mgl_date_order_name(p->order));
}

/* Puts the values in the order of their dates; the key is the millisecond since day 0. */
static mgl_status read_values(mgl_build *build, const plan *p, mgl_error *err)
{
    mgl_ground *ground = build->ground;
    const mgl_notation *notation = ground->notation;
    for (size_t i = 0; i < ground->n; i++) {
        mgl_moment moment;
        if (!mgl_moment_parse(notation, ground->values[i].text, p->order, &moment))
            return fail_value(build, p, i, err);
        ground->values[i].key =
            (uint64_t)mgl_date_days(moment.date) * 86400000 + (uint64_t)(moment.seconds * 1000);
    }
    mgl_ground_sort(ground);
    for (size_t i = 0; i < ground->n; i++)
        mgl_moment_parse(notation, ground->values[i].text, p->order, &p->moments[i]);
    return MGL_OK;
}

/* Without times of day, level 0 is the day. */
static mgl_status fit_steps(mgl_build *build, plan *p, mgl_error *err)
{
    bool timed = build->ground->n == 0;
    for (size_t i = 0; i < build->ground->n && !timed; i++)
        timed = p->moments[i].timed;
    if (timed || p->n_levels == 0)
        return MGL_OK;
    if (p->periods[0].kind == PERIOD_HOUR)
        return mgl_draft_fail(build->draft, 0, err,
                              "the values have no time of day; leave out the step hour");
    if (p->periods[0].kind == PERIOD_DAY)
        memmove(p->periods, p->periods + 1, --p->n_levels * sizeof *p->periods);
    return MGL_OK;
}

static mgl_status add_row(mgl_build *build, const plan *p, size_t i, mgl_buffer *label,
                          mgl_error *err)
{
    MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
    for (uint32_t level = 1; level <= p->n_levels; level++) {
        period_step period = p->periods[level - 1];
        uint64_t number = period_of(period, &p->moments[i]);
        /* The days are sorted: most share the step of the one before. */
        if (i > 0 && period_of(period, &p->moments[i - 1]) == number) {
            mgl_draft_repeat(build->draft, level);
            continue;
        }
        label->size = 0;
        period_write(period, number, label);
        if (label->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(build->draft, level, (mgl_span){label->data, label->size}, err));
    }
    return MGL_OK;
}

static mgl_status build_levels(mgl_build *build, plan *p, mgl_error *err)
{
    mgl_buffer label = {0};
    if (!p->order_given) {
        dates_scan scan = dates_look(build->ground);
        if (scan.verdict != DATES_CLEAR)
            return fail_look(build, &scan, err);
        p->order = scan.order;
        mgl_buffer_format(&build->draft->resolved, "dates(%s; %.*s)", mgl_date_order_name(p->order),
                          (int)build->arguments.size, build->arguments.data);
    }
    MGL_TRY(read_values(build, p, err));
    MGL_TRY(fit_steps(build, p, err));
    build->draft->n_levels = p->n_levels + 1;
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < build->ground->n && status == MGL_OK; i++)
        status = add_row(build, p, i, &label, err);
    mgl_buffer_free(&label);
    return status;
}

mgl_status mgl_build_dates(mgl_build *build, mgl_error *err)
{
    plan p;
    MGL_TRY(parse(build, err, &p));
    p.moments = mgl_alloc_array(build->ground->n, sizeof *p.moments);
    mgl_status status = p.moments == NULL ? mgl_fail_memory(err) : build_levels(build, &p, err);
    mgl_free(p.moments);
    return status;
}
