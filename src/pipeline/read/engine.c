/* What the engine that holds a table does by itself: counting, writing the release and dividing
 * it. */
#include "pipeline/read/engine.h"
#include "pipeline/read/chosen_rows.h"
#include "pipeline/read/feature.h"

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
    return mgl_fail_key(
        err, MGL_CODE_CONFLICT, "partition-by",
        "`partition-by` names every column of the release, and files would have none; name fewer");
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
