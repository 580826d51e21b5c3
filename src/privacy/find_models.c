/* Looks up models among those given, the strongest parameter with which a table holds a model, and
 * how models compare what they measure with their parameters. */
#include "privacy/models.h"

bool mgl_measures_at_most(const mgl_model *model, const mgl_group *group)
{
    return mgl_at_most(model->type->measure(model, group), model->parameters[0]);
}

bool mgl_measures_below(const mgl_model *model, const mgl_group *group)
{
    return model->type->measure(model, group) < model->parameters[0];
}

bool mgl_measures_at_least(const mgl_model *model, const mgl_group *group)
{
    return model->type->measure(model, group) >= model->parameters[0];
}

bool mgl_table_measures_at_most(const mgl_model *model, const mgl_class_sizes *classes)
{
    return mgl_at_most(model->type->table_measure(model, classes), model->parameters[0]);
}

const mgl_model_type *mgl_model_type_of_k(void)
{
    size_t n, i = 0;
    const mgl_model_type *const *types = mgl_model_types(&n);
    while (i < n && types[i]->k != MGL_K_IS)
        i++;
    return i < n ? types[i] : NULL;
}

const mgl_model_type *mgl_model_type_of_risk(void)
{
    size_t n, i = 0;
    const mgl_model_type *const *types = mgl_model_types(&n);
    while (i < n && !types[i]->bounds_risk)
        i++;
    return i < n ? types[i] : NULL;
}

/* p is the one of p-sensitivity on this attribute alone, which is its distinct l. */
static const mgl_strongest strongest[] = {
    {.key = "p", .type = &mgl_l_diversity, .whole = true},
    {.key = "distinct_l", .type = &mgl_l_diversity, .whole = true},
    {.key = "entropy_l", .type = &mgl_entropy_l, .shows_mixture = true},
    {.key = "alpha", .type = &mgl_alpha},
    {.key = "t_equal",
     .type = &mgl_t_closeness,
     .parameters = {0, MGL_DISTANCE_EQUAL},
     .is_distance = true},
    {.key = "t_ordered", .type = &mgl_t_closeness, .parameters = {0, MGL_DISTANCE_ORDERED}},
    {.key = "t_hierarchical",
     .type = &mgl_t_closeness,
     .parameters = {0, MGL_DISTANCE_HIERARCHICAL},
     .needs_hierarchy = true},
    {.key = "beta", .type = &mgl_beta},
    {.key = "enhanced_beta", .type = &mgl_enhanced_beta},
    {.key = "delta", .type = &mgl_delta_disclosure},
    {.key = "extended_p", .type = &mgl_protected_subtrees, .whole = true, .needs_protected = true},
};

const mgl_strongest *mgl_strongest_table(size_t *n)
{
    *n = sizeof strongest / sizeof strongest[0];
    return strongest;
}
