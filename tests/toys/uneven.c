/* A toy model: the size of no class is a multiple of a number. It looks at sizes only, and a larger
 * class need not hold. */
#include "privacy/models.h"

static bool holds(const mgl_model *model, const mgl_group *group)
{
    return group->size % (uint64_t)model->parameters[0] != 0;
}

/* How often classes are a multiple of it: never, if all is well. */
static double measure(const mgl_model *model, const mgl_group *group)
{
    return holds(model, group) ? model->parameters[0] : 0;
}

static const mgl_parameter parameters[] = {
    {"of", "the size of no class is a multiple of it", true, 2, 1000, NULL},
};

const mgl_model_type mgl_toy_uneven = {
    .name = "toy-uneven",
    .option = "toy-uneven",
    .help = "toy: the size of no class is a multiple of a number",
    .when = "in tests",
    .sizes_only = true,
    .parameters = parameters,
    .n_parameters = 1,
    .holds = holds,
    .measure = measure,
    .measured_is_least = true,
};
