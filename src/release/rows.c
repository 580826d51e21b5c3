/* Writes the rows of the release as text, or hands them to a sink: makes a record of each, puts the
 * records in order and writes them. The writing of the pipeline calls it. */
#include "release/layout.h"
#include "release/neutral.h"
#include "release/outlet.h"
#include "release/packer.h"
#include "release/row_pass.h"

#define DEFAULT_MEMORY (UINT64_C(512) << 20)

typedef struct row_writer {
    const mgl_row_plan *plan;
    mgl_packer *packer; /* NULL: the release is text */
    mgl_buffer line;    /* of the packer */
    uint32_t *cells;    /* [n_attributes] of the row for the packer */
    mgl_layout layout;
    mgl_neutral neutral;
    const mgl_progress *progress;
    mgl_text_writer *writer;
    mgl_shuffle *shuffle;
    mgl_outlet *outlet;
    mgl_buffer records; /* of the batch to come, if the order is kept */
    size_t n_records;
    uint64_t rows_written;
} row_writer;

static mgl_status write_header(row_writer *w, mgl_error *err)
{
    const mgl_dialect *dialect = w->layout.dialect;
    mgl_buffer line = {0};
    if (dialect->byte_order_mark)
        mgl_buffer_text(&line, "\xEF\xBB\xBF");
    mgl_status status = MGL_OK;
    if (dialect->header && !mgl_layout_header(&w->layout, &line))
        status = mgl_fail_memory(err);
    if (status == MGL_OK)
        status = line.failed ? mgl_fail_memory(err)
                             : mgl_text_write(w->writer, line.data, line.size, err);
    mgl_buffer_free(&line);
    return status;
}

/* ---- Records ------------------------------------------------------------------------------- */

static char *place_record(row_writer *w, size_t size, mgl_error *err)
{
    if (w->shuffle != NULL)
        return mgl_shuffle_place(w->shuffle, size, err);
    if (!mgl_buffer_reserve(&w->records, size + MGL_ROW_MARGIN)) {
        mgl_fail_memory(err);
        return NULL;
    }
    char *place = w->records.data + w->records.size;
    w->records.size += size;
    w->n_records++;
    return place;
}

static mgl_status take_row(row_writer *w, const mgl_field *fields, uint32_t tuple, uint32_t tag,
                           mgl_error *err)
{
    char *place = place_record(w, mgl_record_size(&w->layout, fields), err);
    if (place == NULL)
        return MGL_SYSTEM;
    mgl_record_make(&w->layout, mgl_layout_class(&w->layout, tuple), tag, fields, place);
    return MGL_OK;
}

static mgl_status pack_row(row_writer *w, const mgl_field *fields, uint32_t tuple, uint32_t tag,
                           mgl_error *err)
{
    const mgl_recoding *recoding = w->plan->recoding;
    for (size_t a = 0; a < recoding->n_attributes; a++)
        w->cells[a] = recoding->cells[a][tuple];
    if (!mgl_packer_row(w->packer, fields, w->cells, &w->line))
        return mgl_fail_memory(err);
    char *place = place_record(w, mgl_record_line_size(&w->layout, w->line.size), err);
    if (place == NULL)
        return MGL_SYSTEM;
    mgl_record_make_line(&w->layout, tag, w->line.data, w->line.size, place);
    return MGL_OK;
}

/* Turns a block into records. */
static mgl_status take_block(void *context, const mgl_row_block *b, size_t item, mgl_error *err)
{
    row_writer *w = context;
    const mgl_row_plan *plan = w->plan;
    (void)item;
    for (size_t r = 0; r < b->n; r++) {
        if (b->tuples[r] == MGL_NOT_FOUND)
            continue;
        const mgl_field *fields =
            b->records.fields != NULL ? b->records.fields + r * b->records.n_fields : NULL;
        uint32_t tag = plan->tag != NULL ? mgl_column_code(plan->tag, b->first + r) : 0;
        if (mgl_neutral_is_needed(plan) && fields != NULL) {
            fields = mgl_neutral_fields(&w->neutral, &w->layout, b->first + r, fields,
                                        b->records.n_fields);
            if (fields == NULL)
                return mgl_fail_memory(err);
        }
        MGL_TRY(w->packer != NULL ? pack_row(w, fields, b->tuples[r], tag, err)
                                  : take_row(w, fields, b->tuples[r], tag, err));
        w->rows_written++;
    }
    return MGL_OK;
}

