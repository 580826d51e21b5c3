/* The command report: shows a result that was written earlier, in the terminal or as a page. */
#include "command/command.h"

#include "findings/findings.h"

#include "report/report.h"

static mgl_status write_page(const mgl_result *result, const char *target, mgl_error *err)
{
    char *text;
    MGL_TRY(mgl_report_html(result, mgl_measure_view_at, err, &text));
    mgl_status status = mgl_publish_text(target, text, strlen(text), err);
    mgl_free(text);
    return status;
}

mgl_status mgl_command_report(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    (void)session;
    const mgl_settings *settings;
    mgl_result *result;
    MGL_TRY(mgl_job_settings(job, MGL_REPORT, err, &settings));
    MGL_TRY(mgl_blame_key(err, mgl_result_read(settings->data, err, &result), "data"));
    mgl_result_tell_about(result, settings);
    mgl_status status =
        settings->output != NULL ? write_page(result, settings->output, err) : MGL_OK;
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}
