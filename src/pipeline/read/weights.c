/* Reads sampling weights: each row stands for so many persons of the population. `risk` sums them
 * up as they are; searches need sums that do not depend on the order of rows and threads. */
#include "pipeline/read/read.h"

#include <math.h>

mgl_status mgl_weights_read(const mgl_reading *reading, mgl_error *err, double *of_code)
{
    const mgl_column *column = reading->weight;
    const mgl_notation *notation = mgl_dictionary_notation(column->dictionary);
    for (uint32_t code = 0; code < mgl_dictionary_size(column->dictionary); code++) {
        mgl_span text = mgl_dictionary_value(column->dictionary, code);
        char shown[MGL_SHOWN];
        if (!mgl_notation_number(notation, text, &of_code[code]) || !(of_code[code] > 0))
            return mgl_blame_column(
                err,
                mgl_blame_key(
                    err,
                    mgl_fail_at(err, MGL_CODE_BAD_CELL, mgl_source_name(reading->source), 0,
                                "\"%s\" in column \"%.60s\" is no sampling weight; weights are "
                                "numbers above 0",
                                mgl_shown(text, shown), column->name),
                    "weight"),
                column->name);
    }
    return MGL_OK;
}

enum { MOST_DECIMALS = 9 };

/* What a double of this size may be off: twice its last bit. */
static double rounding(double x)
{
    return x * 4.5e-16;
}

static bool is_whole(double x)
{
    return fabs(x - rint(x)) <= rounding(x);
}

static uint64_t rows_of(const mgl_table *table)
{
    uint64_t rows = table->times == NULL ? table->n_rows : 0;
    for (size_t row = 0; table->times != NULL && row < table->n_rows; row++)
        rows += table->times[row];
    return rows;
}

/* As few decimals as the weights have, and no more than leave the sum of all exact as a double. */
static double choose_unit(const double *weights, size_t n, double n_rows)
{
    const double exact = 9007199254740992.0; /* 2^53 */
    double most = 0, unit = 1;
    bool whole = false;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, weights[i]);
    for (int d = 0; d < MOST_DECIMALS && !whole && most * n_rows * unit * 10 < exact; d++) {
        whole = true;
        for (size_t i = 0; whole && i < n; i++)
            whole = is_whole(weights[i] * unit);
        unit *= whole ? 1 : 10;
    }
    return unit;
}

static mgl_status refuse_large(const mgl_reading *reading, mgl_error *err)
{
    return mgl_blame_key(err,
                         mgl_fail_at(err, MGL_CODE_LIMIT, mgl_source_name(reading->source), 0,
                                     "the weights in column \"%.60s\" add up to more than 2^53 "
                                     "persons; are they weights?",
                                     reading->weight->name),
                         "weight");
}

mgl_status mgl_weights_fix(const mgl_reading *reading, mgl_error *err, uint64_t **out,
                           uint64_t *unit)
{
    size_t n = mgl_dictionary_size(reading->weight->dictionary);
    double *weights = mgl_alloc_array(n, sizeof *weights);
    uint64_t *fixed = mgl_alloc_array(n, sizeof *fixed);
    mgl_status status = MGL_OK;
    if (weights == NULL || fixed == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_weights_read(reading, err, weights));
    double rows = (double)rows_of(reading->table), scale = choose_unit(weights, n, rows);
    for (size_t i = 0; i < n; i++) {
        double x = weights[i] * scale;
        if (x * rows > 9.2e18)
            MGL_GO(refuse_large(reading, err));
        fixed[i] = (uint64_t)(is_whole(x) ? rint(x) : floor(x));
    }
    *unit = (uint64_t)scale;
    *out = fixed;
    fixed = NULL;
done:
    mgl_free(weights);
    mgl_free(fixed);
    return status;
}
