/* Has the engine group rare combinations: the labels of each column go in as a table, one statement
 * makes the groups, and the labels are dropped again. No combination comes out. The pipeline calls
 * it through the source for --least-count. */
#include "io/sql/read_database.h"

/* ---- Names ------------------------------------------------------------------------ */

static void free_name(mgl_sql_table *table)
{
    mgl_free(table->schema);
    mgl_free(table->name);
    *table = (mgl_sql_table){0};
}

void mgl_sql_regrouped_free(mgl_sql_regrouped *regrouped)
{
    for (size_t i = 0; regrouped->levels != NULL && i < regrouped->n_keys; i++)
        free_name(&regrouped->levels[i]);
    free_name(&regrouped->table);
    mgl_free(regrouped->levels);
    mgl_free(regrouped->has_levels);
    mgl_free(regrouped->keys);
    *regrouped = (mgl_sql_regrouped){0};
}

/* Where the release goes, the role may make tables. */
static mgl_status name_tables(const mgl_sql_source *state, const char *target, mgl_error *err,
                              mgl_sql_regrouped *out)
{
    mgl_sql_location location = {0};
    uint32_t number;
    MGL_TRY(mgl_sys_entropy(&number, sizeof number, err));
    bool beside = target != NULL && mgl_sql_driver_of(target) == state->location.driver &&
                  state->sql->dialect->map_beside;
    mgl_status status = MGL_OK;
    if (beside)
        MGL_GO(mgl_sql_location_parse(target, err, &location));
    const char *schema = location.table.schema;
    MGL_GO(mgl_sql_name_table("groups", number, schema, err, &out->table));
    for (size_t i = 0; i < out->n_keys; i++)
        MGL_GO(mgl_sql_name_table("levels", number + (uint32_t)i, schema, err, &out->levels[i]));
done:
    mgl_sql_location_free(&location);
    return status;
}

static mgl_status begin(mgl_sql_source *state, size_t n, const char *target, mgl_error *err)
{
    mgl_sql_regrouped *r = &state->regrouped;
    const mgl_sql_dialect *dialect = state->sql->dialect;
    mgl_sql_regrouped_free(r);
    /* Labels are compared with each other there, as the engine compares texts. */
    if (dialect->end_mark != NULL || dialect->before != NULL)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_CONFLICT,
                                      "`least-count` needs an engine that compares texts byte for "
                                      "byte, and %s does not; leave one of them out",
                                      dialect->product),
                             "least-count");
    r->n_keys = n;
    r->levels = mgl_zeroed_array(n, sizeof *r->levels);
    r->has_levels = mgl_zeroed_array(n, sizeof *r->has_levels);
    r->keys = mgl_alloc_array(n, sizeof *r->keys);
    if (r->levels == NULL || r->has_levels == NULL || r->keys == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_sql_source_begin(state, err));
    return name_tables(state, target, err, r);
}

static mgl_status drop_levels(mgl_sql_source *state, mgl_error *err)
{
    mgl_sql_regrouped *r = &state->regrouped;
    mgl_status first = MGL_OK;
    for (size_t i = 0; r->has_levels != NULL && i < r->n_keys; i++) {
        if (!r->has_levels[i])
            continue;
        r->has_levels[i] = false;
        mgl_status status = mgl_sql_drop(state->sql, &r->levels[i], first == MGL_OK ? err : NULL);
        first = first == MGL_OK ? status : first;
    }
    return first;
}

mgl_status mgl_sql_regrouped_drop(mgl_source *source, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_status status = drop_levels(state, err);
    if (!state->regrouped.has_table)
        return status;
    state->regrouped.has_table = false;
    mgl_status dropped =
        mgl_sql_drop(state->sql, &state->regrouped.table, status == MGL_OK ? err : NULL);
    return status == MGL_OK ? dropped : status;
}

/* ---- Labels ------------------------------------------------------------------------ */

typedef struct label_rows {
    const mgl_value_levels *values;
    uint32_t next;
} label_rows;

static bool next_labels(void *context, mgl_span *cells)
{
    label_rows *rows = context;
    if (rows->next == rows->values->n_values)
        return false;
    for (uint32_t l = 0; l < rows->values->n_levels; l++)
        cells[l] = rows->values->label(rows->values->context, rows->next, l);
    rows->next++;
    return true;
}

