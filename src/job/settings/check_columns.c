/* Checks what a command demands of the columns of a job: roles, fields that a role has no use for,
 * numbers for each quasi-identifier, and which rows are taken. check_settings.c calls it. */
#include "job/settings/checked_job.h"

static mgl_status refuse_lost_columns(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    if (s->n_quasi < 2)
        return MGL_OK;
    for (size_t i = 0; i < s->n_attributes; i++) {
        bool found = s->attributes[i].role != MGL_ROLE_QUASI;
        for (size_t q = 0; !found && q < s->n_quasi; q++)
            for (size_t j = 0; !found && j < s->quasi[q].n_names; j++)
                found = strcmp(s->quasi[q].names[j], s->attributes[i].name) == 0;
        if (!found)
            return mgl_blame_attribute(
                d->err,
                mgl_fail(d->err, MGL_CODE_CONFLICT,
                         "column '%.60s' is quasi but in none of the %zu quasi-identifiers; "
                         "add it to one",
                         s->attributes[i].name, s->n_quasi),
                s->attributes[i].name, "role");
    }
    return MGL_OK;
}

/* The other way round: a set whose column was given another role by an option. */
static mgl_status refuse_lost_roles(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    for (size_t q = 0; q < s->n_quasi; q++)
        for (size_t j = 0; j < s->quasi[q].n_names; j++) {
            const char *name = s->quasi[q].names[j];
            const mgl_entry *role = mgl_store_find(d->job, "role", name);
            if (role != NULL && strcmp(role->value, "quasi") != 0)
                return mgl_blame_attribute(d->err,
                                           mgl_place_fail(&role->place, MGL_CODE_CONFLICT, d->err,
                                                          "column '%.60s' is %s here and lies in a "
                                                          "quasi-identifier; give it one role",
                                                          name, role->value),
                                           name, "role");
        }
    return MGL_OK;
}

/* The row of a column's field; two options may mean the same field. */
static bool key_of_field(const mgl_entry *entry, mgl_key *out)
{
    static const char other[] = "sensitive-hierarchy";
    const char *name = entry->place.name;
    if (strncmp(name, other, sizeof other - 1) == 0)
        return mgl_key_find(mgl_span_of(other), out);
    return mgl_key_find_field(mgl_span_of(entry->field), out);
}

static const char *noun_of(const char *field)
{
    return strcmp(field, "protect") == 0     ? "list of protected values"
           : strcmp(field, "aggregate") == 0 ? "function that aggregates it"
                                             : field;
}

static mgl_status refuse_idle_field(const mgl_checked_job *d, const mgl_entry *entry,
                                    const mgl_key *key)
{
    bool of_sensitive = key->role != NULL && strcmp(key->role, "sensitive") == 0;
    const mgl_entry *role = mgl_store_find(d->job, "role", entry->subject);
    if (role == NULL && mgl_settings_attribute(d->settings, entry->subject)->km.k > 0)
        return MGL_OK;
    if (role == NULL)
        return mgl_blame_attribute(
            d->err,
            mgl_place_fail(&entry->place, MGL_CODE_NO_ROLE, d->err,
                           "column '%.60s' has a %s but no role; name it by %s", entry->subject,
                           noun_of(entry->field),
                           of_sensitive ? "`role: sensitive`" : "`role: quasi`"),
            entry->subject, "role");
    bool overridden = entry->place.load != 0 && role->place.load == 0;
    if (key->role != NULL && strcmp(role->value, key->role) != 0 && !overridden)
        return mgl_blame_attribute(
            d->err,
            mgl_place_fail(&entry->place, MGL_CODE_CONFLICT, d->err,
                           "column '%.60s' is %s, and only %s have a %s; leave it out",
                           entry->subject, role->value,
                           of_sensitive ? "sensitive columns" : "quasi-identifiers",
                           noun_of(entry->field)),
            entry->subject, "role");
    return MGL_OK;
}

/* A column of strata needs no role by name. */
static bool is_stratum(const mgl_checked_job *d, const char *column)
{
    const mgl_attribute_settings *attribute = mgl_settings_attribute(d->settings, column);
    return attribute != NULL && attribute->by && mgl_store_find(d->job, "role", column) == NULL;
}

/* Fields of a column whose role has no use for them: someone forgot something. */
static mgl_status refuse_idle_fields(const mgl_checked_job *d)
{
    for (size_t i = 0; i < d->job->n_entries; i++) {
        const mgl_entry *entry = &d->job->entries[i];
        mgl_key key;
        if (entry->subject != NULL && key_of_field(entry, &key) && !key.roleless &&
            (key.commands & d->command) != 0 && !is_stratum(d, entry->subject))
            MGL_TRY(refuse_idle_field(d, entry, &key));
    }
    return MGL_OK;
}

