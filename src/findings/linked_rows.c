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
    const char *entity = reading->entity->name;
    if (reading->settings->entity_view == MGL_VIEW_ROWS)
        mgl_result_warn(result, "linked-rows",
                        "column \"%.60s\" links the rows of a person, and models judge each row by "
                        "itself: whoever knows several rows of a person can look for all of them "
                        "together; `entity-view: joined` judges them so",
                        entity);
    list_others(reading, &others);
    if (others.size > 0 && !others.failed)
        mgl_result_warn(
            result, "linked-columns",
            "column \"%.60s\" links the rows of a person: what their order and these "
            "columns tell about a person, all rows together, is no part of the promise: "
            "%.*s",
            entity, (int)others.size, others.data);
    mgl_buffer_free(&others);
}
