/* The table of measures, and how they are found in it. */
#include "utility/measures.h"

#define MGL_ROW(type) &type,
static const mgl_measure_type *const types[] = {
#include "utility/measure_rows.h"
};
#undef MGL_ROW

const mgl_measure_type *const *mgl_measure_types(size_t *n)
{
    *n = sizeof types / sizeof types[0];
    return types;
}

const mgl_measure_type *mgl_measure_type_find_span(mgl_span name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (mgl_span_is(name, types[i]->name))
            return types[i];
    return NULL;
}

const mgl_measure_type *mgl_measure_type_find(const char *name)
{
    return mgl_measure_type_find_span(mgl_span_of(name));
}

const mgl_measure_type *mgl_measure_type_find_key(const char *key)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i]->key, key) == 0)
            return types[i];
    return NULL;
}

const mgl_measure_type *mgl_measure_type_standard(void)
{
    size_t i = 0;
    while (!types[i]->is_standard)
        i++;
    return types[i];
}
