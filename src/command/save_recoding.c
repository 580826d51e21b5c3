/* --save-recoding: writes to a file how each tuple is released, so that `apply` can release other
 * rows alike and --history can respect the release. `anonymize` calls it. */
#include "command/save_recoding.h"

#include "command/saved_trees.h"

#include <stdlib.h>
#include <string.h>

/* Parts bring their fingerprints. */
static mgl_status take_parts(const mgl_part *const *parts, size_t n, mgl_arena *arena,
                             mgl_error *err, mgl_saved_recoding *out)
{
    const mgl_table *table = parts[0]->table;
    out->counted = mgl_arena_alloc(arena, table->n_columns * sizeof *out->counted);
    out->parts = mgl_arena_alloc(arena, n * sizeof *out->parts);
    if (out->counted == NULL || out->parts == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < table->n_columns; c++)
        out->counted[c] = parts[0]->columns[table->columns[c].source_index];
    for (size_t i = 0; i < n; i++)
        out->parts[i] = parts[i]->fingerprint;
    out->n_counted = table->n_columns;
    out->n_parts = n;
    return MGL_OK;
}

/* A table that was read as a whole is one slice. */
static mgl_status take_whole(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                             mgl_saved_recoding *out)
{
    size_t n = reading->n_quasi + reading->n_sensitive;
    const mgl_column **columns = mgl_arena_alloc(arena, n * sizeof *columns);
    out->counted = mgl_arena_alloc(arena, n * sizeof *out->counted);
    out->parts = mgl_arena_alloc(arena, sizeof *out->parts);
    if (columns == NULL || out->counted == NULL || out->parts == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        columns[i] = i < reading->n_quasi ? reading->quasi[i].column
                                          : reading->cells[i - reading->n_quasi].column;
        out->counted[i] = columns[i]->name;
    }
    out->n_counted = n;
    out->n_parts = 1;
    return mgl_fingerprint_of(columns, n, reading->table->n_rows, reading->table->times, err,
                              out->parts);
}

static mgl_status take_slices(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                              mgl_saved_recoding *out)
{
    size_t n;
    const mgl_part *const *parts = mgl_source_parts(reading->source, &n);
    return parts != NULL ? take_parts(parts, n, arena, err, out)
                         : take_whole(reading, arena, err, out);
}

static mgl_status take_columns(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                               mgl_saved_recoding *out)
{
    size_t n = mgl_source_columns(reading->source);
    out->columns = mgl_arena_alloc(arena, n * sizeof *out->columns);
    if (out->columns == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++)
        out->columns[c] = mgl_source_column(reading->source, c);
    out->n_columns = n;
    out->roles = reading->roles;
    return MGL_OK;
}

/* A hierarchy may have lines for values that do not occur. The file has only leaves that do, in the
 * same order: (*number)[leaf of the hierarchy] is the leaf in the file. */
static mgl_status take_ground(const mgl_quasi_column *quasi, mgl_arena *arena, mgl_error *err,
                              mgl_saved_quasi *out, uint32_t **number)
{
    uint32_t n_codes = mgl_dictionary_size(quasi->column->dictionary);
    uint32_t n_leaves = quasi->hierarchy->n_leaves;
    *number = mgl_arena_alloc(arena, n_leaves * sizeof **number);
    out->leaf_of_code = mgl_arena_alloc(arena, n_codes * sizeof *out->leaf_of_code);
    if (*number == NULL || out->leaf_of_code == NULL)
        return mgl_fail_memory(err);
    memset(*number, 0, n_leaves * sizeof **number);
    for (uint32_t code = 0; code < n_codes; code++)
        (*number)[quasi->leaf_of_code[code]] = 1;
    uint32_t n = 0;
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        (*number)[leaf] = (*number)[leaf] != 0 ? n++ : MGL_NOT_FOUND;
    for (uint32_t code = 0; code < n_codes; code++)
        out->leaf_of_code[code] = (*number)[quasi->leaf_of_code[code]];
    out->n_leaves = n;
    return MGL_OK;
}

