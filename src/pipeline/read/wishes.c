/* Wishes for columns that are kept besides those that are counted, and finds them in the table that
 * was read. */
#include "pipeline/read/wishes.h"

size_t mgl_wish(const mgl_reading *reading, size_t field, mgl_column_wish *wishes, size_t n)
{
    for (size_t w = reading->n_quasi; w < n; w++)
        if (wishes[w].source_index == field)
            return n;
    wishes[n] = (mgl_column_wish){field, reading->roles[field]};
    return n + 1;
}

const mgl_column *mgl_wished(const mgl_reading *reading, size_t field)
{
    const mgl_table *table = reading->table;
    for (size_t c = reading->n_quasi; c < table->n_columns; c++)
        if (table->columns[c].source_index == field)
            return &table->columns[c];
    return NULL;
}
