/* (alpha,k)-anonymity: no value has a larger share of the known cells of a class than alpha; one
 * without any holds. k is a model of its own. A row in model_rows.h. */
#include "privacy/models.h"

static double measure(const mgl_model *model, const mgl_group *group)
{
    const mgl_histogram *histogram = mgl_model_histogram(model, group);
    size_t unknown = mgl_unknown_at(mgl_model_facts(model), histogram);
    uint64_t largest = 0;
    for (size_t i = 0; i < histogram->size; i++)
        if (i != unknown && histogram->counts[i] > largest)
            largest = histogram->counts[i];
    return largest == 0 ? 0 : (double)largest / (double)mgl_histogram_known(histogram, unknown);
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    (void)facts;
    const mgl_sensitive *s = mgl_model_sensitive(model);
    if (s->unknown != 0 || s->n_present == 0)
        return MGL_OK;                       /* a class without a known cell holds */
    double least = 1 / (double)s->n_present; /* one value has at least the mean share */
    if (!mgl_at_most(least, model->parameters[0]))
        return mgl_fail_column(
            err, MGL_CODE_IMPOSSIBLE, NULL, s->column->name,
            "alpha = %g, but column \"%.60s\" has %u distinct values, so one has a "
            "share of %g or more; no release can hold it: raise alpha",
            model->parameters[0], s->column->name, s->n_present, least);
    return MGL_OK;
}

static double most(const mgl_model *model, double share)
{
    (void)share;
    return model->parameters[0];
}

static mgl_value_terms terms(const mgl_model *model)
{
    (void)model;
    return (mgl_value_terms){.rule = MGL_VALUES_SHARES, .decides = true, .most = most};
}

static const mgl_parameter parameters[] = {
    {"alpha", "share of a class that one value may have at most", false, 0, 1, NULL},
};

const mgl_model_type mgl_alpha = {
    .name = "alpha",
    .option = "alpha",
    .help = "no value of the sensitive column has a larger share of a class than alpha",
    .when = "against guessing a value because most who look alike share it",
    .takes_attribute = true,
    .known_values = true,
    .empty_at_one = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true, /* a share of a union lies between the shares of its parts */
    .holds = mgl_measures_at_most,
    .measure = measure,
    .prepare = prepare,
    .terms = terms,
};
