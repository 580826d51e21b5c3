/* Makes a release as a table in memory: puts the rows in order, takes the columns that are passed
 * through from the source's table, or from a second pass over a source that has none, and has all
 * columns gathered. The writing of the pipeline calls it. */
#include "release/chosen_columns.h"
#include "release/columns/columns.h"
#include "release/text_columns.h"

static mgl_status find_table(const mgl_row_plan *plan, mgl_error *err, mgl_columns_order *order,
                             size_t *of_column, mgl_arrow_table **out)
{
    mgl_arrow_table *table = mgl_source_arrow(plan->source);
    if (table == NULL) {
        order->watched = true;
        return mgl_text_columns(plan, order->order->tuples, order->progress, err, of_column, out);
    }
    for (size_t c = 0; c < plan->n_columns; c++)
        of_column[c] = plan->columns[c];
    if (mgl_source_chosen(plan->source) != NULL)
        return mgl_chosen_columns(plan, order->progress, err, out);
    *out = mgl_arrow_hold(table);
    return MGL_OK;
}

mgl_status mgl_stage_rows(const mgl_row_plan *plan, mgl_stage *stage, const mgl_progress *progress,
                          mgl_error *err, uint64_t *n_rows)
{
    mgl_arrow_table *table;
    mgl_row_order rows = {0};
    mgl_columns_order order = {.plan = plan, .order = &rows, .progress = progress};
    size_t *of_column = mgl_zeroed_array(plan->n_columns, sizeof *of_column);
    const char **names = mgl_alloc_array(plan->n_columns, sizeof *names);
    mgl_status status = MGL_OK;
    if (of_column == NULL || names == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t c = 0; c < plan->n_columns; c++)
        names[c] = mgl_source_column(plan->source, plan->columns[c]);
    order.of_column = of_column;
    order.names = names;
    MGL_GO(mgl_row_order_make(plan, err, &rows));
    MGL_GO(find_table(plan, err, &order, of_column, &order.table));
    MGL_GO(mgl_columns_make(&order, err, &table));
    if (plan->format->save != NULL) {
        status = plan->format->save(table, mgl_stage_fd(stage), mgl_stage_path(stage), err);
        mgl_arrow_let_go(table);
        MGL_GO(status);
    } else {
        mgl_stage_put_table(stage, table);
    }
    *n_rows = rows.n_rows;
done:
    mgl_arrow_let_go(order.table);
    mgl_row_order_free(&rows);
    mgl_free(of_column);
    mgl_free(names);
    return status;
}
