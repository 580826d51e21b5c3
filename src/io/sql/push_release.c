/* Has the engine write a release itself, from a table that says what each combination of ground
 * values is released as. It has a name of its own until it is published; everything happens in one
 * transaction where the engine undoes CREATE TABLE, and is dropped again where it does not. The
 * push of the pipeline calls it through the source. */
#include "io/sql/read_database.h"

#include <stdio.h>

/* ---- Where it goes -------------------------------------------------------------- */

/* Locations can name the same database in many ways: the servers are asked. */
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

/* ---- Names until it is published ------------------------------------------------- */

static void free_staged(mgl_sql_staged *staged)
{
    mgl_sql_table *tables[] = {&staged->map, &staged->table};
    for (size_t i = 0; i < 2; i++) {
        mgl_free(tables[i]->schema);
        mgl_free(tables[i]->name);
    }
    mgl_sql_location_free(&staged->target);
    *staged = (mgl_sql_staged){0};
}

mgl_status mgl_sql_name_table(const char *kind, uint32_t number, const char *schema, mgl_error *err,
                              mgl_sql_table *out)
{
    mgl_buffer name = {0}, copy = {0};
    mgl_buffer_format(&name, "mingle_%s_%08x", kind, number);
    mgl_status status = mgl_buffer_take(&name, err, &out->name);
    if (status == MGL_OK && schema != NULL) {
        mgl_buffer_text(&copy, schema);
        status = mgl_buffer_take(&copy, err, &out->schema);
    }
    mgl_buffer_free(&name);
    mgl_buffer_free(&copy);
    return status;
}

static mgl_status name_tables(mgl_sql_source *state, mgl_error *err)
{
    mgl_sql_staged *staged = &state->staged;
    uint32_t number;
    MGL_TRY(mgl_sys_entropy(&number, sizeof number, err));
    const char *schema = staged->target.table.schema;
    MGL_TRY(mgl_sql_claim(state->sql, schema, err));
    MGL_TRY(mgl_sql_name_table("map", number, state->sql->dialect->map_beside ? schema : NULL, err,
                               &staged->map));
    return mgl_sql_name_table("release", number, schema, err, &staged->table);
}

mgl_status mgl_sql_drop(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_sql_write_drop(&statement, sql->dialect, table);
    mgl_status status = mgl_sql_run(sql, &statement, err);
    mgl_buffer_free(&statement);
    return status;
}

static void discard(mgl_source *source)
{
    mgl_sql_source *state = source->state;
    mgl_sql *sql = state->sql;
    sql->progress = NULL; /* a listener that stopped the run does not want to stop the clean-up */
    mgl_sql_finish(sql);
    if (state->begun)
        (void)mgl_sql_rollback(sql, NULL);
    state->begun = false;
    if (state->staged.has_map && !sql->dialect->undoes_create)
        (void)mgl_sql_drop(sql, &state->staged.map, NULL);
    if (state->staged.has_table && !sql->dialect->undoes_create)
        (void)mgl_sql_drop(sql, &state->staged.table, NULL);
    if (!sql->dialect->undoes_create)
        mgl_sql_regrouped_drop(source, NULL);
    mgl_sql_regrouped_free(&state->regrouped);
    free_staged(&state->staged);
}

/* ---- Writing -------------------------------------------------------------------- */

/* Tells the planner what is in a table. */
static mgl_status analyze(mgl_sql *sql, const mgl_sql_table *table, const char *columns,
                          mgl_error *err)
{
    mgl_buffer statement = {0};
    if (sql->dialect->analyze == NULL)
        return MGL_OK;
    mgl_buffer_format(&statement, "%s ", sql->dialect->analyze);
    mgl_sql_table_name(&statement, sql->dialect, table);
    mgl_buffer_text(&statement, columns);
    mgl_status status = mgl_sql_run(sql, &statement, err);
    mgl_buffer_free(&statement);
    return status;
}

