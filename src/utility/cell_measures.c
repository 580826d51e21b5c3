/* Measures that look at what the cells could have been: non-uniform entropy, ambiguity,
 * classification, query error. Rows in measure_rows.h. */
#include "utility/measures.h"

static double nonuniform_entropy(const mgl_statistics *s)
{
    double sum = 0;
    for (size_t a = 0; a < s->n_attributes; a++)
        sum += s->bits[a];
    return sum;
}

const mgl_measure_type mgl_nonuniform_entropy = {
    .needs_ground = true,
    .name = "nonuniform-entropy",
    .key = "nonuniform_entropy",
    .help = "bits needed to guess the original cells, given how often values occur",
    .when = "values that are frequent anyway should cost little to generalize",
    .drives_search = true,
    .form = MGL_COST_SUM,
    .cells = MGL_PAYS_BITS,
    .value = nonuniform_entropy,
};

static double ambiguity(const mgl_statistics *s)
{
    return s->ambiguity / (double)s->n_rows;
}

const mgl_measure_type mgl_ambiguity = {
    .name = "ambiguity",
    .key = "ambiguity",
    .help = "mean over rows of the number of ground tuples a released tuple could be",
    .when = "whole tuples must stay narrow",
    .drives_search = true,
    .form = MGL_COST_TUPLES,
    .cells = MGL_PAYS_WIDTH,
    .value = ambiguity,
};

static double classification(const mgl_statistics *s)
{
    return s->has_label ? (double)s->misclassified / (double)s->n_rows : NAN;
}

const mgl_measure_type mgl_classification = {
    .name = "classification",
    .key = "classification",
    .help = "share of rows that are suppressed or not of their class's majority label",
    .when = "a classifier is to be trained on the release (classification=COLUMN)",
    .drives_search = true,
    .takes_label = true,
    .is_share = true,
    .from_release = true,
    .form = MGL_COST_MAJORITY,
    .value = classification,
};

static double query_error(const mgl_statistics *s)
{
    return s->query_error;
}

const mgl_measure_type mgl_query_error_measure = {
    .needs_ground = true,
    .name = "query-error",
    .key = "query_error",
    .help = "mean relative error of 100 random COUNT queries (seed 2002)",
    .when = "how well counts can still be estimated; reported only",
    .in_summary = true,
    .value = query_error,
};
