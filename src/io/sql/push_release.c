/* Releases that the engine writes itself from a map of what each combination of ground values is
 * released as. A release has a temporary name until it is published; everything happens in one
 * transaction where the engine undoes CREATE TABLE, and is dropped again where it does not. Rare
 * combinations are grouped by the engine first, level by level. */
#include "io/sql/read_database.h"

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
    MGL_GO(mgl_sql_name_table(state->sql, "groups", number, schema, err, &out->table));
    for (size_t i = 0; i < out->n_keys; i++)
        MGL_GO(mgl_sql_name_table(state->sql, "levels", number + (uint32_t)i, schema, err,
                                  &out->levels[i]));
done:
    mgl_sql_location_free(&location);
    return status;
}

static mgl_status begin(mgl_sql_source *state, size_t n, const char *target, mgl_error *err)
{
    mgl_sql_regrouped *r = &state->regrouped;
    const mgl_sql_dialect *dialect = state->sql->dialect;
    mgl_arena *arena = state->sql->arena;
    *r = (mgl_sql_regrouped){.n_keys = n};
    /* Labels are compared with each other there, as the engine compares texts. */
    if (dialect->end_mark != NULL || dialect->before != NULL)
        return mgl_fail_key(err, MGL_CODE_CONFLICT, "least-count",
                            "`least-count` needs an engine that compares texts byte for "
                            "byte, and %s does not; leave one of them out",
                            dialect->product);
    r->levels = mgl_arena_alloc(arena, n * sizeof *r->levels);
    r->has_levels = mgl_arena_alloc(arena, n * sizeof *r->has_levels);
    r->keys = mgl_arena_alloc(arena, n * sizeof *r->keys);
    MGL_TRY(mgl_check_memory(r->levels != NULL && r->has_levels != NULL && r->keys != NULL, err));
    memset(r->has_levels, 0, n * sizeof *r->has_levels);
    MGL_TRY(mgl_sql_source_begin(state, err));
    return name_tables(state, target, err, r);
}

static mgl_status drop_levels(mgl_sql_source *state, mgl_error *err)
{
    mgl_sql_regrouped *r = &state->regrouped;
    mgl_status first = MGL_OK;
    for (size_t i = 0; r->keys != NULL && i < r->n_keys; i++) {
        if (!r->has_levels[i])
            continue;
        r->has_levels[i] = false;
        mgl_status status = mgl_sql_drop(state->sql, &r->levels[i], first == MGL_OK ? err : NULL);
        first = first == MGL_OK ? status : first;
    }
    return first;
}

/* Drops the tables that are still there. */
static mgl_status sql_regrouped_drop(mgl_source *source, mgl_error *err)
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
    return mgl_sql_make_table(state->sql, &statement, table, &rows, "", err,
                              &state->regrouped.has_levels[i]);
}

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
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_find_partitions(state->sql, &state->location.table, err, &partitions));
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
    MGL_GO(mgl_sql_run(state->sql, &statement, err));
    r->has_table = true;
    MGL_GO(drop_levels(state, err));
done:
    mgl_sql_partitions_free(&partitions);
    return status;
}

mgl_status mgl_sql_regroup(mgl_source *source, const mgl_value_levels *columns, size_t n,
                           uint64_t least, const char *target, const mgl_progress *progress,
                           mgl_error *err)
{
    mgl_sql_source *state = source->state;
    uint32_t *heights = mgl_arena_alloc(state->sql->arena, n * sizeof *heights);
    state->sql->progress = progress;
    state->sql->stage = "count";
    MGL_TRY(heights == NULL ? mgl_fail_memory(err) : begin(state, n, target, err));
    for (size_t i = 0; i < n; i++) {
        state->regrouped.keys[i] = columns[i].column;
        heights[i] = columns[i].n_levels - 1;
        MGL_TRY(load_labels(state, i, &columns[i], err));
    }
    return make_groups(source, heights, least, err);
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
    MGL_TRY(begin(state, 1, target, err));
    MGL_TRY(load_labels(state, 0, listed, err));
    mgl_sql_write_others(&statement, state->sql->dialect, &state->location.table,
                         state->columns.list[listed->column].name, &state->regrouped.levels[0],
                         &cells);
    MGL_TRY(mgl_sql_fetch_counts(state->sql, &statement, source->options, 0, err, table));
    return drop_levels(state, err);
}

