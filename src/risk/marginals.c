/* Finds what known totals give back of suppressed cells (Sweeney 2002, section 4.2): who knows how
 * many rows have each value of a column, and counts those that are released, knows the values of
 * the suppressed cells but for their order. The findings about a solution call it. */
#include "risk/risk.h"

mgl_status mgl_marginal_find(const mgl_frequency_list *list, const mgl_recoding *recoding,
                             size_t attribute, uint32_t level, bool dropped, mgl_error *err,
                             mgl_marginal *out)
{
    const mgl_released_column *column = recoding->columns[attribute];
    const uint32_t *value_of = column->of_leaf[level];
    uint64_t *rows = mgl_zeroed_array(column->n_values, sizeof *rows);
    *out = (mgl_marginal){0};
    if (rows == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint32_t value = value_of[mgl_list_leaf(list, t, attribute)];
        if (recoding->cells[attribute][t] == column->top && value != column->top &&
            !(dropped && recoding->suppressed[t]))
            rows[value] += list->counts[t];
    }
    for (uint32_t v = 0; v < column->n_values; v++) {
        out->cells += rows[v];
        out->values += rows[v] > 0;
        out->most = rows[v] > out->most ? rows[v] : out->most;
    }
    mgl_free(rows);
    return MGL_OK;
}