/* Records in their order are a batch each. */
static mgl_status end_block(void *context, mgl_error *err)
{
    row_writer *w = context;
    if (w->shuffle != NULL)
        return MGL_OK;
    size_t n = w->n_records;
    w->n_records = 0;
    return mgl_outlet_put(w->outlet, &w->records, n, err);
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

/* The hash table of the tuples goes with the pass: the buckets need the memory. */
static mgl_status make_records(row_writer *w, mgl_error *err)
{
    mgl_row_pass pass = {.plan = w->plan,
                         .needs_source = mgl_layout_needs_source(&w->layout),
                         .progress = w->progress,
                         .take = take_block,
                         .n_items = 1,
                         .end_block = end_block,
                         .context = w};
    return mgl_row_pass_run(&pass, err);
}

static mgl_status write_all(row_writer *w, mgl_error *err)
{
    if (w->packer == NULL)
        MGL_TRY(write_header(w, err));
    MGL_TRY(make_records(w, err));
    if (w->shuffle != NULL) {
        MGL_TRY(mgl_shuffle_end(w->shuffle, err));
        for (size_t b = 0; b < mgl_shuffle_buckets(w->shuffle); b++)
            MGL_TRY(mgl_outlet_put_bucket(w->outlet, b, err));
    }
    MGL_TRY(mgl_outlet_end(w->outlet, err));
    return mgl_text_writer_end(w->writer, err);
}

/* Lines go into the staged file, packed rows into a private one. */
static mgl_status open_writer(row_writer *w, int fd, const char *name, mgl_error *err)
{
    if (w->plan->format->text)
        return mgl_text_writer_new(fd, name, err, &w->writer);
    w->cells = mgl_alloc_array(w->plan->recoding->n_attributes, sizeof *w->cells);
    if (w->cells == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_packer_new(w->plan, err, &w->packer));
    return mgl_text_writer_new(mgl_packer_file(w->packer), "rows", err, &w->writer);
}

/* What the shuffle may hold before it spools. */
static uint64_t shuffle_budget(const mgl_row_plan *plan)
{
    if (mgl_sys_in_memory(-1))
        return UINT64_MAX;
    return plan->memory > 0 ? plan->memory / 4 : DEFAULT_MEMORY / 2;
}

static mgl_status begin(row_writer *w, int fd, const char *name, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    uint64_t memory = plan->memory > 0 ? plan->memory : DEFAULT_MEMORY;
    MGL_TRY(open_writer(w, fd, name, err));
    MGL_TRY(mgl_layout_init(&w->layout, plan, w->packer != NULL, memory / 4, err));
    if (plan->shuffle != NULL)
        MGL_TRY(mgl_shuffle_new(plan->shuffle, plan->list->n_rows, mgl_source_size(plan->source),
                                shuffle_budget(plan), err, &w->shuffle));
    return mgl_outlet_new(&w->layout, w->writer, w->shuffle, plan->pool, err, &w->outlet);
}

mgl_status mgl_write_rows(const mgl_row_plan *plan, const mgl_stage *stage, const char *name,
                          const mgl_progress *progress, mgl_error *err, uint64_t *n_rows)
{
    row_writer w = {.plan = plan, .progress = progress};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&w, mgl_stage_fd(stage), name, err));
    MGL_GO(write_all(&w, err));
    if (w.packer != NULL)
        MGL_GO(mgl_packer_deliver(w.packer, stage, name, w.rows_written, err));
    *n_rows = w.rows_written;
done:
    mgl_outlet_free(w.outlet);
    mgl_shuffle_free(w.shuffle);
    mgl_text_writer_free(w.writer);
    mgl_packer_free(w.packer);
    mgl_free(w.cells);
    mgl_buffer_free(&w.line);
    mgl_neutral_free(&w.neutral);
    mgl_layout_free(&w.layout);
    mgl_buffer_free(&w.records);
    return status;
}
