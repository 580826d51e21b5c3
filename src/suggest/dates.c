/* Suggests months, years and runs of years for dates, as far as the column reaches. suggest.c tries
 * it first. */
#include "suggest/suggesting.h"

/* Fine to coarse; steps that join nothing fall away. Weeks do not nest in months. */
static const char *const long_steps[] = {"month", "year", "5y", "10y", NULL};
static const char *const short_steps[] = {"month", "quarter", "year", NULL};
static const char *const time_steps[] = {"hour", "day", "month", "quarter",
                                         "year", "5y",  "10y",   NULL};
static const char *const day_steps[] = {"day", "month", "quarter", "year", "5y", "10y", NULL};
static const char *const year_steps[] = {"year", "5y", "10y", NULL};

/* Births reach over decades, admissions over a year or two. */
enum { DAYS_OF_EVENTS = 5 * 366 };

static mgl_status try_steps(mgl_suggesting *s, const char *front, const char *const *steps,
                            bool *fits)
{
    mgl_ladder ladder = {.front = front};
    for (size_t i = 0; steps[i] != NULL; i++)
        mgl_ladder_add(&ladder, "%s", steps[i]);
    return mgl_ladder_fit(s, &ladder, fits);
}

static bool is_short(const mgl_suggesting *s)
{
    const mgl_scale *scale = s->scale;
    if (scale == NULL || scale->kind != MGL_SCALE_DATES)
        return false;
    return scale->of_leaf[scale->ordered[scale->n_ordered - 1]] -
               scale->of_leaf[scale->ordered[0]] <=
           DAYS_OF_EVENTS;
}

mgl_status mgl_suggest_dates(mgl_suggesting *s, bool *fits)
{
    bool times = s->profile.kind == MGL_VALUE_DATE_TIME;
    *fits = s->said == MGL_SAID_DATE ||
            (s->said == MGL_SAID_NOTHING && mgl_profile_is_date(&s->profile));
    if (!*fits)
        return MGL_OK;
    MGL_TRY(try_steps(s, "dates(",
                      times         ? time_steps
                      : is_short(s) ? short_steps
                                    : long_steps,
                      fits));
    if (!*fits && times) /* not all of them have a time */
        MGL_TRY(try_steps(s, "dates(", day_steps, fits));
    if (*fits) {
        mgl_buffer_text(&s->out->reason, times ? "dates with a time" : "dates");
        mgl_buffer_text(&s->out->alternatives,
                        times || is_short(s) ? "dates(week)" : "dates(year,10y)");
        return MGL_OK;
    }
    /* The year is the same whether the day or the month comes first. */
    MGL_TRY(try_steps(s, "dates(dmy; ", year_steps, fits));
    if (!*fits)
        return MGL_OK;
    mgl_buffer_text(&s->out->reason,
                    "dates that can be read with the day or the month first: years alone");
    mgl_buffer_text(&s->out->alternatives,
                    "dates(dmy; month,year,5y,10y) or dates(mdy; month,year,5y,10y)");
    return MGL_OK;
}
