/* The units of the exact search: fine enough that rounded prices prove what they should, and coarse
 * enough that sums of them do not leave 64 bits, however many rows there are. exact.c, master.c and
 * branch.c compute in them. */
#include "search/cell/exact/inner.h"

#include <math.h>

/* What all rows may cost: beyond the first, units are made coarser; up to the others finer. */
#define MOST_OF_ALL 0x1p48
#define FINE_OF_ALL 0x1p44
#define FINE_OF_ONE 0x1p36 /* for a tuple: doubles of that size are good to less than a unit */

#define MOST_SUM 0x1p60

static uint32_t most_rows(const mgl_box_space *s)
{
    uint32_t most = 1;
    for (size_t t = 0; t < s->n; t++)
        most = s->rows[t] > most ? s->rows[t] : most;
    return most;
}

static int64_t find_times(double of_all, double of_one)
{
    int64_t times = 1;
    while (2 * of_all <= FINE_OF_ALL && 2 * of_one <= FINE_OF_ONE) {
        times *= 2;
        of_all *= 2;
        of_one *= 2;
    }
    return times;
}

/* Prices lose less than a unit per tuple by rounding. If a step is a few units for each, that does
 * not matter; else it is taken off what is proved. */
static void choose_whole(mgl_exact *x, double top)
{
    const mgl_box_space *s = x->space;
    int64_t lost = 4 * (int64_t)s->n;
    x->divide = s->step;
    x->times = find_times(top * (double)s->n_rows, top * most_rows(s));
    x->exact = x->times >= lost;
    x->tolerance = x->exact ? x->times - 1 : x->times - 1 + lost;
}

/* Rounded costs differ where the measure does not: such differences are not worth the work. */
static void choose_rounded(mgl_exact *x)
{
    const mgl_box_space *s = x->space;
    x->exact = false;
    x->times = x->divide = 1;
    while ((double)(s->top_cost / x->divide) * (double)s->n_rows > MOST_OF_ALL)
        x->divide *= 2;
    x->tolerance = (int64_t)((x->divide == 1 ? s->m + 2 : 1) * s->n_rows);
}

void mgl_exact_choose_units(mgl_exact *x)
{
    const mgl_box_space *s = x->space;
    double top = (double)s->top_cost / s->step + 1;
    if (s->whole && top * (double)s->n_rows <= MOST_OF_ALL)
        choose_whole(x, top);
    else
        choose_rounded(x);
}

int64_t mgl_exact_most_price(const mgl_exact *x)
{
    return (int64_t)(MOST_SUM / (double)(x->space->n + 1));
}

int64_t mgl_exact_most_left_price(const mgl_exact *x)
{
    return (int64_t)(MOST_SUM / (double)x->space->n_rows);
}

int64_t mgl_exact_most_cut_price(void)
{
    return (int64_t)(MOST_SUM / (MGL_EXACT_MOST_CUTS * (MGL_EXACT_CUT_SIZE / 2)));
}

int64_t mgl_exact_round_down(double price, int64_t most)
{
    double rounded = floor(price);
    if (rounded >= (double)most)
        return most;
    return rounded > -(double)most ? (int64_t)rounded : -most;
}

int64_t mgl_exact_round_up(double price, int64_t most)
{
    return -mgl_exact_round_down(-price, most);
}

bool mgl_exact_raise_lack(mgl_exact *x)
{
    const double step = 4;
    if (x->lp.lack * step > (double)mgl_exact_most_price(x))
        return false;
    x->lp.lack *= step;
    return true;
}

uint64_t mgl_exact_proved(const mgl_exact *x)
{
    uint64_t most = x->space->n_rows * x->space->top_cost; /* where no release was known */
    int64_t proved = x->exact ? x->upper : x->upper - x->tolerance;
    uint64_t bound = proved > 0 ? (uint64_t)(proved / x->times) * x->divide : 0;
    return bound < most ? bound : most;
}
