/* Refuses partitions of a release by columns that it does not have, before any row is read.
 * reading.c calls it. */
#include "pipeline/read/engine.h"
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
