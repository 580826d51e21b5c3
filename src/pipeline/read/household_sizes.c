/* How many rows the household of each row has, as a column that models are judged with, where
 * the job bounds the risk of households. */
#include "pipeline/read/feature.h"

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

static mgl_status bind_sizes(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    (void)purpose;
    if (!reading->settings->by_household)
        return MGL_OK;
    reading->household_sizes = mgl_table_new(1);
    if (reading->household_sizes == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(fill_sizes(reading, &reading->household_sizes->columns[0], err));
    return count_it(reading, err);
}

/* `risk` reports households, other commands judge them. */
static const char *column_name(const mgl_settings *settings, mgl_purpose purpose)
{
    bool reported = purpose == MGL_TO_CHECK && settings->n_models == 0;
    return settings->by_household || reported ? settings->household : NULL;
}

static bool needs_rows(const mgl_reading *reading)
{
    return reading->settings->by_household;
}

static void forget(mgl_reading *reading)
{
    mgl_table_free(reading->household_sizes);
}

const mgl_feature_reading mgl_households_reading = {.rows_key = "household",
                                                    .needs_rows = needs_rows,
                                                    .column_name = column_name,
                                                    .column = offsetof(mgl_reading, household),
                                                    .on = {[MGL_ON_VALUES] = bind_sizes},
                                                    .forget = forget};
