/* Gives each column of an opened source its role, by the job or by --rest, and refuses columns that
 * the job names and the table lacks. reading.c calls it before any row is read. */
#include "pipeline/read/parent_columns.h"

static void list_columns(const mgl_source *source, mgl_buffer *out)
{
    size_t n = mgl_source_columns(source);
    for (size_t c = 0; c < n && c < 20; c++)
        mgl_buffer_format(out, "%s%s", c > 0 ? ", " : "", mgl_source_column(source, c));
    if (n > 20)
        mgl_buffer_text(out, ", ...");
}

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
    list_columns(source, &columns);
    mgl_status status =
        mgl_blame_column(err,
                         mgl_fail_at(err, MGL_CODE_UNKNOWN_COLUMN, mgl_source_name(source), 0,
                                     "there is no column \"%.60s\"; %.*s", name,
                                     (int)(columns.failed ? 0 : columns.size), columns.data),
                         name);
    mgl_buffer_free(&columns);
    return status;
}

/* A column that is treated is released, unless the treatment is to leave it out. */
static mgl_status assign_treated(const mgl_attribute_settings *attribute, mgl_error *err,
                                 mgl_role *role)
{
    mgl_treat *treat;
    MGL_TRY(mgl_treat_new(attribute->treat, err, &treat));
    if (mgl_treat_leaves_out(treat))
        *role = MGL_ROLE_IDENTIFIER;
    else if (attribute->role == MGL_ROLE_NONE)
        *role = MGL_ROLE_INSENSITIVE;
    mgl_treat_free(treat);
    return MGL_OK;
}

/* Is it no fault that the table lacks a column that the job names? Not of one that the job leaves
 * out, where a release is judged, nor of one that a table counted elsewhere had no use for. */
static mgl_status may_lack(const mgl_settings *settings, const mgl_attribute_settings *attribute,
                           mgl_purpose purpose, mgl_error *err, bool *out)
{
    mgl_role role = attribute->role;
    if (settings->lacks_identifiers && attribute->treat != NULL)
        MGL_TRY(assign_treated(attribute, err, &role));
    *out = ((purpose == MGL_TO_ATTACK || settings->lacks_identifiers) &&
            role == MGL_ROLE_IDENTIFIER) ||
           (settings->counted.column != NULL &&
            (role == MGL_ROLE_IDENTIFIER || role == MGL_ROLE_INSENSITIVE));
    return MGL_OK;
}

/* Likewise of a column whose leaks are accepted; `rest: drop` leaves out what has no role, and a
 * result accepts columns of the input. */
static mgl_status may_lack_allowed(const mgl_settings *settings, const char *name,
                                   mgl_purpose purpose, mgl_error *err, bool *out)
{
    const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
    bool gate = settings->lacks_identifiers;
    *out = settings->counted.column != NULL || (gate && settings->claimed.document != NULL);
    if (*out)
        return MGL_OK;
    if (attribute == NULL || (attribute->role == MGL_ROLE_NONE && attribute->treat == NULL)) {
        *out = gate && settings->rest == MGL_ROLE_IDENTIFIER;
        return MGL_OK;
    }
    return may_lack(settings, attribute, purpose, err, out);
}

/* Groups of records have no cells of single ones. */
static mgl_status fail_passed(const mgl_source *source, const char *name, mgl_error *err)
{
    return mgl_blame_attribute(
        err,
        mgl_fail_at(err, MGL_CODE_CONFLICT, mgl_source_name(source), 0,
                    "column \"%.60s\" would be passed through, and the rows of a counted table "
                    "stand for several records; make it a quasi-identifier or sensitive, or leave "
                    "it out (`role: identifier`, `rest: drop`)",
                    name),
        name, "role");
}

/* Nor of a quasi-identifier with likelihood 0, which is released as it was. */
static mgl_status fail_unlinkable(const mgl_source *source, const char *name, mgl_error *err)
{
    return mgl_blame_attribute(
        err,
        mgl_fail_at(err, MGL_CODE_CONFLICT, mgl_source_name(source), 0,
                    "column \"%.60s\" has linking likelihood 0 and would be passed through, and "
                    "the rows of a counted table stand for several records; give it a likelihood "
                    "above 0, or leave it out (`role: identifier`)",
                    name),
        name, "likelihood");
}

