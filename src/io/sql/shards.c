/* A table that lies in several databases of PostgreSQL, by a file with one location a line. Each
 * counts its rows, all at the same time, and only counts come together; each writes its share of a
 * release. */
#include "io/sql/read_database.h"

typedef struct shard_list {
    mgl_arena *arena;
    const char *path;  /* of the file that lists them */
    mgl_source **list; /* [n] each a table of a database of its own */
    size_t n, room;
    bool staged; /* releases are there under names of their own, and stay until they are dropped */
} shard_list;

/* The location of a table beside the one that a location names. */
static const char *with_table(const mgl_sql_location *location, const char *table, mgl_arena *arena)
{
    return mgl_arena_format(arena, "%s%stable=%s", location->server,
                            strchr(location->server, '?') != NULL ? "&" : "?", table);
}

/* A location of PostgreSQL, with the table that all of them are asked for instead of its own. */
static mgl_status open_shard(mgl_source *source, mgl_span line, const char *table, mgl_error *err)
{
    shard_list *shards = source->state;
    mgl_sql_location location;
    const char *name = mgl_arena_copy(shards->arena, line.data, line.size);
    MGL_TRY(mgl_check_memory(name != NULL, err));
    if (mgl_sql_driver_of(name) != &mgl_sql_postgresql)
        return mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "shards are databases of PostgreSQL; give "
                        "postgresql://HOST/DATABASE?table=NAME");
    MGL_TRY(mgl_sql_location_parse(name, err, &location));
    if (table != NULL)
        name = with_table(&location, table, shards->arena);
    mgl_sql_location_free(&location);
    if (name == NULL ||
        !mgl_grow(&shards->list, &shards->room, shards->n + 1, sizeof(mgl_source *)))
        return mgl_fail_memory(err);
    MGL_TRY(mgl_source_open(name, source->options, err, &shards->list[shards->n]));
    shards->n++;
    return MGL_OK;
}

static mgl_status open_all(mgl_source *source, const char *table, mgl_error *err)
{
    shard_list *shards = source->state;
    mgl_buffer text = {0};
    size_t number = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_read_whole(shards->path, err, &text));
    mgl_buffer_append(&text, "\n", 1);
    MGL_GO(mgl_check_memory(!text.failed, err));
    for (size_t at = 0; at < text.size;) {
        const char *end = memchr(text.data + at, '\n', text.size - at);
        mgl_span line = mgl_span_trim((mgl_span){text.data + at, (size_t)(end - text.data) - at});
        at = (size_t)(end - text.data) + 1;
        number++;
        if (line.size == 0 || line.data[0] == '#')
            continue;
        mgl_error why = {0};
        status = open_shard(source, line, table, &why);
        if (status != MGL_OK)
            MGL_GO(mgl_fail_at(err, why.code, shards->path, number, "%s", why.message));
    }
    if (shards->n == 0)
        MGL_GO(mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, shards->path, 0,
                           "no location stands in it; give one a line"));
done:
    mgl_buffer_free(&text);
    return status;
}

static mgl_status compare_columns(const shard_list *shards, size_t i, mgl_error *err)
{
    const mgl_sql_source *first = shards->list[0]->state, *other = shards->list[i]->state;
    for (size_t c = 0; c < first->columns.n || c < other->columns.n; c++) {
        bool both = c < first->columns.n && c < other->columns.n;
        const mgl_sql_column *a = &first->columns.list[c], *b = &other->columns.list[c];
        if (both && strcmp(a->name, b->name) == 0 && strcmp(a->type, b->type) == 0)
            continue;
        return mgl_fail_at(
            err, MGL_CODE_COLUMN_TYPE, other->location.name, 0,
            "column %zu is %.60s %.60s, and on the first shard it is %.60s %.60s; "
            "tables of shards have the same columns in the same order, give views "
            "that have",
            c + 1, c < other->columns.n ? b->name : "none", c < other->columns.n ? b->type : "",
            c < first->columns.n ? a->name : "none", c < first->columns.n ? a->type : "");
    }
    return MGL_OK;
}

