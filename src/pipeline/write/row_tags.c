/* Carries along with each row what the verifier needs to know of it but the release lacks: the
 * person it belongs to, and its past, or what it weighs, or which row of the table it was. A row
 * carries one number while it is shuffled: where person and past are wanted a number stands for the
 * pair, and the number of the row tells everything. writing.c calls it. */
#include "pipeline/write/row_tags.h"

static mgl_status make_pairs(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err)
{
    const mgl_column *persons = reading->entity, *pasts = &reading->earlier->columns->columns[0];
    size_t n_rows = reading->table->n_rows;
    mgl_map *pairs = mgl_map_new();
    tags->made = mgl_table_new(1);
    if (pairs == NULL || tags->made == NULL) {
        mgl_map_free(pairs);
        return mgl_fail_memory(err);
    }
    mgl_column *column = &tags->made->columns[0];
    mgl_status status = MGL_OK;
    for (size_t row = 0; row < n_rows; row++) {
        uint32_t pair[2] = {mgl_column_code(persons, row), mgl_column_code(pasts, row)};
        uint32_t number = mgl_map_add(pairs, (mgl_span){(const char *)pair, sizeof pair});
        if (number == MGL_NOT_FOUND || !mgl_column_widen(column, row, number) ||
            !mgl_column_reserve(column, row, 1))
            MGL_GO(mgl_fail_memory(err));
        else
            mgl_column_set(column, row, number);
    }
    uint32_t n = mgl_map_size(pairs);
    tags->person = mgl_alloc_array(n, sizeof *tags->person);
    tags->past = mgl_alloc_array(n, sizeof *tags->past);
    if (tags->person == NULL || tags->past == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (uint32_t i = 0; i < n; i++) {
        memcpy(&tags->person[i], mgl_map_text(pairs, i).data, sizeof *tags->person);
        memcpy(&tags->past[i], mgl_map_text(pairs, i).data + sizeof *tags->past,
               sizeof *tags->past);
    }
    tags->column = column;
done:
    mgl_map_free(pairs);
    return status;
}

/* ---- Numbers of rows --------------------------------------------------------------------------
 */

static mgl_status number_rows(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err)
{
    size_t n = reading->table->n_rows;
    tags->made = mgl_table_new(1);
    if (tags->made == NULL)
        return mgl_fail_memory(err);
    mgl_column *column = &tags->made->columns[0];
    for (size_t row = 0; row < n; row++) {
        if (!mgl_column_widen(column, row, (uint32_t)row) || !mgl_column_reserve(column, row, 1))
            return mgl_fail_memory(err);
        mgl_column_set(column, row, (uint32_t)row);
    }
    tags->column = column;
    return MGL_OK;
}

static mgl_status codes_of_rows(const mgl_row_tags *tags, const mgl_column *column, uint64_t n_rows,
                                mgl_error *err, uint32_t **out)
{
    *out = mgl_alloc_array(n_rows, sizeof **out);
    if (*out == NULL)
        return mgl_fail_memory(err);
    for (uint64_t row = 0; row < n_rows; row++)
        (*out)[row] = mgl_column_code(column, tags->of_row[row]);
    return MGL_OK;
}

/* ---- What rows carry --------------------------------------------------------------------------
 */

mgl_status mgl_row_tags_new(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err)
{
    *tags = (mgl_row_tags){0};
    if (mgl_settings_aggregate(reading->settings))
        MGL_TRY(number_rows(tags, reading, err));
    else if (reading->entity != NULL && reading->earlier != NULL)
        MGL_TRY(make_pairs(tags, reading, err));
    else if (reading->entity != NULL)
        tags->column = reading->entity;
    else if (reading->earlier != NULL)
        tags->column = &reading->earlier->columns->columns[0];
    else if (reading->settings->weighs)
        tags->column = reading->weight;
    if (tags->column == NULL)
        return MGL_OK;
    tags->of_row = mgl_alloc_array(reading->table->n_rows, sizeof *tags->of_row);
    return tags->of_row == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_row_tags_free(mgl_row_tags *tags)
{
    mgl_table_free(tags->made);
    mgl_free(tags->of_row);
    mgl_free(tags->own_persons);
    mgl_free(tags->person);
    mgl_free(tags->past);
    mgl_free(tags->pasts.codes);
    mgl_free(tags->weights);
    *tags = (mgl_row_tags){0};
}

/* Weights are read anew: the verifier does not ask the list that was searched. */
static mgl_status read_weights(mgl_row_tags *tags, const mgl_reading *reading, uint64_t n_rows,
                               mgl_error *err)
{
    uint64_t *of_code, unit;
    MGL_TRY(mgl_weights_fix(reading, err, &of_code, &unit));
    tags->weights = mgl_alloc_array(n_rows, sizeof *tags->weights);
    for (uint64_t row = 0; tags->weights != NULL && row < n_rows; row++)
        tags->weights[row] =
            of_code[tags->rows != NULL ? mgl_column_code(reading->weight, tags->of_row[row])
                                       : tags->of_row[row]];
    mgl_free(of_code);
    return tags->weights == NULL ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status read_numbers(mgl_row_tags *tags, const mgl_reading *reading, uint64_t n_rows,
                               mgl_error *err)
{
    tags->rows = tags->of_row;
    if (reading->entity != NULL)
        MGL_TRY(codes_of_rows(tags, reading->entity, n_rows, err, &tags->own_persons));
    tags->persons = tags->own_persons;
    if (reading->settings->weighs)
        MGL_TRY(read_weights(tags, reading, n_rows, err));
    if (reading->earlier == NULL)
        return MGL_OK;
    const mgl_column *pasts = &reading->earlier->columns->columns[0];
    uint32_t *codes;
    MGL_TRY(codes_of_rows(tags, pasts, n_rows, err, &codes));
    tags->pasts =
        (mgl_column){.dictionary = pasts->dictionary, .width = sizeof *codes, .codes = codes};
    return MGL_OK;
}

mgl_status mgl_row_tags_read(mgl_row_tags *tags, const mgl_reading *reading, uint64_t n_rows,
                             mgl_error *err)
{
    if (mgl_settings_aggregate(reading->settings))
        return read_numbers(tags, reading, n_rows, err);
    if (reading->earlier != NULL) {
        uint32_t *codes = mgl_alloc_array(n_rows, sizeof *codes);
        if (codes == NULL)
            return mgl_fail_memory(err);
        for (uint64_t row = 0; row < n_rows; row++)
            codes[row] = tags->past != NULL ? tags->past[tags->of_row[row]] : tags->of_row[row];
        tags->pasts = (mgl_column){.dictionary = reading->earlier->columns->columns[0].dictionary,
                                   .width = sizeof *codes,
                                   .codes = codes};
    }
    if (reading->settings->weighs)
        MGL_TRY(read_weights(tags, reading, n_rows, err));
    if (reading->entity == NULL)
        return MGL_OK;
    for (uint64_t row = 0; tags->person != NULL && row < n_rows; row++)
        tags->of_row[row] = tags->person[tags->of_row[row]];
    tags->persons = tags->of_row;
    return MGL_OK;
}
