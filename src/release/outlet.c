#include "release/outlet.h"

enum { MOST_BATCHES = 16, PREFETCH = 8 };

typedef struct batch {
    mgl_buffer records, text;
    uint32_t *starts; /* [n_rows] of the records */
    size_t capacity;  /* of starts */
    size_t n_rows, bucket;
    uint64_t first_row; /* of the release */
    mgl_status status;
    mgl_error error;
} batch;

/* One is made while the other is written. */
typedef struct group {
    batch batches[MOST_BATCHES];
    size_t n;
} group;

struct mgl_outlet {
    const mgl_layout *layout;
    mgl_text_writer *writer;
    mgl_shuffle *shuffle;
    mgl_pool *pool;
    size_t at_once; /* batches of a group */
    group groups[2];
    unsigned current; /* the group that is being filled */
    uint64_t n_rows;
    mgl_status write_status;
    mgl_error write_error;
};

mgl_status mgl_outlet_new(const mgl_layout *layout, mgl_text_writer *writer, mgl_shuffle *shuffle,
                          mgl_pool *pool, mgl_error *err, mgl_outlet **out)
{
    mgl_outlet *outlet = mgl_zeroed_array(1, sizeof *outlet);
    if (outlet == NULL)
        return mgl_fail_memory(err);
    outlet->layout = layout;
    outlet->writer = writer;
    outlet->shuffle = shuffle;
    outlet->pool = pool;
    size_t threads = mgl_pool_threads(pool);
    outlet->at_once = threads == 1 ? 1 : 2 * threads < MOST_BATCHES ? 2 * threads : MOST_BATCHES;
    *out = outlet;
    return MGL_OK;
}

void mgl_outlet_free(mgl_outlet *outlet)
{
    if (outlet == NULL)
        return;
    for (size_t g = 0; g < 2; g++)
        for (size_t i = 0; i < MOST_BATCHES; i++) {
            batch *b = &outlet->groups[g].batches[i];
            mgl_buffer_free(&b->records);
            mgl_buffer_free(&b->text);
            mgl_free(b->starts);
        }
    mgl_free(outlet);
}

/* ---- Making text ------------------------------------------------------------------------------
 */

/* Where the records start, and how many bytes their rows have. */
static size_t find_records(const mgl_layout *layout, batch *b)
{
    size_t size = 0, at = 0;
    for (size_t i = 0; i < b->n_rows; i++) {
        mgl_record record = mgl_record_read(layout, b->records.data + at);
        b->starts[i] = (uint32_t)at;
        size += mgl_row_size(layout, &record);
        at += record.size;
    }
    return size;
}

static inline void fetch(const mgl_layout *layout, const batch *b, size_t i)
{
    uint32_t class;
    if (i >= b->n_rows || layout->starts == NULL)
        return;
    memcpy(&class, b->records.data + b->starts[i], sizeof class);
    __builtin_prefetch(layout->bytes + layout->starts[class * layout->n_runs]);
}

static mgl_status make_text(mgl_outlet *outlet, batch *b, mgl_error *err)
{
    const mgl_layout *layout = outlet->layout;
    if (outlet->shuffle != NULL)
        MGL_TRY(mgl_shuffle_take(outlet->shuffle, b->bucket, MGL_ROW_MARGIN, err, &b->records));
    if (b->records.size > UINT32_MAX)
        return mgl_fail(err, MGL_DATA, "rows are too long to be shuffled; give --keep-order");
    if (!mgl_grow(&b->starts, &b->capacity, b->n_rows, sizeof *b->starts))
        return mgl_fail_memory(err);
    b->text.size = 0;
    if (!mgl_buffer_reserve(&b->text, find_records(layout, b) + MGL_ROW_MARGIN))
        return mgl_fail_memory(err);
    if (outlet->shuffle != NULL)
        mgl_shuffle_order(outlet->shuffle, b->bucket, b->starts, b->n_rows);
    uint32_t *tags = layout->plan->tags;
    char *at = b->text.data;
    for (size_t i = 0; i < b->n_rows; i++) {
        fetch(layout, b, i + PREFETCH);
        mgl_record record = mgl_record_read(layout, b->records.data + b->starts[i]);
        at = mgl_row_write(layout, &record, at);
        if (tags != NULL)
            tags[b->first_row + i] = record.tag;
    }
    b->text.size = (size_t)(at - b->text.data);
    mgl_buffer_free(&b->records);
    return MGL_OK;
}

/* ---- Rounds -----------------------------------------------------------------------------------
 */

static mgl_status write_group(mgl_outlet *outlet, const group *g, mgl_error *err)
{
    for (size_t i = 0; i < g->n; i++)
        MGL_TRY(
            mgl_text_write(outlet->writer, g->batches[i].text.data, g->batches[i].text.size, err));
    return MGL_OK;
}

static void work(void *context, size_t task, unsigned worker)
{
    (void)worker;
    mgl_outlet *outlet = context;
    if (task == 0) {
        outlet->write_status =
            write_group(outlet, &outlet->groups[1 - outlet->current], &outlet->write_error);
        return;
    }
    batch *b = &outlet->groups[outlet->current].batches[task - 1];
    b->status = make_text(outlet, b, &b->error);
}

static mgl_status hand_on(mgl_status status, const mgl_error *from, mgl_error *err)
{
    if (status != MGL_OK && err != NULL)
        *err = *from;
    return status;
}

/* Makes the text of the current group and writes the one before. */
static mgl_status run_round(mgl_outlet *outlet, mgl_error *err)
{
    group *current = &outlet->groups[outlet->current];
    outlet->current = (unsigned)(current - outlet->groups);
    mgl_pool_run(outlet->pool, 1 + current->n, work, outlet);
    MGL_TRY(hand_on(outlet->write_status, &outlet->write_error, err));
    for (size_t i = 0; i < current->n; i++)
        MGL_TRY(hand_on(current->batches[i].status, &current->batches[i].error, err));
    outlet->current = 1 - outlet->current;
    outlet->groups[outlet->current].n = 0;
    return MGL_OK;
}

static mgl_status put(mgl_outlet *outlet, mgl_buffer *records, size_t bucket, size_t n_rows,
                      mgl_error *err)
{
    group *g = &outlet->groups[outlet->current];
    batch *b = &g->batches[g->n++];
    if (records != NULL) {
        mgl_buffer_free(&b->records);
        b->records = *records;
        *records = (mgl_buffer){0};
    }
    b->bucket = bucket;
    b->n_rows = n_rows;
    b->first_row = outlet->n_rows;
    outlet->n_rows += n_rows;
    return g->n == outlet->at_once ? run_round(outlet, err) : MGL_OK;
}

mgl_status mgl_outlet_put(mgl_outlet *outlet, mgl_buffer *records, size_t n_rows, mgl_error *err)
{
    return put(outlet, records, 0, n_rows, err);
}

mgl_status mgl_outlet_put_bucket(mgl_outlet *outlet, size_t bucket, mgl_error *err)
{
    return put(outlet, NULL, bucket, mgl_shuffle_rows(outlet->shuffle, bucket), err);
}

mgl_status mgl_outlet_end(mgl_outlet *outlet, mgl_error *err)
{
    /* The first makes what is left, the second writes it. */
    MGL_TRY(run_round(outlet, err));
    return run_round(outlet, err);
}