/* Locations can name the same database in many ways, so the servers are compared. */
static mgl_status is_same_database(const mgl_sql_source *state, const mgl_sql_location *location,
                                   mgl_error *err, bool *out)
{
    mgl_sql *other = NULL;
    bool role;
    *out = strcmp(location->server, state->location.server) == 0;
    if (*out || state->sql->dialect->lock == NULL)
        return MGL_OK;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_connect(location, err, &other));
    MGL_GO(mgl_sql_begin(other, err));
    MGL_GO(mgl_sql_same_database(state->sql, other, err, out, &role));
    *out = *out && role; /* what one may do the other need not */
done:
    mgl_sql_close(other);
    return status;
}

static mgl_status writes(const mgl_source *source, const char *target, mgl_error *err, bool *out)
{
    const mgl_sql_source *state = source->state;
    mgl_sql_location location = {0};
    *out = false;
    if (mgl_sql_driver_of(target) != state->location.driver)
        return MGL_OK;
    mgl_status status = mgl_sql_location_parse(target, err, &location);
    if (status == MGL_OK)
        status = is_same_database(state, &location, err, out);
    mgl_sql_location_free(&location);
    return status;
}

mgl_status mgl_sql_check_push(mgl_source *source, const mgl_push_target *target,
                              const mgl_sql_location *location, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    MGL_TRY(mgl_sql_source_begin(state, err));
    MGL_TRY(mgl_sql_check_reading(state->sql, &state->location, &state->columns, target, err));
    return mgl_sql_check_target(state->sql, location, target->overwrite, &state->location.table,
                                err);
}

static mgl_status check(mgl_source *source, const mgl_push_target *target, mgl_error *err)
{
    mgl_sql_location location = {0};
    mgl_status status = mgl_sql_location_parse(target->location, err, &location);
    if (status == MGL_OK)
        status = mgl_sql_check_push(source, target, &location, err);
    mgl_sql_location_free(&location);
    return status;
}

static void end_staged(mgl_sql_staged *staged)
{
    mgl_sql_location_free(&staged->target);
    *staged = (mgl_sql_staged){0};
}

static void discard(mgl_source *source)
{
    mgl_sql_source *state = source->state;
    mgl_sql *sql = state->sql;
    sql->progress = NULL; /* a cancelled run is still cleaned up */
    mgl_sql_finish(sql);
    if (state->begun)
        (void)mgl_sql_rollback(sql, NULL);
    state->begun = false;
    if (state->staged.has_map && !sql->dialect->undoes_create)
        (void)mgl_sql_drop(sql, &state->staged.map, NULL);
    if (state->staged.has_table && !sql->dialect->undoes_create)
        (void)mgl_sql_drop(sql, &state->staged.table, NULL);
    if (!sql->dialect->undoes_create)
        sql_regrouped_drop(source, NULL);
    state->regrouped = (mgl_sql_regrouped){0};
    end_staged(&state->staged);
}

static mgl_status write(mgl_source *source, const mgl_push_request *request, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    MGL_TRY(mgl_sql_location_parse(request->target, err, &state->staged.target));
    MGL_TRY(mgl_sql_begin_release(source, request, err));
    return mgl_sql_end_release(source, err);
}

/* The release must have the columns it should have, under their names and no others. */
static mgl_status find_columns(const mgl_source *source, const size_t *columns, size_t n_columns,
                               mgl_error *err, mgl_sql_columns *out)
{
    mgl_sql_source *state = source->state;
    MGL_TRY(mgl_sql_describe(state->sql, &state->staged.table, err, out));
    bool same = out->n == n_columns;
    for (size_t c = 0; same && c < n_columns; c++)
        same = strcmp(out->list[c].name, mgl_source_column(source, columns[c])) == 0;
    if (same)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_INTERNAL, state->staged.target.name, 0,
                       "the written release does not read back with the columns it should have; "
                       "please report this");
}

