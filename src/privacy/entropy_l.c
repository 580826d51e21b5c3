/* Entropy l-diversity: H(E) >= ln l, H in nats; l is a real number. The comparison is made between
 * e^H and l, so that a class always holds with the l that is measured for it. A row in
 * model_rows.h. */
#include "privacy/models.h"

static bool is_uniform(const mgl_histogram *histogram, size_t unknown)
{
    size_t first = unknown == 0;
    for (size_t i = first + 1; i < histogram->size; i++)
        if (i != unknown && histogram->counts[i] != histogram->counts[first])
            return false;
    return true;
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    const mgl_histogram *histogram = mgl_model_histogram(model, group);
    size_t unknown = mgl_unknown_at(mgl_model_facts(model), histogram);
    if (is_uniform(histogram, unknown)) /* exact: exp and log would round */
        return (double)(histogram->size - (unknown != SIZE_MAX));
    double n = (double)mgl_histogram_known(histogram, unknown);
    __int128 sum = 0; /* whole numbers, so that the order of values and rows makes no difference */
    for (size_t i = 0; i < histogram->size; i++) {
        double count = (double)histogram->counts[i];
        if (i == unknown)
            continue;
        sum += (__int128)(count * log(n / count) * 0x1p56); /* no term is negative */
    }
    return exp((double)sum * 0x1p-56 / n);
}

static bool holds(const mgl_model *model, const mgl_group *group)
{
    double l = model->parameters[0];
    /* e^H is at most the number of values: most classes that fail need no logarithm. */
    if (!mgl_at_most(l, (double)mgl_model_histogram(model, group)->size))
        return false;
    return mgl_at_most(l, measure(model, group));
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    (void)facts;
    const mgl_sensitive *s = mgl_model_sensitive(model);
    if (!mgl_at_most(model->parameters[0], mgl_known_present(s)))
        return mgl_fail_column(
            err, MGL_CODE_IMPOSSIBLE, NULL, s->column->name,
            "entropy l = %g, but column \"%.60s\" has only %u distinct values and a "
            "class at most that l; no release can hold it: lower l",
            model->parameters[0], s->column->name, mgl_known_present(s));
    return MGL_OK;
}

/* The largest share one of d values can have in a class whose entropy is ln l: the others
 * are equally common then. */
static double most(const mgl_model *model, double share)
{
    (void)share;
    double l = model->parameters[0], d = mgl_known_present(mgl_model_sensitive(model));
    if (d < 2 || l <= 1)
        return 1;
    double low = 1 / d, high = 1; /* the entropy falls from ln d to 0 */
    for (int i = 0; i < 60; i++) {
        double p = (low + high) / 2;
        double entropy = -p * log(p) - (1 - p) * log((1 - p) / (d - 1));
        if (entropy >= log(l))
            low = p;
        else
            high = p;
    }
    return high;
}

static mgl_value_terms terms(const mgl_model *model)
{
    return (mgl_value_terms){.rule = MGL_VALUES_SHARES,
                             .kernel = MGL_KERNEL_ENTROPY,
                             .distinct = model->parameters[0],
                             .most = most};
}

static const mgl_parameter parameters[] = {
    {"l", "e to the power of a class's entropy, at least", false, 1, 4294967295.0, NULL},
};

const mgl_model_type mgl_entropy_l = {
    .name = "entropy-l",
    .option = "entropy-l",
    .help = "the values of the sensitive column in every class are as mixed as l equal parts",
    .when = "where a class with l values but one very common among them says too much",
    .takes_attribute = true,
    .known_values = true,
    .empty_at_one = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true, /* entropy is concave: a mixture has at least the mean */
    .holds = holds,
    .measure = measure,
    .measured_is_least = true,
    .prepare = prepare,
    .terms = terms,
};
