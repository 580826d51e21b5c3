/* Finds models by what they are, not by name. The job and the searches ask here. */
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
