/* Columns that define strata (`by`): makes them quasi-identifiers, and refuses what does not go
 * together with them. */
#include "job/settings/settings.h"

/* The columns of strata come first, so that each stratum is a run of tuples. */
static mgl_status lead_set(const mgl_filling *f, mgl_quasi_settings *set)
{
    const mgl_settings *s = f->settings;
    const char **names = mgl_arena_alloc(f->arena, (s->strata.n + set->n_names) * sizeof *names);
    size_t n = 0;
    MGL_TRY(mgl_check_memory(names != NULL, f->err));
    for (size_t i = 0; i < s->strata.n; i++)
        names[n++] = s->strata.columns[i];
    for (size_t i = 0; i < set->n_names; i++)
        if (!mgl_names_have(s->strata.columns, s->strata.n, set->names[i]))
            names[n++] = set->names[i];
    *set = (mgl_quasi_settings){names, n};
    return MGL_OK;
}

/* Room for columns that the job names nowhere else, and for the one of `entity`. */
static mgl_status make_room(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    mgl_attribute_settings *all =
        mgl_arena_alloc(f->arena, (s->n_attributes + s->strata.n + 1) * sizeof *all);
    MGL_TRY(mgl_check_memory(all != NULL, f->err));
    if (s->n_attributes > 0)
        memcpy(all, s->attributes, s->n_attributes * sizeof *all);
    s->attributes = all;
    return MGL_OK;
}

static mgl_status mark_column(const mgl_filling *f, const char *name)
{
    mgl_settings *s = f->settings;
    mgl_attribute_settings *column = (mgl_attribute_settings *)mgl_settings_attribute(s, name);
    if (column == NULL) {
        column = &s->attributes[s->n_attributes++];
        MGL_TRY(mgl_attribute_begin(f, name, column));
    }
    column->by = true;
    if (column->role == MGL_ROLE_NONE)
        column->role = MGL_ROLE_QUASI;
    return MGL_OK;
}

mgl_status mgl_settings_make_strata(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    if (s->strata.n == 0)
        return MGL_OK;
    MGL_TRY(make_room(f));
    for (size_t i = 0; i < s->strata.n; i++)
        MGL_TRY(mark_column(f, s->strata.columns[i]));
    for (size_t q = 0; q < s->n_quasi; q++)
        MGL_TRY(lead_set(f, &s->quasi[q]));
    for (size_t q = 0; q < s->n_named; q++)
        MGL_TRY(lead_set(f, &s->named[q]));
    return MGL_OK;
}

static mgl_status refuse_column(const mgl_job *job, const char *column, const char *format,
                                mgl_error *err)
{
    const mgl_entry *entry = mgl_store_find(job, "by", NULL);
    return mgl_blame_column(
        err, mgl_origin_fail(&entry->place, MGL_CODE_CONFLICT, err, format, column), column);
}

static mgl_status check_column(const mgl_job *job, const mgl_settings *s, size_t i, mgl_error *err)
{
    const mgl_attribute_settings *column = mgl_settings_attribute(s, s->strata.columns[i]);
    if (mgl_names_have(s->strata.columns, i, column->name))
        return refuse_column(job, column->name, "column '%.60s' is named twice; name it once", err);
    if (s->persons.column != NULL && strcmp(s->persons.column, column->name) == 0)
        return refuse_column(job, column->name,
                             "column '%.60s' tells persons apart (`entity`), and strata must hold "
                             "many of them; name another column",
                             err);
    if (column->role != MGL_ROLE_QUASI)
        return refuse_column(job, column->name,
                             "column '%.60s' has another role, and a column of strata is a "
                             "quasi-identifier; leave the role out",
                             err);
    if (column->has_level)
        return refuse_column(job, column->name,
                             "column '%.60s' tells strata apart and stays at level 0; leave out "
                             "its `level`",
                             err);
    if (mgl_store_find(job, "likelihood", column->name) != NULL)
        return refuse_column(job, column->name,
                             "column '%.60s' tells strata apart, which everybody sees; leave out "
                             "its `likelihood`",
                             err);
    return MGL_OK;
}

/* Is there a column that is searched within the strata, of this quasi-identifier? */
static bool has_others(const mgl_settings *s, const mgl_quasi_settings *set)
{
    for (size_t i = 0; i < set->n_names; i++)
        if (!mgl_names_have(s->strata.columns, s->strata.n, set->names[i]))
            return true;
    return false;
}

static mgl_status want_others(const mgl_settings *s, mgl_error *err)
{
    for (size_t q = 0; q < s->n_quasi || q == 0; q++)
        if (s->n_quasi == 0 || !has_others(s, &s->quasi[q]))
            return mgl_fail_key(
                err, MGL_CODE_MISSING_KEY, "by",
                "a quasi-identifier has no column but those of `by`, which stay as they are; name "
                "the other columns that others may know with `role: quasi`");
    return MGL_OK;
}

mgl_status mgl_settings_check_strata(const mgl_job *job, const mgl_settings *settings,
                                     mgl_command command, mgl_error *err)
{
    if (settings->strata.n == 0)
        return MGL_OK;
    for (size_t i = 0; i < settings->strata.n; i++)
        MGL_TRY(check_column(job, settings, i, err));
    MGL_TRY(want_others(settings, err));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_STRATA, settings, command, err));
    if (command == MGL_LATTICE)
        return mgl_fail_key(err, MGL_CODE_CONFLICT, "by",
                            "`by` has a lattice of its own for each stratum; choose one with "
                            "`where`, and leave out `by`");
    return MGL_OK;
}
