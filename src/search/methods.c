/* The table of methods and how they are found in it. */
#include "search/search.h"

#define MGL_ROW(type) extern const mgl_method_type type;
#include "search/method_rows.h"
#undef MGL_ROW

#define MGL_ROW(type) &type,
static const mgl_method_type *const types[] = {
#include "search/method_rows.h"
};
#undef MGL_ROW

const mgl_method_type *const *mgl_method_types(size_t *n)
{
    *n = sizeof types / sizeof types[0];
    return types;
}

const mgl_method_type *mgl_method_type_find_span(mgl_span name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (mgl_span_is(name, types[i]->name))
            return types[i];
    return NULL;
}

const mgl_method_type *mgl_method_type_find(const char *name)
{
    return mgl_method_type_find_span(mgl_span_of(name));
}

const mgl_method_type *mgl_method_type_standard(void)
{
    size_t i = 0;
    while (!types[i]->is_standard)
        i++;
    return types[i];
}
