/* Extended p-sensitive k-anonymity (Campan and Truta 2006): the values of every class lie in at
 * least p different protected subtrees of the sensitive hierarchy; each value counts as its strong
 * ancestor. As in p_sensitive.c, k = p without a k. A row in model_rows.h. */
#include "privacy/models.h"

enum { WINDOW_WORDS = 64 }; /* 64 subtrees each are looked at together */

static uint64_t subtrees_in_window(const mgl_sensitive *s, const mgl_histogram *histogram,
                                   uint32_t first, uint32_t n)
{
    uint64_t seen[WINDOW_WORDS], found = 0;
    size_t unknown = mgl_unknown_at(s, histogram);
    memset(seen, 0, (n + 63) / 64 * sizeof *seen);
    for (size_t i = 0; i < histogram->size; i++) {
        uint32_t subtree = s->strong[mgl_histogram_code(histogram, i)] - first;
        if (subtree >= n || i == unknown)
            continue;
        uint64_t bit = UINT64_C(1) << subtree % 64;
        found += (seen[subtree / 64] & bit) == 0;
        seen[subtree / 64] |= bit;
    }
    return found;
}

static double measure_subtrees(const mgl_model *model, const mgl_group *group)
{
    const mgl_sensitive *s = mgl_model_sensitive(model);
    const mgl_histogram *histogram = mgl_model_histogram(model, group);
    uint64_t found = 0;
    for (uint32_t first = 0; first < s->n_strong;) {
        uint32_t left = s->n_strong - first;
        uint32_t n = left < WINDOW_WORDS * 64 ? left : WINDOW_WORDS * 64;
        found += subtrees_in_window(s, histogram, first, n);
        first += n;
    }
    return (double)found;
}

static bool has_subtrees(const mgl_model *model, const mgl_group *group)
{
    return measure_subtrees(model, group) >= model->parameters[0];
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    return fmin(measure_subtrees(model, group), (double)mgl_most_p(model, group));
}

static bool holds(const mgl_model *model, const mgl_group *group)
{
    double p = model->parameters[0];
    return (double)mgl_model_histogram(model, group)->size >= p && measure(model, group) >= p;
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    MGL_TRY(mgl_require_p_at_most_k(model, facts, err));
    const mgl_sensitive *s = mgl_model_sensitive(model);
    double p = model->parameters[0];
    uint32_t n_strong = s->unknown != 0 ? s->n_strong_known : s->n_strong;
    if (p > n_strong)
        return mgl_fail_column(
            err, MGL_CODE_IMPOSSIBLE, NULL, s->column->name,
            "extended-p-sensitive: condition 2 (at least p protected subtrees) "
            "fails: p = %.0f, the hierarchy of column \"%.60s\" has %u; lower p or "
            "protect smaller groups",
            p, s->column->name, n_strong);
    if (p > s->n_strong_present)
        return mgl_fail_column(
            err, MGL_CODE_IMPOSSIBLE, NULL, s->column->name,
            "extended-p-sensitive: condition 2 (at least p protected subtrees) "
            "fails: p = %.0f, the data of column \"%.60s\" lies in %u of the %u of "
            "its hierarchy; lower p or protect smaller groups",
            p, s->column->name, s->n_strong_present, n_strong);
    return MGL_OK;
}

static const mgl_parameter parameters[] = {
    {"p", "protected subtrees the values of a class must lie in at least", true, 1, 4294967295.0,
     NULL},
};

static bool reads_hierarchy(const double *values)
{
    (void)values;
    return true;
}

const mgl_model_type mgl_extended_p_sensitive = {
    .name = "extended-p-sensitive",
    .option = "extended-p",
    .help = "the values of every class lie in at least p protected groups of values",
    .when = "where a group of values is as confidential as a value (any cancer, high income)",
    .takes_attribute = true,
    .known_values = true,
    .k = MGL_K_STANDS_FOR,
    .distinct = MGL_DISTINCT_SUBTREES,
    .empty_at_one = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true,
    .upward_closed = true,
    .holds = holds,
    .measure = measure,
    .measured_is_least = true,
    .reads_hierarchy = reads_hierarchy,
    .prepare = prepare,
};

const mgl_model_type mgl_protected_subtrees = {
    .name = "protected-subtrees",
    .takes_attribute = true,
    .known_values = true,
    .empty_at_one = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .holds = has_subtrees,
    .measure = measure_subtrees,
    .measured_is_least = true,
};
