/* Commands that fill one result about one table: what they have in common. */
#include "command/fill_result.h"

#include "findings/findings.h"

mgl_status mgl_command_run(const char *command, const mgl_settings *settings, mgl_purpose purpose,
                           mgl_fill_fn *fill, mgl_error *err, mgl_result **out)
{
    mgl_work work;
    mgl_result *result = NULL;
    MGL_TRY(mgl_work_begin(settings, purpose, err, &work));
    mgl_status status = mgl_result_new(command, err, &result);
    if (status == MGL_OK) {
        result->holds = true;
        status = fill(&work, err, result);
    }
    if (status == MGL_OK) {
        result->resolved = json_incref(work.reading->resolved);
        mgl_result_tell_columns(result, work.reading);
        mgl_result_take_warnings(result, &work.reading->warnings);
        status = mgl_result_finish(result, settings, err);
    }
    mgl_work_end(&work);
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}