static mgl_status take_tuples(const mgl_outcome *outcome, mgl_arena *arena, uint32_t *const *number,
                              mgl_error *err, mgl_saved_recoding *out)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_recoding *recoding = outcome->solution->recoding;
    size_t m = out->n_quasi, n = list->n_tuples;
    out->leaves = mgl_arena_alloc(arena, m * sizeof *out->leaves);
    out->suppressed = mgl_arena_alloc(arena, n * sizeof *out->suppressed);
    if (out->leaves == NULL || out->suppressed == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        out->leaves[a] = mgl_arena_alloc(arena, n * sizeof **out->leaves);
        if (out->leaves[a] == NULL)
            return mgl_fail_memory(err);
        for (size_t t = 0; t < n; t++)
            out->leaves[a][t] = number[a][mgl_list_leaf(list, t, a)];
    }
    for (size_t t = 0; t < n; t++)
        out->suppressed[t] = recoding->suppressed[t];
    out->n_tuples = n;
    out->released = recoding->cells;
    out->counts = list->counts;
    return MGL_OK;
}

static mgl_status take_all(const mgl_outcome *outcome, const char *job, mgl_arena *arena,
                           mgl_error *err, mgl_saved_recoding *out)
{
    const mgl_reading *reading = outcome->reading;
    *out = (mgl_saved_recoding){.version = MGL_VERSION,
                                .method = outcome->method->name,
                                .job = job,
                                .drops = reading->settings->treatment == MGL_DROP,
                                .n_rows = outcome->task->problem.list->n_rows,
                                .n_quasi = reading->n_quasi};
    MGL_TRY(take_columns(reading, arena, err, out));
    out->quasi = mgl_arena_alloc(arena, reading->n_quasi * sizeof *out->quasi);
    uint32_t **number = mgl_arena_alloc(arena, reading->n_quasi * sizeof *number);
    if (out->quasi == NULL || number == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &reading->quasi[a];
        out->quasi[a] =
            (mgl_saved_quasi){.name = quasi->settings->name, .ground = quasi->column->dictionary};
        MGL_TRY(take_ground(quasi, arena, err, &out->quasi[a], &number[a]));
        const mgl_released_column *column = outcome->solution->recoding->columns[a];
        MGL_TRY(mgl_released_labels(column, arena, err, &out->quasi[a].labels));
        out->quasi[a].n_labels = column->n_values;
        out->quasi[a].top = column->top;
    }
    MGL_TRY(take_tuples(outcome, arena, number, err, out));
    MGL_TRY(mgl_saved_trees(outcome, number, arena, err, out));
    MGL_TRY(mgl_features_save(outcome->reading, &outcome->written, arena, err, out));
    return take_slices(reading, arena, err, out);
}

/* The job in one line, or NULL when memory is out. jansson leaves out what it lacks the memory for,
 * so the line is read again and compared. Caller frees with free(). */
static char *job_text(const mgl_reading *reading)
{
    json_t *said;
    if (mgl_reading_job(reading, MGL_JOB_SECRET, NULL, &said) != MGL_OK)
        return NULL;
    char *text = json_dumps(said, JSON_COMPACT);
    json_t *again = text != NULL ? json_loads(text, 0, NULL) : NULL;
    bool whole = again != NULL && json_equal(said, again);
    json_decref(again);
    json_decref(said);
    if (whole)
        return text;
    free(text);
    return NULL;
}

mgl_status mgl_save_recoding(const mgl_outcome *outcome, mgl_error *err, mgl_stage **out)
{
    const char *path = outcome->reading->settings->saved.recoding;
    *out = NULL;
    if (path == NULL)
        return MGL_OK;
    char *job = job_text(outcome->reading);
    mgl_arena *arena = mgl_arena_new();
    mgl_saved_recoding saved;
    mgl_buffer file = {0};
    mgl_status status = MGL_OK;
    if (job == NULL || arena == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(take_all(outcome, job, arena, err, &saved));
    MGL_GO(mgl_saved_recoding_pack(&saved, err, &file));
    MGL_GO(mgl_stage_text(path, (mgl_span){file.data, file.size}, err, out));
done:
    mgl_buffer_free(&file);
    mgl_arena_free(arena);
    free(job);
    return status;
}
