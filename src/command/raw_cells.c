/* Results that hold cells of the table go to no file. preview.c and look.c ask. */
#include "command/raw_cells.h"

/* In a file they would be taken for what results are: safe to show. */
mgl_status mgl_refuse_result_files(const mgl_settings *settings, mgl_error *err)
{
    const char *key = settings->saved.result != NULL   ? "result"
                      : settings->saved.report != NULL ? "report"
                                                       : NULL;
    if (key == NULL)
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_CONFLICT,
                                  "`%s`: what is shown holds cells of the table and is written to "
                                  "no file; leave it out",
                                  key),
                         key);
}
