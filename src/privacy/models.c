#include "privacy/models.h"

/* clang-format off */
static const mgl_model_type *const types[] = {
    &mgl_k_anonymity,
    &mgl_l_diversity,
    &mgl_entropy_l,
    &mgl_recursive_cl,
    &mgl_p_sensitive,
    &mgl_extended_p_sensitive,
    &mgl_alpha,
    &mgl_t_closeness,
    &mgl_delta_disclosure,
    &mgl_beta,
    &mgl_enhanced_beta,
    &mgl_k_map,
    &mgl_delta_presence,
    &mgl_max_risk,
    &mgl_mean_risk,
    &mgl_risk_share,
    &mgl_sample_uniqueness,
};
/* clang-format on */

const mgl_model_type *const *mgl_model_types(size_t *n)
{
    *n = sizeof types / sizeof types[0];
    return types;
}

const mgl_model_type *mgl_model_type_find(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i]->name, name) == 0)
            return types[i];
    return NULL;
}

const mgl_model_type *mgl_model_type_find_option(const char *option)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i]->option, option) == 0)
            return types[i];
    return NULL;
}