/* The rows of a database that is named twice would count twice. */
static mgl_status refuse_twice(const shard_list *shards, size_t i, mgl_error *err)
{
    const mgl_sql_source *other = shards->list[i]->state;
    for (size_t j = 0; j < i; j++) {
        const mgl_sql_source *one = shards->list[j]->state;
        bool same, role;
        MGL_TRY(mgl_sql_same_database(one->sql, other->sql, err, &same, &role));
        if (same)
            return mgl_fail_at(err, MGL_CODE_EXISTS, other->location.name, 0,
                               "this is the same database as %.200s; name each once",
                               one->location.name);
    }
    return MGL_OK;
}

static mgl_status copy_columns(mgl_source *source, mgl_error *err)
{
    const shard_list *shards = source->state;
    const mgl_sql_source *first = shards->list[0]->state;
    for (size_t c = 0; c < first->columns.n; c++)
        MGL_TRY(mgl_source_add_column(source, mgl_span_of(first->columns.list[c].name), 0, err));
    return MGL_OK;
}

static mgl_status open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    shard_list *shards = source->state = mgl_zeroed_array(1, sizeof *shards);
    MGL_TRY(mgl_check_memory(shards != NULL && (shards->arena = mgl_arena_new()) != NULL, err));
    source->name = mgl_arena_format(shards->arena, "%s", location->text);
    shards->path = mgl_arena_copy(shards->arena, location->path.data, location->path.size);
    MGL_TRY(mgl_check_memory(source->name != NULL && shards->path != NULL, err));
    MGL_TRY(open_all(source, location->table, err));
    for (size_t i = 1; i < shards->n; i++) {
        MGL_TRY(compare_columns(shards, i, err));
        MGL_TRY(refuse_twice(shards, i, err));
    }
    return copy_columns(source, err);
}

static void discard(mgl_source *source);

static void close(mgl_source *source)
{
    shard_list *shards = source->state;
    if (shards == NULL)
        return;
    discard(source);
    for (size_t i = 0; i < shards->n; i++)
        mgl_source_close(shards->list[i]);
    mgl_free(shards->list);
    mgl_arena_free(shards->arena);
    mgl_free(shards);
}

static mgl_status check_columns(const mgl_source *source, const mgl_table *table, mgl_error *err)
{
    const shard_list *shards = source->state;
    return mgl_sql_refuse_opaque(shards->list[0], table, err);
}

static mgl_status send_counts(shard_list *shards, const size_t *wanted, size_t n,
                              const mgl_progress *progress, mgl_error *err)
{
    for (size_t i = 0; i < shards->n; i++) {
        mgl_sql_source *state = shards->list[i]->state;
        state->sql->progress = progress;
        state->sql->stage = "count";
        MGL_TRY(mgl_sql_source_begin(state, err));
        MGL_TRY(mgl_sql_send_count(shards->list[i], wanted, n, err));
    }
    return MGL_OK;
}

static mgl_status count(mgl_source *source, mgl_table *table, const mgl_progress *progress,
                        mgl_error *err)
{
    shard_list *shards = source->state;
    mgl_counted counted = {
        .table = table, .options = source->options, .level = source->count_level};
    size_t *wanted;
    MGL_TRY(mgl_new_array(table->n_columns, sizeof *wanted, err, &wanted));
    mgl_status status = MGL_OK;
    for (size_t c = 0; c < table->n_columns; c++)
        wanted[c] = table->columns[c].source_index;
    MGL_GO(send_counts(shards, wanted, table->n_columns, progress, err));
    MGL_GO(mgl_sql_add_groups(shards->list, shards->n, &counted, err));
    if (table->n_rows == 0 && !source->options->may_be_empty)
        MGL_GO(mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, 0,
                           "the tables of all shards have no rows; fill one first"));
done:
    mgl_sql_finish_all(shards->list, shards->n);
    mgl_free(wanted);
    return status;
}

/* Those of a release are fetched for its digest. */
static mgl_status refuse_rows(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    (void)intake;
    return mgl_fail_at(err, MGL_CODE_UNSUPPORTED, source->name, 0,
                       "rows do not leave shards, and what is asked for needs them; release to "
                       "the shards (`output` shards:?table=NAME), without `sample`, `least-count` "
                       "and what works row by row");
}

