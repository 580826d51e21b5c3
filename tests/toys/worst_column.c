/* A toy measure: the loss of the column that lost most. It says nothing of how its cost is made up,
 * so that whole releases must be priced. */
#include "utility/measures.h"

static double value(const mgl_statistics *s)
{
    double most = 0;
    for (size_t a = 0; a < s->n_attributes; a++)
        most = fmax(most, s->loss[a] / (double)s->n_rows);
    return most;
}

const mgl_measure_type mgl_toy_worst = {
    .name = "toy-worst",
    .key = "toy_worst",
    .help = "toy: the loss of the column that lost most",
    .when = "in tests",
    .drives_search = true,
    .value = value,
};