static mgl_status send_recount(mgl_source *source, const mgl_push_request *request,
                               const size_t *wanted, size_t n_wanted, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_sql_columns columns = {0};
    mgl_buffer statement = {0};
    mgl_sql_counting counting = {
        .table = &state->staged.table, .columns = &columns, .wanted = wanted, .n_wanted = n_wanted};
    state->sql->stage = "verify";
    mgl_status status = MGL_OK;
    MGL_GO(find_columns(source, request->columns, request->n_columns, err, &columns));
    MGL_GO(mgl_sql_fit_sorts(state->sql, &state->staged.table, &columns, err));
    mgl_sql_write_count(&statement, state->sql->dialect, &counting);
    MGL_GO(mgl_sql_send(state->sql, &statement, err));
done:
    mgl_sql_columns_free(&columns);
    return status;
}

mgl_status mgl_sql_recount(mgl_source *const *sources, size_t n, const mgl_push_request *request,
                           const size_t *wanted, size_t n_wanted, mgl_error *err, mgl_table **out)
{
    mgl_table *table = mgl_table_new(n_wanted);
    /* Cells are compared as the texts they are: nothing is taken as missing. */
    mgl_source_options options = {.no_value = sources[0]->options->no_value};
    mgl_counted counted = {.table = table, .options = &options};
    mgl_status status = MGL_OK;
    if (table == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t i = 0; i < n; i++)
        MGL_GO(send_recount(sources[i], request, wanted, n_wanted, err));
    MGL_GO(mgl_sql_add_groups(sources, n, &counted, err));
    *out = table;
    table = NULL;
done:
    mgl_sql_finish_all(sources, n);
    mgl_table_free(table);
    return status;
}

static mgl_status recount(mgl_source *source, const mgl_push_request *request, const size_t *wanted,
                          size_t n_wanted, mgl_error *err, mgl_table **out)
{
    return mgl_sql_recount(&source, 1, request, wanted, n_wanted, err, out);
}

static mgl_status add_rows(mgl_sql *sql, mgl_span no_value, mgl_row_digest *digest, mgl_error *err)
{
    for (bool there = true;;) {
        MGL_TRY(mgl_sql_fetch(sql, err, &there));
        if (!there)
            return MGL_OK;
        for (size_t i = 0; i < sql->n_cells; i++)
            if (sql->cells[i].data == NULL)
                sql->cells[i] = no_value;
        MGL_TRY(mgl_row_digest_add(digest, sql->cells, sql->n_cells, err));
    }
}

mgl_status mgl_sql_digest_release(mgl_source *source, mgl_row_digest *digest, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_sql_columns columns = {0};
    mgl_buffer statement = {0};
    state->sql->stage = "digest";
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_describe(state->sql, &state->staged.table, err, &columns));
    mgl_sql_write_select(&statement, state->sql->dialect, &state->staged.table, &columns);
    MGL_GO(mgl_sql_send(state->sql, &statement, err));
    MGL_GO(add_rows(state->sql, source->options->no_value, digest, err));
done:
    mgl_sql_finish(state->sql);
    mgl_sql_columns_free(&columns);
    return status;
}

static mgl_status digest(mgl_source *source, mgl_error *err, char text[MGL_SHA256_TEXT])
{
    mgl_row_digest *rows;
    MGL_TRY(mgl_row_digest_new(err, &rows));
    mgl_status status = mgl_sql_digest_release(source, rows, err);
    if (status == MGL_OK)
        mgl_row_digest_end(rows, text);
    mgl_row_digest_free(rows);
    return status;
}

static mgl_status ask_values(mgl_source *source, size_t column, mgl_error *err,
                             mgl_value_counts *out)
{
    mgl_sql_source *state = source->state;
    mgl_buffer statement = {0};
    uint64_t numbers[3];
    state->sql->stage = "guard";
    mgl_sql_write_uniqueness(&statement, state->sql->dialect, &state->staged.table,
                             &state->columns.list[column]);
    MGL_TRY(mgl_sql_ask_numbers(state->sql, &statement, 3, err, numbers));
    *out = (mgl_value_counts){numbers[0], numbers[1], numbers[2]};
    return MGL_OK;
}

