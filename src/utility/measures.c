#include "utility/measures.h"

/* In the order in which results list them. */
static const mgl_measure_type *const types[] = {
    &mgl_precision,
    &mgl_loss,
    &mgl_geometric_loss,
    &mgl_ncp,
    &mgl_discernibility,
    &mgl_class_size,
    &mgl_ambiguity,
    &mgl_entropy,
    &mgl_nonuniform_entropy,
    &mgl_height,
    &mgl_relative_height,
    &mgl_doubling_height,
    &mgl_c_avg,
    &mgl_classification,
    &mgl_query_error_measure,
};

const mgl_measure_type *const *mgl_measure_types(size_t *n)
{
    *n = sizeof types / sizeof types[0];
    return types;
}

const mgl_measure_type *mgl_measure_type_find(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i]->name, name) == 0)
            return types[i];
    return NULL;
}
