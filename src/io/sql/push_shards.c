/* Has each of several databases write its share of a release, all at the same time. When the counts
 * of all of them together were judged, each commits its share under a name of its own, and then
 * gives it its name; a file beside the list of shards has the commands that finish or undo it while
 * only some have done so. The push of the pipeline calls it through the source. */
#include "io/sql/shards.h"

/* ---- Where it goes ----------------------------------------------------------------- */

static mgl_status writes(const mgl_source *source, const char *target, mgl_error *err, bool *out)
{
    const mgl_shards *shards = source->state;
    char *path, *table;
    *out = false;
    if (!mgl_is_shards(target))
        return MGL_OK;
    MGL_TRY(mgl_shards_split(target, err, &path, &table));
    bool same = path[0] == '\0' || strcmp(path, shards->path) == 0, named = table != NULL;
    mgl_free(path);
    mgl_free(table);
    if (!same || !named)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_BAD_VALUE,
                                      "a release of shards goes to the same shards; give "
                                      "shards:?table=NAME"),
                             "output");
    *out = true;
    return MGL_OK;
}

/* The table on a shard. */
static mgl_status locate(const mgl_source *shard, const char *target, mgl_error *err,
                         mgl_sql_location *out)
{
    const mgl_sql_source *state = shard->state;
    mgl_buffer text = {0};
    char *path = NULL, *table = NULL, *location = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_shards_split(target, err, &path, &table));
    mgl_buffer_format(&text, "%s%stable=%s", state->location.server,
                      strchr(state->location.server, '?') != NULL ? "&" : "?", table);
    MGL_GO(mgl_buffer_take(&text, err, &location));
    MGL_GO(mgl_sql_location_parse(location, err, out));
done:
    mgl_free(path);
    mgl_free(table);
    mgl_free(location);
    mgl_buffer_free(&text);
    return status;
}

/* ---- The record ----------------------------------------------------------------------- */

static mgl_status record_path(const mgl_shards *shards, mgl_error *err, char **out)
{
    mgl_buffer path = {0};
    mgl_buffer_format(&path, "%s.unfinished", shards->path);
    mgl_status status = mgl_buffer_take(&path, err, out);
    mgl_buffer_free(&path);
    return status;
}

static mgl_status refuse_unfinished(const mgl_shards *shards, mgl_error *err)
{
    mgl_file_state state;
    char *path;
    MGL_TRY(record_path(shards, err, &path));
    mgl_status status = MGL_OK;
    if (mgl_sys_state_of(path, &state) == 0)
        status = mgl_fail_at(err, MGL_CODE_EXISTS, path, 0,
                             "an earlier release got its name on some shards only; the file has "
                             "the commands that finish or undo it: run them, and remove it");
    mgl_free(path);
    return status;
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

/* psql 'SERVER' -c 'STATEMENT' */
static void write_command(mgl_buffer *out, const mgl_sql_source *state, const mgl_buffer *statement)
{
    mgl_buffer_text(out, "psql -v ON_ERROR_STOP=1 ");
    write_quoted(out, mgl_span_of(state->location.server));
    mgl_buffer_text(out, " -c ");
    write_quoted(out, (mgl_span){statement->data, statement->size});
    mgl_buffer_text(out, "\n");
}

/* Each command does nothing where it has been done. */
static void write_commands(mgl_buffer *out, const mgl_shards *shards, bool finish)
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
        write_command(out, state, &statement);
        mgl_buffer_free(&statement);
    }
}

static void write_ways(mgl_buffer *out, const mgl_shards *shards, const char *before)
{
    mgl_buffer_format(out, "%sTo finish:\n", before);
    write_commands(out, shards, true);
    mgl_buffer_format(out, "%sOr to undo:\n", before);
    write_commands(out, shards, false);
}

static mgl_status write_record(const mgl_shards *shards, mgl_error *err, char **out)
{
    mgl_buffer text = {0};
    char *path = NULL;
    int fd = -1;
    mgl_status status = MGL_OK;
    mgl_buffer_text(&text, "# A release gets its name on several shards. While this file is there, "
                           "only some may have it.\n");
    write_ways(&text, shards, "# ");
    mgl_buffer_text(&text, "# Then remove this file.\n");
    MGL_GO(text.failed ? mgl_fail_memory(err) : record_path(shards, err, &path));
    fd = mgl_sys_create(path);
    if (fd < 0 || mgl_sys_write(fd, text.data, text.size) != 0 || mgl_sys_sync(fd) != 0 ||
        mgl_sys_sync_folder(path) != 0)
        MGL_GO(mgl_fail_errno(err, path, "write"));
    *out = path;
    path = NULL;
done:
    if (fd >= 0)
        mgl_sys_close(fd);
    mgl_free(path);
    mgl_buffer_free(&text);
    return status;
}

/* ---- Before and while it is written ------------------------------------------------------ */

