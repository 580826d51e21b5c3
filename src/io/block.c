#include "io/block.h"

#include "io/coder.h"

enum { ROWS = 4096, BYTES = 1 << 20 };

struct mgl_block {
    mgl_source *source;
    size_t n_columns, column; /* the next one to come */
    uint64_t n_rows;          /* before this block */
    mgl_buffer text;          /* cells, each followed by a delimiter or a line feed */
    uint32_t *ends;           /* ends[0] is before the first field: ends[1 + field] */
    size_t n_fields, ends_capacity;
    bool *wanted; /* [n_columns] */

    /* First pass */
    mgl_coder **coders;
    size_t n_coders;
    uint64_t expected;
    const mgl_progress *progress;

    /* Second pass */
    mgl_records_fn *visit;
    void *context;
    mgl_field *fields;
    size_t fields_capacity;
};

bool mgl_block_wants(const mgl_block *block, size_t column)
{
    return block->wanted[column];
}

bool mgl_block_hides_missing(const mgl_block *block, size_t column)
{
    return block->visit == NULL || (block->source->kept != NULL && block->source->kept[column]);
}

/* ---- Handing on ----------------------------------------------------------------------- */

static mgl_status code_rows(mgl_block *block, size_t n, mgl_error *err)
{
    if (!mgl_buffer_reserve(&block->text, MGL_CUTS_MARGIN))
        return mgl_fail_memory(err);
    mgl_cuts cuts = {.data = block->text.data,
                     .ends = block->ends + 1,
                     .n_records = n,
                     .n_fields = block->n_columns};
    for (size_t i = 0; i < block->n_coders; i++)
        if (!mgl_coder_run(block->coders[i], &cuts, 0, n))
            return mgl_fail_memory(err);
    return mgl_progress_report(block->progress, "read", block->n_rows + n, block->expected, err);
}

static mgl_status visit_rows(mgl_block *block, size_t n, mgl_error *err)
{
    if (!mgl_grow(&block->fields, &block->fields_capacity, block->n_fields, sizeof(mgl_field)))
        return mgl_fail_memory(err);
    for (size_t f = 0; f < block->n_fields; f++) {
        uint32_t start = block->ends[f] + 1, end = block->ends[f + 1];
        const char *data = block->text.data + start;
        block->fields[f] = (mgl_field){data, end - start, end > start && data[0] == '"'};
    }
    mgl_records records = {.fields = block->fields,
                           .n_records = n,
                           .n_fields = block->n_columns,
                           .first_line = block->n_rows + 1};
    return block->visit(block->context, &records, err);
}

static mgl_status flush(mgl_block *block, mgl_error *err)
{
    size_t n = block->n_fields / block->n_columns;
    if (n == 0)
        return MGL_OK;
    MGL_TRY(block->visit != NULL ? visit_rows(block, n, err) : code_rows(block, n, err));
    block->n_rows += n;
    block->text.size = 0;
    block->n_fields = 0;
    return MGL_OK;
}

/* ---- Filling -------------------------------------------------------------------------- */

static mgl_status refuse(const mgl_block *block, mgl_error *err)
{
    uint64_t row = block->n_rows + block->n_fields / block->n_columns + 1;
    return mgl_fail_at(err, MGL_DATA, block->source->name, 0,
                       "row %llu, column %.60s: the cell is not UTF-8 text; convert the file, or "
                       "name its encoding with --encoding",
                       (unsigned long long)row, mgl_source_column(block->source, block->column));
}

mgl_status mgl_block_put(mgl_block *block, mgl_span cell, mgl_error *err)
{
    char delimiter = block->source->dialect.delimiter;
    if (cell.size > 0 && (mgl_utf8_valid(cell.data, cell.size) != cell.size ||
                          memchr(cell.data, '\0', cell.size) != NULL))
        return refuse(block, err);
    if (!mgl_grow(&block->ends, &block->ends_capacity, block->n_fields + 2, sizeof(uint32_t)))
        return mgl_fail_memory(err);
    block->ends[0] = UINT32_MAX; /* the byte before the first one */
    mgl_text_quote(&block->text, cell, delimiter, block->n_columns == 1);
    block->ends[++block->n_fields] = (uint32_t)block->text.size;
    bool last = ++block->column == block->n_columns;
    mgl_buffer_append(&block->text, last ? "\n" : &delimiter, 1);
    if (block->text.failed)
        return mgl_fail_memory(err);
    if (!last)
        return MGL_OK;
    block->column = 0;
    bool full = block->n_fields >= ROWS * block->n_columns || block->text.size >= BYTES;
    return full ? flush(block, err) : MGL_OK;
}

/* ---- Passes --------------------------------------------------------------------------- */

static mgl_status run(mgl_block *block, mgl_produce_fn *produce, mgl_error *err)
{
    MGL_TRY(produce(block->source, block, err));
    return flush(block, err);
}

static mgl_status begin(mgl_block *block, bool wanted, mgl_error *err)
{
    block->n_columns = mgl_source_columns(block->source);
    block->wanted = mgl_alloc_array(block->n_columns, sizeof *block->wanted);
    if (block->wanted == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < block->n_columns; c++)
        block->wanted[c] = wanted;
    return MGL_OK;
}

static void end(mgl_block *block)
{
    for (size_t i = 0; i < block->n_coders; i++)
        mgl_coder_free(block->coders[i]);
    mgl_free(block->coders);
    mgl_free(block->wanted);
    mgl_free(block->ends);
    mgl_free(block->fields);
    mgl_buffer_free(&block->text);
}

static mgl_status make_coders(mgl_block *block, mgl_table *table, mgl_error *err)
{
    block->coders = mgl_zeroed_array(table->n_columns, sizeof *block->coders);
    if (block->coders == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < table->n_columns; i++) {
        mgl_coder *coder = mgl_coder_new(&table->columns[i], block->source->options);
        if (coder == NULL)
            return mgl_fail_memory(err);
        block->coders[block->n_coders++] = coder;
        block->wanted[table->columns[i].source_index] = true;
        if (!mgl_coder_expect(coder, (size_t)block->expected))
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

mgl_status mgl_block_read(mgl_source *source, mgl_produce_fn *produce, mgl_table *table,
                          uint64_t n_rows, const mgl_progress *progress, mgl_error *err)
{
    mgl_block block = {.source = source, .expected = n_rows, .progress = progress};
    mgl_status status = begin(&block, false, err);
    if (status == MGL_OK)
        status = make_coders(&block, table, err);
    if (status == MGL_OK)
        status = run(&block, produce, err);
    for (size_t i = 0; status == MGL_OK && i < block.n_coders; i++)
        mgl_coder_finish(block.coders[i]);
    table->n_rows = block.n_rows;
    end(&block);
    if (status == MGL_OK && table->n_rows == 0)
        status = mgl_fail_at(err, MGL_DATA, source->name, 0, "there are no rows");
    return status;
}

mgl_status mgl_block_each(mgl_source *source, mgl_produce_fn *produce, mgl_records_fn *visit,
                          void *context, mgl_error *err)
{
    mgl_block block = {.source = source, .visit = visit, .context = context};
    mgl_status status = begin(&block, true, err);
    if (status == MGL_OK)
        status = run(&block, produce, err);
    end(&block);
    return status;
}
