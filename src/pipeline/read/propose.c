/* Makes the hierarchy of a quasi-identifier: the one that the job gives, else the one that
 * `hierarchy suggest` would propose, else value and *. reading.c calls it for each column. */
#include "pipeline/read/columns.h"
#include "pipeline/read/reading_steps.h"

/* ---- Who gets one -------------------------------------------------------------------------- */

/* Would the method look at the hierarchy of a column to which the job gives none? scaled: its
 * values are numbers or dates. */
static bool method_climbs(const mgl_method_type *method, bool scaled)
{
    return !method->keeps_values && !(method->own_values && scaled);
}

static bool any_climbs(const mgl_settings *settings, bool scaled)
{
    if (settings->least_count > 0)
        return true; /* what is rare is counted on higher levels, whatever the method does */
    for (size_t i = 0; i < settings->n_methods; i++)
        if (method_climbs(settings->methods[i], scaled))
            return true;
    return settings->n_methods == 0;
}

/* Is a hierarchy to be proposed? quasi->hierarchy has values and * at this point. */
static mgl_status wants_proposal(const mgl_settings *settings, mgl_purpose purpose,
                                 const mgl_quasi_column *quasi, mgl_error *err, bool *out)
{
    mgl_scale *scale = NULL;
    *out = !mgl_takes_as_is(purpose);
    if (!*out || !mgl_purpose_searches(purpose) || quasi->settings->asks_for_levels ||
        quasi->settings->kind == MGL_SAID_NOMINAL || any_climbs(settings, true))
        return MGL_OK;
    MGL_TRY(mgl_scale_new(quasi->hierarchy, err, &scale));
    *out = any_climbs(settings, scale != NULL);
    mgl_scale_free(scale);
    return MGL_OK;
}

/* ---- What it gets -------------------------------------------------------------------------- */

mgl_status mgl_suggest_column(const mgl_settings *settings, const mgl_table *table,
                              const mgl_column *column, mgl_error *err, mgl_suggestion *out)
{
    const mgl_attribute_settings *said = mgl_settings_attribute(settings, column->name);
    MGL_TRY(mgl_column_count_rows(column, table->n_rows, table->times, err));
    return mgl_suggest(column->name, column->dictionary,
                       said != NULL ? said->kind : MGL_SAID_NOTHING, err, out);
}

/* A column that the job calls nominal keeps its proposal as a given hierarchy: its numbers are
 * codes, of which no ranges are made. */
static mgl_status propose(mgl_reading *reading, mgl_quasi_column *quasi, mgl_error *err)
{
    mgl_suggestion found;
    const mgl_attribute_settings *settings = quasi->settings;
    MGL_TRY(mgl_suggest_column(reading->settings, reading->table, quasi->column, err, &found));
    mgl_status status = mgl_buffer_take(&found.builder, err, &quasi->proposed);
    if (status == MGL_OK) {
        mgl_hierarchy_free(quasi->hierarchy);
        quasi->hierarchy = found.hierarchy;
        quasi->hierarchy->given = settings->kind == MGL_SAID_NOMINAL;
        found.hierarchy = NULL;
        status = mgl_reading_resolve(reading, settings->name, "hierarchy",
                                     quasi->hierarchy->resolved, err);
    }
    mgl_suggestion_free(&found);
    return status;
}

mgl_status mgl_quasi_hierarchy(mgl_reading *reading, mgl_purpose purpose, mgl_quasi_column *quasi,
                               mgl_error *err)
{
    const char *spec = mgl_takes_as_is(purpose) ? NULL : quasi->settings->hierarchy;
    bool wanted = false;
    if (spec != NULL && mgl_hierarchy_needs_rows(spec))
        MGL_TRY(mgl_column_count_rows(quasi->column, reading->table->n_rows, reading->table->times,
                                      err));
    MGL_TRY(mgl_hierarchy_make(spec, quasi->settings->name, quasi->column->dictionary, err,
                               &quasi->hierarchy));
    if (spec == NULL)
        MGL_TRY(wants_proposal(reading->settings, purpose, quasi, err, &wanted));
    return wanted ? propose(reading, quasi, err) : MGL_OK;
}
