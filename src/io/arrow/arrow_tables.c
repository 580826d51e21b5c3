/* Imports tables from the Arrow C stream interface and exports them. An import reads and checks
 * everything before the table exists, and releases what the producer handed over exactly once, also
 * when it is refused. */
#include "io/arrow/arrow.h"
#include "io/arrow/check.h"
#include "text/text.h"

#include <errno.h>
#include <stdatomic.h>

static void release_arrays(struct ArrowArray *batches, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (batches[i].release != NULL)
            batches[i].release(&batches[i]);
}

mgl_arrow_table *mgl_arrow_retain(mgl_arrow_table *table)
{
    atomic_fetch_add(&table->holders, 1);
    return table;
}

void mgl_arrow_release(mgl_arrow_table *table)
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
    mgl_arrow_release(table);
    return status;
}

/* A table in the making. */
typedef struct import {
    mgl_arrow_table *table;
    const char *name;
    size_t capacity;            /* of the arrays of batches */
    mgl_arrow_helpers *helpers; /* threads that check cells; NULL: our own */
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
    mgl_arrow_release(x.table);
    return status;
}

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
    mgl_arrow_release(x.table);
    taken.release(&taken);
    return status;
}

mgl_status mgl_arrow_import(struct ArrowArrayStream *stream, const char *name,
                            const mgl_progress *progress, mgl_error *err, mgl_arrow_table **out)
{
    mgl_arrow_helpers no_helpers = {.threads = 1};
    return mgl_arrow_import_with(stream, name, &no_helpers, progress, err, out);
}

