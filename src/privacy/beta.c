/* beta-likeness (Cao and Karras 2012): a value that is more common in a class than in the table has
 * (p-q)/q <= beta, or, enhanced, <= min(beta, -ln q). Two rows in model_rows.h. */
#include "privacy/models.h"

/* (p-q)/q of the i-th value of the class; negative where p < q. */
static double gain(const mgl_sensitive *s, const mgl_histogram *histogram, size_t i, uint64_t n)
{
    uint64_t whole = s->counts[mgl_histogram_code(histogram, i)];
    if (whole == 0)
        return INFINITY;
    return mgl_double_of(mgl_excess(histogram->counts[i], n, whole, s->n)) /
           mgl_double_of((__int128)whole * n);
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    const mgl_sensitive *s = mgl_model_sensitive(model);
    const mgl_histogram *histogram = mgl_model_histogram(model, group);
    uint64_t n = mgl_histogram_total(histogram);
    double most = 0;
    for (size_t i = 0; i < histogram->size; i++)
        most = fmax(most, gain(s, histogram, i, n));
    return most;
}

/* INFINITY: a value passes -ln q, with which no beta helps. */
static double measure_enhanced(const mgl_model *model, const mgl_group *group)
{
    const mgl_sensitive *s = mgl_model_sensitive(model);
    const mgl_histogram *histogram = mgl_model_histogram(model, group);
    uint64_t n = mgl_histogram_total(histogram);
    double most = 0;
    for (size_t i = 0; i < histogram->size; i++) {
        double found = gain(s, histogram, i, n);
        if (!(found > 0))
            continue;
        double q = (double)s->counts[mgl_histogram_code(histogram, i)] / (double)s->n;
        if (isinf(found) || !mgl_at_most(found, -log(q)))
            return INFINITY;
        most = fmax(most, found);
    }
    return most;
}

static double most(const mgl_model *model, double share)
{
    return share * (1 + model->parameters[0]);
}

static mgl_value_terms terms(const mgl_model *model)
{
    (void)model;
    return (mgl_value_terms){.rule = MGL_VALUES_SHARES, .decides = true, .most = most};
}

static double most_enhanced(const mgl_model *model, double share)
{
    return share * (1 + fmin(model->parameters[0], -log(share)));
}

static mgl_value_terms terms_enhanced(const mgl_model *model)
{
    (void)model;
    return (mgl_value_terms){.rule = MGL_VALUES_SHARES, .decides = true, .most = most_enhanced};
}

static const mgl_parameter parameters[] = {
    {"beta", "relative gain of a value's share in a class, at most", false, 0, 4294967295.0, NULL},
};

const mgl_model_type mgl_beta = {
    .name = "beta",
    .option = "beta",
    .help = "the share of a value in a class exceeds the table's by at most beta times that",
    .when = "where rare values need more protection than common ones",
    .takes_attribute = true,
    .looks_at_input = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true, /* a share of a union lies between the shares of its parts */
    .holds = mgl_measures_at_most,
    .measure = measure,
    .terms = terms,
};

const mgl_model_type mgl_enhanced_beta = {
    .name = "enhanced-beta",
    .option = "enhanced-beta",
    .help = "as beta, and the gain of a value is at most -ln of its share in the table too",
    .when = "as beta, where common values must not come near certainty either",
    .takes_attribute = true,
    .looks_at_input = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true, /* as beta; each value has a bound of its own */
    .holds = mgl_measures_at_most,
    .measure = measure_enhanced,
    .terms = terms_enhanced,
};
