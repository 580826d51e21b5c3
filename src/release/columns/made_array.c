/* Makes arrays and schemas of the Arrow C data interface: memory for buffers, dictionaries that
 * all batches share, buffers that the table of the source lends, names and types of columns, and
 * tables of texts that grow cell by cell. */
#include "release/columns/made_array.h"

#include <stdatomic.h>

enum { PADDING = 64 };

struct mgl_lent_array {
    struct ArrowArray array;
    _Atomic size_t holders;
};

/* What an array owns. */
typedef struct owned {
    mgl_allocator allocator; /* that all of it came from */
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *cells; /* [n_children] those that the children point to */
    mgl_lent_array *lent;     /* the dictionary */
    mgl_arrow_table *table;   /* whose buffers these are; NULL: our own */
    struct ArrowArray dictionary;
} owned;

/* A consumer may release an array on any thread, where no call of the library is at work. */
static void release_array(struct ArrowArray *array)
{
    owned *own = array->private_data;
    mgl_call call = {.allocator = own->allocator};
    const mgl_call *before = mgl_call_enter(&call);
    for (int64_t i = 0; own->cells != NULL && i < array->n_children; i++)
        mgl_array_release(&own->cells[i]);
    for (int64_t i = 0; own->table == NULL && own->buffers != NULL && i < array->n_buffers; i++)
        mgl_free((void *)own->buffers[i]);
    mgl_free(own->buffers);
    mgl_free(own->children);
    mgl_free(own->cells);
    mgl_lent_release(own->lent);
    mgl_arrow_release(own->table);
    mgl_free(own);
    mgl_call_leave(before);
    array->release = NULL;
}

mgl_status mgl_made_array(struct ArrowArray *array, size_t length, size_t n_buffers, mgl_error *err)
{
    owned *own = mgl_zeroed_array(1, sizeof *own);
    const void **buffers = mgl_zeroed_array(n_buffers, sizeof *buffers);
    if (own == NULL || buffers == NULL) {
        mgl_free(own);
        mgl_free(buffers);
        return mgl_fail_memory(err);
    }
    const mgl_call *call = mgl_call_current();
    own->allocator = call != NULL ? call->allocator : (mgl_allocator){0};
    own->buffers = buffers;
    *array = (struct ArrowArray){.length = (int64_t)length,
                                 .n_buffers = (int64_t)n_buffers,
                                 .buffers = buffers,
                                 .release = release_array,
                                 .private_data = own};
    return MGL_OK;
}

void *mgl_made_buffer(struct ArrowArray *array, size_t buffer, size_t bytes)
{
    size_t padded = (bytes / PADDING + 1) * PADDING;
    char *data = bytes < padded ? mgl_alloc(padded) : NULL;
    if (data != NULL)
        memset(data + bytes, 0, padded - bytes);
    array->buffers[buffer] = data;
    return data;
}

void *mgl_made_zeros(struct ArrowArray *array, size_t buffer, size_t bytes)
{
    void *data = mgl_zeroed_array(bytes / PADDING + 1, PADDING);
    array->buffers[buffer] = data;
    return data;
}

void mgl_made_no_buffer(struct ArrowArray *array, size_t buffer)
{
    mgl_free((void *)array->buffers[buffer]);
    array->buffers[buffer] = NULL;
}

mgl_status mgl_made_children(struct ArrowArray *array, size_t n, mgl_error *err)
{
    owned *own = array->private_data;
    own->children = mgl_alloc_array(n, sizeof *own->children);
    own->cells = mgl_zeroed_array(n, sizeof *own->cells);
    MGL_TRY(mgl_check_memory(own->children != NULL && own->cells != NULL, err));
    for (size_t i = 0; i < n; i++)
        own->children[i] = &own->cells[i];
    array->children = own->children;
    array->n_children = (int64_t)n;
    return MGL_OK;
}

mgl_status mgl_lent_new(struct ArrowArray *array, mgl_error *err, mgl_lent_array **out)
{
    mgl_lent_array *lent = mgl_zeroed_array(1, sizeof *lent);
    if (lent == NULL) {
        mgl_array_release(array);
        return mgl_fail_memory(err);
    }
    lent->array = *array;
    array->release = NULL;
    atomic_init(&lent->holders, 1);
    *out = lent;
    return MGL_OK;
}

void mgl_lent_release(mgl_lent_array *lent)
{
    if (lent == NULL || atomic_fetch_sub(&lent->holders, 1) > 1)
        return;
    mgl_array_release(&lent->array);
    mgl_free(lent);
}

/* A dictionary belongs to its array, which lets go of what it was lent. */
static void release_nothing(struct ArrowArray *array)
{
    array->release = NULL;
}

