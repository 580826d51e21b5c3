/* Carries along with each row what the verifier needs to know of it but the release lacks: the
 * person it belongs to, its past, what it weighs, the stratum it was read with, or which row of the
 * table it was. A row carries one number while it is shuffled: where several are wanted a number
 * stands for their combination, and the number of the row tells everything. writing.c calls it. */
#include "pipeline/write/row_tags.h"

/* Which columns rows are told apart by. */
static mgl_status choose_columns(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err)
{
    size_t n_by = reading->settings->strata.n;
    tags->columns = mgl_alloc_array(n_by + 4, sizeof *tags->columns);
    if (tags->columns == NULL)
        return mgl_fail_memory(err);
    if (reading->entity != NULL)
        tags->columns[tags->n_columns++] = reading->entity;
    if (reading->past != NULL)
        tags->columns[tags->n_columns++] = reading->past;
    if (reading->settings->sampled.weighs)
        tags->columns[tags->n_columns++] = reading->weight;
    if (reading->settings->sampled.by_household)
        tags->columns[tags->n_columns++] = reading->household;
    for (size_t a = 0; a < n_by; a++)
        tags->columns[tags->n_columns++] = reading->quasi[a].column;
    return MGL_OK;
}

/* The codes that each number stands for. */
static mgl_status take_codes(mgl_row_tags *tags, const mgl_map *numbers, mgl_error *err)
{
    size_t n = mgl_map_size(numbers), m = tags->n_columns;
    tags->codes = mgl_alloc_array(n * m, sizeof *tags->codes);
    if (tags->codes == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        memcpy(tags->codes + i * m, mgl_map_text(numbers, (uint32_t)i).data,
               m * sizeof *tags->codes);
    return MGL_OK;
}

/* Rows carry their numbers. */
static mgl_status number_rows(mgl_row_tags *tags, size_t n_rows, mgl_error *err)
{
    tags->made = mgl_table_new(1);
    if (tags->made == NULL)
        return mgl_fail_memory(err);
    mgl_column *column = &tags->made->columns[0];
    for (size_t row = 0; row < n_rows; row++) {
        if (!mgl_column_widen(column, row, (uint32_t)row) || !mgl_column_reserve(column, row, 1))
            return mgl_fail_memory(err);
        mgl_column_set(column, row, (uint32_t)row);
    }
    tags->column = column;
    return MGL_OK;
}

/* Rows carry the number of their combination. */
static mgl_status number_combinations(mgl_row_tags *tags, size_t n_rows, mgl_error *err)
{
    mgl_map *numbers = mgl_map_new();
    uint32_t *codes = mgl_alloc_array(tags->n_columns, sizeof *codes);
    mgl_status status = MGL_OK;
    tags->made = mgl_table_new(1);
    if (numbers == NULL || codes == NULL || tags->made == NULL)
        MGL_GO(mgl_fail_memory(err));
    mgl_column *column = &tags->made->columns[0];
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t i = 0; i < tags->n_columns; i++)
            codes[i] = mgl_column_code(tags->columns[i], row);
        uint32_t number =
            mgl_map_add(numbers, (mgl_span){(const char *)codes, tags->n_columns * sizeof *codes});
        if (number == MGL_NOT_FOUND || !mgl_column_widen(column, row, number) ||
            !mgl_column_reserve(column, row, 1))
            MGL_GO(mgl_fail_memory(err));
        else
            mgl_column_set(column, row, number);
    }
    MGL_GO(take_codes(tags, numbers, err));
    tags->column = column;
done:
    mgl_map_free(numbers);
    mgl_free(codes);
    return status;
}

