/* Warns where a release links the rows of a person: what models do not judge then.
 * describe_solution.c calls it. */
#include "findings/describe.h"

#include "findings/sections.h"

/* The released columns that no model judges together, but for the one that tells persons apart. */
static void list_others(const mgl_reading *reading, mgl_buffer *out)
{
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (mgl_role_passes(reading->roles[c]) && c != reading->entity->source_index)
            mgl_buffer_format(out, "%s%.60s", out->size > 0 ? ", " : "",
                              mgl_source_column(reading->source, c));
}

void mgl_result_warn_of_links(mgl_result *result, const mgl_reading *reading)
{
    mgl_buffer others = {0};
    if (reading->entity == NULL || !mgl_role_passes(reading->roles[reading->entity->source_index]))
        return;
    list_others(reading, &others);
    mgl_result_warn_linked(
        result, reading->entity->name, reading->settings->persons.view == MGL_VIEW_ROWS,
        others.failed ? (mgl_span){"", 0} : (mgl_span){others.data, others.size});
    mgl_buffer_free(&others);
}
