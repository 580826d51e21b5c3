/* What the engine that holds a table does by itself: counting, writing the release, regrouping rare
 * combinations (--least-count) so that they never leave it, and dividing the release. */
#include "pipeline/read/engine.h"
#include "pipeline/read/chosen_rows.h"
#include "pipeline/read/feature.h"
#include "pipeline/read/reading_steps.h"

/* The column of the source, or as many as it has. */
static size_t find_column(const mgl_source *source, const char *name)
{
    size_t c = 0, n = mgl_source_columns(source);
    while (c < n && strcmp(mgl_source_column(source, c), name) != 0)
        c++;
    return c;
}

mgl_status mgl_partitions_decide(const mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n = mgl_source_columns(reading->source), n_released = 0;
    if (purpose != MGL_TO_RELEASE || settings->partitions.n == 0)
        return MGL_OK;
    for (size_t c = 0; c < n; c++)
        n_released += mgl_is_released(reading, c);
    for (size_t i = 0; i < settings->partitions.n; i++) {
        const char *name = settings->partitions.columns[i];
        size_t c = find_column(reading->source, name);
        if (c == n)
            return mgl_column_unknown(reading->source, name, err);
        if (!mgl_is_released(reading, c))
            return mgl_blame_column(
                err,
                mgl_fail(err, MGL_CODE_CONFLICT,
                         "column %.60s is not released, and its values would be, as names of "
                         "folders; leave it out of `partition-by`",
                         name),
                name);
    }
    if (settings->partitions.n < n_released)
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_CONFLICT,
                                  "`partition-by` names every column of the release, and files "
                                  "would have none; name fewer"),
                         "partition-by");
}

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

/* A hierarchy file lists the values, so the engine need not be asked for those that occur. */
static bool lists_values(const char *spec)
{
    size_t size = spec != NULL ? strlen(spec) : 0;
    return size > 0 && !mgl_hierarchy_is_builder(spec) &&
           (size < 4 || strcmp(spec + size - 4, ".grc") != 0);
}

/* Counts values that the file lacks, or that mean missing. */
static mgl_status count_others(const mgl_reading *reading, const char *spec,
                               mgl_column_request request, const mgl_dictionary *nothing,
                               mgl_error *err, mgl_table **out)
{
    const mgl_settings *settings = reading->settings;
    const char *target = reading->pushed ? settings->output : NULL;
    mgl_hierarchy *listed;
    MGL_TRY(mgl_hierarchy_make(spec, mgl_source_column(reading->source, request.source_index),
                               nothing, err, &listed));
    mgl_value_levels levels = levels_of(listed, request.source_index);
    levels.n_levels = 1;
    mgl_status status = mgl_source_count_others(reading->source, request, &levels, target,
                                                &settings->progress, err, out);
    mgl_hierarchy_free(listed);
    return status;
}

static mgl_status count_values(const mgl_reading *reading, size_t a, mgl_column_request request,
                               mgl_error *err, mgl_table **out)
{
    const char *spec = reading->quasi[a].settings->hierarchy;
    if (!lists_values(spec))
        return mgl_source_count(reading->source, &request, 1, &reading->settings->progress, err,
                                out);
    mgl_dictionary *nothing = mgl_dictionary_new();
    mgl_status status = nothing == NULL ? mgl_fail_memory(err)
                                        : count_others(reading, spec, request, nothing, err, out);
    mgl_dictionary_free(nothing);
    return status;
}

/* What leaves the database besides counts of groups. */
static void note_values(mgl_quasi_column *quasi, const mgl_table *values, uint64_t least)
{
    quasi->values_counted = values->n_rows;
    for (size_t row = 0; row < values->n_rows; row++)
        quasi->rare_counted += values->times[row] < least;
}

/* Makes the hierarchy of a column; meanwhile the table of the reading holds the values of that
 * column. */
static mgl_status make_hierarchy(mgl_reading *reading, size_t a, mgl_column_request request,
                                 mgl_purpose purpose, mgl_error *err)
{
    mgl_quasi_column *quasi = &reading->quasi[a];
    MGL_TRY(count_values(reading, a, request, err, &reading->table));
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

mgl_status mgl_regroup_in_engine(mgl_reading *reading, const mgl_column_request *requested,
                                 mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n = reading->n_quasi;
    for (size_t a = 0; a < n; a++)
        MGL_TRY(make_hierarchy(reading, a, requested[a], purpose, err));
    mgl_value_levels *levels = mgl_alloc_array(n, sizeof *levels);
    MGL_TRY(mgl_check_memory(levels != NULL, err));
    for (size_t a = 0; a < n; a++)
        levels[a] = levels_of(reading->quasi[a].hierarchy, requested[a].source_index);
    mgl_status status =
        mgl_source_regroup(reading->source, levels, n, settings->counted.least,
                           reading->pushed ? settings->output : NULL, &settings->progress, err);
    mgl_free(levels);
    return status;
}

/* Columns that are not released may identify persons, and are counted to find that out. */
static mgl_status check_target(const mgl_reading *reading, const mgl_push_operations *push,
                               mgl_error *err)
{
    size_t n = mgl_source_columns(reading->source);
    size_t *read = mgl_alloc_array(n, sizeof *read);
    mgl_push_target target = {reading->settings->output, reading->settings->overwrite, read, 0};
    MGL_TRY(mgl_check_memory(read != NULL, err));
    for (size_t c = 0; c < n; c++)
        read[target.n_read++] = c;
    mgl_status status = push->check(reading->source, &target, err);
    mgl_free(read);
    return status;
}

mgl_status mgl_push_decide(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    const mgl_push_operations *push = mgl_source_push(reading->source);
    bool releases = purpose == MGL_TO_RELEASE && !settings->dry_run && settings->output != NULL;
    bool names_rows = settings->risk.rows_file != NULL;
    bool engine_may = !mgl_rows_are_chosen_here(reading) && settings->counted.column == NULL;
    reading->pushed = false;
    if (releases && push != NULL && engine_may)
        MGL_TRY(push->writes(reading->source, settings->output, err, &reading->pushed));
    /* Rows of files can be fetched as well. */
    if (reading->pushed && push->files &&
        (settings->counted.least > 0 || settings->with != NULL ||
         mgl_features_refuse_engine(reading, NULL) != MGL_OK))
        reading->pushed = false;
    reading->counted_by_source = engine_may && mgl_source_counts(reading->source) && !names_rows &&
                                 settings->km.column == NULL && (!releases || reading->pushed);
    reading->loaded =
        releases && !reading->pushed && mgl_location_of(settings->output).format->loaded;
    if (reading->loaded)
        return mgl_table_check(settings->output, settings->overwrite, err);
    if (!reading->pushed)
        return MGL_OK;
    MGL_TRY(mgl_features_refuse_engine(reading, err));
    return check_target(reading, push, err);
}

void mgl_fetched_groups_add(mgl_fetched_groups *groups, const mgl_table *table)
{
    groups->n += table->n_rows;
    for (size_t row = 0; row < table->n_rows; row++)
        groups->once += table->times[row] == 1;
}
