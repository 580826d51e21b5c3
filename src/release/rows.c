/* Rows of the release: a second pass over the source where cells are passed through, the codes of
 * the table alone where none are. While one block is turned into records, the next one is read, and
 * whoever watches sees it. */
#include "release/layout.h"
#include "release/outlet.h"

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
    mgl_layout layout;
    mgl_tuple_finder *finder;
    mgl_text_writer *writer;
    mgl_shuffle *shuffle;
    mgl_outlet *outlet;
    mgl_buffer records; /* of the batch to come, if the order is kept */
    size_t n_records;
    block blocks[2];
    unsigned current;
    bool ended; /* there is no block after the current one */
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

static mgl_status read_records(row_writer *w, block *b, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    uint64_t left = plan->list->n_rows - w->rows_read;
    if (!mgl_layout_needs_source(&w->layout)) {
        b->n = left < ROWS_AT_ONCE ? (size_t)left : ROWS_AT_ONCE;
        return MGL_OK;
    }
    MGL_TRY(mgl_source_next(plan->source, err, &b->records));
    b->n = b->records.n_records;
    if (b->n > left)
        return mgl_fail_at(err, MGL_DATA, mgl_source_name(plan->source), 0,
                           "the file grew while it was read; run again when it is complete");
    if (b->n == 0 && left > 0)
        return mgl_fail_at(err, MGL_DATA, mgl_source_name(plan->source), 0,
                           "the file shrank while it was read; run again when it is complete");
    return MGL_OK;
}

/* The block after the current one. */
static mgl_status find_block(row_writer *w, mgl_error *err)
{
    const mgl_recoding *recoding = w->plan->recoding;
    block *b = &w->blocks[1 - w->current];
    b->first = w->rows_read;
    MGL_TRY(read_records(w, b, err));
    if (!mgl_grow(&b->tuples, &b->capacity, b->n, sizeof *b->tuples))
        return mgl_fail_memory(err);
    MGL_TRY(mgl_tuple_reach(w->finder, b->first, b->n, err, b->tuples));
    for (size_t r = 0; w->plan->drop_suppressed && r < b->n; r++)
        if (recoding->suppressed[b->tuples[r]])
            b->tuples[r] = MGL_NOT_FOUND;
    w->rows_read += b->n;
    return MGL_OK;
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
        char *place = place_record(w, mgl_record_size(&w->layout, fields), err);
        if (place == NULL)
            return MGL_SYSTEM;
        uint32_t person = plan->entity != NULL ? mgl_column_code(plan->entity, b->first + r) : 0;
        mgl_record_make(&w->layout, mgl_layout_class(&w->layout, b->tuples[r]), person, fields,
                        place);
        w->rows_written++;
    }
    return MGL_OK;
}

enum { NEXT_BLOCK, TAKE_BLOCK, SEE_COLUMN };

static void work(void *context, size_t task, unsigned worker)
{
    (void)worker;
    row_writer *w = context;
    const block *b = &w->blocks[w->current];
    if (task == NEXT_BLOCK) {
        w->next_status = find_block(w, &w->next_error);
    } else if (task == TAKE_BLOCK) {
        w->take_status = take_block(w, &w->take_error);
    } else {
        mgl_seen_rows seen = {b->records.fields, b->records.n_fields, b->tuples, b->n};
        w->plan->watch->see(w->plan->watch->context, task - SEE_COLUMN, &seen);
    }
}

static mgl_status hand_on(mgl_status status, const mgl_error *from, mgl_error *err)
{
    if (status != MGL_OK && err != NULL)
        *err = *from;
    return status;
}

/* Takes the current block and finds the next one: at once, if what is read lives long enough. */
static mgl_status step(row_writer *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    bool needs_source = mgl_layout_needs_source(&w->layout);
    bool at_once = !needs_source || mgl_source_lasts(plan->source);
    size_t n_seen = plan->watch != NULL && needs_source ? plan->watch->n_columns : 0;
    w->next_status = MGL_OK;
    if (at_once) {
        mgl_pool_run(plan->pool, SEE_COLUMN + n_seen, work, w);
    } else {
        for (size_t task = TAKE_BLOCK; task < SEE_COLUMN + n_seen; task++)
            work(w, task, 0);
        work(w, NEXT_BLOCK, 0);
    }
    MGL_TRY(hand_on(w->take_status, &w->take_error, err));
    MGL_TRY(hand_on(w->next_status, &w->next_error, err));
    w->current = 1 - w->current;
    return MGL_OK;
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

static mgl_status make_records(row_writer *w, const mgl_progress *progress, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    if (mgl_layout_needs_source(&w->layout))
        MGL_TRY(mgl_source_rewind(plan->source, err));
    MGL_TRY(find_block(w, err));
    w->current = 1 - w->current;
    while (w->blocks[w->current].n > 0) {
        MGL_TRY(mgl_progress_report(progress, "write", w->rows_read, plan->list->n_rows, err));
        MGL_TRY(step(w, err));
        if (w->shuffle == NULL) {
            MGL_TRY(mgl_outlet_put(w->outlet, &w->records, w->n_records, err));
            w->n_records = 0;
        }
    }
    return MGL_OK;
}

static mgl_status write_all(row_writer *w, const mgl_progress *progress, mgl_error *err)
{
    MGL_TRY(write_header(w, err));
    MGL_TRY(make_records(w, progress, err));
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

static mgl_status begin(row_writer *w, int fd, const char *name, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    uint64_t memory = plan->memory > 0 ? plan->memory : DEFAULT_MEMORY;
    MGL_TRY(mgl_layout_init(&w->layout, plan, memory / 4, err));
    MGL_TRY(mgl_tuple_finder_new(plan->list, plan->quasi, err, &w->finder));
    MGL_TRY(mgl_text_writer_new(fd, name, err, &w->writer));
    if (plan->shuffle != NULL)
        MGL_TRY(mgl_shuffle_new(plan->shuffle, plan->list->n_rows, mgl_source_size(plan->source),
                                plan->memory > 0 ? memory / 4 : memory / 2, err, &w->shuffle));
    return mgl_outlet_new(&w->layout, w->writer, w->shuffle, plan->pool, err, &w->outlet);
}

mgl_status mgl_write_rows(const mgl_row_plan *plan, int fd, const char *name,
                          const mgl_progress *progress, mgl_error *err, uint64_t *n_rows)
{
    row_writer w = {.plan = plan};
    mgl_status status = begin(&w, fd, name, err);
    if (status == MGL_OK)
        status = write_all(&w, progress, err);
    *n_rows = w.rows_written;
    mgl_outlet_free(w.outlet);
    mgl_shuffle_free(w.shuffle);
    mgl_text_writer_free(w.writer);
    mgl_tuple_finder_free(w.finder);
    mgl_layout_free(&w.layout);
    mgl_buffer_free(&w.records);
    for (size_t i = 0; i < 2; i++)
        mgl_free(w.blocks[i].tuples);
    return status;
}
