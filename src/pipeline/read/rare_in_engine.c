/* Lets a database regroup rare combinations itself (--least-count), so that they never leave it.
 * Hierarchies are made from the values of each column, or from their files, and handed to the
 * engine. reading.c calls it instead of reading rows. */
#include "pipeline/read/rare.h"
#include "pipeline/read/reading_steps.h"

bool mgl_regroups_in_engine(const mgl_reading *reading)
{
    return reading->counted_by_source && reading->settings->counted.least > 0 &&
           mgl_source_regroups(reading->source);
}

static mgl_span label_of(const void *context, uint32_t value, uint32_t level)
{
    const mgl_hierarchy *hierarchy = context;
    const mgl_level *at = &hierarchy->levels[level];
    return at->labels[at->of_leaf[value]];
}

static mgl_value_levels levels_of(const mgl_hierarchy *hierarchy, size_t column)
{
    return (mgl_value_levels){.column = column,
                              .n_values = mgl_hierarchy_ground(hierarchy),
                              .n_levels = hierarchy->height + 1,
                              .label = label_of,
                              .context = hierarchy};
}

/* ---- Values -------------------------------------------------------------------------------- */

/* A hierarchy file lists the values, so the engine need not be asked for those that occur. */
static bool lists_values(const char *spec)
{
    size_t size = spec != NULL ? strlen(spec) : 0;
    return size > 0 && !mgl_hierarchy_is_builder(spec) &&
           (size < 4 || strcmp(spec + size - 4, ".grc") != 0);
}

/* Counts values that the file lacks, or that mean missing. */
static mgl_status count_others(const mgl_reading *reading, const char *spec, mgl_column_wish wish,
                               const mgl_dictionary *nothing, mgl_error *err, mgl_table **out)
{
    const mgl_settings *settings = reading->settings;
    const char *target = reading->pushed ? settings->output : NULL;
    mgl_hierarchy *listed;
    MGL_TRY(mgl_hierarchy_make(spec, mgl_source_column(reading->source, wish.source_index), nothing,
                               err, &listed));
    mgl_value_levels levels = levels_of(listed, wish.source_index);
    levels.n_levels = 1;
    mgl_status status = mgl_source_count_others(reading->source, wish, &levels, target,
                                                &settings->progress, err, out);
    mgl_hierarchy_free(listed);
    return status;
}

static mgl_status count_values(const mgl_reading *reading, size_t a, mgl_column_wish wish,
                               mgl_error *err, mgl_table **out)
{
    const char *spec = reading->quasi[a].settings->hierarchy;
    if (!lists_values(spec))
        return mgl_source_count(reading->source, &wish, 1, &reading->settings->progress, err, out);
    mgl_dictionary *nothing = mgl_dictionary_new();
    mgl_status status = nothing == NULL ? mgl_fail_memory(err)
                                        : count_others(reading, spec, wish, nothing, err, out);
    mgl_dictionary_free(nothing);
    return status;
}

/* What leaves the database besides counts of groups. */
static void note_values(mgl_quasi_column *quasi, const mgl_table *values, uint64_t least)
{
    quasi->values_told = values->n_rows;
    for (size_t row = 0; row < values->n_rows; row++)
        quasi->rare_told += values->times[row] < least;
}

/* Makes the hierarchy of a column; meanwhile the table of the reading holds the values of that
 * column. */
static mgl_status make_hierarchy(mgl_reading *reading, size_t a, mgl_column_wish wish,
                                 mgl_purpose purpose, mgl_error *err)
{
    mgl_quasi_column *quasi = &reading->quasi[a];
    MGL_TRY(count_values(reading, a, wish, err, &reading->table));
    reading->table->columns[0].number = mgl_cache_number(reading->pins.cache);
    quasi->column = &reading->table->columns[0];
    note_values(quasi, reading->table, reading->settings->counted.least);
    mgl_notation_note(reading, a, quasi->column);
    mgl_status status = mgl_quasi_hierarchy(reading, purpose, quasi, err);
    mgl_table_free(reading->table);
    reading->table = NULL;
    quasi->column = NULL;
    return status;
}

mgl_status mgl_regroup_in_engine(mgl_reading *reading, const mgl_column_wish *wishes,
                                 mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n = reading->n_quasi;
    for (size_t a = 0; a < n; a++)
        MGL_TRY(make_hierarchy(reading, a, wishes[a], purpose, err));
    mgl_value_levels *levels = mgl_alloc_array(n, sizeof *levels);
    if (levels == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < n; a++)
        levels[a] = levels_of(reading->quasi[a].hierarchy, wishes[a].source_index);
    mgl_status status =
        mgl_source_regroup(reading->source, levels, n, settings->counted.least,
                           reading->pushed ? settings->output : NULL, &settings->progress, err);
    mgl_free(levels);
    return status;
}
