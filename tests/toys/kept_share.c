/* A toy measure: 1 minus the loss. It says that it is a mean over cells, so that searches which
 * need that can go by it, and that more of it is better. */
#include "utility/measures.h"

static double value(const mgl_statistics *s)
{
    double sum = 0;
    for (size_t a = 0; a < s->n_attributes; a++)
        sum += s->loss[a] / (double)s->n_rows;
    return 1 - sum / (double)s->n_attributes;
}

const mgl_measure_type mgl_toy_kept = {
    .name = "toy-kept",
    .key = "toy_kept",
    .help = "toy: 1 minus the loss",
    .when = "in tests",
    .in_summary = true,
    .in_table = true,
    .higher_is_better = true,
    .drives_search = true,
    .is_share = true,
    .form = MGL_COST_SUM,
    .cells = MGL_PAYS_LEAVES,
    .value = value,
};
