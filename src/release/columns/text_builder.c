/* Builds columns of texts cell by cell. The release of a source that is no table in memory is
 * gathered from what it makes; text_columns.c of the room around calls it. */
#include "release/columns/text_builder.h"

#include "release/columns/made_array.h"
#include "release/columns/made_schema.h"

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

/* ---- Cells --------------------------------------------------------------------------------- */

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
    if (!make_room(g, cell.size))
        return mgl_fail_memory(err);
    mgl_buffer_span(&g->bytes, cell);
    g->ends[++g->n] = (int32_t)g->bytes.size;
    return MGL_OK;
}

/* ---- Batches ------------------------------------------------------------------------------- */

static mgl_status hand_over(growing *g, mgl_error *err, struct ArrowArray *out)
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
    if (!mgl_grow(&builder->batches, &builder->capacity, builder->n_batches + 1,
                  sizeof *builder->batches))
        return mgl_fail_memory(err);
    struct ArrowArray *batch = &builder->batches[builder->n_batches];
    MGL_TRY(mgl_made_array(batch, n_rows, 1, err));
    builder->n_batches++;
    MGL_TRY(mgl_made_children(batch, builder->n_columns, err));
    for (size_t c = 0; c < builder->n_columns; c++)
        MGL_TRY(hand_over(&builder->columns[c], err, batch->children[c]));
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
    if (columns == NULL)
        return mgl_fail_memory(err);
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
