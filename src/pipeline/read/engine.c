/* Decides whether the engine that holds a table counts it, writes the release as well, or does
 * neither. reading.c asks once the source is open. */
#include "pipeline/read/engine.h"

#include "pipeline/read/chosen_rows.h"
#include "pipeline/read/feature.h"

/* Columns that are not released may tell persons apart, and are counted to find that out. */
static mgl_status check_target(const mgl_reading *reading, const mgl_push_operations *push,
                               mgl_error *err)
{
    size_t n = mgl_source_columns(reading->source);
    size_t *read = mgl_alloc_array(n, sizeof *read);
    mgl_push_target target = {reading->settings->output, reading->settings->overwrite, read, 0};
    if (read == NULL)
        return mgl_fail_memory(err);
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
