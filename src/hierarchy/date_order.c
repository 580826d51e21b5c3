/* Finds out in which order days, months and years stand in the dates of a column. build_dates.c
 * calls it before it builds. */
#include "hierarchy/date_order.h"

static mgl_dates_verdict judge_unreadable(const mgl_notation *notation, mgl_span text)
{
    switch (mgl_date_fault_of(notation, text)) {
    case MGL_DATE_SHORT_YEAR:
        return MGL_DATES_SHORT_YEAR;
    case MGL_DATE_IMPOSSIBLE:
        return MGL_DATES_IMPOSSIBLE;
    case MGL_DATE_OUTSIDE:
        return MGL_DATES_OUTSIDE;
    default:
        return MGL_DATES_NONE;
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

mgl_dates_scan mgl_dates_look(const mgl_ground *ground)
{
    unsigned allowed = (1u << MGL_DATE_ORDERS) - 1;
    size_t excluded_by[MGL_DATE_ORDERS] = {0};
    for (size_t i = 0; i < ground->n; i++) {
        mgl_span text = ground->values[i].text;
        unsigned mine = mgl_date_orders(ground->notation, text);
        if (mine == 0)
            return (mgl_dates_scan){.verdict = judge_unreadable(ground->notation, text), .at = i};
        if ((mine & allowed) == 0)
            return (mgl_dates_scan){
                .verdict = MGL_DATES_MIXED, .at = i, .other = excluded_by[lowest(mine)]};
        for (int order = 0; order < MGL_DATE_ORDERS; order++)
            if ((allowed & ~mine) >> order & 1)
                excluded_by[order] = i;
        allowed &= mine;
    }
    mgl_dates_scan scan = {.verdict = MGL_DATES_CLEAR, .order = lowest(allowed)};
    unsigned others = allowed & (allowed - 1);
    for (size_t i = 0; others != 0 && i < ground->n; i++) {
        if (!distinguishes(ground->notation, ground->values[i].text, allowed))
            continue;
        scan = (mgl_dates_scan){MGL_DATES_AMBIGUOUS, scan.order, i, i, lowest(others)};
        break;
    }
    return scan;
}