static mgl_status ask_alone(mgl_source *source, const mgl_push_request *request,
                            const size_t *wanted, size_t n_wanted, mgl_error *err, uint64_t *out)
{
    mgl_sql_source *state = source->state;
    mgl_sql_columns columns = {0};
    mgl_buffer statement = {0};
    mgl_sql_cells cells = mgl_sql_cells_of(source);
    mgl_sql_counting counting = {.table = &state->staged.table,
                                 .columns = &columns,
                                 .wanted = wanted,
                                 .n_wanted = n_wanted,
                                 .cells = &cells};
    state->sql->stage = "guard";
    mgl_status status = MGL_OK;
    MGL_GO(find_columns(source, request->columns, request->n_columns, err, &columns));
    MGL_GO(mgl_sql_fit_sorts(state->sql, &state->staged.table, &columns, err));
    mgl_sql_write_number_alone(&statement, state->sql->dialect, &counting);
    MGL_GO(mgl_sql_ask_numbers(state->sql, &statement, 1, err, out));
done:
    mgl_sql_columns_free(&columns);
    return status;
}

static mgl_status ask_groups(mgl_source *source, const size_t *wanted, size_t n_wanted,
                             mgl_error *err, uint64_t *out)
{
    mgl_sql_source *state = source->state;
    mgl_buffer statement = {0};
    state->sql->stage = "guard";
    mgl_sql_counting counting = {.table = &state->location.table,
                                 .columns = &state->columns,
                                 .wanted = wanted,
                                 .n_wanted = n_wanted};
    mgl_sql_write_number_of_groups(&statement, state->sql->dialect, &counting);
    return mgl_sql_ask_numbers(state->sql, &statement, 1, err, out);
}

static mgl_status share_that_never_varies(mgl_source *source, size_t column, const size_t *others,
                                          size_t n_others, mgl_error *err, double *shares)
{
    mgl_sql_source *state = source->state;
    mgl_buffer statement = {0};
    const char **names = mgl_arena_alloc(state->sql->arena, n_others * sizeof *names);
    uint64_t *numbers = mgl_arena_alloc(state->sql->arena, (n_others + 1) * sizeof *numbers);
    MGL_TRY(mgl_check_memory(names != NULL && numbers != NULL, err));
    state->sql->stage = "guard";
    for (size_t i = 0; i < n_others; i++)
        names[i] = mgl_source_column(source, others[i]);
    mgl_sql_write_telling(&statement, state->sql->dialect, &state->location.table,
                          &state->columns.list[column], names, n_others);
    MGL_TRY(mgl_sql_ask_numbers(state->sql, &statement, n_others + 1, err, numbers));
    for (size_t i = 0; i < n_others; i++)
        shares[i] = numbers[0] > 0 ? (double)numbers[i + 1] / (double)numbers[0] : 0;
    return MGL_OK;
}

/* The staged table gets its name, and what has it is dropped before. */
static mgl_status name_release(const mgl_sql_source *state, mgl_error *err)
{
    mgl_sql *sql = state->sql;
    const mgl_sql_staged *staged = &state->staged;
    mgl_buffer grants = {0};
    mgl_status status = MGL_OK;
    if (staged->overwrite)
        MGL_GO(mgl_sql_drop_replaced(sql, &staged->target.table, err, &grants));
    MGL_GO(mgl_sql_publish(sql, &staged->table, staged->target.table.name, err));
    MGL_GO(mgl_sql_run_all(sql, &grants, err));
done:
    mgl_buffer_free(&grants);
    return status;
}

static mgl_status publish(mgl_source *source, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    MGL_TRY(sql_regrouped_drop(source, err));
    MGL_TRY(name_release(state, err));
    if (state->begun)
        MGL_TRY(mgl_sql_commit(state->sql, err));
    state->begun = false;
    end_staged(&state->staged);
    return MGL_OK;
}

const mgl_push_operations mgl_sql_push = {.writes = writes,
                                          .check = check,
                                          .write = write,
                                          .recount = recount,
                                          .digest = digest,
                                          .ask_values = ask_values,
                                          .ask_groups = ask_groups,
                                          .ask_alone = ask_alone,
                                          .share_that_never_varies = share_that_never_varies,
                                          .publish = publish,
                                          .discard = discard};