static void set_dictionary(struct ArrowArray *array, const struct ArrowArray *dictionary)
{
    owned *own = array->private_data;
    own->dictionary = *dictionary;
    own->dictionary.release = release_nothing;
    own->dictionary.private_data = NULL;
    array->dictionary = &own->dictionary;
}

void mgl_made_dictionary(struct ArrowArray *array, mgl_lent_array *dictionary)
{
    owned *own = array->private_data;
    atomic_fetch_add(&dictionary->holders, 1);
    own->lent = dictionary;
    set_dictionary(array, &dictionary->array);
}

mgl_status mgl_made_share(struct ArrowArray *array, const struct ArrowArray *from,
                          mgl_arrow_table *table, mgl_error *err)
{
    MGL_TRY(mgl_made_array(array, (size_t)from->length, (size_t)from->n_buffers, err));
    owned *own = array->private_data;
    if (from->n_buffers > 0)
        memcpy(own->buffers, from->buffers, (size_t)from->n_buffers * sizeof *own->buffers);
    array->null_count = from->null_count;
    own->table = mgl_arrow_retain(table);
    if (from->dictionary != NULL)
        set_dictionary(array, from->dictionary);
    return MGL_OK;
}

/* All of a schema but the structure itself. */
typedef struct owned_schema {
    mgl_allocator allocator;
    mgl_arena *arena;
} owned_schema;

static void release_schema(struct ArrowSchema *schema)
{
    owned_schema *own = schema->private_data;
    mgl_call call = {.allocator = own->allocator};
    const mgl_call *before = mgl_call_enter(&call);
    mgl_arena_free(own->arena);
    mgl_free(own);
    mgl_call_leave(before);
    schema->release = NULL;
}

