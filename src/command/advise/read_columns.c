/* risk --advise: reads some columns of a table, or has them counted by its engine. For
 * judge_columns.c and several_rows.c. */
#include "command/advise/advised.h"

mgl_status mgl_advise_read(const mgl_settings *settings, mgl_source *source, const size_t *columns,
                           size_t n, mgl_error *err, mgl_table **out)
{
    mgl_column_wish *wishes = mgl_alloc_array(n, sizeof *wishes);
    if (wishes == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++)
        wishes[c] = (mgl_column_wish){columns[c], MGL_ROLE_NONE};
    mgl_status status =
        mgl_source_counts(source)
            ? mgl_source_count(source, wishes, n, &settings->progress, err, out)
            : mgl_source_read(source, wishes, n, NULL, &settings->progress, err, out);
    mgl_free(wishes);
    return status;
}