mgl_status mgl_row_tags_new(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err)
{
    *tags = (mgl_row_tags){0};
    if (reading->pushed) /* rows stay where they are */
        return MGL_OK;
    MGL_TRY(choose_columns(tags, reading, err));
    if (mgl_settings_aggregate(reading->settings))
        MGL_TRY(number_rows(tags, reading->table->n_rows, err));
    else if (tags->n_columns == 0)
        return MGL_OK;
    else if (tags->n_columns == 1)
        tags->column = tags->columns[0];
    else
        MGL_TRY(number_combinations(tags, reading->table->n_rows, err));
    tags->of_row = mgl_alloc_array(reading->table->n_rows, sizeof *tags->of_row);
    return tags->of_row == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_row_tags_free(mgl_row_tags *tags)
{
    mgl_table_free(tags->made);
    mgl_free(tags->columns);
    mgl_free(tags->of_row);
    mgl_free(tags->codes);
    mgl_free((void *)tags->persons);
    mgl_free(tags->pasts.codes);
    mgl_free(tags->weights);
    mgl_free(tags->households);
    for (size_t i = 0; i < tags->n_strata; i++)
        mgl_free(tags->strata[i].codes);
    mgl_free(tags->strata);
    *tags = (mgl_row_tags){0};
}

/* What the rows have in one of the columns, in the order of the release. */
static mgl_status read_column(const mgl_row_tags *tags, size_t i, uint64_t n_rows, mgl_error *err,
                              uint32_t **out)
{
    uint32_t *codes = mgl_alloc_array(n_rows, sizeof *codes);
    if (codes == NULL)
        return mgl_fail_memory(err);
    for (uint64_t row = 0; row < n_rows; row++) {
        uint32_t carried = tags->of_row[row];
        codes[row] = tags->rows != NULL    ? mgl_column_code(tags->columns[i], carried)
                     : tags->codes != NULL ? tags->codes[carried * tags->n_columns + i]
                                           : carried;
    }
    *out = codes;
    return MGL_OK;
}

static mgl_status read_strata(mgl_row_tags *tags, size_t first, uint64_t n_rows, mgl_error *err)
{
    size_t n = tags->n_columns - first;
    tags->strata = mgl_zeroed_array(n, sizeof *tags->strata);
    if (tags->strata == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        uint32_t *codes;
        MGL_TRY(read_column(tags, first + i, n_rows, err, &codes));
        tags->strata[tags->n_strata++] =
            (mgl_column){.dictionary = tags->columns[first + i]->dictionary,
                         .width = sizeof *codes,
                         .codes = codes};
    }
    return MGL_OK;
}

/* Weights are read anew: the verifier does not ask the list that was searched. */
static mgl_status read_weights(mgl_row_tags *tags, const mgl_reading *reading,
                               const uint32_t *codes, uint64_t n_rows, mgl_error *err)
{
    uint64_t *of_code, unit;
    MGL_TRY(mgl_weights_fix(reading, err, &of_code, &unit));
    tags->weights = mgl_alloc_array(n_rows, sizeof *tags->weights);
    for (uint64_t row = 0; tags->weights != NULL && row < n_rows; row++)
        tags->weights[row] = of_code[codes[row]];
    mgl_free(of_code);
    return tags->weights == NULL ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_row_tags_read(mgl_row_tags *tags, const mgl_reading *reading, uint64_t n_rows,
                             mgl_error *err)
{
    size_t i = 0;
    uint32_t *codes;
    if (mgl_settings_aggregate(reading->settings))
        tags->rows = tags->of_row;
    if (reading->entity != NULL) {
        MGL_TRY(read_column(tags, i++, n_rows, err, &codes));
        tags->persons = codes;
    }
    if (reading->past != NULL) {
        const mgl_column *pasts = tags->columns[i];
        MGL_TRY(read_column(tags, i++, n_rows, err, &codes));
        tags->pasts =
            (mgl_column){.dictionary = pasts->dictionary, .width = sizeof *codes, .codes = codes};
    }
    if (reading->settings->sampled.weighs) {
        MGL_TRY(read_column(tags, i++, n_rows, err, &codes));
        mgl_status status = read_weights(tags, reading, codes, n_rows, err);
        mgl_free(codes);
        MGL_TRY(status);
    }
    if (reading->settings->sampled.by_household)
        MGL_TRY(read_column(tags, i++, n_rows, err, &tags->households));
    return i < tags->n_columns ? read_strata(tags, i, n_rows, err) : MGL_OK;
}
