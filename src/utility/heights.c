/* Heights: how far up the lattice a full-domain release is. Rows in measure_rows.h. */
#include "utility/measures.h"

static double height(const mgl_statistics *s)
{
    if (s->node == NULL)
        return NAN;
    double sum = 0;
    for (size_t a = 0; a < s->n_attributes; a++)
        sum += s->node[a];
    return sum;
}

const mgl_measure_type mgl_height = {
    .whole = true,
    .needs_ground = true,
    .name = "height",
    .key = "height",
    .help = "sum of the levels of a full-domain release",
    .when = "as few generalization steps as possible are wanted",
    .drives_search = true,
    .from_release = true,
    .form = MGL_COST_LEVELS,
    .value = height,
};

static double relative_height(const mgl_statistics *s)
{
    if (s->node == NULL)
        return NAN;
    double sum = 0;
    for (size_t a = 0; a < s->n_attributes; a++)
        sum += (double)s->node[a] / s->heights[a];
    return sum;
}

const mgl_measure_type mgl_relative_height = {
    .needs_ground = true,
    .name = "relative-height",
    .key = "relative_height",
    .help = "sum of level/height over the columns",
    .when = "hierarchies of different heights; reported only",
    .from_release = true,
    .value = relative_height,
};

static double doubling_height(const mgl_statistics *s)
{
    if (s->node == NULL)
        return NAN;
    double sum = 0;
    for (size_t a = 0; a < s->n_attributes; a++)
        sum += ldexp(1, (int)s->node[a]) - 1;
    return sum;
}

const mgl_measure_type mgl_doubling_height = {
    .whole = true,
    .needs_ground = true,
    .name = "doubling-height",
    .key = "doubling_height",
    .help = "sum of 2^level - 1: each further step costs twice the last",
    .when = "later steps lose more than earlier ones; reported only",
    .from_release = true,
    .value = doubling_height,
};
