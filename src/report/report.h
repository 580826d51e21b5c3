/* report: views of a result for persons. */
#ifndef MGL_REPORT_H
#define MGL_REPORT_H

#include "base/base.h"
#include "result/result.h"

/* A short aligned summary for a terminal. Free the text with mgl_free. */
mgl_status mgl_report_text(const mgl_result *result, const mgl_text_style *style, mgl_error *err,
                           char **out);

/* A page for a browser, complete in itself. Free the text with mgl_free. */
mgl_status mgl_report_html(const mgl_result *result, mgl_error *err, char **out);

#endif
