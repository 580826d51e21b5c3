/* Household risk: finding one member of a household finds all, so that the risk of each is 1 -
 * prod(1 - r_i) over the released rows of the household; it is at most x. A row in model_rows.h.
 *
 * That depends on several classes. A class is judged by what makes it sure: with h members in the
 * largest household that has a row in it, 1 - (1 - r)^h <= x. If every class holds, so does every
 * household, since each of its rows is in a class whose largest household has no fewer members. The
 * verifier asks the product itself (src/verify/judge_table.c).
 *
 * It is closed under union: r of a union is no larger than that of either class, and its largest
 * household is that of one of them. It is not upward closed, as rows of a larger household may
 * join. */
#include "privacy/models.h"

static double measure(const mgl_model *model, const mgl_group *group)
{
    double risk = mgl_sample_risk(&model->facts->sample, group->size, group->population);
    double members = group->household > 0 ? (double)group->household : 1;
    return risk < 1 ? -expm1(members * log1p(-risk)) : 1;
}

static bool holds(const mgl_model *model, const mgl_group *group)
{
    return group->size > 0 && mgl_at_most(measure(model, group), model->parameters[0]);
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    return mgl_require_risk(model, facts, "household risk", err);
}

static const mgl_parameter parameters[] = {
    {"x", "chance that one of the members of a household is found, at most", false, 0, 1, NULL},
};

#define COMMON                                                                                     \
    .help = "the chance that a member of a household is found is at most x for every household",   \
    .when = "where rows are persons of households, and finding one finds the others",              \
    .by_household = true, .parameters = parameters, .n_parameters = 1, .scope = MGL_SCOPE_CLASS,   \
    .union_closed = true, .holds = holds, .measure = measure, .prepare = prepare,                  \
    .empty_at_one = true

static const mgl_model_type weighed = {
    .name = "household-risk", .option = "household-risk", COMMON, .weighs = true};

static const mgl_model_type sampled = {
    .name = "household-risk", .option = "household-risk", COMMON};

const mgl_model_type mgl_household_risk = {.name = "household-risk",
                                           .option = "household-risk",
                                           COMMON,
                                           .weighed = &weighed,
                                           .sampled = &sampled};
