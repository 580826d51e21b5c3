/* What commands that fill one result about one table have in common: check, risk, attack, utility
 * and lattice run through here. */
#include "command/fill_result.h"

#include "findings/findings.h"

mgl_status mgl_command_run(mgl_session *session, const char *command, const mgl_settings *settings,
                           mgl_purpose purpose, mgl_fill_fn *fill, mgl_error *err, mgl_result **out)
{
    mgl_setup setup;
    mgl_result *result = NULL;
    mgl_progress_plan("read measure");
    MGL_TRY(mgl_setup_begin(session, settings, purpose, err, &setup));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_result_new(command, err, &result));
    result->holds = true;
    MGL_GO(mgl_progress_report(&settings->progress, "measure", 0, 0, err));
    MGL_GO(fill(&setup, err, result));
    result->resolved = json_incref(setup.reading->resolved);
    mgl_tell_left_out(setup.reading, result->document);
    mgl_result_tell_columns(result, setup.reading);
    mgl_result_take_warnings(result, &setup.reading->warnings);
    MGL_GO(mgl_result_finish(result, settings, err));
    *out = result;
    result = NULL;
done:
    mgl_setup_end(&setup);
    mgl_result_free(result);
    return status;
}
