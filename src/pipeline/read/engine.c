/* Decides whether the engine that holds a table counts it, writes the release as well, or does
 * neither. reading.c asks once the source is open. */
#include "pipeline/read/engine.h"

#include "pipeline/read/chosen_rows.h"

/* The verifier would have to know more of each row than the release tells. */
static mgl_status refuse_tags(const mgl_settings *settings, mgl_error *err)
{
    const char *key = settings->entity != NULL  ? "entity"
                      : settings->n_history > 0 ? "history"
                      : settings->weighs        ? "weight"
                      : settings->n_by > 0      ? "by"
                      : settings->by_household  ? "household"
                                                : NULL;
    const char *spelling = settings->source.spelling.trim ? "trim" : "fold-case";
    if (mgl_respells(settings))
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_UNSUPPORTED,
                                      "`%s`: the database would tell values apart that only differ "
                                      "in their spelling; write the release to a file, or clean "
                                      "the column there",
                                      spelling),
                             spelling);
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].treat != NULL)
            return mgl_blame_attribute(
                err,
                mgl_fail(err, MGL_CODE_UNSUPPORTED,
                         "the database would write column '%.60s' as it is, and the job treats "
                         "it (`treat`); write the release to a file, for which the rows are "
                         "fetched",
                         settings->attributes[i].name),
                settings->attributes[i].name, "treat");
    if (settings->items != NULL)
        return mgl_blame_attribute(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "`km`: combinations of items are counted row by row, and rows do not leave "
                     "the database; write the release to a file, for which the rows are fetched"),
            settings->items->name, "km");
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].aggregate != MGL_AGGREGATE_NOT)
            return mgl_blame_attribute(
                err,
                mgl_fail(err, MGL_CODE_UNSUPPORTED,
                         "`aggregate`: what stands for a group is worked out again from the rows "
                         "that are written, and these stay in the database; write the release to "
                         "a file, for which the rows are fetched"),
                settings->attributes[i].name, "aggregate");
    const char *follows = settings->n_linked > 0 ? "linked" : settings->follow ? "follow" : NULL;
    if (follows != NULL)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_UNSUPPORTED,
                                      "`%s`: the database writes columns that are no "
                                      "quasi-identifiers as they are; write the release to a "
                                      "file, for which the rows are fetched",
                                      follows),
                             follows);
    if (key == NULL)
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_UNSUPPORTED,
                                  "`%s` needs to know which row is which, and rows do not leave "
                                  "the database; write the release to a file",
                                  key),
                         key);
}

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
    bool names_rows = settings->rows_file != NULL;
    bool engine_may = !mgl_rows_are_chosen_here(reading) && settings->counts == NULL;
    reading->pushed = false;
    if (releases && push != NULL && engine_may)
        MGL_TRY(push->writes(reading->source, settings->output, err, &reading->pushed));
    /* Rows of files can be fetched as well. */
    if (reading->pushed && push->files &&
        (settings->least_count > 0 || settings->with != NULL ||
         refuse_tags(settings, NULL) != MGL_OK))
        reading->pushed = false;
    reading->counted_by_source = engine_may && mgl_source_counts(reading->source) && !names_rows &&
                                 settings->items == NULL && (!releases || reading->pushed);
    reading->loaded = releases && !reading->pushed && mgl_format_of(settings->output)->loaded;
    if (reading->loaded)
        return mgl_table_check(settings->output, settings->overwrite, err);
    if (!reading->pushed)
        return MGL_OK;
    MGL_TRY(refuse_tags(settings, err));
    return check_target(reading, push, err);
}

void mgl_fetched_groups_add(mgl_fetched_groups *groups, const mgl_table *table)
{
    groups->n += table->n_rows;
    for (size_t row = 0; row < table->n_rows; row++)
        groups->once += table->times[row] == 1;
}
