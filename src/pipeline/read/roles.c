/* Gives each column of an opened source its role, by the job or by --rest, and refuses columns that
 * the job names and the table lacks. Before any row is read. */
#include "pipeline/read/feature.h"
#include "pipeline/read/reading_steps.h"

/* A file that lacks a column of the result is another release. */
static mgl_status fail_lacking(const mgl_source *source, const char *name, mgl_error *err)
{
    return mgl_blame_column(
        err,
        mgl_blame_key(
            err,
            mgl_fail_at(err, MGL_CODE_DISAGREES, mgl_source_name(source), 0,
                        "there is no column \"%.60s\" that the result names: it does not agree "
                        "with this file; name the file that it was written for",
                        name),
            "against"),
        name);
}

mgl_status mgl_column_unknown(const mgl_source *source, const char *name, mgl_error *err)
{
    mgl_buffer columns = {0};
    mgl_nearest nearest = mgl_nearest_to(mgl_span_of(name));
    for (size_t c = 0; c < mgl_source_columns(source); c++)
        mgl_nearest_try(&nearest, mgl_source_column(source, c));
    if (nearest.best != NULL)
        mgl_buffer_format(&columns, "did you mean \"%.60s\"? ", nearest.best);
    mgl_buffer_text(&columns, "the columns are: ");
    size_t n = mgl_source_columns(source);
    for (size_t c = 0; c < n && c < 20; c++)
        mgl_buffer_format(&columns, "%s%s", c > 0 ? ", " : "", mgl_source_column(source, c));
    if (n > 20)
        mgl_buffer_text(&columns, ", ...");
    mgl_status status =
        mgl_blame_column(err,
                         mgl_fail_at(err, MGL_CODE_UNKNOWN_COLUMN, mgl_source_name(source), 0,
                                     "there is no column \"%.60s\"; %.*s", name,
                                     (int)(columns.failed ? 0 : columns.size), columns.data),
                         name);
    mgl_buffer_free(&columns);
    return status;
}

/* The role that the job gives a column. One whose cells it changes is released, unless leaving it
 * out is the change. */
static mgl_role role_given(const mgl_attribute_settings *attribute, bool changes)
{
    if (!changes || attribute->change == MGL_CELLS_STAY)
        return attribute->role;
    return attribute->change == MGL_CELLS_LEFT_OUT ? MGL_ROLE_IDENTIFIER
           : attribute->role == MGL_ROLE_NONE      ? MGL_ROLE_INSENSITIVE
                                                   : attribute->role;
}

/* Is it no fault that the table lacks a column that the job names? Not of one that the job leaves
 * out, where a release is judged, nor of one that a table counted elsewhere had no use for. */
static bool may_lack(const mgl_settings *settings, const mgl_attribute_settings *attribute,
                     mgl_purpose purpose)
{
    mgl_role role = role_given(attribute, settings->lacks_identifiers);
    return ((purpose == MGL_TO_ATTACK || settings->lacks_identifiers) &&
            role == MGL_ROLE_IDENTIFIER) ||
           (settings->counted.column != NULL &&
            (role == MGL_ROLE_IDENTIFIER || role == MGL_ROLE_INSENSITIVE));
}

/* Likewise of a column whose leaks are accepted; `rest: drop` leaves out what has no role, and a
 * result accepts columns of the input. */
static bool may_lack_allowed(const mgl_settings *settings, const char *name, mgl_purpose purpose)
{
    const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
    bool gate = settings->lacks_identifiers;
    if (settings->counted.column != NULL || (gate && settings->claimed.document != NULL))
        return true;
    return mgl_settings_declare(attribute) ? may_lack(settings, attribute, purpose)
                                           : gate && settings->rest == MGL_ROLE_IDENTIFIER;
}

/* Fails if the table lacks a column that a feature of the job reads. */
static mgl_status find_columns(const mgl_settings *settings, const mgl_source *source,
                               mgl_purpose purpose, mgl_error *err)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        const char *name = mgl_feature_column_name(*f, settings, purpose);
        if (name != NULL && mgl_source_find(source, name) == SIZE_MAX)
            return mgl_blame_key(err, mgl_column_unknown(source, name, err), (*f)->key);
    }
    return MGL_OK;
}

static mgl_status assign_by_features(const mgl_settings *settings, const mgl_source *source,
                                     size_t column, mgl_purpose purpose, mgl_error *err,
                                     mgl_role *role)
{
    size_t n = 0;
    while (mgl_features[n] != NULL)
        n++;
    while (n-- > 0)
        if (mgl_features[n]->assign != NULL)
            MGL_TRY(mgl_features[n]->assign(settings, source, column, purpose, err, role));
    return MGL_OK;
}

mgl_status mgl_assign_roles(const mgl_settings *settings, const mgl_source *source,
                            mgl_purpose purpose, mgl_error *err, mgl_role *roles)
{
    bool changes = mgl_purpose_searches(purpose) || purpose == MGL_TO_CHECK;
    if (settings->label != NULL && mgl_source_find(source, settings->label) == SIZE_MAX)
        return mgl_blame_key(err, mgl_column_unknown(source, settings->label, err), "label");
    MGL_TRY(find_columns(settings, source, purpose, err));
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &settings->attributes[i];
        if (mgl_source_find(source, attribute->name) == SIZE_MAX &&
            !may_lack(settings, attribute, purpose))
            return purpose == MGL_TO_CHECK && settings->claimed.document != NULL
                       ? fail_lacking(source, attribute->name, err)
                       : mgl_blame_attribute(err, mgl_column_unknown(source, attribute->name, err),
                                             attribute->name, "role");
    }
    for (size_t i = 0; i < settings->accepted.n_columns; i++) {
        const char *name = settings->accepted.columns[i];
        if (mgl_source_find(source, name) == SIZE_MAX && !may_lack_allowed(settings, name, purpose))
            return mgl_blame_key(err, mgl_column_unknown(source, name, err), "allow-leaks");
    }
    for (size_t c = 0; c < mgl_source_columns(source); c++) {
        MGL_TRY(mgl_progress_poll(c, err));
        const char *name = mgl_source_column(source, c);
        const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
        mgl_role role = attribute != NULL ? role_given(attribute, changes) : MGL_ROLE_NONE;
        roles[c] = role != MGL_ROLE_NONE ? role : settings->rest;
        MGL_TRY(assign_by_features(settings, source, c, purpose, err, &roles[c]));
        if (roles[c] == MGL_ROLE_NONE && purpose == MGL_TO_RELEASE)
            return mgl_blame_attribute(
                err,
                mgl_fail_at(
                    err, MGL_CODE_NO_ROLE, mgl_source_name(source), 0,
                    "column \"%.60s\" has no role; give it one (`role: quasi`, `role: sensitive`, "
                    "`role: identifier` or `role: insensitive`), or give `rest: insensitive` or "
                    "`rest: drop`",
                    name),
                name, "role");
    }
    return MGL_OK;
}

const char *mgl_role_words(const mgl_reading *reading, size_t column)
{
    const mgl_settings *settings = reading->settings;
    const char *name = mgl_source_column(reading->source, column);
    const mgl_attribute_settings *declared = mgl_settings_attribute(settings, name);
    if (settings->counted.column != NULL && strcmp(name, settings->counted.column) == 0)
        return "count";
    bool named = (declared != NULL && declared->role == MGL_ROLE_IDENTIFIER) ||
                 (settings->persons.column != NULL && strcmp(name, settings->persons.column) == 0);
    return reading->roles[column] == MGL_ROLE_IDENTIFIER && !named
               ? "left out"
               : mgl_role_name(reading->roles[column]);
}
