/* Maximum risk: for every class 1/|E| <= x or, where rows stand for persons of a population, the
 * individual risk of its rows is (individual_risk.c explains why that is upward closed). A row in
 * model_rows.h. */
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

static double risk(const mgl_model *model, const mgl_group *group)
{
    return mgl_sample_risk(&model->facts->sample, group->size, group->population);
}

static bool risk_holds(const mgl_model *model, const mgl_group *group)
{
    return group->size > 0 && mgl_at_most(risk(model, group), model->parameters[0]);
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    return mgl_require_risk(model, facts, "maximum risk", err);
}

static const mgl_parameter parameters[] = {
    {"x", "risk of a row, 1 / rows of its class, at most", false, 0, 1, NULL},
};

#define COMMON                                                                                     \
    .when = "where a rule states a risk, not a k; the same as k-anonymity with k = 1/x",           \
    .parameters = parameters, .n_parameters = 1, .scope = MGL_SCOPE_CLASS, .union_closed = true,   \
    .upward_closed = true, .measured_is_least = false, .bounds_risk = true, .prepare = prepare,    \
    .empty_at_one = true

static const mgl_model_type weighed = {
    .name = "max-risk",
    .option = "max-risk",
    COMMON,
    .help = "the individual risk of every row, by sampling weights, is at most x",
    .weighs = true,
    .holds = risk_holds,
    .measure = risk};

static const mgl_model_type sampled = {
    .name = "max-risk",
    .option = "max-risk",
    COMMON,
    .help = "the individual risk of every row, by the sampling fraction, is at most x",
    .sizes_only = true,
    .holds = risk_holds,
    .measure = risk};

const mgl_model_type mgl_max_risk = {
    .name = "max-risk",
    .option = "max-risk",
    COMMON,
    .help = "the chance to pick a person's row out of its class is at most x for every row",
    .sizes_only = true,
    .holds = holds,
    .measure = measure,
    .weighed = &weighed,
    .sampled = &sampled};
