/* Chooses the hierarchy of a quasi-identifier: the one that the job gives, else the one that
 * `hierarchy suggest` would propose, else value and *. reading.c calls it for each column. */
#include "pipeline/read/columns.h"
#include "pipeline/read/rare.h"
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
    if (settings->counted.least > 0)
        return true; /* what is rare is counted on higher levels, whatever the method does */
    for (size_t i = 0; i < settings->comparison.n_methods; i++)
        if (method_climbs(settings->comparison.methods[i], scaled))
            return true;
    return settings->comparison.n_methods == 0;
}

/* Would some method want a proposal only for values that are no numbers or dates? */
static bool depends_on_scale(const mgl_settings *settings, mgl_purpose purpose,
                             const mgl_quasi_column *quasi)
{
    return mgl_purpose_searches(purpose) && !quasi->settings->asks_for_levels &&
           quasi->settings->kind != MGL_SAID_NOMINAL && !any_climbs(settings, true);
}

/* What stands for a group is no value of a hierarchy: the column needs none. */
static bool is_aggregated(const mgl_quasi_column *quasi, mgl_purpose purpose)
{
    return !mgl_takes_as_is(purpose) && quasi->settings->aggregate != MGL_AGGREGATE_NOT;
}

/* Is a hierarchy to be proposed? */
static mgl_status wants_proposal(mgl_reading *reading, mgl_purpose purpose,
                                 const mgl_quasi_column *quasi, mgl_tree_order order,
                                 mgl_error *err, bool *out)
{
    const mgl_cache_entry *kept;
    mgl_scale *scale = NULL;
    *out = !mgl_takes_as_is(purpose) && !is_aggregated(quasi, purpose) &&
           !quasi->settings->by; /* that column stays as it is */
    if (!*out || !depends_on_scale(reading->settings, purpose, quasi))
        return MGL_OK;
    order.origin = MGL_TREE_OF_VALUES;
    MGL_TRY(mgl_tree_find(reading, &order, err, &kept));
    MGL_TRY(mgl_scale_new(((const mgl_tree *)kept->object)->hierarchy, err, &scale));
    *out = any_climbs(reading->settings, scale != NULL);
    mgl_scale_free(scale);
    return MGL_OK;
}

/* ---- What it gets -------------------------------------------------------------------------- */

mgl_status mgl_suggest_values(const mgl_table *table, const mgl_column *column, mgl_said_kind kind,
                              mgl_error *err, mgl_suggestion *out)
{
    MGL_TRY(mgl_column_count_rows(column, table->n_rows, table->times, err));
    return mgl_suggest(column->name, column->dictionary, kind, err, out);
}

mgl_status mgl_suggest_column(const mgl_settings *settings, const mgl_table *table,
                              const mgl_column *column, mgl_error *err, mgl_suggestion *out)
{
    const mgl_attribute_settings *said = mgl_settings_attribute(settings, column->name);
    return mgl_suggest_values(table, column, said != NULL ? said->kind : MGL_SAID_NOTHING, err,
                              out);
}

mgl_status mgl_quasi_hierarchy(mgl_reading *reading, mgl_purpose purpose, mgl_quasi_column *quasi,
                               mgl_error *err)
{
    mgl_tree_order order = {.table = reading->table,
                            .column = quasi->column,
                            .spec = mgl_takes_as_is(purpose) ? NULL : quasi->settings->hierarchy,
                            .kind = quasi->settings->kind,
                            .stand_ins = reading->settings->counted.least > 0};
    /* An engine that regroups tells only the values that a file of a hierarchy does not list. */
    bool told_all = order.spec == NULL || !mgl_regroups_in_engine(reading);
    bool empty = reading->table->n_rows == 0 && told_all, wanted = false;
    if (order.spec == NULL && !empty)
        MGL_TRY(wants_proposal(reading, purpose, quasi, order, err, &wanted));
    order.origin = empty                ? MGL_TREE_OF_NOTHING
                   : order.spec != NULL ? MGL_TREE_GIVEN
                   : wanted             ? MGL_TREE_PROPOSED
                                        : MGL_TREE_OF_VALUES;
    MGL_TRY(mgl_tree_find(reading, &order, err, &quasi->kept));
    const mgl_tree *tree = quasi->kept->object;
    quasi->hierarchy = tree->hierarchy;
    quasi->proposed = tree->proposed;
    return tree->proposed != NULL ? mgl_reading_resolve(reading, quasi->settings->name, "hierarchy",
                                                        tree->hierarchy->resolved, err)
                                  : MGL_OK;
}
