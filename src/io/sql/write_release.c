/* Writes tables of an engine: releases that it makes from a map, releases that are loaded row by
 * row, and their publication; tables that interrupted runs left are found and dropped. */
#include "io/sql/read_database.h"

#include <stdio.h>

/* ---- Tables that interrupted runs left ------------------------------------------------------- */

enum { LOCK_NAME = sizeof "mingle_0123456789abcdef" };

void mgl_sql_write_mark(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *mark)
{
    if (mark == NULL)
        return;
    mgl_buffer_text(out, " COMMENT = ");
    mgl_sql_literal(out, dialect, mgl_span_of(mark));
}

mgl_status mgl_sql_publish(mgl_sql *sql, const mgl_sql_table *staged, const char *name,
                           mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_sql_write_rename(&statement, sql->dialect, staged, name);
    if (sql->mark != NULL)
        mgl_buffer_text(&statement, ", COMMENT = ''");
    return mgl_sql_run(sql, &statement, err);
}

/* The lock, and the comment that names it. */
static mgl_status hold(mgl_sql *sql, mgl_error *err)
{
    uint32_t numbers[2];
    char lock[LOCK_NAME];
    bool there = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sys_entropy(numbers, sizeof numbers, err));
    snprintf(lock, sizeof lock, "mingle_%08x%08x", numbers[0], numbers[1]);
    mgl_span name = mgl_span_of(lock);
    MGL_GO(sql->driver->send(sql, sql->dialect->claim, &name, 1, err));
    MGL_GO(mgl_sql_fetch(sql, err, &there));
    if (!there || sql->n_cells != 2 || !mgl_span_is(sql->cells[0], "1"))
        MGL_GO(mgl_fail_at(err, MGL_CODE_DATABASE, sql->name, 0,
                           "the server gives no lock that would show others whose the new tables "
                           "are; try again"));
    sql->mark = mgl_arena_format(sql->arena, "staged by mingle, lock %s of %.*s", lock,
                                 (int)sql->cells[1].size, sql->cells[1].data);
    MGL_GO(mgl_check_memory(sql->mark != NULL, err));
done:
    mgl_sql_finish(sql);
    return status;
}

mgl_status mgl_sql_keep(mgl_sql *sql, mgl_span text, mgl_error *err, const char **out)
{
    *out = mgl_arena_copy(sql->arena, text.data, text.size);
    return mgl_check_memory(*out != NULL, err);
}

/* One orphan, dropped; *there: there was one. */
static mgl_status drop_next(mgl_sql *sql, const char *schema, mgl_error *err, bool *there)
{
    mgl_span value = mgl_sql_value(schema);
    mgl_sql_table table = {0};
    mgl_status status = MGL_OK;
    MGL_GO(sql->driver->send(sql, sql->dialect->orphans, &value, 1, err));
    MGL_GO(mgl_sql_fetch(sql, err, there));
    if (!*there)
        goto done;
    MGL_GO(mgl_sql_keep(sql, sql->cells[0], err, &table.schema));
    MGL_GO(mgl_sql_keep(sql, sql->cells[1], err, &table.name));
    mgl_sql_finish(sql);
    /* Another run may have been faster, and a right may lack: neither keeps this one from going
     * on. */
    *there = mgl_sql_drop(sql, &table, NULL) == MGL_OK;
done:
    mgl_sql_finish(sql);
    return status;
}

/* Before tables are staged in the schema: holds a lock for as long as the connection lives, which
 * their comments name, and drops those that runs have left that are dead. Nothing where the engine
 * lacks such locks. */
static mgl_status sql_claim(mgl_sql *sql, const char *schema, mgl_error *err)
{
    bool there = true;
    if (sql->dialect->claim == NULL || sql->mark != NULL)
        return MGL_OK;
    MGL_TRY(hold(sql, err));
    while (there)
        MGL_TRY(drop_next(sql, schema, err, &there));
    return MGL_OK;
}

/* ---- Releases that the engine writes: names until it is published ---------------------------- */

mgl_status mgl_sql_name_table(mgl_sql *sql, const char *kind, uint32_t number, const char *schema,
                              mgl_error *err, mgl_sql_table *out)
{
    *out = (mgl_sql_table){.name = mgl_arena_format(sql->arena, "mingle_%s_%08x", kind, number)};
    MGL_TRY(mgl_check_memory(out->name != NULL, err));
    return schema != NULL ? mgl_sql_keep(sql, mgl_span_of(schema), err, &out->schema) : MGL_OK;
}

