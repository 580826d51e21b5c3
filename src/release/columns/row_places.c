/* Finds the batch of a row in a table of several: near batches are known for every few rows.
 * Whoever gathers cells of released rows calls it. */
#include "release/columns/row_places.h"

/* As many rows between hints as batches have on average, so that hints take no more room than
 * batches. */
static unsigned choose_shift(const mgl_arrow_table *table)
{
    unsigned shift = 0;
    while ((table->n_rows >> (shift + 1)) >= table->n_batches)
        shift++;
    return shift;
}

mgl_status mgl_row_places_init(mgl_row_places *places, const mgl_arrow_table *table,
                               const uint32_t *rows, mgl_error *err)
{
    *places = (mgl_row_places){.table = table, .rows = rows};
    if (table->n_batches <= 1 || table->n_rows == 0)
        return MGL_OK;
    places->shift = choose_shift(table);
    size_t n = (size_t)(table->n_rows >> places->shift) + 1;
    places->hints = mgl_alloc_array(n, sizeof *places->hints);
    if (places->hints == NULL)
        return mgl_fail_memory(err);
    size_t batch = 0;
    for (size_t i = 0; i < n; i++) {
        while (batch + 1 < table->n_batches && table->first_rows[batch + 1] <= i << places->shift)
            batch++;
        places->hints[i] = (uint32_t)batch;
    }
    return MGL_OK;
}

void mgl_row_places_free(mgl_row_places *places)
{
    mgl_free(places->hints);
    places->hints = NULL;
}

mgl_place mgl_place_of_row(const mgl_row_places *places, size_t row)
{
    const mgl_arrow_table *table = places->table;
    if (places->hints == NULL)
        return (mgl_place){0, (uint32_t)row};
    uint32_t batch = places->hints[row >> places->shift];
    while (batch + 1 < table->n_batches && table->first_rows[batch + 1] <= row)
        batch++;
    return (mgl_place){batch, (uint32_t)(row - table->first_rows[batch])};
}

void mgl_places_of_rows(const void *context, size_t first, size_t n, mgl_place *out)
{
    const mgl_row_places *places = context;
    for (size_t i = 0; i < n; i++)
        out[i] =
            mgl_place_of_row(places, places->rows != NULL ? places->rows[first + i] : first + i);
}
