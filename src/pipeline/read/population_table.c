/* Reads the population table (--population): everybody the rows of the table were drawn from. Its
 * values join the dictionaries of the table, so that one hierarchy serves both. reading.c calls it.
 */
#include "pipeline/read/columns.h"
#include "pipeline/read/reading_steps.h"

mgl_status mgl_population_read(mgl_reading *reading, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    if (settings->population == NULL)
        return MGL_OK;
    MGL_TRY(
        mgl_source_open(settings->population, &settings->source, err, &reading->population_source));
    mgl_column_wish *wishes = mgl_alloc_array(reading->n_quasi, sizeof *wishes);
    if (wishes == NULL)
        return mgl_fail_memory(err);
    mgl_status status = MGL_OK;
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const char *name = reading->quasi[a].settings->name;
        size_t column = mgl_source_find(reading->population_source, name);
        wishes[a] = (mgl_column_wish){column, MGL_ROLE_QUASI};
        if (column == SIZE_MAX)
            MGL_GO(mgl_fail_at(err, MGL_DATA, settings->population, 0,
                               "the population has no column \"%.60s\"; it needs every "
                               "quasi-identifier column",
                               name));
    }
    MGL_GO(mgl_source_counts(reading->population_source)
               ? mgl_source_count(reading->population_source, wishes, reading->n_quasi,
                                  &settings->progress, err, &reading->population)
               : mgl_source_read(reading->population_source, wishes, reading->n_quasi,
                                 reading->pool, &settings->progress, err, &reading->population));
    MGL_GO(mgl_spell_alike(settings, reading->table, reading->population, reading->n_quasi, err));
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_dictionary *from = reading->population->columns[a].dictionary;
        mgl_dictionary *to = reading->table->columns[a].dictionary;
        for (uint32_t code = 0; code < mgl_dictionary_size(from); code++) {
            mgl_span value = mgl_dictionary_value(from, code);
            uint32_t added = code == mgl_dictionary_missing(from)
                                 ? mgl_dictionary_add_missing(to, value)
                                 : mgl_dictionary_add(to, value);
            if (added == MGL_NOT_FOUND)
                MGL_GO(mgl_fail_memory(err));
        }
        /* Both tables together can show how values are written where one alone leaves it open. */
        mgl_notation notation = *mgl_dictionary_notation(to);
        if (settings->source.decimal == 0)
            mgl_dictionary_sniff(to, &notation);
        mgl_dictionary_set_notation(to, &notation);
    }
done:
    mgl_free(wishes);
    return status;
}

/* Where cells are taken as they are, the population says what they may stand for: by the hierarchy
 * that is given, else by the one that would be proposed. */
static mgl_status make_own(mgl_reading *reading, size_t a, mgl_error *err)
{
    const mgl_attribute_settings *settings = reading->quasi[a].settings;
    const mgl_column *column = &reading->population->columns[a];
    mgl_suggestion found;
    if (settings->hierarchy != NULL || mgl_dictionary_size(column->dictionary) == 0)
        return mgl_hierarchy_make(settings->hierarchy, column->name, column->dictionary, err,
                                  &reading->population_hierarchies[a]);
    MGL_TRY(mgl_suggest_column(reading->settings, reading->population, column, err, &found));
    reading->population_hierarchies[a] = found.hierarchy;
    found.hierarchy = NULL;
    mgl_suggestion_free(&found);
    return MGL_OK;
}

mgl_status mgl_population_bind(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    if (reading->population == NULL)
        return MGL_OK;
    reading->population_bound =
        mgl_zeroed_array(reading->n_quasi, sizeof *reading->population_bound);
    reading->population_hierarchies =
        mgl_zeroed_array(reading->n_quasi, sizeof *reading->population_hierarchies);
    if (reading->population_bound == NULL || reading->population_hierarchies == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_column *column = &reading->population->columns[a];
        const mgl_hierarchy *hierarchy = reading->quasi[a].hierarchy;
        if (mgl_takes_as_is(purpose)) {
            MGL_TRY(make_own(reading, a, err));
            hierarchy = reading->population_hierarchies[a];
        }
        uint32_t *leaves = mgl_alloc_array(mgl_dictionary_size(column->dictionary), sizeof *leaves);
        if (leaves == NULL)
            return mgl_fail_memory(err);
        reading->population_bound[a] = (mgl_bound_column){column, hierarchy, leaves};
        MGL_TRY(mgl_hierarchy_bind(hierarchy, column->name, column->dictionary, err, leaves));
    }
    return MGL_OK;
}

void mgl_population_forget(mgl_reading *reading)
{
    for (size_t a = 0; reading->population_bound != NULL && a < reading->n_quasi; a++)
        mgl_free((void *)reading->population_bound[a].leaf_of_code);
    for (size_t a = 0; reading->population_hierarchies != NULL && a < reading->n_quasi; a++)
        mgl_hierarchy_free(reading->population_hierarchies[a]);
    mgl_free(reading->population_hierarchies);
    mgl_free(reading->population_bound);
    mgl_table_free(reading->population);
    mgl_source_close(reading->population_source);
}

mgl_status mgl_population_promise(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                                  mgl_promised_population *out)
{
    if (reading->population == NULL)
        return MGL_OK;
    size_t n = reading->n_quasi;
    const mgl_column **columns = mgl_arena_alloc(arena, n * sizeof *columns);
    const mgl_hierarchy **hierarchies = mgl_arena_alloc(arena, n * sizeof *hierarchies);
    const uint32_t **leaves = mgl_arena_alloc(arena, n * sizeof *leaves);
    if (columns == NULL || hierarchies == NULL || leaves == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < n; a++) {
        columns[a] = reading->population_bound[a].column;
        hierarchies[a] = reading->population_bound[a].hierarchy;
        leaves[a] = reading->population_bound[a].leaf_of_code;
    }
    *out = (mgl_promised_population){columns, hierarchies, leaves, reading->population->n_rows,
                                     reading->population->times};
    return MGL_OK;
}
