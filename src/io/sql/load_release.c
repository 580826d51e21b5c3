/* Puts a verified release into a table of a database that did not make it. The push of the pipeline
 * calls it. */
#include "io/sql/sql.h"

#include "io/intake/intake.h"

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

static void write_create(mgl_buffer *out, const mgl_sql_dialect *dialect,
                         const mgl_sql_table *table, const mgl_source *source)
{
    mgl_buffer_text(out, "CREATE TABLE ");
    mgl_sql_table_name(out, dialect, table);
    for (size_t c = 0; c < mgl_source_columns(source); c++) {
        mgl_buffer_text(out, c > 0 ? ", " : " (");
        mgl_sql_identifier(out, dialect, mgl_source_column(source, c));
        mgl_buffer_format(out, " %s", dialect->text);
    }
    mgl_sql_end_columns(out, dialect);
}

static mgl_status fill(mgl_sql *sql, const mgl_sql_table *table, mgl_source *source,
                       mgl_span no_value, mgl_error *err)
{
    size_t n = mgl_source_columns(source);
    loading l = {.source = source, .n_columns = n, .no_value = no_value, .err = err};
    mgl_buffer create = {0}, name = {0};
    l.scratch = mgl_zeroed_array(n, sizeof *l.scratch);
    write_create(&create, sql->dialect, table, source);
    mgl_sql_table_name(&name, sql->dialect, table);
    mgl_buffer_append(&name, "", 1);
    mgl_status status = MGL_OK;
    MGL_GO(l.scratch == NULL || name.failed ? mgl_fail_memory(err)
                                            : mgl_source_rewind(source, err));
    MGL_GO(mgl_sql_run(sql, &create, err));
    MGL_GO(sql->driver->load(sql, name.data, &(mgl_sql_rows){n, next_row, &l}, err));
    MGL_GO(l.status);
done:
    for (size_t c = 0; l.scratch != NULL && c < n; c++)
        mgl_buffer_free(&l.scratch[c]);
    mgl_free(l.scratch);
    mgl_buffer_free(&create);
    mgl_buffer_free(&name);
    return status;
}

static mgl_status fill_and_commit(mgl_sql *sql, const mgl_sql_table *table, mgl_source *source,
                                  mgl_span no_value, mgl_error *err)
{
    MGL_TRY(fill(sql, table, source, no_value, err));
    return sql->dialect->begin != NULL ? mgl_sql_run_text(sql, "COMMIT", err) : MGL_OK;
}

/* In a transaction, or taken back by hand. */
static mgl_status load(mgl_sql *sql, const mgl_sql_table *table, mgl_source *source,
                       mgl_span no_value, mgl_error *err)
{
    const mgl_sql_dialect *dialect = sql->dialect;
    mgl_buffer drop = {0};
    if (dialect->begin != NULL)
        MGL_TRY(mgl_sql_run_text(sql, dialect->begin, err));
    mgl_status status = fill_and_commit(sql, table, source, no_value, err);
    if (status == MGL_OK)
        return MGL_OK;
    sql->progress = NULL;
    mgl_sql_write_drop(&drop, dialect, table);
    if (dialect->begin != NULL)
        (void)mgl_sql_run_text(sql, "ROLLBACK", NULL);
    if (!dialect->undoes_create)
        (void)mgl_sql_run(sql, &drop, NULL);
    mgl_buffer_free(&drop);
    return status;
}

static mgl_status connect_to(const char *location, mgl_error *err, mgl_sql_location *where,
                             mgl_sql **sql)
{
    MGL_TRY(mgl_sql_location_parse(location, err, where));
    MGL_TRY(mgl_sql_connect(where, err, sql));
    return mgl_sql_refuse_existing(*sql, where, err);
}

mgl_status mgl_table_check(const char *location, mgl_error *err)
{
    mgl_sql_location where = {0};
    mgl_sql *sql = NULL;
    mgl_status status = connect_to(location, err, &where, &sql);
    mgl_sql_close(sql);
    mgl_sql_location_free(&where);
    return status;
}

mgl_status mgl_table_load(const char *location, mgl_source *source, mgl_span no_value,
                          const mgl_progress *progress, mgl_error *err)
{
    mgl_sql_location where = {0};
    mgl_sql *sql = NULL;
    mgl_status status = connect_to(location, err, &where, &sql);
    if (status == MGL_OK) {
        sql->progress = progress;
        sql->stage = "load";
        status = load(sql, &where.table, source, no_value, err);
    }
    mgl_sql_close(sql);
    mgl_sql_location_free(&where);
    return status;
}
