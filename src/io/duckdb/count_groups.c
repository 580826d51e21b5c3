/* Has DuckDB count the groups of a table. read_duckdb.c calls it where counts are all that is
 * wanted. */
#include "io/intake/intake.h"
#include "io/duckdb/read_duckdb.h"

#include <stdio.h>

static mgl_span alias(size_t i, char text[32])
{
    return (mgl_span){text, (size_t)snprintf(text, 32, "c%zu", i)};
}

/* Values are grouped as they are stored, and only the groups become texts. */
static void write_count(mgl_buffer *out, const mgl_source *source, const mgl_table *table)
{
    const mgl_duck *d = source->state;
    char name[32];
    mgl_buffer_text(out, "SELECT n");
    for (size_t i = 0; i < table->n_columns; i++) {
        mgl_buffer_text(out, ", ");
        mgl_duck_write_cell(out, d, table->columns[i].source_index, alias(i, name));
    }
    mgl_buffer_text(out, " FROM (SELECT count(*) AS n");
    for (size_t i = 0; i < table->n_columns; i++) {
        mgl_buffer_text(out, ", ");
        mgl_duckdb_identifier(
            out, mgl_span_of(mgl_source_column(source, table->columns[i].source_index)));
        mgl_buffer_text(out, " AS ");
        mgl_buffer_span(out, alias(i, name));
    }
    mgl_buffer_text(out, " FROM ");
    mgl_buffer_span(out, (mgl_span){d->from.data, d->from.size});
    mgl_buffer_text(out, " GROUP BY");
    for (size_t i = 0; i < table->n_columns; i++)
        mgl_buffer_format(out, "%s %zu", i > 0 ? "," : "", i + 2);
    mgl_buffer_text(out, ")");
}

/* What a chunk of groups is taken apart with. */
typedef struct taking {
    mgl_counted counted;
    mgl_duckdb_cells *columns;      /* [columns of the table] */
    mgl_span *cells;                /* of one group */
    char (*texts)[MGL_NUMBER_TEXT]; /* of its numbers */
} taking;

static mgl_status add_groups(mgl_duck *d, taking *t, mgl_error *err)
{
    const mgl_table *table = t->counted.table;
    const int64_t *times = mgl_duckdb_column(&d->db, 0).data;
    for (size_t i = 0; i < table->n_columns; i++)
        t->columns[i] = mgl_duckdb_column(&d->db, i + 1);
    for (size_t r = 0; r < d->db.chunk_size; r++) {
        for (size_t i = 0; i < table->n_columns; i++) {
            const mgl_duck_column *c = &d->columns[table->columns[i].source_index];
            t->cells[i] = mgl_duckdb_has(t->columns[i], r)
                              ? mgl_duck_show(c, t->columns[i], r, t->texts[i])
                              : (mgl_span){NULL, 0};
        }
        if (!mgl_counted_add(&t->counted, t->cells, (uint64_t)times[r]))
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

static mgl_status fetch_groups(mgl_source *source, taking *t, const mgl_progress *progress,
                               mgl_error *err)
{
    mgl_duck *d = source->state;
    for (;;) {
        MGL_TRY(mgl_duckdb_fetch(&d->db, err));
        if (d->db.chunk_size == 0)
            break;
        MGL_TRY(add_groups(d, t, err));
        MGL_TRY(mgl_progress_report(progress, "read", t->counted.table->n_rows, 0, err));
    }
    if (t->counted.table->n_rows == 0 && !source->options->may_be_empty)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, 0, "there are no rows");
    if (!mgl_counted_finish(&t->counted))
        return mgl_fail_memory(err);
    return mgl_duck_unchanged(source, err);
}

mgl_status mgl_duck_count(mgl_source *source, mgl_table *table, const mgl_progress *progress,
                          mgl_error *err)
{
    mgl_duck *d = source->state;
    MGL_TRY(mgl_duck_check(source, table, err));
    size_t n = table->n_columns;
    mgl_buffer statement = {0};
    taking t = {.counted = {.table = table, .options = source->options},
                .columns = mgl_alloc_array(n, sizeof *t.columns),
                .cells = mgl_alloc_array(n, sizeof *t.cells),
                .texts = mgl_alloc_array(n, sizeof *t.texts)};
    mgl_status status = MGL_OK;
    if (t.columns == NULL || t.cells == NULL || t.texts == NULL)
        MGL_GO(mgl_fail_memory(err));
    write_count(&statement, source, table);
    MGL_GO(mgl_duckdb_run(&d->db, &statement, err));
    MGL_GO(fetch_groups(source, &t, progress, err));
done:
    mgl_buffer_free(&statement);
    mgl_free(t.columns);
    mgl_free(t.cells);
    mgl_free(t.texts);
    return status;
}
