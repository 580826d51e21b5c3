/* k-map: every class matches at least k rows of the population table. A row in model_rows.h. */
#include "privacy/models.h"

static bool holds(const mgl_model *model, const mgl_group *group)
{
    return (double)group->population >= model->parameters[0];
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    (void)model;
    return (double)group->population;
}

static const mgl_parameter parameters[] = {
    {"k", "rows of the population a class must match at least", true, 1, 4294967295.0, NULL},
};

const mgl_model_type mgl_k_map = {
    .name = "k-map",
    .option = "k-map",
    .help = "every released row matches at least k rows of the population table",
    .when = "where the data is a sample and an attacker does not know who is in it",
    .needs_population = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true,
    .upward_closed = true,
    .holds = holds,
    .measure = measure,
    .measured_is_least = true,
};
