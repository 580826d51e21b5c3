/* The leak guard at a table that is to be released as it is: nobody generalized it here, so columns
 * are judged by their names and values alone. The gate asks. */
#include "pipeline/guard/guard.h"

static bool is_entity(const mgl_reading *reading, const char *name)
{
    const char *entity = reading->settings->entity;
    return entity != NULL && strcmp(entity, name) == 0;
}

/* What the leak guard knows of a column that nobody generalized. */
static mgl_guarded_column guarded(const mgl_reading *reading, size_t c)
{
    const char *name = mgl_source_column(reading->source, c);
    const mgl_attribute_settings *said = mgl_settings_attribute(reading->settings, name);
    bool treated = said != NULL && said->treat != NULL;
    mgl_role role = reading->roles[c];
    return (mgl_guarded_column){.name = name,
                                .open = role == MGL_ROLE_INSENSITIVE || role == MGL_ROLE_NONE,
                                .treated = treated,
                                .made_up = treated || is_entity(reading, name)};
}

static mgl_status judge_column(const mgl_reading *reading, size_t c, mgl_error *err,
                               mgl_objections *objections)
{
    mgl_guarded_column column = guarded(reading, c);
    mgl_table *table = NULL;
    uint64_t *rows = NULL;
    mgl_profile profile;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_read_columns(reading->settings, reading->source, &c, 1, err, &table));
    MGL_GO(mgl_count_values(table, &table->columns[0], err, &rows));
    MGL_GO(mgl_profile_of(column.name, table->columns[0].dictionary, rows, err, &profile));
    mgl_guard_judge_profile(&column, &profile, mgl_profile_counts_rows(&profile), objections);
done:
    mgl_free(rows);
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

mgl_status mgl_guard_as_is(const mgl_reading *reading, mgl_error *err, mgl_objections *objections,
                           size_t *n_columns)
{
    *n_columns = 0;
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (is_guarded(reading, c)) {
            MGL_TRY(judge_column(reading, c, err, objections));
            (*n_columns)++;
        }
    mgl_objections_sort(objections);
    return objections->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}
