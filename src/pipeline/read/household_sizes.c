/* How many rows the household of each row has, as a column that models are judged with. reading.c
 * asks for it where the job bounds the risk of households. */
#include "pipeline/read/reading_steps.h"

static uint64_t times_of(const mgl_table *table, size_t row)
{
    return table->times != NULL ? table->times[row] : 1;
}

/* Codes are the sizes, so that values of a histogram need no table. */
static mgl_status fill_sizes(const mgl_reading *reading, mgl_column *column, mgl_error *err)
{
    const mgl_column *ids = reading->household;
    const mgl_table *table = reading->table;
    uint64_t *members = mgl_zeroed_array(mgl_dictionary_size(ids->dictionary), sizeof *members);
    uint64_t most = 0;
    mgl_status status = MGL_OK;
    if (members == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t row = 0; row < table->n_rows; row++)
        members[mgl_column_code(ids, row)] += times_of(table, row);
    for (size_t row = 0; row < table->n_rows; row++) {
        uint64_t size = members[mgl_column_code(ids, row)];
        most = size > most ? size : most;
        if (size >= UINT32_MAX || !mgl_column_widen(column, row, (uint32_t)size) ||
            !mgl_column_reserve(column, row, 1))
            MGL_GO(mgl_fail_memory(err));
        mgl_column_set(column, row, (uint32_t)size);
    }
    for (uint32_t i = 0; i <= most; i++)
        if (mgl_dictionary_add(column->dictionary, (mgl_span){(const char *)&i, sizeof i}) != i)
            MGL_GO(mgl_fail_memory(err));
done:
    mgl_free(members);
    return status;
}

/* The new column stands behind those that models are judged with and before the label. */
static mgl_status count_it(mgl_reading *reading, mgl_error *err)
{
    size_t n = reading->n_judged, n_counted = reading->n_counted + 1;
    const mgl_column **counted = mgl_alloc_array(n_counted, sizeof *counted);
    if (counted == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < reading->n_counted; i++)
        counted[i < n ? i : i + 1] = reading->counted[i];
    counted[n] = &reading->household_sizes->columns[0];
    mgl_free(reading->counted);
    reading->counted = counted;
    reading->n_counted = n_counted;
    reading->n_judged++;
    if (reading->label != SIZE_MAX)
        reading->label++;
    return MGL_OK;
}

mgl_status mgl_households_bind(mgl_reading *reading, mgl_error *err)
{
    if (!reading->settings->by_household)
        return MGL_OK;
    reading->household_sizes = mgl_table_new(1);
    if (reading->household_sizes == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(fill_sizes(reading, &reading->household_sizes->columns[0], err));
    return count_it(reading, err);
}
