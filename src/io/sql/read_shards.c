/* Reads a table that lies in several databases of PostgreSQL, by a file with one location a line.
 * Each counts its rows, all at the same time, and only counts come together; rows stay where they
 * are. A row in format_rows.h. */
#include "io/sql/shards.h"

static const char scheme[] = "shards:";

bool mgl_is_shards(const char *location)
{
    return strncmp(location, scheme, sizeof scheme - 1) == 0;
}

mgl_status mgl_shards_split(const char *location, mgl_error *err, char **path, char **table)
{
    const char *file = location + sizeof scheme - 1, *end = strstr(file, "?table=");
    mgl_buffer text = {0}, name = {0};
    *path = *table = NULL;
    mgl_buffer_append(&text, file, end != NULL ? (size_t)(end - file) : strlen(file));
    mgl_status status = mgl_buffer_take(&text, err, path);
    if (status == MGL_OK && end != NULL) {
        mgl_buffer_text(&name, end + strlen("?table="));
        status = mgl_buffer_take(&name, err, table);
    }
    mgl_buffer_free(&text);
    mgl_buffer_free(&name);
    return status;
}

/* ---- The file ---------------------------------------------------------------------- */

enum { MOST_BYTES = 1 << 20 };

static mgl_status read_text(const char *path, mgl_error *err, mgl_buffer *out)
{
    char block[4096];
    ssize_t got = 1;
    int fd = mgl_sys_open_read(path);
    if (fd < 0)
        return mgl_fail_errno(err, path, "open");
    while (got > 0 && out->size < MOST_BYTES) {
        got = mgl_sys_read(fd, block, sizeof block);
        if (got > 0)
            mgl_buffer_append(out, block, (size_t)got);
    }
    mgl_status status = got < 0 ? mgl_fail_errno(err, path, "read") : MGL_OK;
    mgl_sys_close(fd);
    mgl_buffer_append(out, "\n", 1);
    return status == MGL_OK && out->failed ? mgl_fail_memory(err) : status;
}

/* A location of PostgreSQL, with the table that all of them are asked for instead of its own. */
static mgl_status open_shard(mgl_source *source, mgl_span line, const char *table, mgl_error *err)
{
    mgl_shards *shards = source->state;
    mgl_buffer text = {0};
    mgl_sql_location location = {0};
    char *name = NULL;
    mgl_buffer_span(&text, line);
    mgl_status status = mgl_buffer_take(&text, err, &name);
    MGL_GO(status);
    if (mgl_sql_driver_of(name) != &mgl_sql_postgresql)
        MGL_GO(mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "shards are databases of PostgreSQL; give "
                        "postgresql://HOST/DATABASE?table=NAME"));
    MGL_GO(mgl_sql_location_parse(name, err, &location));
    if (table != NULL) {
        mgl_buffer_text(&text, location.server);
        mgl_buffer_text(&text, strchr(location.server, '?') != NULL ? "&table=" : "?table=");
        mgl_buffer_text(&text, table);
        mgl_free(name);
        name = NULL;
        MGL_GO(mgl_buffer_take(&text, err, &name));
    }
    if (!mgl_grow(&shards->list, &shards->room, shards->n + 1, sizeof(mgl_source *)))
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_source_open(name, source->options, err, &shards->list[shards->n]));
    shards->n++;
done:
    mgl_free(name);
    mgl_buffer_free(&text);
    mgl_sql_location_free(&location);
    return status;
}

static mgl_status open_all(mgl_source *source, const char *table, mgl_error *err)
{
    mgl_shards *shards = source->state;
    mgl_buffer text = {0};
    size_t number = 0;
    mgl_status status = MGL_OK;
    MGL_GO(read_text(shards->path, err, &text));
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

/* ---- Do they fit together? ---------------------------------------------------------- */

static mgl_status compare_columns(const mgl_shards *shards, size_t i, mgl_error *err)
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
static mgl_status refuse_twice(const mgl_shards *shards, size_t i, mgl_error *err)
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
    const mgl_shards *shards = source->state;
    const mgl_sql_source *first = shards->list[0]->state;
    for (size_t c = 0; c < first->columns.n; c++)
        MGL_TRY(mgl_source_add_column(source, mgl_span_of(first->columns.list[c].name), 0, err));
    return MGL_OK;
}

