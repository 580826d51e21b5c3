/* p-sensitive k-anonymity (Truta and Vinay 2006): every class has at least p distinct values of
 * each sensitive column. k is a model of its own; without it k = p. A row in model_rows.h. */
#include "privacy/models.h"

uint64_t mgl_most_p(const mgl_model *model, const mgl_group *group)
{
    bool has_k = model->facts != NULL && model->facts->k != 0;
    return has_k ? UINT64_MAX : group->size;
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    uint64_t least = mgl_most_p(model, group);
    const mgl_sensitive *facts = model->facts != NULL ? model->facts->sensitive : NULL;
    for (size_t s = 0; s < group->n_sensitive; s++) {
        size_t n = mgl_known_values(facts != NULL ? &facts[s] : NULL, &group->sensitive[s]);
        least = n < least ? n : least;
    }
    return (double)least;
}

mgl_status mgl_require_p_at_most_k(const mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    double p = model->parameters[0];
    if (facts->k != 0 && p > (double)facts->k)
        return mgl_fail(err, MGL_CODE_IMPOSSIBLE,
                        "%s: condition 1 (p <= k) fails: p = %.0f, k = %llu; lower p or raise k",
                        model->type->name, p, (unsigned long long)facts->k);
    return MGL_OK;
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    if (facts->n_sensitive == 0)
        return mgl_fail_key(err, MGL_CODE_MISSING_KEY, "sensitive",
                            "p-sensitive protects the sensitive columns, but there are none; name "
                            "them with `role: sensitive`");
    MGL_TRY(mgl_require_p_at_most_k(model, facts, err));
    double p = model->parameters[0];
    for (size_t i = 0; i < facts->n_sensitive; i++) {
        const mgl_sensitive *s = &facts->sensitive[i];
        if (p > mgl_known_present(s))
            return mgl_fail_column(
                err, MGL_CODE_IMPOSSIBLE, NULL, s->column->name,
                "p-sensitive: condition 2 (at least p values of each sensitive "
                "column) fails: p = %.0f, column \"%.60s\" has %u distinct values; "
                "lower p or declare the column insensitive",
                p, s->column->name, mgl_known_present(s));
    }
    return MGL_OK;
}

static const mgl_parameter parameters[] = {
    {"p", "distinct values of each sensitive column a class must have at least", true, 1,
     4294967295.0, NULL},
};

const mgl_model_type mgl_p_sensitive = {
    .name = "p-sensitive",
    .option = "p-sensitive",
    .help = "every class has at least p distinct values of each sensitive column",
    .when = "beside k-anonymity, against learning a value that all who look alike share",
    .known_values = true,
    .k = MGL_K_STANDS_FOR,
    .distinct = MGL_DISTINCT_OF_EACH,
    .empty_at_one = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true,
    .upward_closed = true,
    .holds = mgl_measures_at_least,
    .measure = measure,
    .measured_is_least = true,
    .prepare = prepare,
};
