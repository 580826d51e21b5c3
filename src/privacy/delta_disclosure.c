/* delta-disclosure (Brickell and Shmatikov 2008): |ln(p/q)| < delta for every value of the table. A
 * value that a class lacks has p = 0: no delta is enough. What is measured is the infimum of delta,
 * with which itself the class does not hold. A row in model_rows.h. */
#include "privacy/models.h"

static double measure(const mgl_model *model, const mgl_group *group)
{
    const mgl_sensitive *s = mgl_model_sensitive(model);
    const mgl_histogram *histogram = mgl_model_histogram(model, group);
    if (histogram->size < s->n_present)
        return INFINITY;
    /* Equal shares are equal numbers once rounded, so that their quotient is 1. */
    double n = (double)mgl_histogram_total(histogram), least = 1, most = 1;
    for (size_t i = 0; i < histogram->size; i++) {
        double q = (double)s->counts[mgl_histogram_code(histogram, i)] / (double)s->n;
        double ratio = (double)histogram->counts[i] / n / q;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    return fmax(log(most), fabs(log(least)));
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    (void)facts;
    if (!(model->parameters[0] > 0))
        return mgl_fail(err, MGL_CODE_IMPOSSIBLE,
                        "delta = 0, but the difference must be below delta; no release can hold "
                        "it: raise delta");
    return MGL_OK;
}

static double most(const mgl_model *model, double share)
{
    return share * exp(model->parameters[0]);
}

static double least(const mgl_model *model, double share)
{
    return share * exp(-model->parameters[0]);
}

static mgl_value_terms terms(const mgl_model *model)
{
    return (mgl_value_terms){.rule = MGL_VALUES_SHARES,
                             .decides = true,
                             .distinct = mgl_model_sensitive(model)->n_present,
                             .most = most,
                             .least = least};
}

static const mgl_parameter parameters[] = {
    {"delta", "|ln(share in the class / share in the table)| must be below it", false, 0, 1000,
     NULL},
};

const mgl_model_type mgl_delta_disclosure = {
    .name = "delta-disclosure",
    .option = "delta-disclosure",
    .help = "the share of every value in every class is within a factor e^delta of the table's",
    .when = "where a class may reveal little in either direction; every class needs every value",
    .takes_attribute = true,
    .looks_at_input = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true, /* a share of a union lies between the shares of its parts */
    .holds = mgl_measures_below,
    .measure = measure,
    .prepare = prepare,
    .terms = terms,
};
