/* Takes tables from streams of the Arrow C stream interface. Everything is read and checked before
 * the table is there, and everything that a producer handed over is released exactly once, also
 * when it is refused. Jobs that are given streams call it, and the verifier of releases in memory.
 */
#include "io/arrow/check.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

static void release_arrays(struct ArrowArray *batches, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (batches[i].release != NULL)
            batches[i].release(&batches[i]);
}

mgl_arrow_table *mgl_arrow_hold(mgl_arrow_table *table)
{
    atomic_fetch_add(&table->holders, 1);
    return table;
}

void mgl_arrow_let_go(mgl_arrow_table *table)
{
    if (table == NULL || atomic_fetch_sub(&table->holders, 1) > 1)
        return;
    mgl_call own = {.allocator = table->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    release_arrays(table->batches, table->n_batches);
    if (table->schema.release != NULL)
        table->schema.release(&table->schema);
    mgl_free(table->batches);
    mgl_free(table->columns);
    mgl_free(table->first_rows);
    mgl_free(table);
    mgl_call_leave(before);
}

/* A table without batches; it takes over the schema. */
static mgl_status begin_table(struct ArrowSchema *schema, const char *name, mgl_error *err,
                              mgl_arrow_table **out)
{
    mgl_arrow_table *table = mgl_zeroed_array(1, sizeof *table);
    mgl_status status = MGL_OK;
    if (table == NULL) {
        if (schema->release != NULL)
            schema->release(schema);
        return mgl_fail_memory(err);
    }
    table->holders = 1;
    table->allocator = mgl_call_allocator();
    table->schema = *schema;
    schema->release = NULL;
    MGL_GO(mgl_arrow_check_schema(&table->schema, name, err));
    table->n_columns = (size_t)table->schema.n_children;
    table->columns = mgl_zeroed_array(table->n_columns, sizeof *table->columns);
    if (table->columns == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_arrow_check_columns(&table->schema, name, err, table->columns));
    *out = table;
    table = NULL;
done:
    mgl_arrow_let_go(table);
    return status;
}

/* A table in the making. */
typedef struct import {
    mgl_arrow_table *table;
    const char *name;
    size_t capacity;            /* of the arrays of batches */
    mgl_arrow_helpers *helpers; /* who check cells; NULL: they are our own */
} import;

static mgl_status check_batch(const import *x, const struct ArrowArray *batch, mgl_error *err)
{
    return x->helpers == NULL ? mgl_arrow_check_shapes(batch, x->table, x->name, err)
                              : mgl_arrow_check_batch(batch, x->table, x->name, x->helpers, err);
}

/* Takes over the batch, whatever comes. */
static mgl_status add_batch(import *x, struct ArrowArray *batch, mgl_error *err)
{
    mgl_arrow_table *table = x->table;
    size_t n = table->n_batches, rows_capacity = x->capacity;
    mgl_status status = MGL_OK;
    if (!mgl_grow(&table->first_rows, &rows_capacity, n + 1, sizeof *table->first_rows) ||
        !mgl_grow(&table->batches, &x->capacity, n + 1, sizeof *table->batches))
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(check_batch(x, batch, err));
    if (table->n_rows + (uint64_t)batch->length > UINT64_MAX / 16)
        MGL_GO(mgl_fail_at(err, MGL_CODE_ARROW, x->name, 0, "the table has too many rows"));
    table->first_rows[n] = table->n_rows;
    table->batches[n] = *batch;
    table->n_batches++;
    table->n_rows += (uint64_t)batch->length;
    batch->release = NULL;
done:
    release_arrays(batch, 1);
    return status;
}

mgl_status mgl_arrow_adopt(struct ArrowSchema *schema, struct ArrowArray *batches, size_t n,
                           const char *name, mgl_error *err, mgl_arrow_table **out)
{
import x = {.name = name };
    size_t i = 0;
    mgl_status status = MGL_OK;
    MGL_GO(begin_table(schema, name, err, &x.table));
    while (i < n)
        MGL_GO(add_batch(&x, &batches[i++], err));
    *out = x.table;
    x.table = NULL;
done:
    release_arrays(batches + i, n - i);
    mgl_arrow_let_go(x.table);
    return status;
}

/* ---- Streams -----------------------------------------------------------------------------------
 */

static mgl_status fail_stream(struct ArrowArrayStream *stream, int code, const char *name,
                              const char *what, mgl_error *err)
{
    const char *why = stream->get_last_error != NULL ? stream->get_last_error(stream) : NULL;
    if (code == ENOMEM)
        return mgl_fail_memory(err);
    if (why != NULL && why[0] != '\0')
        return mgl_fail_at(err, MGL_CODE_ARROW, name, 0,
                           "the producer of the stream gives no %s: %.400s", what, why);
    return mgl_fail_at(err, MGL_CODE_ARROW, name, 0,
                       "the producer of the stream gives no %s (error %d)", what, code);
}

static mgl_status take_batches(import *x, struct ArrowArrayStream *stream,
                               const mgl_progress *progress, mgl_error *err)
{
    for (;;) {
        struct ArrowArray batch = {0};
        MGL_TRY(mgl_progress_report(progress, "import", x->table->n_rows, 0, err));
        int code = stream->get_next(stream, &batch);
        if (code != 0)
            return fail_stream(stream, code, x->name, "rows", err);
        if (batch.release == NULL)
            return MGL_OK;
        MGL_TRY(add_batch(x, &batch, err));
    }
}

mgl_status mgl_arrow_import_with(struct ArrowArrayStream *stream, const char *name,
                                 mgl_arrow_helpers *helpers, const mgl_progress *progress,
                                 mgl_error *err, mgl_arrow_table **out)
{
    struct ArrowArrayStream taken = *stream;
    struct ArrowSchema schema = {0};
import x = {.name = name, .helpers = helpers };
    mgl_status status = MGL_OK;
    if (taken.release == NULL)
        return mgl_fail_at(err, MGL_USAGE, name, 0, "the stream was released already");
    stream->release = NULL;
    if (taken.get_schema == NULL || taken.get_next == NULL)
        MGL_GO(mgl_fail_at(err, MGL_CODE_ARROW, name, 0, "the stream has no callbacks"));
    int code = taken.get_schema(&taken, &schema);
    if (code != 0)
        MGL_GO(fail_stream(&taken, code, name, "schema", err));
    MGL_GO(begin_table(&schema, name, err, &x.table));
    MGL_GO(take_batches(&x, &taken, progress, err));
    mgl_arrow_null_text(x.table, x.table->null_text);
    x.table->knows_null = true;
    *out = x.table;
    x.table = NULL;
done:
    mgl_arrow_let_go(x.table);
    taken.release(&taken);
    return status;
}

mgl_status mgl_arrow_import(struct ArrowArrayStream *stream, const char *name,
                            const mgl_progress *progress, mgl_error *err, mgl_arrow_table **out)
{
    mgl_arrow_helpers nobody = {.threads = 1};
    return mgl_arrow_import_with(stream, name, &nobody, progress, err, out);
}
