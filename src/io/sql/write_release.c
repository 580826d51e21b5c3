/* Has an engine write a release under a name of its own: names the tables, fills the map and sends
 * the statement. push_release.c and push_shards.c call it. */
#include "io/sql/read_database.h"

#include <stdio.h>

/* ---- Names until it is published ------------------------------------------------- */

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

/* ---- The map ----------------------------------------------------------------------- */

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

mgl_status mgl_sql_ask_numbers(mgl_sql *sql, const mgl_buffer *statement, size_t n, mgl_error *err,
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
    mgl_status status = mgl_sql_ask_numbers(sql, &statement, release->n_mapped, err, widths);
    mgl_buffer_free(&statement);
    for (size_t i = 0; status == MGL_OK && i < release->n_mapped; i++)
        letters += widths[i] + 1;
    *fit = letters * BYTES_OF_LETTER < sql->dialect->row_bytes / 2;
    return status;
}

/* Rows of a map that is not looked up but repeated. */
typedef struct repeated {
    const mgl_push_order *order;
    mgl_span *cells;      /* [2 * n_keys] of a row of the order */
    uint64_t secrets[64]; /* some that were drawn, */
    size_t n_secrets;     /* and how many are left */
    char times[24], secret[24];
    mgl_status status;
    mgl_error *err;
} repeated;

static mgl_span write_number(char text[24], uint64_t number)
{
    return (mgl_span){text, (size_t)snprintf(text, 24, "%lld", (long long)number)};
}

static bool next_repeated(void *context, mgl_span *cells)
{
    repeated *r = context;
    size_t n = r->order->n_keys;
    do {
        if (!r->order->next(r->order->context, r->cells))
            return false;
    } while (*r->order->times == 0);
    if (r->n_secrets == 0) {
        r->status = mgl_sys_entropy(r->secrets, sizeof r->secrets, r->err);
        r->n_secrets = sizeof r->secrets / sizeof r->secrets[0];
    }
    memcpy(cells, r->cells + n, n * sizeof *cells);
    cells[n] = write_number(r->times, *r->order->times);
    cells[n + 1] = write_number(r->secret, r->secrets[--r->n_secrets]);
    return r->status == MGL_OK;
}

static mgl_status make_repeated(mgl_sql_source *state, const mgl_buffer *statement,
                                const mgl_sql_release *release, const mgl_push_order *order,
                                mgl_error *err)
{
    repeated r = {.order = order,
                  .cells = mgl_alloc_array(2 * order->n_keys, sizeof *r.cells),
                  .status = MGL_OK,
                  .err = err};
    mgl_sql_rows rows = {order->n_keys + 2, next_repeated, &r};
    mgl_status status = r.cells == NULL
                            ? mgl_fail_memory(err)
                            : mgl_sql_make_table(state->sql, statement, release->map, &rows, " (n)",
                                                 err, &state->staged.has_map);
    mgl_free(r.cells);
    return status == MGL_OK ? r.status : status;
}

static mgl_status make_map(mgl_sql_source *state, const mgl_sql_release *release,
                           const mgl_push_order *order, mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_sql_write_map(&statement, state->sql->dialect, release);
    if (release->repeats) {
        mgl_status made = make_repeated(state, &statement, release, order, err);
        mgl_buffer_free(&statement);
        return made;
    }
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
    if (release->shuffle && release->groups == NULL && !release->repeats)
        MGL_GO(mgl_sql_write_order(&order, sql, release->source, err));
    ordered.order = order.size > 0 ? order.data : NULL;
    mgl_sql_write_release(&statement, sql->dialect, &ordered);
    MGL_GO(mgl_sql_send(sql, &statement, err));
done:
    mgl_buffer_free(&statement);
    mgl_buffer_free(&order);
    return status;
}

/* ---- What it is made of ------------------------------------------------------------- */

static bool is_grouped(const mgl_source *source)
{
    mgl_sql_groups groups;
    return mgl_sql_groups_of(source, &groups) != NULL;
}

/* A column of which no value changes is taken from the table, with its type. Where values can be
 * equal and have different texts, the text that was counted is released. */
static bool is_kept(const mgl_source *source, const mgl_push_order *order, size_t key)
{
    const mgl_sql_source *state = source->state;
    return order->unchanged != NULL && order->unchanged[key] &&
           state->columns.list[order->keys[key]].exact && !is_grouped(source);
}

