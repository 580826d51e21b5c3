/* Goes through the rows that are released: the cells of the source where some are passed through,
 * the codes of the table alone where none are. */
#include "release/row_pass.h"

enum { ROWS_AT_ONCE = 1 << 13 };

typedef struct walk {
    const mgl_row_pass *pass;
    mgl_tuple_finder *finder;
    mgl_row_wave waves[2];
    uint32_t *found[MGL_WAVE_BLOCKS]; /* tuples of the blocks at work, if they are found here */
    size_t capacity[MGL_WAVE_BLOCKS];
    unsigned current;
    uint64_t rows_read, rows_kept;
    const mgl_row_step *step; /* at work */
    size_t n_seen;            /* columns that are seen along with it */
} walk;

static const mgl_row_wave *wave_of(const walk *w)
{
    return &w->waves[w->current];
}

static mgl_status find_tuples(walk *w, size_t number, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    mgl_row_block *b = &w->waves[w->current].blocks[number];
    if (w->pass->tuples != NULL) {
        b->tuples = w->pass->tuples + b->first;
    } else {
        MGL_TRY(
            mgl_grow_array(&w->found[number], &w->capacity[number], b->n, sizeof **w->found, err));
        uint32_t *found = w->found[number];
        MGL_TRY(mgl_tuple_reach(w->finder, b->first, b->n, err, found));
        for (size_t r = 0; plan->drop_suppressed && r < b->n; r++)
            if (plan->recoding->suppressed[found[r]])
                found[r] = MGL_NOT_FOUND;
        for (size_t r = 0; plan->left_out != NULL && r < b->n; r++)
            if (plan->left_out[b->first + r])
                found[r] = MGL_NOT_FOUND;
        b->tuples = found;
    }
    b->n_kept = 0;
    for (size_t r = 0; r < b->n; r++)
        b->n_kept += b->tuples[r] != MGL_NOT_FOUND;
    return MGL_OK;
}

/* Finds the tuples of a block, or cuts one of the next wave. */
static mgl_status find_or_cut(void *context, size_t item, unsigned worker, mgl_error *err)
{
    (void)worker;
    walk *w = context;
    size_t n = wave_of(w)->n;
    if (item < n)
        return find_tuples(w, item, err);
    mgl_source_cut(w->pass->plan->source, item - n);
    return MGL_OK;
}

static void count_kept(walk *w)
{
    mgl_row_wave *wave = &w->waves[w->current];
    for (size_t b = 0; b < wave->n; b++) {
        wave->blocks[b].first_kept = w->rows_kept;
        w->rows_kept += wave->blocks[b].n_kept;
    }
}

static void see_column(const walk *w, size_t column)
{
    const mgl_row_watch *watch = w->pass->plan->watch;
    for (size_t i = 0; i < wave_of(w)->n; i++) {
        const mgl_row_block *b = &wave_of(w)->blocks[i];
        mgl_seen_rows seen = {.cells = b->records.fields + watch->fields[column],
                              .step = b->records.n_fields,
                              .tuples = b->tuples,
                              .n = b->n};
        if (b->n > 0)
            watch->see(watch->context, column, &seen);
    }
}

static size_t columns_seen(const walk *w)
{
    const mgl_row_watch *watch = w->pass->plan->watch;
    return watch != NULL && w->pass->needs_source ? watch->n_columns : 0;
}

/* Columns that are seen come first: they take longest. */
static mgl_status run_item(void *context, size_t item, unsigned worker, mgl_error *err)
{
    (void)worker;
    const walk *w = context;
    if (item >= w->n_seen)
        return w->step->run(w->pass->context, wave_of(w), item - w->n_seen, err);
    see_column(w, item);
    return MGL_OK;
}

static mgl_status run_steps(walk *w, mgl_pool *pool, mgl_error *err)
{
    const mgl_row_pass *pass = w->pass;
    for (size_t s = 0; s < pass->n_steps; s++) {
        w->step = &pass->steps[s];
        w->n_seen = s + 1 == pass->n_steps ? columns_seen(w) : 0;
        size_t n = w->step->items(pass->context, wave_of(w));
        MGL_TRY(mgl_pool_try(pool, w->n_seen + n, run_item, w, err));
        if (w->step->end != NULL)
            MGL_TRY(w->step->end(pass->context, wave_of(w), err));
    }
    return MGL_OK;
}

static mgl_status report(const walk *w, mgl_error *err)
{
    return mgl_progress_report(w->pass->progress, "write", w->rows_read, w->pass->plan->n_rows,
                               err);
}