/* Columns belong to the table and go with it. */
static void release_member(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static const char *copy_text(mgl_arena *arena, const char *text)
{
    return mgl_arena_copy(arena, text, strlen(text));
}

static struct ArrowSchema *new_schema(mgl_arena *arena, const char *name, const char *format,
                                      int64_t flags)
{
    struct ArrowSchema *schema = mgl_arena_alloc(arena, sizeof *schema);
    if (schema == NULL)
        return NULL;
    *schema = (struct ArrowSchema){.format = copy_text(arena, format),
                                   .name = copy_text(arena, name),
                                   .flags = flags,
                                   .release = release_member};
    return schema->format != NULL && schema->name != NULL ? schema : NULL;
}

static struct ArrowSchema *column_schema(mgl_arena *arena, const mgl_schema_column *column)
{
    struct ArrowSchema *schema = new_schema(arena, column->name, column->format, column->flags);
    if (schema == NULL || column->entries == NULL)
        return schema;
    schema->dictionary = new_schema(arena, "", column->entries, ARROW_FLAG_NULLABLE);
    return schema->dictionary != NULL ? schema : NULL;
}

static bool fill(mgl_arena *arena, const mgl_schema_column *columns, size_t n,
                 struct ArrowSchema *out)
{
    *out = (struct ArrowSchema){.format = "+s", .name = "", .n_children = (int64_t)n};
    out->children = mgl_arena_alloc(arena, n * sizeof *out->children);
    for (size_t c = 0; out->children != NULL && c < n; c++) {
        out->children[c] = column_schema(arena, &columns[c]);
        if (out->children[c] == NULL)
            return false;
    }
    return out->children != NULL;
}

mgl_status mgl_made_schema(const mgl_schema_column *columns, size_t n, mgl_error *err,
                           struct ArrowSchema *out)
{
    const mgl_call *call = mgl_call_current();
    owned_schema *own = mgl_zeroed_array(1, sizeof *own);
    mgl_arena *arena = mgl_arena_new();
    if (own == NULL || arena == NULL || !fill(arena, columns, n, out)) {
        mgl_free(own);
        mgl_arena_free(arena);
        return mgl_fail_memory(err);
    }
    own->arena = arena;
    own->allocator = call != NULL ? call->allocator : (mgl_allocator){0};
    out->release = release_schema;
    out->private_data = own;
    return MGL_OK;
}

/* A batch ends when it has so many rows, or one of its columns so many bytes. */
enum { ROWS_IN_BATCH = 1 << 16, BYTES_IN_BATCH = 1 << 28 };

typedef struct growing {
    int32_t *ends; /* [n + 1] */
    size_t n, capacity;
    mgl_buffer bytes;
} growing;

struct mgl_text_builder {
    size_t n_columns;
    growing *columns;
    struct ArrowArray *batches;
    size_t n_batches, capacity;
};

mgl_status mgl_text_builder_new(size_t n_columns, mgl_error *err, mgl_text_builder **out)
{
    mgl_text_builder *builder = mgl_zeroed_array(1, sizeof *builder);
    growing *columns = mgl_zeroed_array(n_columns, sizeof *columns);
    if (builder == NULL || columns == NULL) {
        mgl_free(builder);
        mgl_free(columns);
        return mgl_fail_memory(err);
    }
    *builder = (mgl_text_builder){.n_columns = n_columns, .columns = columns};
    *out = builder;
    return MGL_OK;
}

void mgl_text_builder_free(mgl_text_builder *builder)
{
    if (builder == NULL)
        return;
    for (size_t c = 0; c < builder->n_columns; c++) {
        mgl_free(builder->columns[c].ends);
        mgl_buffer_free(&builder->columns[c].bytes);
    }
    for (size_t b = 0; b < builder->n_batches; b++)
        mgl_array_release(&builder->batches[b]);
    mgl_free(builder->batches);
    mgl_free(builder->columns);
    mgl_free(builder);
}

static bool make_room(growing *g, size_t bytes)
{
    if (!mgl_grow(&g->ends, &g->capacity, g->n + 2, sizeof *g->ends))
        return false;
    g->ends[0] = 0;
    return mgl_buffer_reserve(&g->bytes, bytes + 1);
}

mgl_status mgl_text_builder_add(mgl_text_builder *builder, size_t column, mgl_span cell,
                                mgl_error *err)
{
    growing *g = &builder->columns[column];
    if (cell.size > INT32_MAX - g->bytes.size)
        return mgl_fail(err, MGL_CODE_NO_ROOM,
                        "cells of more than 2 GiB together follow each other, for which a table in "
                        "memory has no room; write a file");
    MGL_TRY(mgl_check_memory(make_room(g, cell.size), err));
    mgl_buffer_span(&g->bytes, cell);
    g->ends[++g->n] = (int32_t)g->bytes.size;
    return MGL_OK;
}

static mgl_status take_array(growing *g, mgl_error *err, struct ArrowArray *out)
{
    if (!make_room(g, 0)) /* there may be no rows */
        return mgl_fail_memory(err);
    MGL_TRY(mgl_made_array(out, g->n, 3, err));
    out->buffers[1] = g->ends;
    out->buffers[2] = g->bytes.data;
    *g = (growing){0};
    return MGL_OK;
}

static mgl_status end_batch(mgl_text_builder *builder, mgl_error *err)
{
    size_t n_rows = builder->columns[0].n;
    MGL_TRY(mgl_grow_array(&builder->batches, &builder->capacity, builder->n_batches + 1,
                           sizeof *builder->batches, err));
    struct ArrowArray *batch = &builder->batches[builder->n_batches];
    MGL_TRY(mgl_made_array(batch, n_rows, 1, err));
    builder->n_batches++;
    MGL_TRY(mgl_made_children(batch, builder->n_columns, err));
    for (size_t c = 0; c < builder->n_columns; c++)
        MGL_TRY(take_array(&builder->columns[c], err, batch->children[c]));
    return MGL_OK;
}

mgl_status mgl_text_builder_pause(mgl_text_builder *builder, mgl_error *err)
{
    bool full = builder->columns[0].n >= ROWS_IN_BATCH;
    for (size_t c = 0; c < builder->n_columns; c++)
        full = full || builder->columns[c].bytes.size >= BYTES_IN_BATCH;
    return full ? end_batch(builder, err) : MGL_OK;
}

static mgl_status make_schema(const char *const *names, size_t n, mgl_error *err,
                              struct ArrowSchema *out)
{
    mgl_schema_column *columns = mgl_alloc_array(n, sizeof *columns);
    MGL_TRY(mgl_check_memory(columns != NULL, err));
    for (size_t c = 0; c < n; c++)
        columns[c] =
            (mgl_schema_column){.name = names[c], .format = "u", .flags = ARROW_FLAG_NULLABLE};
    mgl_status status = mgl_made_schema(columns, n, err, out);
    mgl_free(columns);
    return status;
}

mgl_status mgl_text_builder_end(mgl_text_builder *builder, const char *const *names, mgl_error *err,
                                mgl_arrow_table **out)
{
    struct ArrowSchema schema;
    if (builder->columns[0].n > 0 || builder->n_batches == 0)
        MGL_TRY(end_batch(builder, err));
    MGL_TRY(make_schema(names, builder->n_columns, err, &schema));
    size_t n = builder->n_batches;
    builder->n_batches = 0; /* the table takes them over, whatever comes */
    return mgl_arrow_adopt(&schema, builder->batches, n, "release", err, out);
}
