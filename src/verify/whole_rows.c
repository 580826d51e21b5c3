/* Reads all columns of a release back, counts the rows that are equal in all of them, and looks for
 * each cell among the labels of its level: what differential privacy promises of a release, as far
 * as a release shows it. */
#include "verify/verify.h"

enum { ROWS_AT_ONCE = 1 << 16 };

typedef struct counting {
    mgl_map *combinations; /* codes of all columns as bytes */
    uint64_t *counts;      /* [combination] */
    size_t room, n_columns;
} counting;

static mgl_status count_row(counting *c, const mgl_table *stripe, size_t row, mgl_buffer *key,
                            mgl_error *err)
{
    key->size = 0;
    for (size_t i = 0; i < c->n_columns; i++) {
        uint32_t code = mgl_column_code(&stripe->columns[i], row);
        mgl_buffer_append(key, (const char *)&code, sizeof code);
    }
    if (key->failed)
        return mgl_fail_memory(err);
    uint32_t before = mgl_map_size(c->combinations);
    uint32_t number = mgl_map_add(c->combinations, (mgl_span){key->data, key->size});
    if (number == MGL_NOT_FOUND || !mgl_grow(&c->counts, &c->room, number + 1, sizeof *c->counts))
        return mgl_fail_memory(err);
    if (number == before)
        c->counts[number] = 0;
    c->counts[number]++;
    return MGL_OK;
}

static mgl_status count_rows(void *context, const mgl_table *stripe, mgl_error *err)
{
    mgl_buffer key = {0};
    mgl_status status = MGL_OK;
    for (size_t row = 0; row < stripe->n_rows && status == MGL_OK; row++)
        status = count_row(context, stripe, row, &key, err);
    mgl_buffer_free(&key);
    return status;
}

static mgl_status judge_counts(const counting *c, const char *name, uint64_t k, mgl_error *err)
{
    for (uint32_t i = 0; i < mgl_map_size(c->combinations); i++)
        if (c->counts[i] < k)
            return mgl_fail_at(err, MGL_CODE_INTERNAL, name, 0,
                               "a combination of all cells of the written release is that of %llu "
                               "rows, and %llu were promised; please report this",
                               (unsigned long long)c->counts[i], (unsigned long long)k);
    return MGL_OK;
}

static mgl_status judge_level(const mgl_dictionary *values, const mgl_level *level,
                              const mgl_promise *promise, mgl_error *err, bool *good)
{
    mgl_map *labels = mgl_map_new();
    bool room = labels != NULL;
    for (uint32_t v = 0; room && v < level->n_values; v++) {
        const mgl_span *written = level->given != NULL ? level->given : level->labels;
        room = mgl_map_add(labels, written[v]) != MGL_NOT_FOUND &&
               mgl_map_add(labels, level->labels[v]) != MGL_NOT_FOUND;
    }
    *good = true;
    for (uint32_t code = 0; room && code < mgl_dictionary_size(values); code++) {
        mgl_span text = mgl_dictionary_value(values, code);
        if (promise->neutralized)
            text = mgl_text_without_apostrophe(text);
        *good = *good && mgl_map_find(labels, text) != MGL_NOT_FOUND;
    }
    mgl_map_free(labels);
    return room ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status judge_levels(const mgl_table *table, const char *name,
                               const mgl_promised_rows *promised, const mgl_promise *promise,
                               mgl_error *err)
{
    for (size_t c = 0; promised->levels != NULL && c < promise->n_names; c++) {
        bool good;
        MGL_TRY(
            judge_level(table->columns[c].dictionary, promised->levels[c], promise, err, &good));
        if (!good)
            return mgl_fail_at(err, MGL_CODE_INTERNAL, name, 0,
                               "column '%.60s' of the written release has a cell that is no label "
                               "of its level; please report this",
                               promise->names[c]);
    }
    return MGL_OK;
}

static mgl_status judge_release(mgl_source *source, const mgl_promise *promise, void *promised,
                                size_t n, mgl_pool *pool, const mgl_progress *progress,
                                mgl_error *err)
{
    const mgl_promised_rows *rows = promised;
    const char *name = mgl_source_name(source);
    counting c = {.n_columns = promise->n_names};
    mgl_column_request *requested = NULL;
    mgl_table *table = NULL;
    mgl_row_sink sink = {ROWS_AT_ONCE, count_rows, &c};
    mgl_status status = MGL_OK;
    if (n == 0)
        return MGL_OK;
    MGL_GO(mgl_check_memory((c.combinations = mgl_map_new()) != NULL, err));
    MGL_GO(mgl_new_array(promise->n_names, sizeof *requested, err, &requested));
    for (size_t i = 0; i < promise->n_names; i++)
        requested[i] = (mgl_column_request){i, MGL_ROLE_INSENSITIVE};
    mgl_stream_request request = {requested, promise->n_names, &sink, pool, progress};
    MGL_GO(mgl_source_stream(source, &request, err, &table));
    MGL_GO(judge_counts(&c, name, rows->k, err));
    MGL_GO(judge_levels(table, name, rows, promise, err));
done:
    mgl_map_free(c.combinations);
    mgl_free(c.counts);
    mgl_free(requested);
    mgl_table_free(table);
    return status;
}

const mgl_judge mgl_whole_rows_judge = {.release = judge_release};
