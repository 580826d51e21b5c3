/* Distinct l-diversity: every class has at least l distinct sensitive values. A row in
 * model_rows.h. */
#include "privacy/models.h"

static double measure(const mgl_model *model, const mgl_group *group)
{
    return (double)mgl_known_values(mgl_model_facts(model), mgl_model_histogram(model, group));
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    (void)facts;
    const mgl_sensitive *s = mgl_model_sensitive(model);
    if (model->parameters[0] > mgl_known_present(s))
        return mgl_fail_column(
            err, MGL_CODE_IMPOSSIBLE, NULL, s->column->name,
            "l = %.0f, but column \"%.60s\" has only %u distinct values; no release "
            "can hold it: lower l",
            model->parameters[0], s->column->name, mgl_known_present(s));
    return MGL_OK;
}

static const mgl_parameter parameters[] = {
    {"l", "distinct values a class must have at least", true, 1, 4294967295.0, NULL},
};

const mgl_model_type mgl_l_diversity = {
    .name = "l-diversity",
    .option = "l-diversity",
    .brief = "classes have at least L sensitive values",
    .help = "every class has at least l distinct values of the sensitive column",
    .when = "against learning a value because all who look alike share it",
    .takes_attribute = true,
    .known_values = true,
    .distinct = MGL_DISTINCT_VALUES,
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