static mgl_status load_labels(mgl_sql_source *state, size_t i, const mgl_value_levels *values,
                              mgl_error *err)
{
    const mgl_sql_table *table = &state->regrouped.levels[i];
    mgl_buffer statement = {0};
    label_rows labels = {.values = values};
    mgl_sql_rows rows = {values->n_levels, next_labels, &labels};
    mgl_sql_write_levels(&statement, state->sql->dialect, table, values->n_levels);
    mgl_status status = mgl_sql_make_table(state->sql, &statement, table, &rows, "", err,
                                           &state->regrouped.has_levels[i]);
    mgl_buffer_free(&statement);
    return status;
}

/* ---- Groups ------------------------------------------------------------------------ */

const mgl_sql_groups *mgl_sql_groups_of(const mgl_source *source, mgl_sql_groups *out)
{
    const mgl_sql_source *state = source->state;
    const mgl_sql_regrouped *r = &state->regrouped;
    if (!r->has_table)
        return NULL;
    *out = (mgl_sql_groups){.source = &state->location.table,
                            .table = &r->table,
                            .columns = &state->columns,
                            .keys = r->keys,
                            .n_keys = r->n_keys,
                            .cells = mgl_sql_cells_of(source)};
    return out;
}

static mgl_status make_groups(mgl_source *source, const uint32_t *heights, uint64_t least,
                              mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_sql_regrouped *r = &state->regrouped;
    mgl_sql_partitions partitions = {0};
    mgl_buffer statement = {0};
    MGL_TRY(mgl_sql_find_partitions(state->sql, &state->location.table, err, &partitions));
    mgl_sql_groups groups = {.source = &state->location.table,
                             .table = &r->table,
                             .partitions = &partitions,
                             .columns = &state->columns,
                             .keys = r->keys,
                             .n_keys = r->n_keys,
                             .levels = r->levels,
                             .heights = heights,
                             .least = least,
                             .cells = mgl_sql_cells_of(source)};
    mgl_sql_write_groups(&statement, state->sql->dialect, &groups);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_run(state->sql, &statement, err));
    r->has_table = true;
    MGL_GO(drop_levels(state, err));
done:
    mgl_buffer_free(&statement);
    mgl_sql_partitions_free(&partitions);
    return status;
}

mgl_status mgl_sql_regroup(mgl_source *source, const mgl_value_levels *columns, size_t n,
                           uint64_t least, const char *target, const mgl_progress *progress,
                           mgl_error *err)
{
    mgl_sql_source *state = source->state;
    uint32_t *heights = mgl_alloc_array(n, sizeof *heights);
    state->sql->progress = progress;
    state->sql->stage = "count";
    mgl_status status = MGL_OK;
    MGL_GO(heights == NULL ? mgl_fail_memory(err) : begin(state, n, target, err));
    for (size_t i = 0; i < n; i++) {
        state->regrouped.keys[i] = columns[i].column;
        heights[i] = columns[i].n_levels - 1;
        MGL_GO(load_labels(state, i, &columns[i], err));
    }
    MGL_GO(make_groups(source, heights, least, err));
done:
    mgl_free(heights);
    return status;
}

mgl_status mgl_sql_count_others(mgl_source *source, const mgl_value_levels *listed,
                                const char *target, mgl_table *table, const mgl_progress *progress,
                                mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_buffer statement = {0};
    mgl_sql_cells cells = mgl_sql_cells_of(source);
    state->sql->progress = progress;
    state->sql->stage = "count";
    mgl_status status = MGL_OK;
    MGL_GO(begin(state, 1, target, err));
    MGL_GO(load_labels(state, 0, listed, err));
    mgl_sql_write_others(&statement, state->sql->dialect, &state->location.table,
                         state->columns.list[listed->column].name, &state->regrouped.levels[0],
                         &cells);
    MGL_GO(mgl_sql_fetch_counts(state->sql, &statement, source->options, 0, err, table));
    MGL_GO(drop_levels(state, err));
done:
    mgl_buffer_free(&statement);
    return status;
}
