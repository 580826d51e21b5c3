/* Reads columns of a table for commands that look at each by itself, whatever its role: advice and
 * the gate. */
#include "pipeline/read/column_values.h"

mgl_status mgl_read_columns(const mgl_settings *settings, mgl_source *source, const size_t *columns,
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

mgl_status mgl_count_values(const mgl_table *table, const mgl_column *column, mgl_error *err,
                            uint64_t **out)
{
    uint64_t *rows = mgl_zeroed_array(mgl_dictionary_size(column->dictionary), sizeof *rows);
    if (rows == NULL)
        return mgl_fail_memory(err);
    for (size_t row = 0; row < table->n_rows; row++)
        rows[mgl_column_code(column, row)] += table->times != NULL ? table->times[row] : 1;
    *out = rows;
    return MGL_OK;
}