static void release_schema(struct ArrowSchema *schema)
{
    mgl_arrow_table *table = schema->private_data;
    mgl_call own = {.allocator = table->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    for (int64_t c = 0; c < schema->n_children; c++) {
        struct ArrowSchema *child = schema->children[c];
        if (child != NULL && child->release != NULL)
            child->release(child);
        mgl_free(child);
    }
    mgl_free(schema->children);
    if (schema->dictionary != NULL && schema->dictionary->release != NULL)
        schema->dictionary->release(schema->dictionary);
    mgl_free(schema->dictionary);
    schema->release = NULL;
    mgl_call_leave(before);
    mgl_arrow_release(table);
}

/* Format and name are those of the table; metadata stays behind. Only a struct has children. */
static bool copy_schema(const struct ArrowSchema *from, mgl_arrow_table *table,
                        struct ArrowSchema *to)
{
    *to = (struct ArrowSchema){.format = from->format,
                               .name = from->name != NULL ? from->name : "",
                               .flags = from->flags,
                               .release = release_schema,
                               .private_data = mgl_arrow_retain(table)};
    if (from->dictionary != NULL) {
        to->dictionary = mgl_zeroed_array(1, sizeof *to->dictionary);
        if (to->dictionary == NULL || !copy_schema(from->dictionary, table, to->dictionary))
            return false;
    }
    if (from->n_children == 0)
        return true;
    to->children = mgl_zeroed_array((size_t)from->n_children, sizeof *to->children);
    if (to->children == NULL)
        return false;
    for (int64_t c = 0; c < from->n_children; c++) {
        struct ArrowSchema *child = mgl_zeroed_array(1, sizeof *child);
        to->children[to->n_children++] = child;
        if (child == NULL || !copy_schema(from->children[c], table, child))
            return false;
    }
    return true;
}

static void release_array(struct ArrowArray *array)
{
    mgl_arrow_table *table = array->private_data;
    mgl_call own = {.allocator = table->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    for (int64_t c = 0; c < array->n_children; c++) {
        struct ArrowArray *child = array->children[c];
        if (child != NULL && child->release != NULL)
            child->release(child);
        mgl_free(child);
    }
    mgl_free(array->children);
    if (array->dictionary != NULL && array->dictionary->release != NULL)
        array->dictionary->release(array->dictionary);
    mgl_free(array->dictionary);
    array->release = NULL;
    mgl_call_leave(before);
    mgl_arrow_release(table);
}

static bool copy_array(const struct ArrowArray *from, mgl_arrow_table *table, struct ArrowArray *to)
{
    *to = *from;
    to->n_children = 0;
    to->children = NULL;
    to->dictionary = NULL;
    to->release = release_array;
    to->private_data = mgl_arrow_retain(table);
    if (from->dictionary != NULL) {
        to->dictionary = mgl_zeroed_array(1, sizeof *to->dictionary);
        if (to->dictionary == NULL || !copy_array(from->dictionary, table, to->dictionary))
            return false;
    }
    if (from->n_children == 0)
        return true;
    to->children = mgl_zeroed_array((size_t)from->n_children, sizeof *to->children);
    if (to->children == NULL)
        return false;
    for (int64_t c = 0; c < from->n_children; c++) {
        struct ArrowArray *child = mgl_zeroed_array(1, sizeof *child);
        to->children[to->n_children++] = child;
        if (child == NULL || !copy_array(from->children[c], table, child))
            return false;
    }
    return true;
}

typedef struct outgoing {
    mgl_arrow_table *table;
    size_t next; /* batch */
    const char *error;
} outgoing;

static int fail_outgoing(outgoing *o)
{
    o->error = "out of memory";
    return ENOMEM;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    outgoing *o = stream->private_data;
    mgl_call own = {.allocator = o->table->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    bool copied = copy_schema(&o->table->schema, o->table, out);
    mgl_call_leave(before);
    if (copied)
        return 0;
    release_schema(out);
    return fail_outgoing(o);
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    outgoing *o = stream->private_data;
    if (o->next == o->table->n_batches) {
        *out = (struct ArrowArray){0};
        return 0;
    }
    mgl_call own = {.allocator = o->table->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    bool copied = copy_array(&o->table->batches[o->next], o->table, out);
    mgl_call_leave(before);
    if (copied) {
        o->next++;
        return 0;
    }
    release_array(out);
    return fail_outgoing(o);
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const outgoing *o = stream->private_data;
    return o->error;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    outgoing *o = stream->private_data;
    mgl_arrow_table *table = o->table;
    mgl_call own = {.allocator = table->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    mgl_free(o);
    mgl_call_leave(before);
    mgl_arrow_release(table);
    stream->release = NULL;
}

mgl_status mgl_arrow_export(mgl_arrow_table *table, mgl_error *err, struct ArrowArrayStream *out)
{
    mgl_call own = {.allocator = table->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    outgoing *o = mgl_zeroed_array(1, sizeof *o);
    mgl_call_leave(before);
    MGL_TRY(mgl_check_memory(o != NULL, err));
    o->table = mgl_arrow_retain(table);
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, o};
    return MGL_OK;
}

enum { DELIMITER = ';' };

static mgl_span show_cell(const mgl_arrow_table *table, size_t batch, size_t column, size_t row,
                          char room[MGL_ARROW_ROOM])
{
    mgl_arrow_cells cells = mgl_arrow_cells_of(table, batch, column);
    if (mgl_arrow_is_null(&cells, row))
        return (mgl_span){"", 0};
    if (table->columns[column].encoded) {
        row = mgl_arrow_index_at(&cells, row);
        cells = mgl_arrow_entries_of(table, batch, column);
    }
    return mgl_arrow_is_null(&cells, row) ? (mgl_span){"", 0} : mgl_arrow_show(&cells, row, room);
}

static mgl_status write_lines(const void *object, mgl_error *err, mgl_buffer *out)
{
    const mgl_arrow_table *table = object;
    char room[MGL_ARROW_ROOM], delimiter = DELIMITER;
    for (size_t b = 0; b < table->n_batches; b++)
        for (size_t r = 0; r < (size_t)table->batches[b].length; r++)
            for (size_t c = 0; c < table->n_columns; c++) {
                mgl_span cell = show_cell(table, b, c, r, room);
                mgl_text_quote(out, cell, delimiter, table->n_columns == 1);
                mgl_buffer_append(out, c + 1 < table->n_columns ? &delimiter : "\n", 1);
            }
    return out->failed ? mgl_fail_memory(err) : MGL_OK;
}

static void let_go(void *table)
{
    mgl_arrow_release(table);
}

mgl_status mgl_arrow_put(mgl_memory_store *store, const char *name, mgl_arrow_table *table,
                         mgl_error *err)
{
    mgl_arrow_retain(table);
    mgl_status status = mgl_memory_store_put_table(store, name, table, let_go, write_lines, err);
    if (status != MGL_OK)
        mgl_arrow_release(table);
    return status;
}