static mgl_status name_tables(mgl_sql_source *state, mgl_error *err)
{
    mgl_sql_staged *staged = &state->staged;
    uint32_t number;
    MGL_TRY(mgl_sys_entropy(&number, sizeof number, err));
    const char *schema = staged->target.table.schema;
    MGL_TRY(sql_claim(state->sql, schema, err));
    MGL_TRY(mgl_sql_name_table(state->sql, "map", number,
                               state->sql->dialect->map_beside ? schema : NULL, err, &staged->map));
    return mgl_sql_name_table(state->sql, "release", number, schema, err, &staged->table);
}

/* ---- The map ----------------------------------------------------------------------- */

/* Has the planner look at what is in a table. */
static mgl_status analyze(mgl_sql *sql, const mgl_sql_table *table, const char *columns,
                          mgl_error *err)
{
    mgl_buffer statement = {0};
    if (sql->dialect->analyze == NULL)
        return MGL_OK;
    mgl_buffer_format(&statement, "%s ", sql->dialect->analyze);
    mgl_sql_table_name(&statement, sql->dialect, table);
    mgl_buffer_text(&statement, columns);
    return mgl_sql_run(sql, &statement, err);
}

static mgl_status load_rows(mgl_sql *sql, const mgl_sql_table *table, const mgl_sql_rows *rows,
                            mgl_error *err)
{
    mgl_buffer name = {0};
    char *text;
    mgl_sql_table_name(&name, sql->dialect, table);
    MGL_TRY(mgl_buffer_take(&name, err, &text));
    mgl_status status = sql->driver->load(sql, text, rows, err);
    mgl_free(text);
    return status;
}

mgl_status mgl_sql_make_table(mgl_sql *sql, mgl_buffer *create, const mgl_sql_table *table,
                              const mgl_sql_rows *rows, const char *analyzed, mgl_error *err,
                              bool *there)
{
    *there = false;
    MGL_TRY(mgl_sql_run(sql, create, err));
    *there = true;
    MGL_TRY(load_rows(sql, table, rows, err));
    return analyze(sql, table, analyzed, err);
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
    MGL_TRY(mgl_sql_ask_numbers(sql, &statement, release->n_mapped, err, widths));
    for (size_t i = 0; i < release->n_mapped; i++)
        letters += widths[i] + 1;
    *fit = letters * BYTES_OF_LETTER < sql->dialect->row_bytes / 2;
    return MGL_OK;
}

