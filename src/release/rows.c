/* Writes the rows of the release: a second pass over the source where cells are passed through, the
 * codes of the table alone where none are. While one block is turned into records, the next one is
 * read, and whoever watches sees it. The writing of the pipeline calls it. */
#include "release/layout.h"
#include "release/neutral.h"
#include "release/outlet.h"
#include "release/packer.h"

#define DEFAULT_MEMORY (UINT64_C(512) << 20)

enum { ROWS_AT_ONCE = 1 << 15 };

/* Some rows of the source. */
typedef struct block {
    mgl_records records; /* nothing if the source is not needed */
    uint64_t first;
    size_t n;
    uint32_t *tuples; /* MGL_NOT_FOUND: the row is dropped */
    size_t capacity;
} block;

typedef struct row_writer {
    const mgl_row_plan *plan;
    mgl_packer *packer; /* NULL: the release is text */
    mgl_buffer line;    /* of the packer */
    uint32_t *cells;    /* [n_attributes] of the row for the packer */
    mgl_layout layout;
    mgl_neutral neutral;
    const mgl_progress *progress;
    mgl_tuple_finder *finder;
    mgl_text_writer *writer;
    mgl_shuffle *shuffle;
    mgl_outlet *outlet;
    mgl_buffer records; /* of the batch to come, if the order is kept */
    size_t n_records;
    block blocks[2];
    unsigned current;
    uint64_t rows_read, rows_written;
    mgl_status next_status, take_status;
    mgl_error next_error, take_error;
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

/* ---- Blocks -------------------------------------------------------------------------------------
 */

/* Rows of the block that follow those read so far, and their tuples. */
static mgl_status find_tuples(row_writer *w, block *b, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    b->first = w->rows_read;
    if (b->n > plan->list->n_rows - w->rows_read)
        return mgl_fail_at(err, MGL_DATA, mgl_source_name(plan->source), 0,
                           "the file grew while it was read; run again when it is complete");
    if (!mgl_grow(&b->tuples, &b->capacity, b->n, sizeof *b->tuples))
        return mgl_fail_memory(err);
    MGL_TRY(mgl_tuple_reach(w->finder, b->first, b->n, err, b->tuples));
    for (size_t r = 0; plan->drop_suppressed && r < b->n; r++)
        if (plan->recoding->suppressed[b->tuples[r]])
            b->tuples[r] = MGL_NOT_FOUND;
    w->rows_read += b->n;
    return MGL_OK;
}

/* The block after the current one. */
static mgl_status find_block(row_writer *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    block *b = &w->blocks[1 - w->current];
    uint64_t left = plan->list->n_rows - w->rows_read;
    b->n = left < ROWS_AT_ONCE ? (size_t)left : ROWS_AT_ONCE;
    if (mgl_layout_needs_source(&w->layout)) {
        MGL_TRY(mgl_source_next(plan->source, err, &b->records));
        b->n = b->records.n_records;
    }
    return find_tuples(w, b, err);
}

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

/* Turns the current block into records. */
static mgl_status take_block(row_writer *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    const block *b = &w->blocks[w->current];
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

enum { NEXT_BLOCK, TAKE_BLOCK, SEE_COLUMN };

static void run_item(void *context, size_t item, unsigned worker)
{
    (void)worker;
    row_writer *w = context;
    const block *b = &w->blocks[w->current];
    if (item == NEXT_BLOCK) {
        w->next_status = find_block(w, &w->next_error);
    } else if (item == TAKE_BLOCK) {
        w->take_status = take_block(w, &w->take_error);
    } else {
        mgl_seen_rows seen = {b->records.fields, b->records.n_fields, b->tuples, b->n};
        w->plan->watch->see(w->plan->watch->context, item - SEE_COLUMN, &seen);
    }
}

static mgl_status hand_on(mgl_status status, const mgl_error *from, mgl_error *err)
{
    if (status != MGL_OK && err != NULL)
        *err = *from;
    return status;
}

static size_t columns_seen(const row_writer *w)
{
    bool seen = w->plan->watch != NULL && mgl_layout_needs_source(&w->layout);
    return seen ? w->plan->watch->n_columns : 0;
}

/* Records in their order are a batch each. */
static mgl_status end_block(row_writer *w, mgl_error *err)
{
    if (w->shuffle != NULL)
        return MGL_OK;
    size_t n = w->n_records;
    w->n_records = 0;
    return mgl_outlet_put(w->outlet, &w->records, n, err);
}

static mgl_status report(const row_writer *w, mgl_error *err)
{
    return mgl_progress_report(w->progress, "write", w->rows_read, w->plan->list->n_rows, err);
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

/* Takes a block and finds the next one at the same time: what is read lives long enough. */
static mgl_status pull_blocks(row_writer *w, mgl_error *err)
{
    if (mgl_layout_needs_source(&w->layout))
        MGL_TRY(mgl_source_rewind(w->plan->source, err));
    MGL_TRY(find_block(w, err));
    w->current = 1 - w->current;
    while (w->blocks[w->current].n > 0) {
        MGL_TRY(report(w, err));
        mgl_pool_run(w->plan->pool, SEE_COLUMN + columns_seen(w), run_item, w);
        MGL_TRY(hand_on(w->take_status, &w->take_error, err));
        MGL_TRY(hand_on(w->next_status, &w->next_error, err));
        MGL_TRY(end_block(w, err));
        w->current = 1 - w->current;
    }
    return MGL_OK;
}

/* One block of a source that gives them one after another. */
static mgl_status visit_block(void *context, const mgl_records *records, mgl_error *err)
{
    row_writer *w = context;
    block *b = &w->blocks[w->current];
    b->records = *records;
    b->n = records->n_records;
    MGL_TRY(find_tuples(w, b, err));
    for (size_t item = TAKE_BLOCK; item < SEE_COLUMN + columns_seen(w); item++)
        run_item(w, item, 0);
    MGL_TRY(hand_on(w->take_status, &w->take_error, err));
    MGL_TRY(end_block(w, err));
    return report(w, err);
}

static mgl_status make_records(row_writer *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    bool pulls = !mgl_layout_needs_source(&w->layout) || mgl_source_lasts(plan->source);
    MGL_TRY(pulls ? pull_blocks(w, err) : mgl_source_each(plan->source, visit_block, w, err));
    if (w->rows_read != plan->list->n_rows)
        return mgl_fail_at(err, MGL_DATA, mgl_source_name(plan->source), 0,
                           "the file shrank while it was read; run again when it is complete");
    return MGL_OK;
}

static mgl_status write_all(row_writer *w, mgl_error *err)
{
    if (w->packer == NULL)
        MGL_TRY(write_header(w, err));
    MGL_TRY(make_records(w, err));
    /* The hash table of the tuples has done its work; the buckets need the memory. */
    mgl_tuple_finder_free(w->finder);
    w->finder = NULL;
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

static mgl_status begin(row_writer *w, int fd, const char *name, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    uint64_t memory = plan->memory > 0 ? plan->memory : DEFAULT_MEMORY;
    MGL_TRY(open_writer(w, fd, name, err));
    MGL_TRY(mgl_layout_init(&w->layout, plan, w->packer != NULL, memory / 4, err));
    MGL_TRY(mgl_tuple_finder_new(plan->list, plan->quasi, err, &w->finder));
    if (plan->shuffle != NULL)
        MGL_TRY(mgl_shuffle_new(plan->shuffle, plan->list->n_rows, mgl_source_size(plan->source),
                                plan->memory > 0 ? memory / 4 : memory / 2, err, &w->shuffle));
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
    mgl_tuple_finder_free(w.finder);
    mgl_layout_free(&w.layout);
    mgl_buffer_free(&w.records);
    for (size_t i = 0; i < 2; i++)
        mgl_free(w.blocks[i].tuples);
    return status;
}
