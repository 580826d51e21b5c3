/* Which share of a released value a query finds: the value is spread evenly over its ground values.
 * query_estimates.c and whole_queries.c call it. */
#include "utility/queries.h"

/* Ranges and averages have their leaves side by side on the scale; before[i] is for how many of its
 * first i leaves lie in the range. */
static void fill_made_shares(const mgl_released_column *column, uint32_t low, uint32_t high,
                             uint32_t *before, double *share)
{
    const mgl_scale *scale = column->scale;
    before[0] = 0;
    for (uint32_t i = 0; i < scale->n_ordered; i++)
        before[i + 1] = before[i] + (scale->ordered[i] >= low && scale->ordered[i] <= high);
    for (uint32_t v = column->first_made; v < column->n_values; v++) {
        const mgl_released_value *value = &column->values[v];
        share[v] =
            (double)(before[value->begin + value->leaves] - before[value->begin]) / value->leaves;
    }
}

/* Sets and modes have a list each. */
static void fill_listed_shares(const mgl_released_column *column, uint32_t low, uint32_t high,
                               double *share)
{
    for (uint32_t v = column->first_made; v < column->n_values; v++) {
        const uint32_t *leaves = mgl_made_leaves(column, v);
        uint32_t n = column->values[v].leaves, found = 0;
        for (uint32_t i = 0; i < n; i++)
            found += leaves[i] >= low && leaves[i] <= high;
        share[v] = (double)found / n;
    }
}

void mgl_query_shares(const mgl_query_classes *classes, const mgl_query *query, size_t i,
                      uint32_t *before, double *share)
{
    const mgl_released_column *column = classes->columns[query->column[i]];
    uint32_t low = query->low[i], high = query->high[i];
    memset(share, 0, column->n_values * sizeof *share);
    for (uint32_t l = 0; l <= column->hierarchy->height; l++)
        for (uint32_t leaf = low; leaf <= high; leaf++) {
            uint32_t v = column->of_leaf[l][leaf];
            if (column->values[v].level == (int32_t)l)
                share[v] += 1.0 / column->values[v].leaves;
        }
    if (column->scale != NULL)
        fill_made_shares(column, low, high, before, share);
    else if (column->made != NULL)
        fill_listed_shares(column, low, high, share);
}