/* Rows of a map that is not looked up but repeated. */
typedef struct repeated {
    const mgl_push_request *order;
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

static mgl_status make_repeated(mgl_sql_source *state, const mgl_sql_release *release,
                                const mgl_push_request *request, mgl_error *err)
{
    mgl_buffer statement = {0};
    repeated r = {.order = request,
                  .cells =
                      mgl_arena_alloc(state->sql->arena, 2 * request->n_keys * sizeof *r.cells),
                  .err = err};
    mgl_sql_rows rows = {request->n_keys + 2, next_repeated, &r};
    MGL_TRY(mgl_check_memory(r.cells != NULL, err));
    mgl_sql_write_map(&statement, state->sql->dialect, release);
    MGL_TRY(mgl_sql_make_table(state->sql, &statement, release->map, &rows, " (n)", err,
                               &state->staged.has_map));
    return r.status;
}

static mgl_status make_map(mgl_sql_source *state, const mgl_sql_release *release,
                           const mgl_push_request *request, mgl_error *err)
{
    mgl_buffer statement = {0};
    mgl_sql_rows rows = {2 * release->n_mapped, request->next, request->context};
    if (release->repeats)
        return make_repeated(state, release, request, err);
    mgl_sql_write_map(&statement, state->sql->dialect, release);
    return mgl_sql_make_table(state->sql, &statement, release->map, &rows,
                              release->hash_seed != 0 ? " (h)" : "", err, &state->staged.has_map);
}

/* ---- What it is made of ------------------------------------------------------------- */

static bool is_grouped(const mgl_source *source)
{
    mgl_sql_groups groups;
    return mgl_sql_groups_of(source, &groups) != NULL;
}

/* A column of which no value changes is taken from the table, with its type. Where values can be
 * equal and have different texts, the text that was counted is released. */
static bool is_kept(const mgl_source *source, const mgl_push_request *request, size_t key)
{
    const mgl_sql_source *state = source->state;
    return request->unchanged != NULL && request->unchanged[key] &&
           state->columns.list[request->keys[key]].exact && !is_grouped(source);
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
static const char *released_type(const mgl_source *source, const mgl_push_request *request,
                                 size_t key)
{
    const mgl_sql_source *state = source->state;
    const mgl_sql_column *column = &state->columns.list[request->keys[key]];
    if (!state->sql->driver->typed || request->kinds == NULL || is_grouped(source))
        return NULL;
    const mgl_released_kind *kind = &request->kinds[key];
    if (is_kept(source, request, key))
        return column->type;
    if (column->numbers)
        return !fits_numbers(column->type, kind) ? NULL : column->whole ? column->type : "INTEGER";
    if (!column->exact || column->texts)
        return NULL;
    return kind->ground || (kind->days && strcmp(column->type, "date") == 0) ? column->type : NULL;
}

/* Where every column is looked up, rows that are released alike are alike: they need not be joined
 * to be shuffled. */
static bool is_repeated(const mgl_source *source, const mgl_push_request *request)
{
    const mgl_sql_source *state = source->state;
    bool all = request->n_keys > 0;
    for (size_t c = 0; c < request->n_columns; c++) {
        bool looked_up = false;
        for (size_t k = 0; k < request->n_keys; k++)
            looked_up = looked_up || request->keys[k] == request->columns[c];
        all = all && looked_up;
    }
    return all && request->shuffle && request->times != NULL && state->sql->driver->typed &&
           state->sql->dialect->series != NULL && !is_grouped(source);
}

static mgl_status find_columns(mgl_source *source, const mgl_push_request *request, mgl_error *err,
                               mgl_sql_release *out)
{
    const mgl_sql_source *state = source->state;
    mgl_arena *arena = state->sql->arena;
    const char **names = mgl_arena_alloc(arena, request->n_columns * sizeof *names);
    const char **keys = mgl_arena_alloc(arena, request->n_keys * sizeof *keys);
    const char **types = mgl_arena_alloc(arena, request->n_keys * sizeof *types);
    const mgl_sql_column **typed = mgl_arena_alloc(arena, request->n_keys * sizeof *typed);
    size_t *places = mgl_arena_alloc(arena, request->n_columns * sizeof *places);
    MGL_TRY(mgl_check_memory(
        names != NULL && keys != NULL && types != NULL && typed != NULL && places != NULL, err));
    bool repeats = is_repeated(source, request);
    for (size_t c = 0; c < request->n_columns; c++) {
        names[c] = mgl_source_column(source, request->columns[c]);
        places[c] = SIZE_MAX;
        for (size_t k = 0; k < request->n_keys; k++)
            if (request->keys[k] == request->columns[c] &&
                (repeats || !is_kept(source, request, k)))
                places[c] = k;
    }
    for (size_t k = 0; k < request->n_keys; k++) {
        const mgl_sql_column *column = &state->columns.list[request->keys[k]];
        keys[k] = mgl_source_column(source, request->keys[k]);
        types[k] = released_type(source, request, k);
        bool plain = state->sql->driver->typed && (column->texts || column->whole);
        typed[k] = plain && request->filled != NULL && request->filled[k] ? column : NULL;
    }
    *out = (mgl_sql_release){.names = names,
                             .places = places,
                             .n_columns = request->n_columns,
                             .n_mapped = request->n_keys,
                             .keys = keys,
                             .types = types,
                             .typed = typed,
                             .filled = request->filled,
                             .repeats = repeats};
    return MGL_OK;
}

static mgl_status write_release(mgl_source *source, const mgl_push_request *request, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_sql_groups groups;
    mgl_sql_release release;
    bool fit;
    uint64_t *widths = mgl_arena_alloc(state->sql->arena, request->n_keys * sizeof *widths);
    MGL_TRY(mgl_check_memory(widths != NULL, err));
    MGL_TRY(find_columns(source, request, err, &release));
    release.source = &state->location.table;
    release.map = &state->staged.map;
    release.target = &state->staged.table;
    release.cells = mgl_sql_cells_of(source);
    release.groups = mgl_sql_groups_of(source, &groups);
    release.shuffle = request->shuffle;
    release.mark = state->sql->mark;
    if (state->sql->dialect->hash_text != NULL && release.groups == NULL && !release.repeats &&
        request->n_keys > 0)
        MGL_TRY(mgl_sys_entropy(&release.hash_seed, sizeof release.hash_seed, err));
    MGL_TRY(make_map(state, &release, request, err));
    MGL_TRY(find_widths(state->sql, &release, err, widths, &fit));
    release.widths = fit ? widths : NULL;
    /* The engine begins to write; end_release waits for it. */
    mgl_sql *sql = state->sql;
    mgl_sql_release ordered = release;
    mgl_buffer statement = {0};
    if (release.shuffle && release.groups == NULL && !release.repeats)
        MGL_TRY(mgl_sql_write_order(sql, release.source, err, &ordered.order));
    mgl_sql_write_release(&statement, sql->dialect, &ordered);
    return mgl_sql_send(sql, &statement, err);
}

mgl_status mgl_sql_begin_release(mgl_source *source, const mgl_push_request *request,
                                 mgl_error *err)
{
    mgl_sql_source *state = source->state;
    state->sql->progress = request->progress;
    state->sql->stage = "write";
    state->staged.overwrite = request->overwrite;
    MGL_TRY(mgl_sql_source_begin(state, err));
    MGL_TRY(name_tables(state, err));
    return write_release(source, request, err);
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

/* ---- Releases that are loaded ---------------------------------------------------------------- */

typedef struct loading {
    mgl_source *source;
    size_t n_columns;
    mgl_span no_value;
    mgl_records records; /* the current block */
    size_t record;
    mgl_buffer *scratch; /* [n_columns] of quoted fields */
    mgl_error *err;
    mgl_status status;
} loading;

static mgl_status take_row(loading *l, mgl_span *cells, bool *there)
{
    while (l->record == l->records.n_records) {
        l->record = 0;
        MGL_TRY(mgl_source_next(l->source, l->err, &l->records));
        *there = l->records.n_records > 0;
        if (!*there)
            return MGL_OK;
    }
    for (size_t c = 0; c < l->n_columns; c++) {
        const mgl_field *field = &l->records.fields[l->record * l->records.n_fields + c];
        l->scratch[c].size = 0;
        mgl_span cell = mgl_field_value(*field, &l->scratch[c]);
        cells[c] = mgl_span_equal(cell, l->no_value) ? (mgl_span){NULL, 0} : cell;
        if (l->scratch[c].failed)
            return mgl_fail_memory(l->err);
    }
    l->record++;
    return MGL_OK;
}

/* The next record of the release; failures are those of the source. */
static bool next_row(void *context, mgl_span *cells)
{
    loading *l = context;
    bool there = true;
    if (l->status == MGL_OK)
        l->status = take_row(l, cells, &there);
    return l->status == MGL_OK && there;
}

static void write_create(mgl_buffer *out, const mgl_sql *sql, const mgl_sql_table *table,
                         const mgl_source *source)
{
    const mgl_sql_dialect *dialect = sql->dialect;
    mgl_buffer_text(out, "CREATE TABLE ");
    mgl_sql_table_name(out, dialect, table);
    for (size_t c = 0; c < mgl_source_columns(source); c++) {
        mgl_buffer_text(out, c > 0 ? ", " : " (");
        mgl_sql_identifier(out, dialect, mgl_source_column(source, c));
        mgl_buffer_text(out, " ");
        mgl_sql_write_plain_type(out, dialect);
    }
    mgl_sql_end_columns(out, dialect);
    mgl_sql_write_mark(out, dialect, sql->mark);
}

static mgl_status make(mgl_sql *sql, const mgl_sql_table *table, const mgl_source *source,
                       mgl_error *err)
{
    mgl_buffer create = {0};
    write_create(&create, sql, table, source);
    return mgl_sql_run(sql, &create, err);
}

static mgl_status fill(mgl_sql *sql, const mgl_sql_table *table, mgl_source *source,
                       mgl_span no_value, mgl_error *err)
{
    size_t n = mgl_source_columns(source);
    loading l = {.source = source, .n_columns = n, .no_value = no_value, .err = err};
    MGL_TRY(mgl_new_zeroed(n, sizeof *l.scratch, err, &l.scratch));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_source_rewind(source, err));
    MGL_GO(load_rows(sql, table, &(mgl_sql_rows){n, next_row, &l}, err));
    MGL_GO(l.status);
done:
    for (size_t c = 0; c < n; c++)
        mgl_buffer_free(&l.scratch[c]);
    mgl_free(l.scratch);
    return status;
}

/* In one transaction, which takes back what it made. */
static mgl_status load_at_once(mgl_sql *sql, const mgl_sql_table *table,
                               const mgl_load_request *request, mgl_source *source, mgl_error *err)
{
    mgl_buffer grants = {0};
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_sql_begin(sql, err));
    if (request->overwrite)
        MGL_GO(mgl_sql_drop_replaced(sql, table, err, &grants));
    MGL_GO(make(sql, table, source, err));
    MGL_GO(fill(sql, table, source, request->no_value, err));
    MGL_GO(mgl_sql_run_all(sql, &grants, err));
    MGL_GO(mgl_sql_commit(sql, err));
done:
    mgl_buffer_free(&grants);
    if (status != MGL_OK) {
        sql->progress = NULL;
        (void)mgl_sql_rollback(sql, NULL);
    }
    return status;
}

/* Under a temporary name until it is complete, and dropped explicitly. */
static mgl_status load_staged(mgl_sql *sql, const mgl_sql_table *table, mgl_source *source,
                              mgl_span no_value, mgl_error *err)
{
    mgl_sql_table staged = {0};
    uint32_t number;
    bool made = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sys_entropy(&number, sizeof number, err));
    MGL_GO(sql_claim(sql, table->schema, err));
    MGL_GO(mgl_sql_name_table(sql, "release", number, table->schema, err, &staged));
    MGL_GO(make(sql, &staged, source, err));
    made = true;
    MGL_GO(mgl_sql_begin(sql, err));
    MGL_GO(fill(sql, &staged, source, no_value, err));
    MGL_GO(mgl_sql_commit(sql, err));
    MGL_GO(mgl_sql_publish(sql, &staged, table->name, err));
    made = false;
done:
    if (made) {
        sql->progress = NULL;
        (void)mgl_sql_rollback(sql, NULL);
        (void)mgl_sql_drop(sql, &staged, NULL);
    }
    return status;
}