/* Rows that follow those read so far. */
static mgl_status begin_block(walk *w, mgl_row_wave *wave, size_t n, const mgl_records *records,
                              mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    if (n > plan->n_rows - w->rows_read)
        return mgl_fail_at(err, MGL_CODE_CHANGED, mgl_source_name(plan->source), 0,
                           "the file grew while it was read; run again when it is complete");
    mgl_row_block *b = &wave->blocks[wave->n++];
    *b = (mgl_row_block){.first = w->rows_read, .n = n};
    if (records != NULL)
        b->records = *records;
    w->rows_read += n;
    return MGL_OK;
}

/* The wave after the current one, of which the source has cut what it planned. */
static mgl_status next_from_source(walk *w, mgl_error *err)
{
    mgl_row_wave *wave = &w->waves[1 - w->current];
    const mgl_wave_block *blocks;
    size_t n;
    wave->n = 0;
    MGL_TRY(mgl_source_settle(w->pass->plan->source, err, &blocks, &n));
    for (size_t b = 0; b < n; b++)
        MGL_TRY(begin_block(w, wave, blocks[b].records.n_records, &blocks[b].records, err));
    return MGL_OK;
}

/* Rows that have to be brought into memory come one block after the other. */
static mgl_status next_of_table(walk *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    mgl_row_wave *wave = &w->waves[1 - w->current];
    bool apart = plan->n_quasi == 0 || plan->quasi[0].column->window == NULL;
    wave->n = 0;
    for (size_t b = 0; b < (apart ? MGL_WAVE_BLOCKS : 1); b++) {
        uint64_t left = plan->n_rows - w->rows_read;
        if (left > 0)
            MGL_TRY(
                begin_block(w, wave, left < ROWS_AT_ONCE ? (size_t)left : ROWS_AT_ONCE, NULL, err));
    }
    return MGL_OK;
}

static mgl_status next_wave(walk *w, mgl_error *err)
{
    return w->pass->needs_source ? next_from_source(w, err) : next_of_table(w, err);
}

/* Where rows are found through a window, only one thread may look. */
static mgl_status work_on_wave(walk *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    bool alone = plan->n_quasi > 0 && plan->quasi[0].column->window != NULL;
    size_t next = w->pass->needs_source ? mgl_source_plan(plan->source) : 0;
    MGL_TRY(report(w, err));
    MGL_TRY(mgl_pool_try(alone ? NULL : plan->pool, wave_of(w)->n + next, find_or_cut, w, err));
    count_kept(w);
    MGL_TRY(run_steps(w, plan->pool, err));
    MGL_TRY(next_wave(w, err));
    w->current = 1 - w->current;
    return MGL_OK;
}

/* What is read lives long enough to read the next wave meanwhile. */
static mgl_status pull_waves(walk *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    size_t first = 0;
    if (w->pass->needs_source) {
        MGL_TRY(mgl_source_share(plan->source, mgl_pool_threads(plan->pool), err));
        first = mgl_source_plan(plan->source);
    }
    for (size_t b = 0; b < first; b++)
        mgl_source_cut(plan->source, b);
    MGL_TRY(next_wave(w, err));
    w->current = 1 - w->current;
    while (wave_of(w)->n > 0)
        MGL_TRY(work_on_wave(w, err));
    return MGL_OK;
}

/* One block of a source that gives them one after another. */
static mgl_status visit_block(void *context, const mgl_records *records, mgl_error *err)
{
    walk *w = context;
    w->waves[w->current].n = 0;
    MGL_TRY(begin_block(w, &w->waves[w->current], records->n_records, records, err));
    MGL_TRY(find_tuples(w, 0, err));
    count_kept(w);
    MGL_TRY(run_steps(w, NULL, err));
    return report(w, err);
}

static mgl_status go_through(walk *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->pass->plan;
    if (w->pass->tuples == NULL)
        MGL_TRY(mgl_tuple_finder_share(plan->list, plan->quasi, plan->pool, err, &w->finder));
    bool pulls = !w->pass->needs_source || mgl_source_lasts(plan->source);
    MGL_TRY(pulls ? pull_waves(w, err) : mgl_source_each(plan->source, visit_block, w, err));
    if (w->rows_read != plan->n_rows)
        return mgl_fail_at(err, MGL_CODE_CHANGED, mgl_source_name(plan->source), 0,
                           "the file shrank while it was read; run again when it is complete");
    return MGL_OK;
}

mgl_status mgl_row_pass_run(const mgl_row_pass *pass, mgl_error *err)
{
    walk *w = mgl_zeroed_array(1, sizeof *w);
    MGL_TRY(mgl_check_memory(w != NULL, err));
    w->pass = pass;
    mgl_status status = go_through(w, err);
    mgl_tuple_finder_free(w->finder);
    for (size_t i = 0; i < MGL_WAVE_BLOCKS; i++)
        mgl_free(w->found[i]);
    mgl_free(w);
    return status;
}
