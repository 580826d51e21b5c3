/* Makes a table in memory of the rows that a job is about, where the source is a table in memory
 * and the job leaves rows out: everything after that counts rows as the job does. stage_rows.c
 * calls it. */
#include "release/chosen_columns.h"

#include "release/columns/columns.h"

static mgl_status list_rows(const mgl_row_choice *chosen, mgl_error *err, mgl_row_order *out)
{
    if (chosen->n_rows > MGL_ORDERED_ROWS)
        return mgl_fail(err, MGL_CODE_LIMIT,
                        "a table in memory has more than 4 billion rows; release it in slices");
    out->n_rows = (size_t)chosen->n_chosen;
    out->rows = mgl_alloc_array(out->n_rows, sizeof *out->rows);
    out->tuples_of_rows = mgl_zeroed_array(out->n_rows, sizeof *out->tuples_of_rows);
    if (out->rows == NULL || out->tuples_of_rows == NULL)
        return mgl_fail_memory(err);
    for (uint64_t row = 0, n = 0; row < chosen->n_rows; row++)
        if (mgl_row_is_chosen(chosen, row))
            out->rows[n++] = (uint32_t)row;
    return MGL_OK;
}

/* As if the rows were released as they are. */
mgl_status mgl_chosen_columns(const mgl_row_plan *plan, const mgl_progress *progress,
                              mgl_error *err, mgl_arrow_table **out)
{
    mgl_arrow_table *table = mgl_source_arrow(plan->source);
    size_t n = mgl_source_columns(plan->source);
    mgl_row_order rows = {0};
    size_t *columns = mgl_alloc_array(n, sizeof *columns);
    const char **names = mgl_alloc_array(n, sizeof *names);
    mgl_row_plan as_is = {.source = plan->source,
                          .columns = columns,
                          .n_columns = n,
                          .list = plan->list,
                          .recoding = plan->recoding,
                          .classes = plan->classes,
                          .pool = plan->pool};
    mgl_columns_order order = {.plan = &as_is,
                               .order = &rows,
                               .table = table,
                               .of_column = columns,
                               .names = names,
                               .watched = true,
                               .progress = progress};
    mgl_status status = MGL_OK;
    if (columns == NULL || names == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t c = 0; c < n; c++) {
        columns[c] = c;
        names[c] = mgl_source_column(plan->source, c);
    }
    MGL_GO(list_rows(mgl_source_chosen(plan->source), err, &rows));
    MGL_GO(mgl_columns_make(&order, err, out));
done:
    mgl_row_order_free(&rows);
    mgl_free(columns);
    mgl_free(names);
    return status;
}