static mgl_status load(mgl_sql *sql, const mgl_sql_table *table, const mgl_load_request *request,
                       mgl_source *source, mgl_error *err)
{
    return sql->dialect->undoes_create ? load_at_once(sql, table, request, source, err)
                                       : load_staged(sql, table, source, request->no_value, err);
}

static mgl_status connect_to(const char *location, bool overwrite, mgl_error *err,
                             mgl_sql_location *where, mgl_sql **sql)
{
    MGL_TRY(mgl_sql_location_parse(location, err, where));
    where->makes_file = where->driver->makes_file;
    MGL_TRY(mgl_sql_connect(where, err, sql));
    return mgl_sql_check_target(*sql, where, overwrite, NULL, err);
}

/* Is the database a file that is not there yet? MGL_DATA if it cannot be made. */
static mgl_status is_to_be_made(const mgl_sql_location *where, mgl_error *err, bool *out)
{
    const char *path = where->server + strlen(where->driver->scheme), *slash = strrchr(path, '/');
    mgl_file_state state;
    mgl_buffer folder = {0};
    char *name = NULL;
    *out = where->driver->makes_file && mgl_sys_state_of(path, &state) != 0;
    if (!*out || slash == NULL)
        return MGL_OK;
    mgl_buffer_append(&folder, path, (size_t)(slash - path) + 1);
    mgl_status status = mgl_buffer_take(&folder, err, &name);
    if (status == MGL_OK && mgl_sys_state_of(name, &state) != 0)
        status = mgl_fail_errno(err, path, "make the database");
    mgl_buffer_free(&folder);
    mgl_free(name);
    return status;
}

mgl_status mgl_table_check(const char *location, bool overwrite, mgl_error *err)
{
    mgl_sql_location where = {0};
    mgl_sql *sql = NULL;
    bool later;
    MGL_TRY(mgl_sql_location_parse(location, err, &where));
    mgl_status status = is_to_be_made(&where, err, &later);
    mgl_sql_location_free(&where);
    if (status != MGL_OK || later)
        return mgl_blame_key(err, status, "output");
    status = connect_to(location, overwrite, err, &where, &sql);
    mgl_sql_close(sql);
    mgl_sql_location_free(&where);
    return status;
}

mgl_status mgl_table_load(const mgl_load_request *request, mgl_source *source, mgl_error *err)
{
    mgl_sql_location where = {0};
    mgl_sql *sql = NULL;
    mgl_status status = connect_to(request->target, request->overwrite, err, &where, &sql);
    if (status == MGL_OK) {
        sql->progress = request->progress;
        sql->stage = "load";
        status = load(sql, &where.table, request, source, err);
    }
    mgl_sql_close(sql);
    mgl_sql_location_free(&where);
    return status;
}