static mgl_status want_protected_hierarchies(const mgl_checked_job *d)
{
    for (size_t i = 0; i < d->settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &d->settings->attributes[i];
        mgl_key key;
        if (attribute->n_protect == 0 || attribute->role != MGL_ROLE_SENSITIVE ||
            attribute->hierarchy != NULL || !mgl_key_find(mgl_span_of("protect"), &key) ||
            (key.commands & d->command) == 0)
            continue;
        return mgl_blame_attribute(
            d->err,
            mgl_place_fail(&mgl_store_find(d->job, "protect", attribute->name)->place,
                           MGL_CODE_MISSING_KEY, d->err,

                           "column '%.60s' has no hierarchy to protect values in; add "
                           "`sensitive-hierarchy: %.60s=FILE`",
                           attribute->name, attribute->name),
            attribute->name, "hierarchy");
    }
    return MGL_OK;
}

/* A number for each quasi-identifier, or one for all. */
static mgl_status check_by_set(const mgl_checked_job *d, const char *field)
{
    const mgl_settings *s = d->settings;
    for (size_t i = 0; i < s->n_attributes; i++) {
        const char *name = s->attributes[i].name;
        const mgl_entry *entry = mgl_store_find(d->job, field, name);
        mgl_by_set said;
        if (entry == NULL || !mgl_read_by_set(mgl_span_of(entry->value), &said) || said.n == 1 ||
            said.n == s->n_quasi)
            continue;
        return mgl_blame_attribute(
            d->err,
            mgl_place_fail(&entry->place, MGL_CODE_BAD_VALUE, d->err,
                           "column '%.60s' has %zu numbers, and there are %zu quasi-identifiers; "
                           "give one number, or one for each with / between",
                           name, said.n, s->n_quasi),
            name, field);
    }
    return MGL_OK;
}

static mgl_status want_weights(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    if (s->n_quasi == 0)
        return MGL_OK;
    for (size_t i = 0; i < s->n_attributes; i++)
        if (s->attributes[i].role == MGL_ROLE_QUASI && mgl_by_set_any(&s->attributes[i].weight))
            return MGL_OK;
    return mgl_checked_fail(
        d, MGL_CODE_BAD_VALUE, "weights",
        "all weights are 0; give at least one quasi-identifier a weight above 0");
}

static mgl_status check_rows(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    if (s->chosen.has_seed && s->chosen.sample == NULL && !mgl_command_judges(d->command))
        return mgl_checked_fail(
            d, MGL_CODE_MISSING_KEY, "sample",
            "`sample-seed` says how a sample is drawn; say how large it is with `sample`");
    if (s->risk.advise && (s->chosen.where != NULL || s->chosen.sample != NULL))
        return mgl_checked_fail(
            d, MGL_CODE_CONFLICT, s->chosen.where != NULL ? "where" : "sample",
            "`advise` looks at all rows of a table; leave `where` and `sample` out");
    return MGL_OK;
}

mgl_status mgl_check_columns(const mgl_checked_job *d)
{
    MGL_TRY(check_rows(d));
    if (d->command == MGL_HIERARCHY || d->command == MGL_LOOK ||
        (d->command == MGL_RISK && d->settings->risk.advise))
        return MGL_OK;
    MGL_TRY(mgl_settings_check_items(d->job, d->settings, d->command, d->err));
    if (d->settings->n_quasi == 0 && d->settings->km.column == NULL)
        return mgl_checked_fail(
            d, MGL_CODE_MISSING_KEY, "quasi-identifiers",
            "no quasi-identifier; name the columns that others may know with `role: quasi`, or "
            "let `risk` propose them (`advise`)");
    MGL_TRY(mgl_settings_check_strata(d->job, d->settings, d->command, d->err));
    MGL_TRY(refuse_lost_columns(d));
    MGL_TRY(refuse_lost_roles(d));
    MGL_TRY(refuse_idle_fields(d));
    MGL_TRY(want_protected_hierarchies(d));
    MGL_TRY(mgl_settings_check_persons(d));
    MGL_TRY(mgl_settings_check_counts(d->settings, d->command, d->err));
    MGL_TRY(mgl_settings_check_script(d->settings, d->command, d->err));
    MGL_TRY(mgl_settings_check_treatments(d->job, d->settings, d->command, d->err));
    MGL_TRY(mgl_settings_check_aggregates(d->job, d->settings, d->command, d->err));
    MGL_TRY(check_by_set(d, "weight"));
    MGL_TRY(check_by_set(d, "likelihood"));
    MGL_TRY(check_by_set(d, "preference"));
    return want_weights(d);
}
