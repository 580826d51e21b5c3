/* dates(month,year,5y,10y): 1965-09-20 -> 1965-09 -> 1965 -> 1965-1969 -> 1960-1969
 * -> *. Level 0 keeps the text of the data, the levels above are ISO. */
#include "hierarchy/dates.h"

typedef struct plan {
    bool order_given;
    mgl_date_order order;
    uint32_t n_levels;               /* above level 0 */
    uint32_t years[MGL_MOST_LEVELS]; /* 0: month, 1: year, N: runs of N years */
} plan;

static bool parse_step(mgl_span step, uint32_t *years)
{
    uint64_t n;
    if (mgl_span_is(step, "month"))
        *years = 0;
    else if (mgl_span_is(step, "year"))
        *years = 1;
    else if (step.size > 1 && step.data[step.size - 1] == 'y' &&
             mgl_parse_u64((mgl_span){step.data, step.size - 1}, &n) && n >= 2 && n <= 10000)
        *years = (uint32_t)n;
    else
        return false;
    return true;
}

static mgl_status add_step(mgl_build *build, mgl_span step, plan *p, mgl_error *err)
{
    uint32_t years;
    if (!parse_step(step, &years))
        return mgl_draft_fail(build->draft, err, 0,
                              "'%.*s' is no step of dates; the steps are month, year, and 5y, 10y "
                              "and so on",
                              mgl_span_width(step), step.data);
    if (p->n_levels == MGL_MOST_LEVELS)
        return mgl_draft_fail(build->draft, err, 0, "more than %d steps", MGL_MOST_LEVELS);
    if (p->n_levels > 0) {
        uint32_t below = p->years[p->n_levels - 1];
        if (years <= below)
            return mgl_draft_fail(build->draft, err, 0,
                                  "'%.*s' does not come after the step before it; write the steps "
                                  "from the shortest to the longest",
                                  mgl_span_width(step), step.data);
        if (below > 1 && years % below != 0)
            return mgl_draft_fail(build->draft, err, 0,
                                  "%u years are no multiple of %u, so that their runs would cut "
                                  "each other; each step must be a multiple of the last",
                                  years, below);
    }
    p->years[p->n_levels++] = years;
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
            return mgl_draft_fail(build->draft, err, 0,
                                  "'%.*s' is no order of a date; write ymd, dmy or mdy",
                                  mgl_span_width(order), order.data);
        rest = (mgl_span){semicolon + 1, rest.size - size - 1};
    }
    for (bool first = true; mgl_next_argument(&rest, &step); first = false) {
        if (first && mgl_span_is(step, "day")) /* level 0 is there anyway */
            continue;
        MGL_TRY(add_step(build, step, out, err));
    }
    return MGL_OK;
}

static mgl_status fail_look(mgl_build *build, const mgl_dates_scan *scan, mgl_error *err)
{
    char value[MGL_SHOWN], other[MGL_SHOWN];
    mgl_shown(build->ground->values[scan->at].text, value);
    mgl_shown(build->ground->values[scan->other].text, other);
    switch (scan->verdict) {
    case MGL_DATES_AMBIGUOUS:
        return mgl_draft_fail(build->draft, err, 0,
                              "the order of day and month is not clear ('%s' and all other values "
                              "can be read both ways); give it: dates(dmy; ...) or dates(mdy; ...)",
                              value);
    case MGL_DATES_MIXED:
        return mgl_draft_fail(build->draft, err, 0,
                              "'%s' and '%s' are not written in the same order of day, month "
                              "and year; write all dates alike, best as 1965-09-20",
                              other, value);
    case MGL_DATES_SHORT_YEAR:
        return mgl_draft_fail(build->draft, err, 0,
                              "the year of '%s' has two digits, its century is not known; write "
                              "years with four digits",
                              value);
    case MGL_DATES_IMPOSSIBLE:
        return mgl_draft_fail(build->draft, err, 0,
                              "'%s' is a day that does not exist; correct it, or name it by "
                              "--missing",
                              value);
    default:
        return mgl_draft_fail(build->draft, err, 0,
                              "the value '%s' is no date; dates are written 1965-09-20, "
                              "20.9.1965 or 9/20/1965 (name it by --missing if it means missing)",
                              value);
    }
}

/* Puts the values in the order of their dates; the key is yyyymmdd. */
static mgl_status read_values(mgl_build *build, const plan *p, mgl_error *err)
{
    mgl_ground *ground = build->ground;
    for (size_t i = 0; i < ground->n; i++) {
        mgl_date date;
        mgl_span value = ground->values[i].text;
        if (!mgl_date_parse(value, p->order, &date)) {
            mgl_ground one = {.n = 1, .values = &ground->values[i]};
            mgl_dates_scan scan = mgl_dates_look(&one);
            scan.at = scan.other = i;
            if (scan.verdict != MGL_DATES_CLEAR && scan.verdict != MGL_DATES_AMBIGUOUS)
                return fail_look(build, &scan, err);
            char shown[MGL_SHOWN];
            return mgl_draft_fail(build->draft, err, 0,
                                  "the value '%s' is no date in the order %s; correct it, or give "
                                  "another order (ymd, dmy, mdy)",
                                  mgl_shown(value, shown), mgl_date_order_name(p->order));
        }
        ground->values[i].key = date.year * 10000 + date.month * 100 + date.day;
    }
    mgl_ground_sort(ground);
    return MGL_OK;
}

/* The number of the month, year or run of years that a day lies in. */
static unsigned step_of(uint64_t yyyymmdd, uint32_t years)
{
    return (unsigned)(years == 0 ? yyyymmdd / 100 : yyyymmdd / 10000 / years);
}

static void write_step(mgl_buffer *out, unsigned step, uint32_t years)
{
    out->size = 0;
    if (years == 0)
        mgl_buffer_format(out, "%04u-%02u", step / 100, step % 100);
    else if (years == 1)
        mgl_buffer_format(out, "%04u", step);
    else
        mgl_buffer_format(out, "%04u-%04u", step * years, step * years + years - 1);
}

static mgl_status add_row(mgl_build *build, const plan *p, size_t i, mgl_buffer *label,
                          mgl_error *err)
{
    const mgl_ground_value *value = &build->ground->values[i];
    MGL_TRY(mgl_build_row(build, value, err));
    for (uint32_t level = 1; level <= p->n_levels; level++) {
        uint32_t years = p->years[level - 1];
        unsigned step = step_of(value->key, years);
        /* The days are sorted: most share the step of the one before. */
        if (i > 0 && step_of((value - 1)->key, years) == step) {
            mgl_draft_repeat(build->draft, level);
            continue;
        }
        write_step(label, step, years);
        if (label->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(build->draft, level, (mgl_span){label->data, label->size}, err));
    }
    return MGL_OK;
}

mgl_status mgl_build_dates(mgl_build *build, mgl_error *err)
{
    plan p;
    mgl_buffer label = {0};
    MGL_TRY(parse(build, err, &p));
    if (!p.order_given) {
        mgl_dates_scan scan = mgl_dates_look(build->ground);
        if (scan.verdict != MGL_DATES_CLEAR)
            return fail_look(build, &scan, err);
        p.order = scan.order;
        mgl_buffer_format(&build->draft->resolved, "dates(%s; %.*s)", mgl_date_order_name(p.order),
                          (int)build->arguments.size, build->arguments.data);
    }
    MGL_TRY(read_values(build, &p, err));
    build->draft->n_levels = p.n_levels + 1;
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < build->ground->n && status == MGL_OK; i++)
        status = add_row(build, &p, i, &label, err);
    mgl_buffer_free(&label);
    return status;
}
