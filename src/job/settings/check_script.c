/* Checks a job whose SQL is printed (`print-sql`) and whose table lies in another engine: what that
 * SQL does not say, or what nobody could look at, is refused. check_settings.c calls it. */
#include "job/settings/settings.h"

/* Nobody counts columns that are passed through, so nobody can say what they give away. */
static mgl_status check_passed(const mgl_settings *s, const mgl_attribute_settings *attribute,
                               mgl_error *err)
{
    bool accepted = s->accepted.leaks;
    for (size_t i = 0; !accepted && i < s->accepted.n_columns; i++)
        accepted = strcmp(s->accepted.columns[i], attribute->name) == 0;
    if (accepted)
        return MGL_OK;
    return mgl_blame_attribute(
        err,
        mgl_fail(err, MGL_CODE_CONFLICT,
                 "column '%.60s' would be passed through, and the leak guard cannot look at it in "
                 "another engine; leave it out (`role: identifier`), or accept that with "
                 "`allow-leaks: COLUMN`",
                 attribute->name),
        attribute->name, "role");
}

static mgl_status check_column(const mgl_settings *s, const mgl_attribute_settings *attribute,
                               mgl_error *err)
{
    if (attribute->hierarchy != NULL && mgl_hierarchy_columns(attribute->hierarchy).size > 0)
        return mgl_blame_attribute(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "the hierarchy of '%.60s' is made of columns that are not counted; write it "
                     "to a file first (`hierarchy build`)",
                     attribute->name),
            attribute->name, "hierarchy");
    return mgl_settings_passes(s, attribute) ? check_passed(s, attribute, err) : MGL_OK;
}

bool mgl_settings_passes(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    return attribute->role == MGL_ROLE_INSENSITIVE ||
           (attribute->role == MGL_ROLE_QUASI &&
            !mgl_settings_links(settings, attribute->name, &attribute->likelihood));
}

/* What ends like a file is one: the counts, where the table should be named. */
static mgl_status check_table(const char *name, const char *key, mgl_error *err)
{
    if (name == NULL)
        return MGL_OK;
    mgl_location location = mgl_location_of(name);
    bool name_alone = location.kind == MGL_LOCATION_FILE && location.ending.size == 0;
    if (name_alone || location.format->loaded)
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_CONFLICT,
                                  "`print-sql`: '%.60s' is a file; name a table of the engine, as "
                                  "NAME or SCHEMA.NAME",
                                  name),
                         key);
}

mgl_status mgl_settings_check_script(const mgl_settings *s, mgl_command command, mgl_error *err)
{
    if (s->print_sql == NULL)
        return MGL_OK;
    MGL_TRY(check_table(s->data, "data", err));
    MGL_TRY(check_table(s->output, "output", err));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_SCRIPT, s, command, err));
    for (size_t i = 0; i < s->n_attributes; i++)
        MGL_TRY(check_column(s, &s->attributes[i], err));
    return MGL_OK;
}
