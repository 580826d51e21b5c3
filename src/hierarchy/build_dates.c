/* Builds dates(month,year,5y,10y): 1965-09-20 -> 1965-09 -> 1965 -> 1965-1969 -> 1960-1969 -> *.
 * Level 0 keeps the text of the data, the levels above are ISO. A row of the table in
 * builders.c. */
#include "hierarchy/date_order.h"
#include "hierarchy/periods.h"

typedef struct plan {
    bool order_given;
    mgl_date_order order;
    uint32_t n_levels; /* above level 0 */
    mgl_period periods[MGL_MOST_LEVELS];
    mgl_moment *moments; /* of the values, in their order */
} plan;

static mgl_status check_step(mgl_build *build, mgl_span step, const plan *p, mgl_period period,
                             mgl_error *err)
{
    if (p->n_levels == 0)
        return MGL_OK;
    mgl_period below = p->periods[p->n_levels - 1];
    if (period.kind < below.kind || (period.kind == below.kind && period.years <= below.years))
        return mgl_draft_fail(build->draft, 0, err,
                              "'%.*s' does not come after the step before it; write the steps "
                              "from the shortest to the longest",
                              mgl_span_width(step), step.data);
    if (below.kind == MGL_PERIOD_WEEK)
        return mgl_draft_fail(build->draft, 0, err,
                              "a week can lie in two of what '%.*s' names, so that they are no "
                              "levels of one hierarchy; take week or '%.*s', not both",
                              mgl_span_width(step), step.data, mgl_span_width(step), step.data);
    if (!mgl_period_nests(below, period))
        return mgl_draft_fail(build->draft, 0, err,
                              "%u years are no multiple of %u, so that their runs would cut "
                              "each other; each step must be a multiple of the last",
                              period.years, below.years);
    return MGL_OK;
}

static mgl_status add_step(mgl_build *build, mgl_span step, plan *p, mgl_error *err)
{
    mgl_period period;
    if (!mgl_period_named(step, &period))
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

static mgl_status fail_look(mgl_build *build, const mgl_dates_scan *scan, mgl_error *err)
{
    char value[MGL_SHOWN], other[MGL_SHOWN];
    const char *first = mgl_date_order_name(scan->order);
    const char *second = mgl_date_order_name(scan->second);
    mgl_shown(build->ground->values[scan->at].text, value);
    mgl_shown(build->ground->values[scan->other].text, other);
    switch (scan->verdict) {
    case MGL_DATES_AMBIGUOUS:
        return mgl_draft_fail(build->draft, 0, err,
                              "the order of day and month is not clear ('%s' and all other values "
                              "can be read both ways); give it: dates(%s; ...) or dates(%s; ...)",
                              value, first, second);
    case MGL_DATES_MIXED:
        return mgl_draft_fail(build->draft, 0, err,
                              "'%s' and '%s' are not written in the same order of day, month "
                              "and year; write all dates alike, best as 1965-09-20",
                              other, value);
    case MGL_DATES_SHORT_YEAR:
        return mgl_build_blame(build, build->ground->values[scan->at].text, err,
                               "the year of '%s' has two digits, its century is not known; say "
                               "by `century: YY` up to which year it is 20YY, or write years with "
                               "four digits",
                               value);
    case MGL_DATES_IMPOSSIBLE:
        return mgl_build_blame(
            build, build->ground->values[scan->at].text, err,
            "'%s' is a day that does not exist, or a time of day; correct it, or "
            "name it by `missing` (`missing: ,NA,VALUE`)",
            value);
    case MGL_DATES_OUTSIDE:
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
    mgl_dates_scan scan = mgl_dates_look(&one);
    scan.at = scan.other = i;
    if (scan.verdict != MGL_DATES_CLEAR && scan.verdict != MGL_DATES_AMBIGUOUS)
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
    if (p->periods[0].kind == MGL_PERIOD_HOUR)
        return mgl_draft_fail(build->draft, 0, err,
                              "the values have no time of day; leave out the step hour");
    if (p->periods[0].kind == MGL_PERIOD_DAY)
        memmove(p->periods, p->periods + 1, --p->n_levels * sizeof *p->periods);
    return MGL_OK;
}

static mgl_status add_row(mgl_build *build, const plan *p, size_t i, mgl_buffer *label,
                          mgl_error *err)
{
    MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
    for (uint32_t level = 1; level <= p->n_levels; level++) {
        mgl_period period = p->periods[level - 1];
        uint64_t number = mgl_period_of(period, &p->moments[i]);
        /* The days are sorted: most share the step of the one before. */
        if (i > 0 && mgl_period_of(period, &p->moments[i - 1]) == number) {
            mgl_draft_repeat(build->draft, level);
            continue;
        }
        label->size = 0;
        mgl_period_write(period, number, label);
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
        mgl_dates_scan scan = mgl_dates_look(build->ground);
        if (scan.verdict != MGL_DATES_CLEAR)
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
