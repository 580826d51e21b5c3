/* Hands tables out as streams of the Arrow C stream interface. A stream, its schemas and arrays are
 * small copies of their own, each of which holds the table until it is released; buffers are those
 * of the table. Children can be moved out, as the interface allows. Releases in memory and their
 * verifier call it. */
#include "io/arrow/arrow.h"

#include <errno.h>

/* ---- Schemas -----------------------------------------------------------------------------------
 */

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
    mgl_arrow_let_go(table);
}

/* Format and name are those of the table; metadata stays behind. Only a struct has children. */
static bool copy_schema(const struct ArrowSchema *from, mgl_arrow_table *table,
                        struct ArrowSchema *to)
{
    *to = (struct ArrowSchema){.format = from->format,
                               .name = from->name != NULL ? from->name : "",
                               .flags = from->flags,
                               .release = release_schema,
                               .private_data = mgl_arrow_hold(table)};
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

/* ---- Arrays ------------------------------------------------------------------------------------
 */

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
    mgl_arrow_let_go(table);
}

static bool copy_array(const struct ArrowArray *from, mgl_arrow_table *table, struct ArrowArray *to)
{
    *to = *from;
    to->n_children = 0;
    to->children = NULL;
    to->dictionary = NULL;
    to->release = release_array;
    to->private_data = mgl_arrow_hold(table);
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

/* ---- Streams -----------------------------------------------------------------------------------
 */

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
    mgl_arrow_let_go(table);
    stream->release = NULL;
}

mgl_status mgl_arrow_export(mgl_arrow_table *table, mgl_error *err, struct ArrowArrayStream *out)
{
    mgl_call own = {.allocator = table->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    outgoing *o = mgl_zeroed_array(1, sizeof *o);
    mgl_call_leave(before);
    if (o == NULL)
        return mgl_fail_memory(err);
    o->table = mgl_arrow_hold(table);
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, o};
    return MGL_OK;
}
