/* The measures of the program as views of results see them; whoever makes a view passes this on. */
#include "findings/measure_view.h"

#include "pipeline/pipeline.h"

static const mgl_measure_type *find(const char *key, size_t i)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    if (key != NULL)
        return mgl_measure_type_find_key(key);
    return i < n ? types[i] : NULL;
}

bool mgl_measure_view_at(const char *key, size_t i, mgl_measure_view *out)
{
    const mgl_measure_type *type = find(key, i);
    if (type == NULL)
        return false;
    *out = (mgl_measure_view){.key = type->key,
                              .title = type->title,
                              .gain = type->higher_is_better,
                              .standard = type->is_standard,
                              .in_summary = type->in_summary,
                              .in_table = type->in_table};
    return true;
}