static bool filters(const mgl_source *source)
{
    const shard_list *shards = source->state;
    return mgl_source_filters(shards->list[0]);
}

static mgl_status filter_rows(mgl_source *source, const mgl_cell_filter *filter, mgl_error *err,
                              uint64_t *n_rows)
{
    shard_list *shards = source->state;
    uint64_t sum = 0, rows = 0;
    for (size_t i = 0; i < shards->n; i++) {
        MGL_TRY(mgl_source_filter(shards->list[i], filter, err, &rows));
        sum += rows;
    }
    if (n_rows != NULL)
        *n_rows = sum;
    return MGL_OK;
}

static mgl_status writes(const mgl_source *source, const char *target, mgl_error *err, bool *out)
{
    const shard_list *shards = source->state;
    mgl_location location = mgl_location_of(target);
    *out = false;
    if (location.kind != MGL_LOCATION_SHARDS)
        return MGL_OK;
    bool same = location.path.size == 0 || mgl_span_is(location.path, shards->path);
    if (!same || location.table == NULL)
        return mgl_fail_key(err, MGL_CODE_BAD_VALUE, "output",
                            "a release of shards goes to the same shards; give "
                            "shards:?table=NAME");
    *out = true;
    return MGL_OK;
}

/* The table on a shard. */
static mgl_status locate(const mgl_source *shard, const char *target, mgl_error *err,
                         mgl_sql_location *out)
{
    const mgl_sql_source *state = shard->state;
    const char *location =
        with_table(&state->location, mgl_location_of(target).table, state->sql->arena);
    return location == NULL ? mgl_fail_memory(err) : mgl_sql_location_parse(location, err, out);
}

static mgl_status record_path(const shard_list *shards, mgl_error *err, const char **out)
{
    *out = mgl_arena_format(shards->arena, "%s.unfinished", shards->path);
    return mgl_check_memory(*out != NULL, err);
}

static mgl_status refuse_unfinished(const shard_list *shards, mgl_error *err)
{
    mgl_file_state state;
    const char *path;
    MGL_TRY(record_path(shards, err, &path));
    if (mgl_sys_state_of(path, &state) != 0)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_EXISTS, path, 0,
                       "an earlier release got its name on some shards only; the file has the "
                       "commands that finish or undo it: run them, and remove it");
}

/* Between single quotes of the shell. */
static void write_quoted(mgl_buffer *out, mgl_span text)
{
    mgl_buffer_text(out, "'");
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] == '\'')
            mgl_buffer_text(out, "'\\''");
        else
            mgl_buffer_append(out, text.data + i, 1);
    mgl_buffer_text(out, "'");
}

/* Each command does nothing where it has been done. */
static void write_commands(mgl_buffer *out, const shard_list *shards, bool finish)
{
    for (size_t i = 0; i < shards->n; i++) {
        const mgl_sql_source *state = shards->list[i]->state;
        const mgl_sql_dialect *dialect = state->sql->dialect;
        mgl_buffer statement = {0};
        mgl_buffer_text(&statement, finish ? "ALTER TABLE IF EXISTS " : "DROP TABLE IF EXISTS ");
        mgl_sql_table_name(&statement, dialect, &state->staged.table);
        mgl_buffer_text(&statement, finish ? " RENAME TO " : ", ");
        if (finish)
            mgl_sql_identifier(&statement, dialect, state->staged.target.table.name);
        else
            mgl_sql_table_name(&statement, dialect, &state->staged.target.table);
        out->failed = out->failed || statement.failed;
        /* psql 'SERVER' -c 'STATEMENT' */
        mgl_buffer_text(out, "psql -v ON_ERROR_STOP=1 ");
        write_quoted(out, mgl_span_of(state->location.server));
        mgl_buffer_text(out, " -c ");
        write_quoted(out, (mgl_span){statement.data, statement.size});
        mgl_buffer_text(out, "\n");
        mgl_buffer_free(&statement);
    }
}

static void write_ways(mgl_buffer *out, const shard_list *shards, const char *before)
{
    mgl_buffer_format(out, "%sTo finish:\n", before);
    write_commands(out, shards, true);
    mgl_buffer_format(out, "%sOr to undo:\n", before);
    write_commands(out, shards, false);
}

