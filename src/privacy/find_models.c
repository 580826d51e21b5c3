/* Looks up models among those given, and the strongest parameter with which a table holds a model.
 */
#include "privacy/models.h"

/* The first model that is so; NULL: none is. */
static const mgl_model_type *find(bool is_it(const mgl_model_type *type))
{
    size_t n;
    const mgl_model_type *const *types = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++)
        if (is_it(types[i]))
            return types[i];
    return NULL;
}

static bool is_k(const mgl_model_type *type)
{
    return type->k == MGL_K_IS;
}

static bool bounds_risk(const mgl_model_type *type)
{
    return type->bounds_risk;
}

const mgl_model_type *mgl_model_type_of_k(void)
{
    return find(is_k);
}

const mgl_model_type *mgl_model_type_of_risk(void)
{
    return find(bounds_risk);
}

/* p is the one of p-sensitivity on this attribute alone, which is its distinct l. */
static const mgl_strongest table[] = {
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
    *n = sizeof table / sizeof table[0];
    return table;
}
