/* The leak guard at a table that is to be released as it is: nobody generalized it here, so columns
 * are judged by their names and values alone. The gate asks. */
#include "pipeline/guard/guard.h"

static bool is_entity(const mgl_reading *reading, const char *name)
{
    const char *entity = reading->settings->persons.column;
    return entity != NULL && strcmp(entity, name) == 0;
}

/* What the leak guard knows of a column that nobody generalized. */
static mgl_status guarded(const mgl_reading *reading, size_t c, mgl_error *err,
                          mgl_guarded_column *out)
{
    const char *name = mgl_source_column(reading->source, c);
    const mgl_attribute_settings *said = mgl_settings_attribute(reading->settings, name);
    bool treated = said != NULL && said->treat != NULL;
    mgl_role role = reading->roles[c];
    *out = (mgl_guarded_column){.name = name,
                                .open = role == MGL_ROLE_INSENSITIVE || role == MGL_ROLE_NONE,
                                .unnamed = mgl_is_unnamed(reading->settings, name),
                                .treated = treated,
                                .made_up = is_entity(reading, name)};
    if (!treated)
        return MGL_OK;
    mgl_treat *treat;
    MGL_TRY(mgl_treat_new(said->treat, err, &treat));
    out->made_up = out->made_up || mgl_treat_renames(treat);
    mgl_treat_free(treat);
    return MGL_OK;
}

static mgl_status judge_column(const mgl_reading *reading, const mgl_table *table,
                               const mgl_column *values, size_t c, mgl_error *err,
                               mgl_objections *objections)
{
    mgl_guarded_column column;
    uint64_t *rows;
    mgl_profile profile;
    MGL_TRY(guarded(reading, c, err, &column));
    MGL_TRY(mgl_count_values(table, values, err, &rows));
    mgl_status status = mgl_profile_of(column.name, values->dictionary, rows, err, &profile);
    mgl_free(rows);
    if (status == MGL_OK)
        mgl_guard_judge_profile(&column, &profile, objections);
    return status;
}

static mgl_status judge_some(const mgl_reading *reading, const size_t *columns, size_t n,
                             mgl_error *err, mgl_objections *objections)
{
    mgl_table *table = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_read_columns(reading->settings, reading->source, columns, n, err, &table));
    for (size_t i = 0; i < n; i++)
        MGL_GO(judge_column(reading, table, &table->columns[i], columns[i], err, objections));
done:
    mgl_table_free(table);
    return status;
}

/* Quasi-identifiers are judged by the models, and what is an identifier must not be there. */
static bool is_guarded(const mgl_reading *reading, size_t c)
{
    const char *name = mgl_source_column(reading->source, c);
    mgl_role role = reading->roles[c];
    return role != MGL_ROLE_QUASI && (role != MGL_ROLE_IDENTIFIER || is_entity(reading, name));
}

/* A file is read once; an engine counts one column after the other, since counting them together
 * would give the rows. */
mgl_status mgl_guard_as_is(const mgl_reading *reading, mgl_error *err, mgl_objections *objections,
                           size_t *n_columns)
{
    size_t n_all = mgl_source_columns(reading->source), n = 0;
    size_t *columns = mgl_alloc_array(n_all, sizeof *columns);
    mgl_status status = MGL_OK;
    if (columns == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n_all; c++)
        if (is_guarded(reading, c))
            columns[n++] = c;
    size_t step = mgl_source_counts(reading->source) ? 1 : n;
    for (size_t first = 0; first < n; first += step)
        MGL_GO(judge_some(reading, columns + first, step, err, objections));
    MGL_GO(mgl_features_remedy(reading, objections, err));
    mgl_objections_sort(objections);
    MGL_GO(objections->out_of_memory ? mgl_fail_memory(err) : MGL_OK);
    *n_columns = n;
done:
    mgl_free(columns);
    return status;
}
