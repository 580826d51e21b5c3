/* Turns what cells cost into whole numbers; nested_codes.c calls it for each column.
 *
 * Where the measure is a sum of fractions with a common denominator that is not too large, as
 * weighted levels and shares of leaves mostly are, costs are exact: whole numbers of which all are
 * multiples of one step. Otherwise they are rounded down, so that what is proved about their sums
 * is right for the measure, too, but for the rounding. */
#include "search/box/whole_costs.h"

#include <math.h>
#include <stdio.h>

static mgl_measured_cells cells_of(const mgl_box_space *s)
{
    return s->is_flat ? MGL_PAYS_NONE : s->problem->measure->cells;
}

static double weight_of(const mgl_box_space *s, size_t a)
{
    if (s->is_flat) /* cells are worth as much as the holder says */
        return s->importance[a];
    return s->problem->measure->weighted ? s->problem->weights[a] : 1;
}

double mgl_box_plain_cost(const mgl_box_space *s, size_t a, uint32_t value)
{
    const mgl_cell_costs *costs = s->problem->costs;
    mgl_measured_cells cells = cells_of(s);
    if (cells == MGL_PAYS_LEVEL)
        return weight_of(s, a) * costs->distortion[a][value];
    return weight_of(s, a) * (cells == MGL_PAYS_LEAVES ? costs->loss : costs->log_rows)[a][value];
}

/* What suppressing a cell of the column costs. */
static double top_of(const mgl_box_space *s, size_t a)
{
    return s->is_flat ? weight_of(s, a) : mgl_box_plain_cost(s, a, s->problem->columns[a]->top);
}

/* ---- Exact costs ---------------------------------------------------------------------------- */

static uint64_t common_divisor(uint64_t x, uint64_t y)
{
    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

/* Of what costs without weight are fractions. */
static uint64_t denominator_of(const mgl_box_space *s, size_t a)
{
    const mgl_hierarchy *h = s->problem->columns[a]->hierarchy;
    if (s->is_flat)
        return 1;
    if (cells_of(s) == MGL_PAYS_LEVEL)
        return h->height;
    return h->n_leaves > 1 ? h->n_leaves - 1 : 1;
}

/* Weights are decimal numbers, of nine digits behind the point at most: as whole numbers. */
static bool find_whole_weights(const mgl_box_space *s, double *times)
{
    for (*times = 1; *times <= 1e9; *times *= 10) {
        bool whole = true;
        for (size_t a = 0; a < s->m; a++) {
            double weight = weight_of(s, a) * *times;
            whole = whole && weight < 0x1p40 && fabs(weight - round(weight)) <= 1e-15 * weight;
        }
        if (whole)
            return true;
    }
    return false;
}

/* The largest factor that makes whole numbers of all costs, the top costing at most MGL_BOX_TOP;
 * 0: there is none. */
static double exact_scale(const mgl_box_space *s, double top)
{
    double times;
    uint64_t denominator = 1, divisor = 0;
    if (cells_of(s) == MGL_PAYS_BITS || !find_whole_weights(s, &times))
        return 0;
    for (size_t a = 0; a < s->m; a++) {
        uint64_t own = denominator_of(s, a);
        denominator *= own / common_divisor(denominator, own);
        divisor = common_divisor(divisor, (uint64_t)round(weight_of(s, a) * times));
        if ((double)denominator > MGL_BOX_TOP)
            return 0;
    }
    double scale = times * (double)denominator / (double)divisor;
    return scale * floor(MGL_BOX_TOP / (scale * top) * (1 + 1e-12));
}

static mgl_status refuse_measure(const mgl_measure_type *measure, mgl_error *err)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    char names[400] = "";
    for (size_t i = 0; i < n; i++)
        if (types[i]->drives_search && mgl_adds_up(types[i]))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s, ", types[i]->name);
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_CONFLICT,
                 "`utility`: %s does not add up over cells, which the cell level needs; "
                 "use %sor `method: mingen`",
                 measure->name, names),
        "utility");
}

mgl_status mgl_box_choose_scale(mgl_box_space *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    double top = 0;
    if (!s->is_flat && !mgl_adds_up(p->measure))
        return refuse_measure(p->measure, err);
    for (size_t a = 0; a < s->m; a++)
        top += top_of(s, a);
    double exact = top > 0 ? exact_scale(s, top) : 1;
    s->whole = exact > 0;
    s->scale = s->whole ? exact : MGL_BOX_TOP / top;
    for (size_t a = 0; cells_of(s) == MGL_PAYS_BITS && a < s->m; a++)
        s->constant += p->costs->original_bits[a];
    return MGL_OK;
}

uint32_t mgl_box_whole_cost(mgl_box_space *s, double cost)
{
    const double rounding = 0x1p-16; /* what products of doubles may be off by is far less */
    double scaled = cost * s->scale;
    if (!s->whole)
        return (uint32_t)scaled;
    double whole = floor(scaled + rounding);
    s->whole = scaled - whole <= rounding;
    return (uint32_t)whole;
}

void mgl_box_find_step(mgl_box_space *s)
{
    uint64_t step = s->whole ? s->top_cost : 1;
    for (size_t a = 0; s->whole && a < s->m; a++) {
        const mgl_box_attribute *x = &s->attributes[a];
        for (uint32_t l = 0; l <= x->height; l++)
            for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++)
                step = common_divisor(step, x->cost[l][leaf]);
    }
    s->step = step > 0 ? (uint32_t)step : 1;
}

/* ---- Back to the measure -------------------------------------------------------------------- */

double mgl_box_measured(const mgl_box_space *s, double cost)
{
    double sum = cost / s->scale - s->constant, weights = 0;
    if (cells_of(s) == MGL_PAYS_BITS)
        return sum > 0 ? sum : 0;
    for (size_t a = 0; a < s->m; a++)
        weights += weight_of(s, a);
    double mean = weights > 0 ? sum / weights / (double)s->n_rows : 0;
    return !s->is_flat && s->problem->measure->higher_is_better ? 1 - mean : mean;
}
