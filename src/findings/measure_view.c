/* The measures of the program as views of results see them; whoever makes a view passes this on. */
#include "findings/measure_view.h"

#include "pipeline/pipeline.h"

bool mgl_measure_view_at(size_t i, mgl_measure_view *out)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    if (i >= n)
        return false;
    *out = (mgl_measure_view){.key = types[i]->key,
                              .title = types[i]->title,
                              .gain = types[i]->higher_is_better,
                              .standard = types[i]->is_standard,
                              .in_summary = types[i]->in_summary,
                              .in_table = types[i]->in_table};
    return true;
}
