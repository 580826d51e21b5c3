/* Checks a job whose table is counted (`count`): what asks for single records cannot be had.
 * check_settings.c calls it. */
#include "job/settings/settings.h"

static mgl_status refuse(mgl_error *err, const char *key, const char *why)
{
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_CONFLICT,
                                  "`%s` %s, and `count` says that rows stand for several records; "
                                  "leave one of them out",
                                  key, why),
                         key);
}

/* A column has one role. */
static mgl_status check_role(const mgl_settings *s, mgl_error *err)
{
    const mgl_attribute_settings *said = mgl_settings_attribute(s, s->counts);
    if (said == NULL || said->role == MGL_ROLE_NONE)
        return MGL_OK;
    return mgl_blame_key(
        err,
        mgl_blame_column(err,
                         mgl_fail(err, MGL_CODE_CONFLICT,
                                  "column '%.60s' tells how many records rows stand for, and is "
                                  "%s as well; give it no role",
                                  s->counts, mgl_role_name(said->role)),
                         s->counts),
        "count");
}

mgl_status mgl_settings_check_counts(const mgl_settings *s, mgl_command command, mgl_error *err)
{
    if (s->counts == NULL && s->n_guard_counts > 0)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_CONFLICT,
                                      "`guard-counts` is for tables that are counted (`count`); "
                                      "leave it out"),
                             "guard-counts");
    if (s->counts == NULL)
        return MGL_OK;
    bool treats = false;
    for (size_t i = 0; i < s->n_attributes; i++)
        treats = treats || s->attributes[i].treat != NULL;
    const struct {
        bool said;
        const char *key, *why;
    } others[] = {
        {s->entity != NULL, "entity", "tells persons apart"},
        {s->sample != NULL, "sample", "draws single records"},
        {s->source.n_parts > 0, "parts", "adds rows that are counted already"},
        {treats && (command & (MGL_ANONYMIZE | MGL_COMPARE | MGL_LATTICE)) != 0, "treat",
         "changes single records"},
        {s->n_linked > 0 || s->follow, s->n_linked > 0 ? "linked" : "follow",
         "is about columns that are passed through"},
        {s->items != NULL, "km", "looks at the items of single records"},
        {s->weighs && s->weight != NULL, "weight", "weighs single records"},
        {mgl_settings_aggregate(s), "aggregate", "averages single records"},
        {s->n_history > 0, "history", "tells single records apart"},
        {s->least_count > 0, "least-count", "counts rare records itself"},
        {command == MGL_RISK && s->advise, "advise", "looks at single records"},
        {command == MGL_RISK && s->household != NULL, "household", "is about single records"},
        {command == MGL_RISK && s->suda, "suda", "looks at single records"},
        {command == MGL_RISK && s->rows_file != NULL, "rows", "has a line for each record"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].said)
            return refuse(err, others[i].key, others[i].why);
    return check_role(s, err);
}
