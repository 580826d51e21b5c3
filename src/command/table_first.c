/* Tells of a table that cannot be opened before it asks for keys that the job lacks: whoever has
 * mistyped a path wants to know that first. Commands that read a table get their settings here. */
#include "command/table_first.h"

#include <string.h>

/* Only what can be opened twice: not what comes by a pipe, and no table that is named for a script
 * of SQL, which is elsewhere. */
static mgl_status try_table(mgl_job *job, mgl_command command, mgl_error *err)
{
    const mgl_settings *settings;
    mgl_source *source;
    if (mgl_job_get(job, "print-sql") != NULL ||
        mgl_job_settings(job, MGL_OPEN, NULL, &settings) != MGL_OK ||
        strcmp(settings->data, "-") == 0)
        return MGL_OK;
    mgl_source_options options = settings->source;
    options.may_be_empty = command == MGL_COUNT; /* a slice may have no rows */
    MGL_TRY(mgl_blame_key(err, mgl_source_open(settings->data, &options, err, &source), "data"));
    mgl_source_close(source);
    return MGL_OK;
}

mgl_status mgl_settings_table_first(const mgl_session *session, mgl_job *job, mgl_command command,
                                    mgl_error *err, const mgl_settings **out)
{
    mgl_error lacking = {.code = MGL_CODE_NONE};
    mgl_status status = mgl_job_settings(job, command, &lacking, out);
    if (lacking.code == MGL_CODE_MISSING_KEY && session->data == NULL)
        MGL_TRY(try_table(job, command, err));
    if (status != MGL_OK && err != NULL)
        *err = lacking;
    return status;
}
