/* Writes the rows of the release as text, or hands them to a sink: has a record made of each, puts
 * the records in order and writes them. The writing of the pipeline calls it. */
#include "release/make_records.h"

#define DEFAULT_MEMORY (UINT64_C(512) << 20)

typedef struct row_writer {
    const mgl_row_plan *plan;
    mgl_packer *packer; /* NULL: the release is text */
    mgl_layout layout;
    const mgl_progress *progress;
    mgl_text_writer *writer;
    mgl_shuffle *shuffle;
    mgl_outlet *outlet;
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

/* ---- All of it ---------------------------------------------------------------------------------
 */

/* What of a record is no cell, in bytes. */
enum { RECORD_HEAD = 8 };

/* The hash table of the tuples goes with the pass: the buckets need the memory. */
static mgl_status make_records(row_writer *w, mgl_error *err)
{
    mgl_record_order order = {.plan = w->plan,
                              .layout = &w->layout,
                              .packer = w->packer,
                              .shuffle = w->shuffle,
                              .outlet = w->outlet};
    return mgl_make_records(&order, w->progress, err, &w->rows_written);
}

static mgl_status write_all(row_writer *w, mgl_error *err)
{
    if (w->packer == NULL)
        MGL_TRY(write_header(w, err));
    MGL_TRY(make_records(w, err));
    mgl_formulas_note_labels(&w->layout);
    if (w->plan->warnings != NULL)
        mgl_formulas_warn(&w->layout, w->plan->warnings);
    for (size_t b = 0; w->shuffle != NULL && b < mgl_shuffle_buckets(w->shuffle); b++)
        MGL_TRY(mgl_outlet_put_bucket(w->outlet, b, err));
    MGL_TRY(mgl_outlet_end(w->outlet, err));
    return mgl_text_writer_end(w->writer, err);
}

/* Lines go into the staged file, packed rows into a private one. */
static mgl_status open_writer(row_writer *w, int fd, const char *name, mgl_error *err)
{
    if (w->plan->format->text)
        return mgl_text_writer_new(fd, name, err, &w->writer);
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
        MGL_TRY(mgl_shuffle_new(plan->shuffle, plan->n_rows, mgl_source_size(plan->source),
                                shuffle_budget(plan), err, &w->shuffle));
    if (w->shuffle != NULL)
        mgl_shuffle_expect(w->shuffle,
                           plan->n_rows * RECORD_HEAD + (mgl_layout_needs_source(&w->layout)
                                                             ? mgl_source_size(plan->source)
                                                             : 0));
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
    mgl_layout_free(&w.layout);
    return status;
}
