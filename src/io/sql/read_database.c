/* Reads a table of a database as a source. Its engine can count, and can write the release itself;
 * then rows stay in it. Where rows are needed, they are fetched once into a private file, because
 * two queries need not return them in the same order. */
#include "io/sql/read_database.h"

#include "io/intake/intake.h"

enum { GROUPS_BETWEEN_REPORTS = 10000 };

mgl_status mgl_sql_source_begin(mgl_sql_source *state, mgl_error *err)
{
    if (state->begun)
        return MGL_OK;
    MGL_TRY(mgl_sql_begin(state->sql, err));
    state->begun = true;
    return state->sql->dialect->plan != NULL
               ? mgl_sql_run_text(state->sql, state->sql->dialect->plan, err)
               : MGL_OK;
}

static mgl_status open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    mgl_sql_source *state = source->state = mgl_zeroed_array(1, sizeof *state);
    MGL_TRY(mgl_check_memory(state != NULL, err));
    state->rows = -1;
    MGL_TRY(mgl_sql_location_parse(location->text, err, &state->location));
    source->name = state->location.name;
    MGL_TRY(mgl_sql_connect(&state->location, err, &state->sql));
    MGL_TRY(mgl_sql_refuse_temporary_source(state->sql, &state->location, err));
    MGL_TRY(mgl_sql_source_begin(state, err));
    MGL_TRY(mgl_sql_describe(state->sql, &state->location.table, err, &state->columns));
    if (state->columns.n == 0)
        return mgl_fail_at(err, MGL_CODE_NOT_FOUND, source->name, 0,
                           "there is no such table; check its name and schema (names are taken "
                           "as they are, upper case and lower case differ)");
    MGL_TRY(mgl_sql_refuse_long(state->sql, &state->location.table, &state->columns, err));
    MGL_TRY(mgl_sql_fit_sorts(state->sql, &state->location.table, &state->columns, err));
    for (size_t c = 0; c < state->columns.n; c++)
        MGL_TRY(mgl_source_add_column(source, mgl_span_of(state->columns.list[c].name), 0, err));
    return MGL_OK;
}

static void close(mgl_source *source)
{
    mgl_sql_source *state = source->state;
    if (state == NULL)
        return;
    if (state->sql != NULL)
        mgl_sql_push.discard(source);
    mgl_sql_close(state->sql);
    if (state->rows >= 0)
        mgl_sys_close(state->rows);
    mgl_buffer_free(&state->condition);
    mgl_sql_columns_free(&state->columns);
    mgl_sql_location_free(&state->location);
    mgl_free(state);
}

mgl_status mgl_sql_refuse_opaque(const mgl_source *source, const mgl_table *table, mgl_error *err)
{
    const mgl_sql_source *state = source->state;
    for (size_t c = 0; c < table->n_columns; c++) {
        const mgl_sql_column *column = &state->columns.list[table->columns[c].source_index];
        if (table->columns[c].role == MGL_ROLE_QUASI && column->opaque)
            return mgl_fail_column(
                err, MGL_CODE_COLUMN_TYPE, source->name, column->name,
                "column \"%.60s\" is of the type %.60s, which cannot be "
                "generalized; make it an identifier, or give a view that turns it "
                "into text",
                column->name, column->type);
    }
    return MGL_OK;
}

static mgl_status spool_rows(const mgl_source *source, int fd, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_buffer statement = {0}, cells = {0};
    uint64_t n_rows = 0;
    mgl_sql_write_select(&statement, state->sql->dialect, &state->location.table, &state->columns);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_send(state->sql, &statement, err));
    for (bool there = true; there; n_rows += there) {
        MGL_GO(mgl_sql_fetch(state->sql, err, &there));
        for (size_t i = 0; there && i < state->sql->n_cells; i++) {
            mgl_span cell = state->sql->cells[i];
            mgl_cells_put(&cells, cell.data != NULL ? cell : source->options->no_value);
        }
        if (there && !cells.failed && cells.size < MGL_CELLS_AT_ONCE)
            continue;
        MGL_GO(mgl_cells_flush(&cells, fd, err));
        MGL_GO(mgl_progress_report(state->sql->progress, "read", n_rows, 0, err));
    }