static mgl_status write_record(const shard_list *shards, mgl_error *err, const char **out)
{
    mgl_buffer text = {0};
    int fd = -1;
    mgl_status status = MGL_OK;
    mgl_buffer_text(&text, "# A release gets its name on several shards. While this file is there, "
                           "only some may have it.\n");
    write_ways(&text, shards, "# ");
    mgl_buffer_text(&text, "# Then remove this file.\n");
    MGL_GO(text.failed ? mgl_fail_memory(err) : record_path(shards, err, out));
    fd = mgl_sys_create(*out);
    if (fd < 0 || mgl_sys_write(fd, text.data, text.size) != 0 || mgl_sys_sync(fd) != 0 ||
        mgl_sys_sync_folder(*out) != 0)
        MGL_GO(mgl_fail_errno(err, *out, "write"));
done:
    mgl_sys_close(fd);
    mgl_buffer_free(&text);
    return status;
}

static mgl_status check(mgl_source *source, const mgl_push_target *target, mgl_error *err)
{
    shard_list *shards = source->state;
    MGL_TRY(refuse_unfinished(shards, err));
    if (target->overwrite)
        return mgl_fail_key(err, MGL_CODE_UNSUPPORTED, "overwrite",
                            "`overwrite`: several databases cannot replace their tables "
                            "in one step; drop them first, or choose another name");
    for (size_t i = 0; i < shards->n; i++) {
        mgl_sql_location location = {0};
        MGL_TRY(locate(shards->list[i], target->location, err, &location));
        mgl_status status = mgl_sql_check_push(shards->list[i], target, &location, err);
        mgl_sql_location_free(&location);
        MGL_TRY(status);
    }
    return MGL_OK;
}

static mgl_status write(mgl_source *source, const mgl_push_request *request, mgl_error *err)
{
    shard_list *shards = source->state;
    mgl_push_request share = *request;
    share.times = NULL; /* they count the records of all shards */
    for (size_t i = 0; i < shards->n; i++) {
        mgl_sql_source *state = shards->list[i]->state;
        if (i > 0 && !request->again(request->context))
            return mgl_fail_memory(err);
        MGL_TRY(locate(shards->list[i], request->target, err, &state->staged.target));
        MGL_TRY(mgl_sql_begin_release(shards->list[i], &share, err));
    }
    for (size_t i = 0; i < shards->n; i++)
        MGL_TRY(mgl_sql_end_release(shards->list[i], err));
    return MGL_OK;
}

static mgl_status recount(mgl_source *source, const mgl_push_request *request, const size_t *wanted,
                          size_t n_wanted, mgl_error *err, mgl_table **out)
{
    shard_list *shards = source->state;
    return mgl_sql_recount(shards->list, shards->n, request, wanted, n_wanted, err, out);
}

static mgl_status digest(mgl_source *source, mgl_error *err, char text[MGL_SHA256_TEXT])
{
    shard_list *shards = source->state;
    mgl_row_digest *rows;
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_row_digest_new(err, &rows));
    for (size_t i = 0; i < shards->n; i++)
        MGL_GO(mgl_sql_digest_release(shards->list[i], rows, err));
    mgl_row_digest_end(rows, text);
done:
    mgl_row_digest_free(rows);
    return status;
}

/* A value on two shards counts as two: each shard reports its own values only. */
static mgl_status ask_values(mgl_source *source, size_t column, mgl_error *err,
                             mgl_value_counts *out)
{
    shard_list *shards = source->state;
    *out = (mgl_value_counts){0};
    for (size_t i = 0; i < shards->n; i++) {
        mgl_value_counts one;
        MGL_TRY(mgl_sql_push.ask_values(shards->list[i], column, err, &one));
        out->distinct += one.distinct;
        out->unique += one.unique;
        out->codes += one.codes;
    }
    return MGL_OK;
}

