/* delta-presence: of the population rows that match a class, a share between LO and HI is in the
 * table. What is measured is that share; over a release, the largest. A row in model_rows.h. */
#include "privacy/models.h"

static double measure(const mgl_model *model, const mgl_group *group)
{
    (void)model;
    return group->population == 0 ? INFINITY : (double)group->size / (double)group->population;
}

static bool holds(const mgl_model *model, const mgl_group *group)
{
    double share = measure(model, group);
    return !isinf(share) && mgl_at_most(model->parameters[0], share) &&
           mgl_at_most(share, model->parameters[1]);
}

/* Each part has at most HI of the population that matches it, and no two match the same. */
static double most_kept(const mgl_model *model, const mgl_group *group)
{
    return model->parameters[1] * (1 + 1e-9) * (double)group->population;
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    (void)facts;
    if (model->parameters[0] > model->parameters[1])
        return mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "delta-presence: lo = %g is above hi = %g; give the smaller share first",
                        model->parameters[0], model->parameters[1]);
    return MGL_OK;
}

static const mgl_parameter parameters[] = {
    {"lo", "share of the matching population that is in a class, at least", false, 0, 1, NULL},
    {"hi", "share of the matching population that is in a class, at most", false, 0, 1, NULL},
};

const mgl_model_type mgl_delta_presence = {
    .name = "delta-presence",
    .option = "delta-presence",
    .help = "of the population rows that match a class a share from LO to HI is in the table",
    .when = "where being in the table is itself confidential",
    .needs_population = true,
    .parameters = parameters,
    .n_parameters = 2,
    .scope = MGL_SCOPE_CLASS,
    /* The share of a union lies between those of its parts only if its population is the sum
     * of theirs. Generalizing also brings in population rows that matched no class before, and
     * the share falls below LO: with A 1 of 2, B 1 of 2 and C 0 of 10, A+B+C is 2 of 14. */
    .union_closed = false,
    .holds = holds,
    .measure = measure,
    .most_kept = most_kept,
    .prepare = prepare,
};
