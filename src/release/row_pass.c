/* Goes through the rows that are released: the cells of the source where some are passed through,
 * the codes of the table alone where none are. rows.c turns them into text. */
#include "release/row_pass.h"

enum { ROWS_AT_ONCE = 1 << 15 };

typedef struct block {
    mgl_row_block rows;
    uint32_t *found; /* tuples, if they are found on the way */
    size_t capacity;
} block;

typedef struct item_end {
    mgl_status status;
    mgl_error error;
} item_end;

typedef struct walk {
    const mgl_row_pass *pass;
    mgl_tuple_finder *finder;
    block blocks[2];
    unsigned current;
    uint64_t rows_read;
    item_end *ends; /* [NEXT + n_items] */
} walk;

enum { NEXT, ITEMS };

/* ---- Blocks -------------------------------------------------------------------------------- */

static mgl_status find_tuples(walk *w, block *b, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    size_t n = b->rows.n;
    if (!mgl_grow(&b->found, &b->capacity, n, sizeof *b->found))
        return mgl_fail_memory(err);
    MGL_TRY(mgl_tuple_reach(w->finder, b->rows.first, n, err, b->found));
    for (size_t r = 0; plan->drop_suppressed && r < n; r++)
        if (plan->recoding->suppressed[b->found[r]])
            b->found[r] = MGL_NOT_FOUND;
    b->rows.tuples = b->found;
    return MGL_OK;
}

/* Rows of the block that follow those read so far, and their tuples. */
static mgl_status begin_block(walk *w, block *b, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    b->rows.first = w->rows_read;
    if (b->rows.n > plan->list->n_rows - w->rows_read)
        return mgl_fail_at(err, MGL_CODE_CHANGED, mgl_source_name(plan->source), 0,
                           "the file grew while it was read; run again when it is complete");
    if (w->pass->tuples != NULL)
        b->rows.tuples = w->pass->tuples + w->rows_read;
    else
        MGL_TRY(find_tuples(w, b, err));
    w->rows_read += b->rows.n;
    return MGL_OK;
}

/* The block after the current one. */
static mgl_status next_block(walk *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    block *b = &w->blocks[1 - w->current];
    uint64_t left = plan->list->n_rows - w->rows_read;
    b->rows.n = left < ROWS_AT_ONCE ? (size_t)left : ROWS_AT_ONCE;
    if (w->pass->needs_source) {
        MGL_TRY(mgl_source_next(plan->source, err, &b->rows.records));
        b->rows.n = b->rows.records.n_records;
    }
    return begin_block(w, b, err);
}

static void see_column(const walk *w, size_t column)
{
    const mgl_row_block *b = &w->blocks[w->current].rows;
    const mgl_row_watch *watch = w->pass->plan->watch;
    mgl_seen_rows seen = {.cells = b->records.fields + watch->fields[column],
                          .step = b->records.n_fields,
                          .tuples = b->tuples,
                          .n = b->n};
    watch->see(watch->context, column, &seen);
}

/* The next block is read, items take the current one, and its columns are seen. */
static void run_item(void *context, size_t item, unsigned worker)
{
    (void)worker;
    walk *w = context;
    const mgl_row_pass *pass = w->pass;
    size_t last = ITEMS + pass->n_items;
    if (item >= last)
        see_column(w, item - last);
    else if (item == NEXT)
        w->ends[item].status = next_block(w, &w->ends[item].error);
    else
        w->ends[item].status = pass->take(pass->context, &w->blocks[w->current].rows, item - ITEMS,
                                          &w->ends[item].error);
}

static size_t columns_seen(const walk *w)
{
    const mgl_row_watch *watch = w->pass->plan->watch;
    return watch != NULL && w->pass->needs_source ? watch->n_columns : 0;
}

/* What went wrong in items, those that took rows first. */
static mgl_status settle(const walk *w, mgl_error *err)
{
    for (size_t i = w->pass->n_items + ITEMS; i-- > 0;)
        if (w->ends[i].status != MGL_OK) {
            if (err != NULL)
                *err = w->ends[i].error;
            return w->ends[i].status;
        }
    return w->pass->end_block != NULL ? w->pass->end_block(w->pass->context, err) : MGL_OK;
}

static mgl_status report(const walk *w, mgl_error *err)
{
    return mgl_progress_report(w->pass->progress, "write", w->rows_read,
                               w->pass->plan->list->n_rows, err);
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* What is read lives long enough to read the next block meanwhile. */
static mgl_status pull_blocks(walk *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    if (w->pass->needs_source)
        MGL_TRY(mgl_source_rewind(plan->source, err));
    MGL_TRY(next_block(w, err));
    w->current = 1 - w->current;
    while (w->blocks[w->current].rows.n > 0) {
        MGL_TRY(report(w, err));
        mgl_pool_run(plan->pool, ITEMS + w->pass->n_items + columns_seen(w), run_item, w);
        MGL_TRY(settle(w, err));
        w->current = 1 - w->current;
    }
    return MGL_OK;
}

/* One block of a source that gives them one after another. */
static mgl_status visit_block(void *context, const mgl_records *records, mgl_error *err)
{
    walk *w = context;
    block *b = &w->blocks[w->current];
    b->rows.records = *records;
    b->rows.n = records->n_records;
    MGL_TRY(begin_block(w, b, err));
    for (size_t item = ITEMS; item < ITEMS + w->pass->n_items + columns_seen(w); item++)
        run_item(w, item, 0);
    MGL_TRY(settle(w, err));
    return report(w, err);
}

static mgl_status go_through(walk *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    if (w->pass->tuples == NULL)
        MGL_TRY(mgl_tuple_finder_new(plan->list, plan->quasi, err, &w->finder));
    bool pulls = !w->pass->needs_source || mgl_source_lasts(plan->source);
    MGL_TRY(pulls ? pull_blocks(w, err) : mgl_source_each(plan->source, visit_block, w, err));
    if (w->rows_read != plan->list->n_rows)
        return mgl_fail_at(err, MGL_CODE_CHANGED, mgl_source_name(plan->source), 0,
                           "the file shrank while it was read; run again when it is complete");
    return MGL_OK;
}

mgl_status mgl_row_pass_run(const mgl_row_pass *pass, mgl_error *err)
{
    walk w = {.pass = pass};
    w.ends = mgl_zeroed_array(ITEMS + pass->n_items, sizeof *w.ends);
    mgl_status status = w.ends != NULL ? go_through(&w, err) : mgl_fail_memory(err);
    mgl_tuple_finder_free(w.finder);
    for (size_t i = 0; i < 2; i++)
        mgl_free(w.blocks[i].found);
    mgl_free(w.ends);
    return status;
}