static mgl_status ask_groups(mgl_source *source, const size_t *wanted, size_t n_wanted,
                             mgl_error *err, uint64_t *out)
{
    shard_list *shards = source->state;
    uint64_t sum = 0;
    for (size_t i = 0; i < shards->n; i++) {
        uint64_t one;
        MGL_TRY(mgl_sql_push.ask_groups(shards->list[i], wanted, n_wanted, err, &one));
        sum += one;
    }
    *out = sum;
    return MGL_OK;
}

/* A person may have rows on several shards: what never varies on any of them is reported. */
static mgl_status share_that_never_varies(mgl_source *source, size_t column, const size_t *others,
                                          size_t n_others, mgl_error *err, double *shares)
{
    shard_list *shards = source->state;
    double *one = mgl_alloc_array(n_others, sizeof *one);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(one != NULL, err));
    for (size_t i = 0; i < shards->n; i++) {
        MGL_GO(mgl_sql_push.share_that_never_varies(shards->list[i], column, others, n_others, err,
                                                    one));
        for (size_t c = 0; c < n_others; c++)
            shares[c] = i == 0 || one[c] < shares[c] ? one[c] : shares[c];
    }
done:
    mgl_free(one);
    return status;
}

/* Some may have their names when one fails; what to do then stands in the record. */
static mgl_status name_releases(const shard_list *shards, const char *record, mgl_error *err)
{
    for (size_t i = 0; i < shards->n; i++) {
        const mgl_sql_source *state = shards->list[i]->state;
        mgl_buffer statement = {0};
        mgl_error why = {0};
        mgl_sql_write_rename(&statement, state->sql->dialect, &state->staged.table,
                             state->staged.target.table.name);
        if (mgl_sql_run(state->sql, &statement, &why) == MGL_OK)
            continue;
        mgl_buffer commands = {0};
        write_ways(&commands, shards, "");
        mgl_status status =
            commands.failed
                ? mgl_fail_memory(err)
                : mgl_fail(err, MGL_CODE_DATABASE,
                           "%.300s; the release is verified and has its name on %zu of %zu "
                           "shards; run the commands that %.200s has:\n%.*s",
                           why.message, i, shards->n, record, (int)commands.size, commands.data);
        mgl_buffer_free(&commands);
        return status;
    }
    return MGL_OK;
}

static mgl_status publish(mgl_source *source, mgl_error *err)
{
    shard_list *shards = source->state;
    const char *record;
    shards->staged = true;
    for (size_t i = 0; i < shards->n; i++) {
        mgl_sql_source *state = shards->list[i]->state;
        MGL_TRY(mgl_sql_commit(state->sql, err));
        state->begun = false;
    }
    MGL_TRY(write_record(shards, err, &record));
    shards->staged = false; /* from here on the record lists what is left */
    MGL_TRY(name_releases(shards, record, err));
    (void)mgl_sys_unlink(record);
    return MGL_OK;
}

static void discard(mgl_source *source)
{
    shard_list *shards = source->state;
    for (size_t i = 0; i < shards->n; i++) {
        mgl_sql_source *state = shards->list[i]->state;
        bool committed = shards->staged && !state->begun && state->staged.has_table;
        state->sql->progress = NULL;
        mgl_sql_finish(state->sql);
        if (committed)
            (void)mgl_sql_drop(state->sql, &state->staged.table, NULL);
        mgl_sql_push.discard(shards->list[i]);
    }
    shards->staged = false;
}

static const mgl_push_operations shards_push = {.writes = writes,
                                                .check = check,
                                                .write = write,
                                                .recount = recount,
                                                .digest = digest,
                                                .ask_values = ask_values,
                                                .ask_groups = ask_groups,
                                                .share_that_never_varies = share_that_never_varies,
                                                .publish = publish,
                                                .discard = discard};

static const mgl_source_operations operations = {.open = open,
                                                 .close = close,
                                                 .check = check_columns,
                                                 .produce = refuse_rows,
                                                 .count = count,
                                                 .filters = filters,
                                                 .filter = filter_rows,
                                                 .push = &shards_push};

const mgl_format mgl_shards_format = {
    .name = "shards",
    .help = "a table in several databases of PostgreSQL: shards:FILE, one location a line",
    .scheme = "shards:",
    .source = &operations,
    .loaded = true,
    .beside = true,
};