done:
    mgl_sql_finish(state->sql);
    mgl_buffer_free(&cells);
    return status;
}

static mgl_status refuse_empty(const mgl_source *source, const mgl_table *table, mgl_error *err)
{
    if (table->n_rows > 0 || source->options->may_be_empty)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, 0,
                       "the table has no rows; fill it first");
}

static mgl_status produce(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    if (state->rows < 0) {
        state->sql->progress = mgl_intake_progress(intake);
        int fd = mgl_sys_spool();
        if (fd < 0)
            return mgl_fail_temporary(err, "create");
        mgl_status status = spool_rows(source, fd, err);
        if (status != MGL_OK) {
            mgl_sys_close(fd);
            return status;
        }
        state->rows = fd;
    }
    return mgl_intake_put_spooled(intake, state->rows, err);
}

static mgl_status add_groups(mgl_sql *sql, mgl_counted *counted, mgl_error *err)
{
    size_t n = counted->table->n_columns;
    for (bool there = true;;) {
        uint64_t times = 0;
        MGL_TRY(mgl_sql_fetch(sql, err, &there));
        if (!there)
            return MGL_OK;
        if (sql->n_cells != n + 1 || !mgl_parse_u64(sql->cells[n], &times))
            return mgl_fail_at(err, MGL_CODE_INTERNAL, sql->name, 0,
                               "the engine gave no counts where it was asked for some; please "
                               "report this");
        MGL_TRY(mgl_check_memory(mgl_counted_add(counted, sql->cells, times), err));
        if (counted->table->n_rows % GROUPS_BETWEEN_REPORTS == 0)
            MGL_TRY(mgl_progress_report(sql->progress, sql->stage, counted->table->n_rows, 0, err));
    }
}

void mgl_sql_finish_all(mgl_source *const *sources, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const mgl_sql_source *state = sources[i]->state;
        mgl_sql_finish(state->sql);
    }
}

mgl_status mgl_sql_add_groups(mgl_source *const *sources, size_t n, mgl_counted *counted,
                              mgl_error *err)
{
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < n; i++) {
        const mgl_sql_source *state = sources[i]->state;
        MGL_GO(add_groups(state->sql, counted, err));
    }
    if (!mgl_counted_finish(counted))
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_sql_finish_all(sources, n);
    return status;
}

mgl_status mgl_sql_fetch_counts(mgl_sql *sql, mgl_buffer *statement,
                                const mgl_source_options *options, size_t n_labels, mgl_error *err,
                                mgl_table *table)
{
    mgl_counted counted = {.table = table, .options = options, .n_labels = n_labels};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_send(sql, statement, err));
    MGL_GO(add_groups(sql, &counted, err));
    if (!mgl_counted_finish(&counted))
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_sql_finish(sql);
    return status;
}

/* Counts by the groups that the engine has made. */
static mgl_status count_groups(const mgl_source *source, const mgl_sql_groups *groups,
                               const size_t *wanted, mgl_table *table, mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_buffer statement = {0};
    mgl_sql_write_group_count(&statement, state->sql->dialect, groups, wanted, table->n_columns);
    return mgl_sql_fetch_counts(state->sql, &statement, source->options, groups->n_keys, err,
                                table);
}

mgl_status mgl_sql_send_count(mgl_source *source, const size_t *wanted, size_t n_wanted,
                              mgl_error *err)
{
    mgl_sql_source *state = source->state;
    mgl_sql_partitions partitions = {0};
    mgl_buffer statement = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sql_find_partitions(state->sql, &state->location.table, err, &partitions));
    mgl_sql_counting counting = {.table = &state->location.table,
                                 .partitions = &partitions,
                                 .columns = &state->columns,
                                 .wanted = wanted,
                                 .n_wanted = n_wanted};
    mgl_sql_write_count(&statement, state->sql->dialect, &counting);
    MGL_GO(mgl_sql_send(state->sql, &statement, err));
