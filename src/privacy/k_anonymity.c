/* k-anonymity: every class has at least k rows. A row in model_rows.h. */
#include "privacy/models.h"

static bool holds(const mgl_model *model, const mgl_group *group)
{
    return (double)group->size >= model->parameters[0];
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    (void)model;
    return (double)group->size;
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    if (model->parameters[0] > (double)facts->n_rows)
        return mgl_fail(err, MGL_CODE_IMPOSSIBLE,
                        "k = %.0f, but the table has only %llu rows; no release can hold it: "
                        "lower k or add rows",
                        model->parameters[0], (unsigned long long)facts->n_rows);
    return MGL_OK;
}

static const mgl_parameter parameters[] = {
    {"k", "rows a class must have at least", true, 1, 4294967295.0, NULL},
};

const mgl_model_type mgl_k_anonymity = {
    .name = "k-anonymity",
    .option = "k",
    .brief = "rows look like at least K-1 others",
    .help = "every released row looks like at least k-1 others on the quasi-identifier",
    .when = "always: the base of every release against linking with outside tables",
    .sizes_only = true,
    .k = MGL_K_IS,
    .empty_at_one = true,
    .parameters = parameters,
    .n_parameters = 1,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true,
    .upward_closed = true,
    .holds = holds,
    .measure = measure,
    .measured_is_least = true,
    .prepare = prepare,
};
