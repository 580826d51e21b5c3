/* Checks a job whose table is counted (`count`): what asks for single records cannot be had.
 * check_settings.c calls it. */
#include "job/settings/settings.h"

/* A column has one role. */
static mgl_status check_role(const mgl_settings *s, mgl_error *err)
{
    const mgl_attribute_settings *said = mgl_settings_attribute(s, s->counted.column);
    if (said == NULL || said->role == MGL_ROLE_NONE)
        return MGL_OK;
    return mgl_blame_key(
        err,
        mgl_blame_column(err,
                         mgl_fail(err, MGL_CODE_CONFLICT,
                                  "column '%.60s' tells how many records rows stand for, and is "
                                  "%s as well; give it no role",
                                  s->counted.column, mgl_role_name(said->role)),
                         s->counted.column),
        "count");
}

mgl_status mgl_settings_check_counts(const mgl_settings *s, mgl_command command, mgl_error *err)
{
    if (s->counted.column == NULL && s->counted.n_for_guard > 0)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_CONFLICT,
                                      "`guard-counts` is for tables that are counted (`count`); "
                                      "leave it out"),
                             "guard-counts");
    if (s->counted.column == NULL)
        return MGL_OK;
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_COUNTS, s, command, err));
    return check_role(s, err);
}
