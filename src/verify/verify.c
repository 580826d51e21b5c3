#include "verify/verify.h"

#include "verify/sorted.h"

/* The release must have the columns it should have, under their names and no others. */
static mgl_status check_columns(const mgl_source *source, const mgl_promise *promise,
                                const char *path, mgl_error *err)
{
    bool same = mgl_source_columns(source) == promise->n_names;
    for (size_t c = 0; same && c < promise->n_names && !promise->source.no_header; c++)
        same = strcmp(mgl_source_column(source, c), promise->names[c]) == 0;
    if (!same)
        return mgl_fail_at(err, MGL_SYSTEM, path, 0,
                           "the written release does not read back with the columns it should "
                           "have; please report this");
    return MGL_OK;
}

static mgl_status read_release(const char *path, const mgl_promise *promise, mgl_pool *pool,
                               const mgl_progress *progress, mgl_error *err, mgl_table **out)
{
    /* Cells are compared as the text they are: nothing is taken as missing. */
    mgl_source_options options = promise->source;
    options.n_missing = 0;
    mgl_source *source;
    MGL_TRY(mgl_source_open(path, &options, err, &source));
    mgl_column_wish *wishes = mgl_alloc_array(promise->n_tops + promise->n_sensitive,
                                              sizeof *wishes);
    mgl_status status = wishes == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = check_columns(source, promise, path, err);
    size_t n = 0;
    for (size_t i = 0; status == MGL_OK && i < promise->n_tops; i++)
        wishes[n++] = (mgl_column_wish){promise->top_columns[i], MGL_ROLE_QUASI};
    for (size_t i = 0; status == MGL_OK && i < promise->n_sensitive; i++)
        wishes[n++] = (mgl_column_wish){promise->sensitive_columns[i], MGL_ROLE_SENSITIVE};
    mgl_table *table = NULL;
    if (status == MGL_OK)
        status = mgl_source_read(source, wishes, n, pool, progress, err, &table);
    mgl_source_close(source);
    mgl_free(wishes);
    if (status == MGL_OK && table->n_rows != promise->n_rows) {
        status = mgl_fail_at(err, MGL_SYSTEM, path, 0,
                             "%zu rows read back where %llu were written; please report this",
                             table->n_rows, (unsigned long long)promise->n_rows);
        mgl_table_free(table);
    }
    if (status == MGL_OK)
        *out = table;
    return status;
}

/* 1 for each row whose quasi-identifier cells all read as the top. */
static void mark_top_rows(const mgl_table *table, const mgl_promise *promise, uint8_t *top)
{
    memset(top, promise->n_tops > 0, table->n_rows);
    for (size_t i = 0; i < promise->n_tops; i++) {
        const mgl_column *column = &table->columns[i];
        uint32_t code = mgl_dictionary_find(column->dictionary, promise->tops[i]);
        for (size_t row = 0; row < table->n_rows; row++)
            top[row] &= mgl_column_code(column, row) == code;
    }
}

static mgl_status judge_set(const mgl_table *table, const mgl_promise *promise,
                            const mgl_promised_set *set, const uint8_t *left_out, mgl_error *err,
                            mgl_found *found)
{
    const mgl_column **columns = mgl_alloc_array(set->n_columns, sizeof *columns);
    if (columns == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < set->n_columns; i++)
        for (size_t j = 0; j < promise->n_tops; j++)
            if (promise->top_columns[j] == set->columns[i])
                columns[i] = &table->columns[j];
    mgl_sorted_rows sorted;
    mgl_status status = mgl_sorted_rows_init(&sorted, columns, set->n_columns, left_out,
                                             table->n_rows, err);
    mgl_free(columns);
    if (status != MGL_OK)
        return status;
    const mgl_column *sensitive = table->columns + promise->n_tops;
    mgl_release_group group;
    status = mgl_release_group_init(&group, sensitive, promise, err);
    for (size_t m = 0; m < set->n_models; m++)
        found[m] = MGL_FOUND_NOTHING;
    for (size_t from = 0, to; status == MGL_OK && from < sorted.n_rows; from = to) {
        to = mgl_sorted_rows_end(&sorted, from);
        const mgl_group *rows = mgl_release_group_fill(&group, sorted.rows + from, to - from);
        for (size_t m = 0; m < set->n_models; m++)
            mgl_found_add(&found[m], &set->models[m], rows);
    }
    if (status == MGL_OK)
        mgl_release_group_free(&group);
    mgl_sorted_rows_free(&sorted);
    return status;
}

mgl_status mgl_verify(const char *path, const mgl_promise *promise, mgl_pool *pool,
                      const mgl_progress *progress, mgl_error *err, mgl_found *found)
{
    mgl_table *table;
    MGL_TRY(read_release(path, promise, pool, progress, err, &table));
    uint8_t *left_out = mgl_zeroed_array(table->n_rows, 1);
    mgl_status status = left_out == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK && promise->exempt_top)
        mark_top_rows(table, promise, left_out);
    for (size_t q = 0; status == MGL_OK && q < promise->n_sets; q++) {
        status = judge_set(table, promise, &promise->sets[q], left_out, err, found);
        found += promise->sets[q].n_models;
    }
    mgl_free(left_out);
    mgl_table_free(table);
    return status;
}
