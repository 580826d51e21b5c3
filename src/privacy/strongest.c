/* The table of models whose strongest parameter is told although nobody asked for the model. The
 * findings of `check` and the figures of sensitive columns go through it. */
#include "privacy/models.h"

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
