/* The table of models, and how they are found in it: by their names and by what they are. */
#include "privacy/models.h"

#define MGL_ROW(type) &type,
static const mgl_model_type *const types[] = {
#include "privacy/model_rows.h"
};
#undef MGL_ROW

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

/* ---- Finding models -------------------------------------------------------------------------- */

/* Finds models by what they are, not by name. The job and the searches ask here. */

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
