/* Maximum risk: 1/|E| <= x for every class. A row in model_rows.h. */
#include "privacy/models.h"

static double measure(const mgl_model *model, const mgl_group *group)
{
    (void)model;
    return 1 / (double)group->size;
}

static bool holds(const mgl_model *model, const mgl_group *group)
{
    return group->size > 0 && mgl_at_most(measure(model, group), model->parameters[0]);
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    double least = 1 / (double)facts->n_rows;
    if (!mgl_at_most(least, model->parameters[0]))
        return mgl_fail(err, MGL_CODE_IMPOSSIBLE,
                        "maximum risk x = %g, but with %llu rows it is at least %g; no release "
                        "can hold it: raise x or add rows",
                        model->parameters[0], (unsigned long long)facts->n_rows, least);
    return MGL_OK;
}

static const mgl_parameter parameters[] = {
    {"x", "risk of a row, 1 / rows of its class, at most", false, 0, 1, NULL},
};

const mgl_model_type mgl_max_risk = {
    .name = "max-risk",
    .option = "max-risk",
    .help = "the chance to pick a person's row out of its class is at most x for every row",
    .when = "where a rule states a risk, not a k; the same as k-anonymity with k = 1/x",
    .sizes_only = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true,
    .upward_closed = true,
    .holds = holds,
    .measure = measure,
    .measured_is_least = false,
    .prepare = prepare,
};
