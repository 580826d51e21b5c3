/* Puts a verified release into a table of a database that did not make it. The push of the pipeline
 * calls it. */
#include "io/sql/read_database.h"

typedef struct loading {
    mgl_source *source;
    size_t n_columns;
    mgl_span no_value;
    mgl_records records; /* the block at hand */
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

/* The next record of the release; the source tells of failures. */
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
    mgl_status status = mgl_sql_run(sql, &create, err);
    mgl_buffer_free(&create);
    return status;
}

static mgl_status fill(mgl_sql *sql, const mgl_sql_table *table, mgl_source *source,
                       mgl_span no_value, mgl_error *err)
{
    size_t n = mgl_source_columns(source);
    loading l = {.source = source, .n_columns = n, .no_value = no_value, .err = err};
    mgl_buffer name = {0};
    l.scratch = mgl_zeroed_array(n, sizeof *l.scratch);
    mgl_sql_table_name(&name, sql->dialect, table);
    mgl_buffer_append(&name, "", 1);
    mgl_status status = MGL_OK;
    MGL_GO(l.scratch == NULL || name.failed ? mgl_fail_memory(err)
                                            : mgl_source_rewind(source, err));
    MGL_GO(sql->driver->load(sql, name.data, &(mgl_sql_rows){n, next_row, &l}, err));
    MGL_GO(l.status);
done:
    for (size_t c = 0; l.scratch != NULL && c < n; c++)
        mgl_buffer_free(&l.scratch[c]);
    mgl_free(l.scratch);
    mgl_buffer_free(&name);
    return status;
}

/* In one transaction, which takes back what it made. */
static mgl_status load_at_once(mgl_sql *sql, const mgl_sql_table *table,
                               const mgl_load_order *order, mgl_source *source, mgl_error *err)
{
    mgl_buffer grants = {0};
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_sql_begin(sql, err));
    if (order->overwrite)
        MGL_GO(mgl_sql_drop_replaced(sql, table, err, &grants));
    MGL_GO(make(sql, table, source, err));
    MGL_GO(fill(sql, table, source, order->no_value, err));
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

static mgl_status fill_and_name(mgl_sql *sql, const mgl_sql_table *staged,
                                const mgl_sql_table *table, mgl_source *source, mgl_span no_value,
                                mgl_error *err)
{
    MGL_TRY(mgl_sql_begin(sql, err));
    MGL_TRY(fill(sql, staged, source, no_value, err));
    MGL_TRY(mgl_sql_commit(sql, err));
    return mgl_sql_publish(sql, staged, table->name, err);
}

/* Under a name of its own until all is there, and dropped again by hand. */
static mgl_status load_staged(mgl_sql *sql, const mgl_sql_table *table, mgl_source *source,
                              mgl_span no_value, mgl_error *err)
{
    mgl_sql_table staged = {0};
    uint32_t number;
    bool made = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sys_entropy(&number, sizeof number, err));
    MGL_GO(mgl_sql_claim(sql, table->schema, err));
    MGL_GO(mgl_sql_name_table("release", number, table->schema, err, &staged));
    MGL_GO(make(sql, &staged, source, err));
    made = true;
    MGL_GO(fill_and_name(sql, &staged, table, source, no_value, err));
    made = false;
done:
    if (made) {
        sql->progress = NULL;
        (void)mgl_sql_rollback(sql, NULL);
        (void)mgl_sql_drop(sql, &staged, NULL);
    }
    mgl_free(staged.schema);
    mgl_free(staged.name);
    return status;
}

static mgl_status load(mgl_sql *sql, const mgl_sql_table *table, const mgl_load_order *order,
                       mgl_source *source, mgl_error *err)
{
    return sql->dialect->undoes_create ? load_at_once(sql, table, order, source, err)
                                       : load_staged(sql, table, source, order->no_value, err);
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

mgl_status mgl_table_load(const mgl_load_order *order, mgl_source *source, mgl_error *err)
{
    mgl_sql_location where = {0};
    mgl_sql *sql = NULL;
    mgl_status status = connect_to(order->target, order->overwrite, err, &where, &sql);
    if (status == MGL_OK) {
        sql->progress = order->progress;
        sql->stage = "load";
        status = load(sql, &where.table, order, source, err);
    }
    mgl_sql_close(sql);
    mgl_sql_location_free(&where);
    return status;
}
