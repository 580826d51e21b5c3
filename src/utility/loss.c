/* Loss: how many of its column's ground values a released cell could be, with three ways to put the
 * columns together. Rows in measure_rows.h. */
#include "utility/measures.h"

static double mean_loss(const mgl_statistics *s)
{
    double sum = 0;
    for (size_t a = 0; a < s->n_attributes; a++)
        sum += s->loss[a] / (double)s->n_rows;
    return sum / (double)s->n_attributes;
}

const mgl_measure_type mgl_loss = {
    .name = "loss",
    .key = "loss",
    .help = "mean over cells of (leaves under the released value - 1)/(all leaves - 1)",
    .when = "hierarchies whose levels differ in size; a wide value costs more than a narrow one",
    .in_summary = true,
    .in_table = true,
    .drives_search = true,
    .is_share = true,
    .form = MGL_COST_SUM,
    .cells = MGL_PAYS_LEAVES,
    .value = mean_loss,
};

static double geometric_loss(const mgl_statistics *s)
{
    double product = 1;
    for (size_t a = 0; a < s->n_attributes; a++)
        product *= pow(s->loss[a] / (double)s->n_rows + 1, 1 / (double)s->n_attributes);
    return product - 1;
}

const mgl_measure_type mgl_geometric_loss = {
    .name = "geometric-loss",
    .key = "geometric_loss",
    .help = "the loss of each column, aggregated by the geometric mean",
    .when = "to compare with ARX, whose default measure this is",
    .drives_search = true,
    .is_share = true,
    .form = MGL_COST_PRODUCT,
    .cells = MGL_PAYS_LEAVES,
    .value = geometric_loss,
};

static double ncp(const mgl_statistics *s)
{
    double sum = 0, weights = 0;
    for (size_t a = 0; a < s->n_attributes; a++) {
        sum += s->weights[a] * (s->loss[a] / (double)s->n_rows);
        weights += s->weights[a];
    }
    return sum / weights;
}

const mgl_measure_type mgl_ncp = {
    .name = "ncp",
    .key = "ncp",
    .help = "normalized certainty penalty: the loss with a weight per column",
    .when = "like loss, when some columns matter more than others",
    .drives_search = true,
    .is_share = true,
    .form = MGL_COST_SUM,
    .cells = MGL_PAYS_LEAVES,
    .weighted = true,
    .value = ncp,
};
