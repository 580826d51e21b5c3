/* The table of models, and how they are found in it. Code that names, takes or reports a model uses
 * here; tests put a table of their own in its place. */
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
