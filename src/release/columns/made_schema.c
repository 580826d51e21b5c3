/* Makes the schema of a release: names and types of its columns, and nothing that a producer may
 * have noted beside them. make_columns.c calls it. */
#include "release/columns/made_schema.h"

/* All of a schema but the structure itself. */
typedef struct owned {
    mgl_allocator allocator;
    mgl_arena *arena;
} owned;

static void release_schema(struct ArrowSchema *schema)
{
    owned *own = schema->private_data;
    mgl_call call = {.allocator = own->allocator};
    const mgl_call *before = mgl_call_enter(&call);
    mgl_arena_free(own->arena);
    mgl_free(own);
    mgl_call_leave(before);
    schema->release = NULL;
}

/* Columns belong to the table and go with it. */
static void release_nothing(struct ArrowSchema *schema)
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
                                   .release = release_nothing};
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
    owned *own = mgl_zeroed_array(1, sizeof *own);
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