static bool fits_numbers(const char *type, const mgl_released_kind *kind)
{
    int64_t most = strcmp(type, "smallint") == 0  ? INT16_MAX
                   : strcmp(type, "integer") == 0 ? INT32_MAX
                                                  : INT64_MAX;
    return kind->whole && kind->low >= -most - 1 && kind->high <= most;
}

/* The type of a column, if it gives each of the released texts back as it is; NULL: text. Texts of
 * a limited length, or with rules of a language, are only released as what they were if all are. */
static const char *released_type(const mgl_source *source, const mgl_push_order *order, size_t key)
{
    const mgl_sql_source *state = source->state;
    const mgl_sql_column *column = &state->columns.list[order->keys[key]];
    if (!state->sql->driver->typed || order->kinds == NULL || is_grouped(source))
        return NULL;
    const mgl_released_kind *kind = &order->kinds[key];
    if (is_kept(source, order, key))
        return column->type;
    if (column->numbers)
        return !fits_numbers(column->type, kind) ? NULL : column->whole ? column->type : "INTEGER";
    if (!column->exact || column->texts)
        return NULL;
    return kind->ground || (kind->days && strcmp(column->type, "date") == 0) ? column->type : NULL;
}

/* Where every column is looked up, rows that are released alike are alike: they need not be joined
 * to be shuffled. */
static bool is_repeated(const mgl_source *source, const mgl_push_order *order)
{
    const mgl_sql_source *state = source->state;
    bool all = order->n_keys > 0;
    for (size_t c = 0; c < order->n_columns; c++) {
        bool looked_up = false;
        for (size_t k = 0; k < order->n_keys; k++)
            looked_up = looked_up || order->keys[k] == order->columns[c];
        all = all && looked_up;
    }
    return all && order->shuffle && order->times != NULL && state->sql->driver->typed &&
           state->sql->dialect->series != NULL && !is_grouped(source);
}

static mgl_status find_columns(mgl_source *source, const mgl_push_order *order, mgl_arena *arena,
                               mgl_error *err, mgl_sql_release *out)
{
    const mgl_sql_source *state = source->state;
    const char **names = mgl_arena_alloc(arena, order->n_columns * sizeof *names);
    const char **keys = mgl_arena_alloc(arena, order->n_keys * sizeof *keys);
    const char **types = mgl_arena_alloc(arena, order->n_keys * sizeof *types);
    const mgl_sql_column **typed = mgl_arena_alloc(arena, order->n_keys * sizeof *typed);
    size_t *places = mgl_arena_alloc(arena, order->n_columns * sizeof *places);
    if (names == NULL || keys == NULL || types == NULL || typed == NULL || places == NULL)
        return mgl_fail_memory(err);
    bool repeats = is_repeated(source, order);
    for (size_t c = 0; c < order->n_columns; c++) {
        names[c] = mgl_source_column(source, order->columns[c]);
        places[c] = SIZE_MAX;
        for (size_t k = 0; k < order->n_keys; k++)
            if (order->keys[k] == order->columns[c] && (repeats || !is_kept(source, order, k)))
                places[c] = k;
    }
    for (size_t k = 0; k < order->n_keys; k++) {
        const mgl_sql_column *column = &state->columns.list[order->keys[k]];
        keys[k] = mgl_source_column(source, order->keys[k]);
        types[k] = released_type(source, order, k);
        bool plain = state->sql->driver->typed && (column->texts || column->whole);
        typed[k] = plain && order->filled != NULL && order->filled[k] ? column : NULL;
    }
    *out = (mgl_sql_release){.names = names,
                             .places = places,
                             .n_columns = order->n_columns,
                             .n_mapped = order->n_keys,
                             .keys = keys,
                             .types = types,
                             .typed = typed,
                             .filled = order->filled,
                             .repeats = repeats};
    return MGL_OK;
}

static mgl_status write_release(mgl_source *source, const mgl_push_order *order, mgl_arena *arena,
                                mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_sql_groups groups;
    mgl_sql_release release;
    bool fit;
    uint64_t *widths = mgl_arena_alloc(arena, order->n_keys * sizeof *widths);
    if (widths == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(find_columns(source, order, arena, err, &release));
    release.source = &state->location.table;
    release.map = &state->staged.map;
    release.target = &state->staged.table;
    release.cells = mgl_sql_cells_of(source);
    release.groups = mgl_sql_groups_of(source, &groups);
    release.shuffle = order->shuffle;
    release.mark = state->sql->mark;
    if (state->sql->dialect->hash_text != NULL && release.groups == NULL && !release.repeats &&
        order->n_keys > 0)
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