static mgl_status check(mgl_source *source, const mgl_push_target *target, mgl_error *err)
{
    mgl_shards *shards = source->state;
    MGL_TRY(refuse_unfinished(shards, err));
    if (target->overwrite)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_UNSUPPORTED,
                                      "`overwrite`: several databases cannot replace their tables "
                                      "in one step; drop them first, or choose another name"),
                             "overwrite");
    for (size_t i = 0; i < shards->n; i++) {
        mgl_sql_location location = {0};
        mgl_status status = locate(shards->list[i], target->location, err, &location);
        if (status == MGL_OK)
            status = mgl_sql_check_push(shards->list[i], target, &location, err);
        mgl_sql_location_free(&location);
        MGL_TRY(status);
    }
    return MGL_OK;
}

static mgl_status write(mgl_source *source, const mgl_push_order *order, mgl_error *err)
{
    mgl_shards *shards = source->state;
    mgl_push_order share = *order;
    share.times = NULL; /* they count the records of all shards */
    for (size_t i = 0; i < shards->n; i++) {
        mgl_sql_source *state = shards->list[i]->state;
        if (i > 0 && !order->again(order->context))
            return mgl_fail_memory(err);
        MGL_TRY(locate(shards->list[i], order->target, err, &state->staged.target));
        MGL_TRY(mgl_sql_begin_release(shards->list[i], &share, err));
    }
    for (size_t i = 0; i < shards->n; i++)
        MGL_TRY(mgl_sql_end_release(shards->list[i], err));
    return MGL_OK;
}

/* ---- Asking about it -------------------------------------------------------------------- */

static mgl_status recount(mgl_source *source, const mgl_push_order *order, const size_t *wanted,
                          size_t n_wanted, mgl_error *err, mgl_table **out)
{
    mgl_shards *shards = source->state;
    return mgl_sql_recount(shards->list, shards->n, order, wanted, n_wanted, err, out);
}

static mgl_status digest(mgl_source *source, mgl_error *err, char text[MGL_SHA256_TEXT])
{
    mgl_shards *shards = source->state;
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

/* A value on two shards is two: no more than that is told by each. */
static mgl_status ask_values(mgl_source *source, size_t column, mgl_error *err,
                             mgl_value_counts *out)
{
    mgl_shards *shards = source->state;
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
    mgl_shards *shards = source->state;
    uint64_t sum = 0;
    for (size_t i = 0; i < shards->n; i++) {
        uint64_t one;
        MGL_TRY(mgl_sql_push.ask_groups(shards->list[i], wanted, n_wanted, err, &one));
        sum += one;
    }
    *out = sum;
    return MGL_OK;
}

/* A person may have rows on several shards: what never varies on any of them is told. */
static mgl_status ask_telling(mgl_source *source, size_t column, const size_t *told, size_t n_told,
                              mgl_error *err, double *shares)
{
    mgl_shards *shards = source->state;
    double *one = mgl_alloc_array(n_told, sizeof *one);
    mgl_status status = MGL_OK;
    if (one == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < shards->n; i++) {
        MGL_GO(mgl_sql_push.ask_telling(shards->list[i], column, told, n_told, err, one));
        for (size_t c = 0; c < n_told; c++)
            shares[c] = i == 0 || one[c] < shares[c] ? one[c] : shares[c];
    }
done:
    mgl_free(one);
    return status;
}

/* ---- Publishing --------------------------------------------------------------------------- */

static mgl_status commit_staged(const mgl_shards *shards, mgl_error *err)
{
    for (size_t i = 0; i < shards->n; i++) {
        mgl_sql_source *state = shards->list[i]->state;
        MGL_TRY(mgl_sql_commit(state->sql, err));
        state->begun = false;
    }
    return MGL_OK;
}

/* Some may have their names when one fails; what to do then stands in the record. */
static mgl_status name_releases(const mgl_shards *shards, const char *record, mgl_error *err)
{
    for (size_t i = 0; i < shards->n; i++) {
        const mgl_sql_source *state = shards->list[i]->state;
        mgl_buffer statement = {0};
        mgl_error why = {0};
        mgl_sql_write_rename(&statement, state->sql->dialect, &state->staged.table,
                             state->staged.target.table.name);
        mgl_status status = mgl_sql_run(state->sql, &statement, &why);
        mgl_buffer_free(&statement);
        if (status == MGL_OK)
            continue;
        mgl_buffer commands = {0};
        write_ways(&commands, shards, "");
        status =
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
    mgl_shards *shards = source->state;
    char *record = NULL;
    shards->staged = true;
    MGL_TRY(commit_staged(shards, err));
    MGL_TRY(write_record(shards, err, &record));
    shards->staged = false; /* from here on the record tells what is left */
    mgl_status status = name_releases(shards, record, err);
    if (status == MGL_OK)
        (void)mgl_sys_unlink(record);
    mgl_free(record);
    return status;
}

static void discard(mgl_source *source)
{
    mgl_shards *shards = source->state;
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

const mgl_push_operations mgl_shards_push = {.writes = writes,
                                             .check = check,
                                             .write = write,
                                             .recount = recount,
                                             .digest = digest,
                                             .ask_values = ask_values,
                                             .ask_groups = ask_groups,
                                             .ask_telling = ask_telling,
                                             .publish = publish,
                                             .discard = discard};