static bool is_unlinkable(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    return attribute != NULL && attribute->role == MGL_ROLE_QUASI &&
           !mgl_settings_links(settings, attribute->name, &attribute->likelihood);
}

mgl_status mgl_assign_roles(const mgl_settings *settings, const mgl_source *source,
                            mgl_purpose purpose, mgl_error *err, mgl_role *roles)
{
    const struct {
        const char *key, *column;
    } single[] = {{"label", settings->label},
                  {"entity", settings->persons.column},
                  {"weight", settings->sampled.weight},
                  {"household", settings->sampled.household},
                  {"count", settings->counted.column}};
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (single[i].column != NULL && mgl_source_find(source, single[i].column) == SIZE_MAX)
            return mgl_blame_key(err, mgl_column_unknown(source, single[i].column, err),
                                 single[i].key);
    for (size_t i = 0; i < settings->n_attributes; i++) {
        bool elsewhere;
        MGL_TRY(may_lack(settings, &settings->attributes[i], purpose, err, &elsewhere));
        if (!elsewhere && mgl_source_find(source, settings->attributes[i].name) == SIZE_MAX)
            return purpose == MGL_TO_CHECK && settings->claimed.document != NULL
                       ? fail_lacking(source, settings->attributes[i].name, err)
                       : mgl_blame_attribute(
                             err, mgl_column_unknown(source, settings->attributes[i].name, err),
                             settings->attributes[i].name, "role");
    }
    for (size_t i = 0; i < settings->accepted.n_columns; i++) {
        bool elsewhere;
        MGL_TRY(
            may_lack_allowed(settings, settings->accepted.columns[i], purpose, err, &elsewhere));
        if (!elsewhere && mgl_source_find(source, settings->accepted.columns[i]) == SIZE_MAX)
            return mgl_blame_key(
                err, mgl_column_unknown(source, settings->accepted.columns[i], err), "allow-leaks");
    }
    if (!mgl_takes_as_is(purpose))
        MGL_TRY(mgl_parents_check(settings, source, err));
    for (size_t c = 0; c < mgl_source_columns(source); c++) {
        MGL_TRY(mgl_progress_poll(c, err));
        const char *name = mgl_source_column(source, c);
        const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
        roles[c] = attribute != NULL && attribute->role != MGL_ROLE_NONE ? attribute->role
                                                                         : settings->rest;
        if (attribute != NULL && attribute->treat != NULL &&
            (mgl_purpose_searches(purpose) || purpose == MGL_TO_CHECK))
            MGL_TRY(assign_treated(attribute, err, &roles[c]));
        if (attribute != NULL && attribute == settings->km.column)
            roles[c] = MGL_ROLE_ITEMS;
        /* What a hierarchy is made of would give the values back: it is released only if the job
         * says so. */
        if ((attribute == NULL || (attribute->role == MGL_ROLE_NONE && attribute->treat == NULL)) &&
            mgl_is_parent_column(settings, name))
            roles[c] = MGL_ROLE_IDENTIFIER;
        /* Who a row belongs to identifies the person: it is released as a pseudonym or not at all.
         */
        if (settings->persons.column != NULL && strcmp(name, settings->persons.column) == 0)
            roles[c] = attribute->treat != NULL && mgl_purpose_searches(purpose)
                           ? MGL_ROLE_INSENSITIVE
                           : MGL_ROLE_IDENTIFIER;
        if (settings->counted.column != NULL && strcmp(name, settings->counted.column) == 0)
            roles[c] = MGL_ROLE_IDENTIFIER; /* what is released of it are sums */
        else if (settings->counted.column != NULL && roles[c] == MGL_ROLE_INSENSITIVE &&
                 purpose == MGL_TO_RELEASE)
            return fail_passed(source, name, err);
        else if (settings->counted.column != NULL && purpose == MGL_TO_RELEASE &&
                 is_unlinkable(settings, attribute))
            return fail_unlinkable(source, name, err);
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
