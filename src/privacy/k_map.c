/* k-map: every class matches at least k rows of the population table, or stands for so many persons
 * by its weights or by the share of the population that the table is. A row in model_rows.h. */
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

static double persons(const mgl_model *model, const mgl_group *group)
{
    return mgl_sample_persons(&model->facts->sample, group->size, group->population);
}

static bool persons_hold(const mgl_model *model, const mgl_group *group)
{
    return mgl_at_most(model->parameters[0], persons(model, group));
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    double all = mgl_sample_persons(&facts->sample, facts->n_rows, facts->sample.total);
    if (!mgl_at_most(model->parameters[0], all))
        return mgl_fail(err, MGL_CODE_IMPOSSIBLE,
                        "k-map k = %.0f, but the rows stand for %.0f persons together; no release "
                        "can hold it: lower k or look at the weights",
                        model->parameters[0], floor(all));
    return MGL_OK;
}

static const mgl_parameter parameters[] = {
    {"k", "rows of the population a class must match at least", true, 1, 4294967295.0, NULL},
};

#define COMMON                                                                                     \
    .when = "where the data is a sample and an attacker does not know who is in it",               \
    .parameters = parameters, .n_parameters = 1, .scope = MGL_SCOPE_CLASS, .union_closed = true,   \
    .upward_closed = true, .measured_is_least = true, .empty_at_one = true

static const mgl_model_type weighed = {
    .name = "k-map",
    .option = "k-map",
    COMMON,
    .help = "every class stands for at least k persons of the population, by sampling weights",
    .weighs = true,
    .holds = persons_hold,
    .measure = persons,
    .prepare = prepare};

static const mgl_model_type sampled = {
    .name = "k-map",
    .option = "k-map",
    COMMON,
    .help = "every class stands for at least k persons of the population, by the sampling fraction",
    .sizes_only = true,
    .holds = persons_hold,
    .measure = persons,
    .prepare = prepare};

const mgl_model_type mgl_k_map = {
    .name = "k-map",
    .option = "k-map",
    COMMON,
    .help = "every released row matches at least k rows of the population table",
    .needs_population = true,
    .holds = holds,
    .measure = measure,
    .weighed = &weighed,
    .sampled = &sampled};