static mgl_status open(mgl_source *source, const char *location, mgl_error *err)
{
    mgl_shards *shards = source->state = mgl_zeroed_array(1, sizeof *shards);
    mgl_buffer name = {0};
    char *table = NULL;
    if (shards == NULL)
        return mgl_fail_memory(err);
    mgl_status status = MGL_OK;
    mgl_buffer_text(&name, location);
    MGL_GO(mgl_buffer_take(&name, err, &shards->name));
    source->name = shards->name;
    MGL_GO(mgl_shards_split(location, err, &shards->path, &table));
    MGL_GO(open_all(source, table, err));
    for (size_t i = 1; i < shards->n; i++) {
        MGL_GO(compare_columns(shards, i, err));
        MGL_GO(refuse_twice(shards, i, err));
    }
    MGL_GO(copy_columns(source, err));
done:
    mgl_free(table);
    mgl_buffer_free(&name);
    return status;
}

static void close(mgl_source *source)
{
    mgl_shards *shards = source->state;
    if (shards == NULL)
        return;
    mgl_shards_push.discard(source);
    for (size_t i = 0; i < shards->n; i++)
        mgl_source_close(shards->list[i]);
    mgl_free(shards->list);
    mgl_free(shards->path);
    mgl_free(shards->name);
    mgl_free(shards);
}

/* ---- Counting ------------------------------------------------------------------------ */

static mgl_status send_counts(mgl_shards *shards, const size_t *wanted, size_t n,
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
    mgl_shards *shards = source->state;
    mgl_counted counted = {
        .table = table, .options = source->options, .level = source->count_level};
    size_t *wanted = mgl_alloc_array(table->n_columns, sizeof *wanted);
    mgl_status status = MGL_OK;
    MGL_GO(wanted == NULL ? mgl_fail_memory(err)
                          : mgl_sql_refuse_opaque(shards->list[0], table, err));
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

/* ---- Rows ------------------------------------------------------------------------------ */

static mgl_status refuse_rows(const mgl_source *source, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_UNSUPPORTED, source->name, 0,
                       "rows do not leave shards, and what is asked for needs them; release to "
                       "the shards (`output` shards:?table=NAME), without `sample`, `least-count` "
                       "and what works row by row");
}

static mgl_status read(mgl_source *source, mgl_table *table, mgl_pool *pool,
                       const mgl_progress *progress, mgl_error *err)
{
    (void)table;
    (void)pool;
    (void)progress;
    return refuse_rows(source, err);
}

/* Those of a release, for its digest. */
static mgl_status each(mgl_source *source, mgl_records_fn *visit, void *context, mgl_error *err)
{
    (void)visit;
    (void)context;
    return refuse_rows(source, err);
}

static bool filters(const mgl_source *source)
{
    const mgl_shards *shards = source->state;
    return mgl_source_filters(shards->list[0]);
}

static mgl_status filter_rows(mgl_source *source, const mgl_cell_filter *filter, mgl_error *err,
                              uint64_t *n_rows)
{
    mgl_shards *shards = source->state;
    uint64_t sum = 0, rows = 0;
    for (size_t i = 0; i < shards->n; i++) {
        MGL_TRY(mgl_source_filter(shards->list[i], filter, err, &rows));
        sum += rows;
    }
    if (n_rows != NULL)
        *n_rows = sum;
    return MGL_OK;
}

static const mgl_source_operations operations = {.open = open,
                                                 .close = close,
                                                 .read = read,
                                                 .each = each,
                                                 .count = count,
                                                 .filters = filters,
                                                 .filter = filter_rows,
                                                 .push = &mgl_shards_push};

const mgl_format mgl_shards_format = {
    .name = "shards",
    .help = "a table in several databases of PostgreSQL: shards:FILE, one location a line",
    .scheme = scheme,
    .source = &operations,
    .loaded = true,
    .beside = true,
};
