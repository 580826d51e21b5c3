/* Recursive (c,l)-diversity: with the counts in descending order r_1, r_2, ..., r_d, r_1 < c (r_l +
 * ... + r_d); violated if d < l. What is measured is c, for the given l: the infimum r_1 / (r_l +
 * ... + r_d), with which itself the class does not hold. A row in model_rows.h. */
#include "privacy/models.h"

/* The known values of a class. */
typedef struct known_values {
    const mgl_histogram *histogram;
    size_t unknown; /* the entry that is left out */
    size_t size;
} known_values;

static known_values known_of(const mgl_sensitive *sensitive, const mgl_histogram *histogram)
{
    size_t unknown = mgl_unknown_at(sensitive, histogram);
    return (known_values){histogram, unknown, histogram->size - (unknown != SIZE_MAX)};
}

static size_t count_above(const known_values *known, uint64_t limit, uint64_t *sum)
{
    const mgl_histogram *histogram = known->histogram;
    size_t n = 0;
    *sum = 0;
    for (size_t i = 0; i < histogram->size; i++)
        if (i != known->unknown && histogram->counts[i] > limit) {
            n++;
            *sum += histogram->counts[i];
        }
    return n;
}

/* The sum of the n largest counts, n <= size. Halves the range of counts instead of sorting,
 * since there is nowhere to sort to: limit ends as the n-th largest count, or a lower bound
 * of it that no other count lies above. */
static uint64_t sum_of_largest(const known_values *known, size_t n, uint64_t largest)
{
    if (n <= 1)
        return n == 0 ? 0 : largest;
    uint64_t low = 0, high = largest, sum;
    MGL_BISECT(low, high, limit, count_above(known, limit, &sum) > n)
    size_t above = count_above(known, low, &sum);
    return sum + (n - above) * low;
}

static double infimum(const known_values *known, double l)
{
    const mgl_histogram *histogram = known->histogram;
    if (known->size == 0 || (double)known->size < l)
        return INFINITY;
    uint64_t largest = 0, total = 0;
    for (size_t i = 0; i < histogram->size; i++) {
        if (i == known->unknown)
            continue;
        total += histogram->counts[i];
        if (histogram->counts[i] > largest)
            largest = histogram->counts[i];
    }
    /* Divided, not multiplied: 1.12 * 25 is rounded above 28, but 28/25 is 1.12 to the last bit. */
    return (double)largest / (double)(total - sum_of_largest(known, (size_t)l - 1, largest));
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    known_values known = known_of(mgl_model_facts(model), mgl_model_histogram(model, group));
    return infimum(&known, model->parameters[1]);
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    (void)facts;
    const mgl_sensitive *s = mgl_model_sensitive(model);
    double c = model->parameters[0], l = model->parameters[1];
    uint32_t n_values = mgl_known_present(s);
    if (l > n_values)
        return mgl_fail_column(
            err, MGL_CODE_IMPOSSIBLE, NULL, s->column->name,
            "l = %.0f, but column \"%.60s\" has only %u distinct values; no release "
            "can hold it: lower l",
            l, s->column->name, n_values);
    /* None of r_l..r_d is above r_1. */
    double least = 1 / (n_values - l + 1);
    if (!(least < c))
        return mgl_fail_column(
            err, MGL_CODE_IMPOSSIBLE, NULL, s->column->name,
            "c = %g with l = %.0f, but column \"%.60s\" has %u distinct values, so c "
            "must be above %g; no release can hold it: raise c or lower l",
            c, l, s->column->name, n_values, least);
    return MGL_OK;
}

void mgl_recursive_infimum(const mgl_sensitive *sensitive, const mgl_histogram *histogram,
                           size_t most, double *infimum, uint64_t *scratch)
{
    known_values known = known_of(sensitive, histogram);
    size_t size = known.size;
    /* From the first l that is INFINITY on all are: classes with few values are many. */
    for (size_t l = size < 2 ? 2 : size + 1; l <= most && !isinf(infimum[l]); l++)
        infimum[l] = INFINITY;
    if (size < 2)
        return;
    for (size_t i = 0, n = 0; i < histogram->size; i++)
        if (i != known.unknown)
            scratch[n++] = histogram->counts[i];
    mgl_sort_u64(scratch, size);
    double largest = (double)scratch[size - 1];
    uint64_t rest = 0; /* r_l + ... + r_d */
    for (size_t l = size; l >= 2; l--) {
        rest += scratch[size - l];
        if (l <= most)
            infimum[l] = fmax(infimum[l], largest / (double)rest);
    }
}

/* r_1 < c (n - r_1) if the rest begins behind r_1, else r_1 < c n. */
static double most(const mgl_model *model, double share)
{
    (void)share;
    double c = model->parameters[0];
    return model->parameters[1] >= 2 ? c / (1 + c) : c;
}

static mgl_value_terms terms(const mgl_model *model)
{
    return (mgl_value_terms){.rule = MGL_VALUES_SHARES,
                             .kernel = MGL_KERNEL_LARGEST,
                             .distinct = model->parameters[1],
                             .most = most};
}

static const mgl_parameter parameters[] = {
    {"c", "the most common value may be less than c times the rest", false, 0, 4294967295.0, NULL},
    {"l", "the rest: all values from the l-th most common one on", true, 1, 4294967295.0, NULL},
};

const mgl_model_type mgl_recursive_cl = {
    .name = "recursive-cl",
    .option = "recursive-cl",
    .help = "in every class the most common value is less than c times all from the l-th on",
    .when = "where an attacker may rule out some values and the rest must stay mixed",
    .takes_attribute = true,
    .known_values = true,
    .parameters = parameters,
    .n_parameters = 2,
    .scope = MGL_SCOPE_CLASS,
    /* r_1 of a union is at most the sum of both r_1; its l-1 largest together are at most the
     * sum of both classes', so its rest is at least the sum of both rests. */
    .union_closed = true,
    .holds = mgl_measures_below,
    .measure = measure,
    .prepare = prepare,
    .terms = terms,
};
