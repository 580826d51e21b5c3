/* Columns that pass through beside rows that `least-count` regrouped: these rows have labels where
 * they had values, which nobody here knows any more. writing.c and push.c ask. */
#include "pipeline/guard/guard.h"

static bool is_open(const mgl_reading *reading, size_t c)
{
    const char *name = mgl_source_column(reading->source, c);
    const mgl_attribute_settings *said = mgl_settings_attribute(reading->settings, name);
    return reading->roles[c] == MGL_ROLE_INSENSITIVE &&
           (said == NULL || said->role != MGL_ROLE_QUASI);
}

void mgl_guard_regrouped(const mgl_task *task, const mgl_reading *reading,
                         mgl_objections *objections)
{
    for (size_t c = 0; task->problem.list->regrouped && c < mgl_source_columns(reading->source);
         c++) {
        if (!mgl_role_passes(reading->roles[c]))
            continue;
        bool open = is_open(reading, c);
        mgl_objections_add(
            objections,
            &(mgl_objection){.code = MGL_GUARD_SKIPPED,
                             .column = mgl_source_column(reading->source, c),
                             .remedy = open ? "make it an identifier (not released) or a "
                                              "quasi-identifier"
                                            : "release it without `least-count` if that matters",
                             .warning = !open},
            "stands beside rows that `least-count` regrouped: whether it gives back the values "
            "that these had was not looked at");
    }
}
