/* Suggests intervals for numbers, of widths that people read easily, each a multiple of the one
 * before. suggest.c tries it after codes. */
#include "suggest/suggesting.h"

#include <math.h>
#include <stdio.h>

enum { FEWEST_CLASSES = 12, SMALL_RANGE = 20, MOST_WIDTHS = 4 };

/* Where the column lies, and where the middle nine tenths of its rows do. */
typedef struct extent {
    double low, high, middle;
} extent;

static double number_at(const mgl_suggesting *s, uint32_t place)
{
    return s->scale->of_leaf[s->scale->ordered[place]];
}

/* The number that a share of the rows lies below. A few very large ones shall not make the widths
 * so wide that all others fall into one interval. */
static double quantile(const mgl_suggesting *s, double share, uint64_t all)
{
    uint64_t rows = 0;
    uint32_t place = 0;
    for (; place + 1 < s->scale->n_ordered; place++) {
        rows += mgl_rows_of(s, s->plain->levels[0].labels[s->scale->ordered[place]]);
        if ((double)rows >= share * (double)all)
            break;
    }
    return number_at(s, place);
}

static extent extent_of(const mgl_suggesting *s)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < s->scale->n_ordered; i++)
        all += mgl_rows_of(s, s->plain->levels[0].labels[s->scale->ordered[i]]);
    extent e = {number_at(s, 0), number_at(s, s->scale->n_ordered - 1), 0};
    e.middle = quantile(s, 0.95, all) - quantile(s, 0.05, all);
    /* Most rows have one number: the others tell. */
    if (e.middle <= 0)
        e.middle = e.high - e.low;
    return e;
}

/* ---- Widths --------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten: the largest that is not above the number. */
static void round_down(double number, int *digit, int *exponent)
{
    /* Nudged up, because 0.05 / 0.01 may come out just below 5. */
    *exponent = (int)floor(log10(number) + 1e-9);
    double leading = number / pow(10, *exponent) + 1e-9;
    *digit = leading >= 5 ? 5 : leading >= 2 ? 2 : 1;
}

/* digit * 10^exponent as decimal text. */
static void add_width(mgl_ladder *ladder, int digit, int exponent)
{
    char zeros[] = "000000000000000000000000000000";
    int room = (int)sizeof zeros - 1;
    if (exponent >= 0)
        mgl_ladder_add(ladder, "%d%.*s", digit, exponent < room ? exponent : room, zeros);
    else
        mgl_ladder_add(ladder, "0.%.*s%d", -exponent - 1 < room ? -exponent - 1 : room, zeros,
                       digit);
}

/* 1, 5, 10, 50, ...; 2, 10, 20, 100, ...; 5, 10, 20, 100, ... */
static void add_widths(mgl_ladder *ladder, int first, int exponent, double range)
{
    int digit = first;
    while (ladder->n < MOST_WIDTHS && digit * pow(10, exponent) < range) {
        add_width(ladder, digit, exponent);
        exponent += digit != 1;
        digit = digit != 1 ? 1 : first == 1 ? 5 : 2;
    }
}

static bool are_years(const extent *e)
{
    return e->low >= 1850 && e->high <= 2100;
}

static bool are_ages(const mgl_suggesting *s, const extent *e)
{
    return s->profile.topic != NULL && s->profile.topic->id == MGL_TOPIC_AGE && e->low >= 0 &&
           e->high <= 130 && e->high - e->low >= 10;
}

static void choose_widths(const mgl_suggesting *s, const extent *e, mgl_ladder *ladder)
{
    double range = e->high - e->low;
    int digit, exponent;
    ladder->front = "intervals(";
    if (s->scale->whole && (are_years(e) || are_ages(s, e))) {
        static const char *const usual[] = {"5", "10", "20"};
        for (size_t i = 0; i < 3; i++)
            mgl_ladder_add(ladder, "%s", usual[i]);
        return;
    }
    if (s->scale->whole && range < SMALL_RANGE) { /* children, rooms: two and two */
        for (unsigned width = 2; width < SMALL_RANGE; width *= 2)
            mgl_ladder_add(ladder, "%u", width);
        return;
    }
    round_down(e->middle / FEWEST_CLASSES, &digit, &exponent);
    if (s->scale->whole && (exponent < 0 || (exponent == 0 && digit == 1))) {
        digit = 2;
        exponent = 0;
    }
    add_widths(ladder, digit, exponent, range);
}

mgl_status mgl_suggest_numbers(mgl_suggesting *s, bool *fits)
{
    mgl_ladder ladder = {0};
    *fits = s->scale != NULL && s->scale->kind == MGL_SCALE_NUMBERS && s->scale->n_ordered > 1 &&
            (s->said == MGL_SAID_NUMBER ||
             (s->said == MGL_SAID_NOTHING && mgl_profile_is_number(&s->profile)));
    if (!*fits)
        return MGL_OK;
    extent e = extent_of(s);
    *fits = e.high - e.low > 1e-9 && e.high - e.low < 1e18;
    if (!*fits)
        return MGL_OK;
    choose_widths(s, &e, &ladder);
    MGL_TRY(mgl_ladder_fit(s, &ladder, fits));
    if (!*fits)
        return MGL_OK;
    const char *what = !s->scale->whole  ? "decimal numbers"
                       : are_years(&e)   ? "years"
                       : are_ages(s, &e) ? "ages"
                                         : "whole numbers";
    mgl_buffer_format(&s->out->reason, "%s, %u different", what, s->scale->n_ordered);
    if (mgl_column_is_called(s->column, "latitude|lat"))
        mgl_buffer_text(&s->out->alternatives, "grid(lat; 10km,100km) for bands of kilometres; ");
    if (mgl_column_is_called(s->column, "longitude|lon|lng|long"))
        mgl_buffer_text(&s->out->alternatives,
                        "grid(lon at LATITUDE; 10km,100km) for kilometres at a latitude; ");
    mgl_buffer_text(&s->out->alternatives,
                    are_ages(s, &e)
                        ? "cuts(18,30,45,65,80) for bands of your own"
                        : "cuts(...) for bands of your own; `kind: nominal` if they are codes");
    return MGL_OK;
}
