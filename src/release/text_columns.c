/* Reads the columns that are passed through from a source into memory, so that a release in memory
 * can be gathered from any source in the same way. stage_rows.c calls it. */
#include "release/text_columns.h"

#include "release/columns/columns.h"
#include "release/row_pass.h"

typedef struct taking {
    mgl_text_builder *builder;
    size_t n;
    size_t *fields;      /* [n] of the source */
    const char **names;  /* [n] */
    mgl_buffer *scratch; /* [n] for cells in quotes */
} taking;

static bool is_recoded(const mgl_row_plan *plan, size_t source_column)
{
    for (size_t a = 0; a < plan->n_quasi; a++)
        if (plan->quasi[a].column->source_index == source_column)
            return true;
    return false;
}

static mgl_status take_block(const taking *t, const mgl_row_block *block, size_t column,
                             mgl_error *err)
{
    const mgl_field *field = block->records.fields + t->fields[column];
    mgl_buffer *scratch = &t->scratch[column];
    for (size_t r = 0; r < block->n; r++, field += block->records.n_fields) {
        scratch->size = 0;
        mgl_span cell = mgl_field_value(*field, scratch);
        if (scratch->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_text_builder_add(t->builder, column, cell, err));
    }
    return MGL_OK;
}

static size_t a_column_each(const void *context, const mgl_row_wave *wave)
{
    (void)wave;
    return ((const taking *)context)->n;
}

static mgl_status take_column(void *context, const mgl_row_wave *wave, size_t column,
                              mgl_error *err)
{
    for (size_t b = 0; b < wave->n; b++)
        MGL_TRY(take_block(context, &wave->blocks[b], column, err));
    return MGL_OK;
}

static mgl_status end_wave(void *context, const mgl_row_wave *wave, mgl_error *err)
{
    (void)wave;
    return mgl_text_builder_pause(((const taking *)context)->builder, err);
}

static const mgl_row_step steps[] = {{a_column_each, take_column, end_wave}};

static mgl_status list_columns(taking *t, const mgl_row_plan *plan, mgl_error *err,
                               size_t *of_column)
{
    t->fields = mgl_alloc_array(plan->n_columns, sizeof *t->fields);
    t->names = mgl_alloc_array(plan->n_columns, sizeof *t->names);
    t->scratch = mgl_zeroed_array(plan->n_columns, sizeof *t->scratch);
    if (t->fields == NULL || t->names == NULL || t->scratch == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < plan->n_columns; c++) {
        if (is_recoded(plan, plan->columns[c]))
            continue;
        t->fields[t->n] = plan->columns[c];
        t->names[t->n] = mgl_source_column(plan->source, plan->columns[c]);
        of_column[c] = t->n++;
    }
    return MGL_OK;
}

mgl_status mgl_text_columns(const mgl_row_plan *plan, const uint32_t *tuples,
                            const mgl_progress *progress, mgl_error *err, size_t *of_column,
                            mgl_arrow_table **out)
{
    taking t = {0};
    mgl_status status = MGL_OK;
    mgl_row_pass pass = {.plan = plan,
                         .needs_source = true,
                         .tuples = tuples,
                         .progress = progress,
                         .steps = steps,
                         .n_steps = 1,
                         .context = &t};
    MGL_GO(list_columns(&t, plan, err, of_column));
    if (t.n == 0) {
        *out = NULL;
        goto done;
    }
    MGL_GO(mgl_text_builder_new(t.n, err, &t.builder));
    MGL_GO(mgl_row_pass_run(&pass, err));
    MGL_GO(mgl_text_builder_end(t.builder, t.names, err, out));
done:
    mgl_text_builder_free(t.builder);
    for (size_t i = 0; t.scratch != NULL && i < t.n; i++)
        mgl_buffer_free(&t.scratch[i]);
    mgl_free(t.scratch);
    mgl_free(t.fields);
    mgl_free(t.names);
    return status;
}
