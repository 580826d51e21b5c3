/* Precision (Sweeney 2002, definition 5): 1 minus the mean share of its hierarchy that a cell was
 * moved up. A row in measure_rows.h. */
#include "utility/measures.h"

static double value(const mgl_statistics *s)
{
    if (s->distortion == NULL)
        return NAN;
    double sum = 0, weights = 0;
    for (size_t a = 0; a < s->n_attributes; a++) {
        sum += s->weights[a] * s->distortion[a];
        weights += s->weights[a];
    }
    return 1 - sum / ((double)s->n_rows * weights);
}

const mgl_measure_type mgl_precision = {
    .name = "precision",
    .key = "precision",
    .help = "1 minus the mean share of the hierarchy's height that cells were moved up",
    .when = "hierarchies whose levels are equally important steps; takes weights",
    .in_summary = true,
    .in_table = true,
    .higher_is_better = true,
    .drives_search = true,
    .is_standard = true,
    .is_share = true,
    .form = MGL_COST_SUM,
    .cells = MGL_PAYS_LEVEL,
    .weighted = true,
    .value = value,
};