mgl_status mgl_sql_make_table(mgl_sql *sql, const mgl_buffer *create, const mgl_sql_table *table,
                              const mgl_sql_rows *rows, const char *analyzed, mgl_error *err,
                              bool *there)
{
    mgl_buffer name = {0};
    mgl_sql_table_name(&name, sql->dialect, table);
    mgl_buffer_append(&name, "", 1);
    mgl_status status = MGL_OK;
    *there = false;
    MGL_GO(name.failed ? mgl_fail_memory(err) : mgl_sql_run(sql, create, err));
    *there = true;
    MGL_GO(sql->driver->load(sql, name.data, rows, err));
    MGL_GO(analyze(sql, table, analyzed, err));
done:
    mgl_buffer_free(&name);
    return status;
}

/* One row of numbers; a sum over nothing is 0. */
static mgl_status ask_numbers(mgl_sql *sql, const mgl_buffer *statement, size_t n, mgl_error *err,
                              uint64_t *numbers)
{
    bool there = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_send(sql, statement, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    bool good = there && sql->n_cells == n;
    for (size_t i = 0; good && i < n; i++) {
        numbers[i] = 0;
        good = sql->cells[i].data == NULL || mgl_parse_u64(sql->cells[i], &numbers[i]);
    }
    if (!good)
        MGL_GO(mgl_fail_at(err, MGL_CODE_INTERNAL, sql->name, 0,
                           "the engine gave no numbers where it was asked for some; please "
                           "report this"));
done:
    mgl_sql_finish(sql);
    return status;
}

/* Half of a row is left to the other columns. */
static mgl_status find_widths(mgl_sql *sql, const mgl_sql_release *release, mgl_error *err,
                              uint64_t *widths, bool *fit)
{
    enum { BYTES_OF_LETTER = 4 };
    mgl_buffer statement = {0};
    uint64_t letters = 0;
    *fit = false;
    if (sql->dialect->row_bytes == 0 || release->n_mapped == 0)
        return MGL_OK;
    mgl_sql_write_widths(&statement, sql->dialect, release);
    mgl_status status = ask_numbers(sql, &statement, release->n_mapped, err, widths);
    mgl_buffer_free(&statement);
    for (size_t i = 0; status == MGL_OK && i < release->n_mapped; i++)
        letters += widths[i] + 1;
    *fit = letters * BYTES_OF_LETTER < sql->dialect->row_bytes / 2;
    return status;
}

static mgl_status make_map(mgl_sql_source *state, const mgl_sql_release *release,
                           const mgl_push_order *order, mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_sql_write_map(&statement, state->sql->dialect, release);
    mgl_sql_rows rows = {2 * release->n_mapped, order->next, order->context};
    mgl_status status =
        mgl_sql_make_table(state->sql, &statement, release->map, &rows,
                           release->hash_seed != 0 ? " (h)" : "", err, &state->staged.has_map);
    mgl_buffer_free(&statement);
    return status;
}

/* The engine begins to write; end_release waits for it. */
static mgl_status begin_release(mgl_sql_source *state, const mgl_sql_release *release,
                                mgl_error *err)
{
    mgl_sql *sql = state->sql;
    mgl_sql_release ordered = *release;
    mgl_buffer statement = {0}, order = {0};
    mgl_status status = MGL_OK;
    if (release->shuffle && release->groups == NULL)
        MGL_GO(mgl_sql_write_order(&order, sql, release->source, err));
    ordered.order = order.size > 0 ? order.data : NULL;
    mgl_sql_write_release(&statement, sql->dialect, &ordered);
    MGL_GO(mgl_sql_send(sql, &statement, err));
done:
    mgl_buffer_free(&statement);
    mgl_buffer_free(&order);
    return status;
}

/* A column of which no value changes is taken from the table, with its type. Where values can be
 * equal and have different texts, the text that was counted is released. */
static bool is_kept(mgl_source *source, const mgl_push_order *order, size_t key)
{
    const mgl_sql_source *state = source->state;
    mgl_sql_groups groups;
    return order->unchanged != NULL && order->unchanged[key] &&
           state->columns.list[order->keys[key]].exact &&
           mgl_sql_groups_of(source, &groups) == NULL;
}

static mgl_status write_release(mgl_source *source, const mgl_push_order *order, mgl_arena *arena,
                                mgl_error *err)
{
    mgl_sql_source *state = source->state;
    const char **names = mgl_arena_alloc(arena, order->n_columns * sizeof *names);
    const char **keys = mgl_arena_alloc(arena, order->n_keys * sizeof *keys);
    const mgl_sql_column **typed = mgl_arena_alloc(arena, order->n_keys * sizeof *typed);
    size_t *places = mgl_arena_alloc(arena, order->n_columns * sizeof *places);
    if (names == NULL || keys == NULL || typed == NULL || places == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < order->n_columns; c++) {
        names[c] = mgl_source_column(source, order->columns[c]);
        places[c] = SIZE_MAX;
        for (size_t k = 0; k < order->n_keys; k++)
            if (order->keys[k] == order->columns[c] && !is_kept(source, order, k))
                places[c] = k;
    }
    for (size_t k = 0; k < order->n_keys; k++) {
        const mgl_sql_column *column = &state->columns.list[order->keys[k]];
        keys[k] = mgl_source_column(source, order->keys[k]);
        bool plain = state->sql->driver->typed && (column->texts || column->whole);
        typed[k] = plain && order->filled != NULL && order->filled[k] ? column : NULL;
    }
    mgl_sql_groups groups;
    mgl_sql_release release = {.source = &state->location.table,
                               .map = &state->staged.map,
                               .target = &state->staged.table,
                               .names = names,
                               .places = places,
                               .n_columns = order->n_columns,
                               .n_mapped = order->n_keys,
                               .keys = keys,
                               .filled = order->filled,
                               .typed = typed,
                               .cells = mgl_sql_cells_of(source),
                               .groups = mgl_sql_groups_of(source, &groups),
                               .shuffle = order->shuffle,
                               .mark = state->sql->mark};
    bool fit;
    uint64_t *widths = mgl_arena_alloc(arena, order->n_keys * sizeof *widths);
    if (widths == NULL)
        return mgl_fail_memory(err);
    if (state->sql->dialect->hash_text != NULL && release.groups == NULL && order->n_keys > 0)
        MGL_TRY(mgl_sys_entropy(&release.hash_seed, sizeof release.hash_seed, err));
    MGL_TRY(make_map(state, &release, order, err));
    MGL_TRY(find_widths(state->sql, &release, err, widths, &fit));
    release.widths = fit ? widths : NULL;
    return begin_release(state, &release, err);
}

mgl_status mgl_sql_begin_release(mgl_source *source, const mgl_push_order *order, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_arena *arena = mgl_arena_new();
    state->sql->progress = order->progress;
    state->sql->stage = "write";
    state->staged.overwrite = order->overwrite;
    mgl_status status = MGL_OK;
    MGL_GO(arena == NULL ? mgl_fail_memory(err) : mgl_sql_source_begin(state, err));
    MGL_GO(name_tables(state, err));
    MGL_GO(write_release(source, order, arena, err));
done:
    mgl_arena_free(arena);
    return status;
}

mgl_status mgl_sql_end_release(mgl_source *source, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    bool there = true;
    while (there)
        MGL_TRY(state->sql->driver->fetch(state->sql, err, &there));
    mgl_sql_finish(state->sql);
    state->staged.has_table = true;
    MGL_TRY(analyze(state->sql, &state->staged.table, "", err));
    MGL_TRY(mgl_sql_drop(state->sql, &state->staged.map, err));
    state->staged.has_map = false;
    return MGL_OK;
}

static mgl_status write(mgl_source *source, const mgl_push_order *order, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    MGL_TRY(mgl_sql_location_parse(order->target, err, &state->staged.target));
    MGL_TRY(mgl_sql_begin_release(source, order, err));
    return mgl_sql_end_release(source, err);
}

/* ---- Asking about it ------------------------------------------------------------- */

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

static mgl_status send_recount(mgl_source *source, const mgl_push_order *order,
                               const size_t *wanted, size_t n_wanted, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_sql_columns columns = {0};
    mgl_buffer statement = {0};
    mgl_sql_counting counting = {
        .table = &state->staged.table, .columns = &columns, .wanted = wanted, .n_wanted = n_wanted};
    state->sql->stage = "verify";
    mgl_status status = MGL_OK;
    MGL_GO(find_columns(source, order->columns, order->n_columns, err, &columns));
    MGL_GO(mgl_sql_fit_sorts(state->sql, &state->staged.table, &columns, err));
    mgl_sql_write_count(&statement, state->sql->dialect, &counting);
    MGL_GO(mgl_sql_send(state->sql, &statement, err));
done:
    mgl_sql_columns_free(&columns);
    mgl_buffer_free(&statement);
    return status;
}

mgl_status mgl_sql_recount(mgl_source *const *sources, size_t n, const mgl_push_order *order,
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
        MGL_GO(send_recount(sources[i], order, wanted, n_wanted, err));
    MGL_GO(mgl_sql_add_groups(sources, n, &counted, err));
    *out = table;
    table = NULL;
done:
    mgl_sql_finish_all(sources, n);
    mgl_table_free(table);
    return status;
}

static mgl_status recount(mgl_source *source, const mgl_push_order *order, const size_t *wanted,
                          size_t n_wanted, mgl_error *err, mgl_table **out)
{
    return mgl_sql_recount(&source, 1, order, wanted, n_wanted, err, out);
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
    mgl_buffer_free(&statement);
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
    mgl_status status = ask_numbers(state->sql, &statement, 3, err, numbers);
    mgl_buffer_free(&statement);
    if (status == MGL_OK)
        *out = (mgl_value_counts){numbers[0], numbers[1], numbers[2]};
    return status;
}

static mgl_status ask_telling(mgl_source *source, size_t column, const size_t *told, size_t n_told,
                              mgl_error *err, double *shares)
{
    mgl_sql_source *state = source->state;
    mgl_buffer statement = {0};
    const char **names = mgl_alloc_array(n_told, sizeof *names);
    uint64_t *numbers = mgl_alloc_array(n_told + 1, sizeof *numbers);
    mgl_status status = MGL_OK;
    if (names == NULL || numbers == NULL)
        MGL_GO(mgl_fail_memory(err));
    state->sql->stage = "guard";
    for (size_t i = 0; i < n_told; i++)
        names[i] = mgl_source_column(source, told[i]);
    mgl_sql_write_telling(&statement, state->sql->dialect, &state->location.table,
                          &state->columns.list[column], names, n_told);
    MGL_GO(ask_numbers(state->sql, &statement, n_told + 1, err, numbers));
    for (size_t i = 0; i < n_told; i++)
        shares[i] = numbers[0] > 0 ? (double)numbers[i + 1] / (double)numbers[0] : 0;
done:
    mgl_buffer_free(&statement);
    mgl_free(names);
    mgl_free(numbers);
    return status;
}

/* ---- Publishing ------------------------------------------------------------------ */

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
    MGL_TRY(mgl_sql_regrouped_drop(source, err));
    MGL_TRY(name_release(state, err));
    if (state->begun)
        MGL_TRY(mgl_sql_commit(state->sql, err));
    state->begun = false;
    free_staged(&state->staged);
    return MGL_OK;
}

const mgl_push_operations mgl_sql_push = {.writes = writes,
                                          .check = check,
                                          .write = write,
                                          .recount = recount,
                                          .digest = digest,
                                          .ask_values = ask_values,
                                          .ask_telling = ask_telling,
                                          .publish = publish,
                                          .discard = discard};