done:
    mgl_sql_partitions_free(&partitions);
    return status;
}

static mgl_status count_all(mgl_source *source, const size_t *wanted, mgl_table *table,
                            mgl_error *err)
{
    mgl_counted counted = {
        .table = table, .options = source->options, .level = source->count_level};
    mgl_sql_groups groups;
    if (mgl_sql_groups_of(source, &groups) != NULL)
        return count_groups(source, &groups, wanted, table, err);
    MGL_TRY(mgl_sql_send_count(source, wanted, table->n_columns, err));
    return mgl_sql_add_groups(&source, 1, &counted, err);
}

static mgl_status count(mgl_source *source, mgl_table *table, const mgl_progress *progress,
                        mgl_error *err)
{
    mgl_sql_source *state = source->state;
    size_t *wanted;
    MGL_TRY(mgl_new_array(table->n_columns, sizeof *wanted, err, &wanted));
    mgl_status status = MGL_OK;
    state->sql->progress = progress;
    state->sql->stage = "count";
    for (size_t c = 0; c < table->n_columns; c++)
        wanted[c] = table->columns[c].source_index;
    MGL_GO(mgl_sql_source_begin(state, err));
    MGL_GO(count_all(source, wanted, table, err));
    MGL_GO(refuse_empty(source, table, err));
done:
    mgl_free(wanted);
    return status;
}

static bool filters(const mgl_source *source)
{
    const mgl_sql_source *state = source->state;
    return state->sql->dialect->filters;
}

/* Rows that were fetched before are others. */
static mgl_status filter_rows(mgl_source *source, const mgl_cell_filter *filter, mgl_error *err,
                              uint64_t *n_rows)
{
    mgl_sql_source *state = source->state;
    mgl_sql_cells cells = mgl_sql_cells_of(source);
    if (state->rows >= 0)
        mgl_sys_close(state->rows);
    state->rows = -1;
    state->condition.size = 0;
    state->location.table.rows = NULL;
    if (filter == NULL)
        return MGL_OK;
    mgl_sql_write_filter(&state->condition, state->sql->dialect, &state->columns, &cells, filter);
    mgl_buffer_append(&state->condition, "", 1);
    if (state->condition.failed)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_sql_source_begin(state, err));
    state->location.table.rows = state->condition.data;
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "SELECT COUNT(*) FROM ");
    mgl_sql_rows_name(&statement, state->sql->dialect, &state->location.table, NULL);
    return mgl_sql_ask_numbers(state->sql, &statement, 1, err, n_rows);
}

mgl_sql_cells mgl_sql_cells_of(const mgl_source *source)
{
    const mgl_source_options *options = source->options;
    return (mgl_sql_cells){options->missing, options->n_missing, options->no_value};
}

static const mgl_source_operations operations = {.open = open,
                                                 .close = close,
                                                 .check = mgl_sql_refuse_opaque,
                                                 .produce = produce,
                                                 .count = count,
                                                 .regroup = mgl_sql_regroup,
                                                 .count_others = mgl_sql_count_others,
                                                 .filters = filters,
                                                 .filter = filter_rows,
                                                 .push = &mgl_sql_push};

const mgl_format mgl_postgresql_format = {
    .name = "postgresql",
    .help = "a table of PostgreSQL: postgresql://HOST/DATABASE?table=NAME",
    .scheme = "postgresql://",
    .also = "postgres://",
    .source = &operations,
    .loaded = true,
};

const mgl_format mgl_sqlite_format = {
    .name = "sqlite",
    .help = "a table of SQLite: sqlite:FILE?table=NAME",
    .scheme = "sqlite:",
    .engine_files = "-journal -wal -shm",
    .source = &operations,
    .loaded = true,
    .beside = true,
};

const mgl_format mgl_odbc_format = {
    .name = "odbc",
    .help = "a table of any engine with an ODBC driver: odbc:DSN=NAME;?table=NAME",
    .scheme = "odbc:",
    .source = &operations,
    .loaded = true,
};
