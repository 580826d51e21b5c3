/* Fills in which column has sets of items (`km`), and checks what a job says about it as far as
 * that needs no data. fill.c and check_settings.c call it. */
#include "job/settings/settings.h"

/* Columns that keys name besides the attributes. */
static const char *other_use(const mgl_settings *s, const char *name)
{
    const struct {
        const char *column, *why;
    } uses[] = {
        {s->persons.column,
         "tells persons apart (`entity`), and a set of items does not; take another "
         "column for one of them"},
        {s->label, "is what `utility: classification` asks for, and no set of items; take another "
                   "column for one of them"},
    };
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (uses[i].column != NULL && strcmp(uses[i].column, name) == 0)
            return uses[i].why;
    for (size_t i = 0; i < s->links.n; i++)
        if (strcmp(s->links.columns[i], name) == 0)
            return "is linked to quasi-identifiers as well (`linked`); leave out one of the two";
    return NULL;
}

/* What stands against sets of items in the column; NULL: nothing. */
static const char *objection(const mgl_settings *s, const mgl_attribute_settings *attribute)
{
    const char *other = other_use(s, attribute->name);
    if (other != NULL)
        return other;
    switch (attribute->role) {
    case MGL_ROLE_QUASI:
        return "is a quasi-identifier, and a set of items is none; leave out one of the two";
    case MGL_ROLE_SENSITIVE:
        return "is sensitive, and models of sensitive values do not know sets of items; leave out "
               "one of the two";
    case MGL_ROLE_IDENTIFIER:
        return "is an identifier, which is not released; leave out one of the two";
    case MGL_ROLE_INSENSITIVE:
        return "is insensitive, which is released as it is; leave out one of the two";
    default:
        break;
    }
    if (attribute->treat != NULL)
        return "has a treatment as well (`treat`), and its items are generalized; leave out one of "
               "the two";
    return NULL;
}

static mgl_status refuse(const mgl_job *job, const char *column, mgl_code code, const char *why,
                         mgl_error *err)
{
    const mgl_place *place = &mgl_store_find(job, "km", column)->place;
    return mgl_blame_attribute(
        err, mgl_place_fail(place, code, err, "column '%.60s' %s", column, why), column, "km");
}

/* A role without what it is for. */
static mgl_status want_km(const mgl_settings *s, mgl_error *err)
{
    for (size_t i = 0; i < s->n_attributes; i++)
        if (s->attributes[i].role == MGL_ROLE_ITEMS && s->attributes[i].km.k == 0)
            return mgl_blame_attribute(
                err,
                mgl_fail(err, MGL_CODE_MISSING_KEY,
                         "column '%.60s' has sets of items and nothing that they must keep; give "
                         "`km: %.60s=K,M`",
                         s->attributes[i].name, s->attributes[i].name),
                s->attributes[i].name, "km");
    return MGL_OK;
}

/* Keys that say more about `km`. */
static mgl_status refuse_idle(const mgl_job *job, mgl_error *err)
{
    static const char *const keys[] = {"km-within", "km-separator"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const mgl_entry *entry = mgl_store_find(job, keys[i], NULL);
        if (entry != NULL && entry->place.load == 0)
            return mgl_blame_key(err,
                                 mgl_fail(err, MGL_CODE_MISSING_KEY,
                                          "`%s` says more about a column of items; name it with "
                                          "`km: COLUMN=K,M`",
                                          keys[i]),
                                 keys[i]);
    }
    return MGL_OK;
}

mgl_status mgl_fill_items(const mgl_filling *f, const mgl_key *key, const char *text)
{
    mgl_settings *s = f->settings;
    (void)text;
    if ((key->commands & f->command) == 0)
        return MGL_OK;
    for (size_t i = 0; s->km.column == NULL && i < s->n_attributes; i++)
        if (s->attributes[i].km.k > 0)
            s->km.column = &s->attributes[i];
    return MGL_OK;
}

/* What a job without quasi-identifiers has no use for. */
static mgl_status check_alone(const mgl_settings *s, mgl_command command, mgl_error *err)
{
    if (s->n_models > 0)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "%s is about rows that look alike, and there is no quasi-identifier; name its "
                     "columns with `role: quasi`, or leave the model out: `km` needs none",
                     s->models[0].type->name),
            "privacy");
    return mgl_conflicts_refuse(MGL_CONFLICTS_OF_ITEMS_ALONE, s, command, err);
}

mgl_status mgl_settings_check_items(const mgl_job *job, const mgl_settings *s, mgl_command command,
                                    mgl_error *err)
{
    mgl_key key;
    if (!mgl_key_find(mgl_span_of("km"), &key) || (key.commands & command) == 0)
        return MGL_OK;
    MGL_TRY(want_km(s, err));
    if (s->km.column == NULL)
        return refuse_idle(job, err);
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_ITEMS, s, command, err));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_ITEM_CLASSES, s, command, err));
    const char *why = objection(s, s->km.column);
    if (why != NULL)
        return refuse(job, s->km.column->name, MGL_CODE_CONFLICT, why, err);
    for (size_t i = 0; i < s->n_attributes; i++)
        if (s->attributes[i].km.k > 0 && &s->attributes[i] != s->km.column)
            return refuse(job, s->attributes[i].name, MGL_CODE_CONFLICT,
                          "would be a second column of items; combinations of items are looked at "
                          "in one column, so put all items of a row into it, or leave one out",
                          err);
    return s->n_quasi == 0 ? check_alone(s, command, err) : MGL_OK;
}
