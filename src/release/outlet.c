/* Turns records into text on several threads and writes it in order. */
#include "release/outlet.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    PER_THREAD = 4,     /* batches of records that wait, for each thread */
    MOST_BATCHES = 256, /* that wait */
    MOST_TEXTS = 4,     /* that wait to be written before threads do */
    PREFETCH = 8
};

typedef struct batch {
    mgl_buffer records;
    size_t n_rows, bucket;
    uint64_t first_row; /* of the release */
    size_t text;        /* of outlet->texts, that has its text */
    mgl_status status;
} batch;

/* What a thread needs to make text. */
typedef struct worker_state {
    uint32_t *starts; /* [n_rows] of the records */
    size_t capacity;  /* of starts */
} worker_state;

/* What text is made in; used again when it is written, so that its pages are there already. */
typedef struct text_buffer {
    mgl_buffer text;
    atomic_flag used;
} text_buffer;

struct mgl_outlet {
    const mgl_layout *layout;
    mgl_text_writer *writer;
    mgl_shuffle *shuffle;
    mgl_pool *pool;
    pthread_mutex_t lock; /* of what follows, up to busy */
    pthread_cond_t handed_on;
    bool ready[MOST_BATCHES]; /* their text is there, or they failed */
    size_t next, waiting;     /* that is written next; that are ready */
    bool busy;                /* a thread writes */
    worker_state *workers;    /* [threads] */
    text_buffer *texts;
    size_t n_texts; /* more than there can be texts that are made or wait */
    batch batches[MOST_BATCHES];
    mgl_error *errors; /* [MOST_BATCHES] of those that failed; large, so that only they touch it */
    size_t n, at_once;
    uint64_t n_rows;
    bool failed; /* a batch failed: those after it are not written */
};

mgl_status mgl_outlet_new(const mgl_layout *layout, mgl_text_writer *writer, mgl_shuffle *shuffle,
                          mgl_pool *pool, mgl_error *err, mgl_outlet **out)
{
    size_t threads = mgl_pool_threads(pool), most = PER_THREAD * threads;
    mgl_outlet *outlet = mgl_zeroed_array(1, sizeof *outlet);
    MGL_TRY(mgl_check_memory(outlet != NULL, err));
    outlet->layout = layout;
    outlet->writer = writer;
    outlet->shuffle = shuffle;
    outlet->pool = pool;
    pthread_mutex_init(&outlet->lock, NULL);
    pthread_cond_init(&outlet->handed_on, NULL);
    outlet->errors = mgl_alloc_array(MOST_BATCHES, sizeof *outlet->errors);
    outlet->workers = mgl_zeroed_array(threads, sizeof *outlet->workers);
    outlet->n_texts = threads + MOST_TEXTS + 1;
    outlet->texts = mgl_zeroed_array(outlet->n_texts, sizeof *outlet->texts);
    if (outlet->errors == NULL || outlet->workers == NULL || outlet->texts == NULL) {
        mgl_outlet_free(outlet);
        return mgl_fail_memory(err);
    }
    /* Buckets take no memory while they wait, records do. */
    if (shuffle == NULL && threads == 1)
        most = 1;
    outlet->at_once = shuffle == NULL && most < MOST_BATCHES ? most : MOST_BATCHES;
    *out = outlet;
    return MGL_OK;
}

void mgl_outlet_free(mgl_outlet *outlet)
{
    if (outlet == NULL)
        return;
    for (size_t i = 0; i < MOST_BATCHES; i++)
        mgl_buffer_free(&outlet->batches[i].records);
    for (size_t i = 0; outlet->workers != NULL && i < mgl_pool_threads(outlet->pool); i++)
        mgl_free(outlet->workers[i].starts);
    for (size_t i = 0; outlet->texts != NULL && i < outlet->n_texts; i++)
        mgl_buffer_free(&outlet->texts[i].text);
    pthread_cond_destroy(&outlet->handed_on);
    pthread_mutex_destroy(&outlet->lock);
    mgl_free(outlet->errors);
    mgl_free(outlet->texts);
    mgl_free(outlet->workers);
    mgl_free(outlet);
}

/* Where the records start, and how many bytes their rows have. */
static size_t find_records(const mgl_layout *layout, const batch *b, uint32_t *starts)
{
    size_t size = 0, at = 0;
    for (size_t i = 0; i < b->n_rows; i++) {
        mgl_record record = mgl_record_read(layout, b->records.data + at);
        starts[i] = (uint32_t)at;
        size += mgl_row_size(layout, &record);
        at += record.size;
    }
    return size;
}

static inline void fetch(const mgl_layout *layout, const batch *b, const uint32_t *starts, size_t i)
{
    uint32_t class;
    if (i >= b->n_rows || layout->starts == NULL)
        return;
    memcpy(&class, b->records.data + starts[i], sizeof class);
    __builtin_prefetch(layout->bytes + layout->starts[class * layout->n_runs]);
}

/* Each thread makes a text, writes one, or waits for the turn of its text, and a few more texts
 * wait: one buffer is free. */
static size_t take_text(mgl_outlet *outlet)
{
    for (size_t i = 0;; i = (i + 1) % outlet->n_texts)
        if (!atomic_flag_test_and_set(&outlet->texts[i].used))
            return i;
}

static mgl_status make_text(mgl_outlet *outlet, batch *b, worker_state *state, mgl_error *err)
{
    mgl_buffer *text = &outlet->texts[b->text].text;
    const mgl_layout *layout = outlet->layout;
    if (outlet->shuffle != NULL)
        MGL_TRY(mgl_shuffle_take(outlet->shuffle, b->bucket, MGL_ROW_MARGIN, err, &b->records));
    if (b->records.size > UINT32_MAX)
        return mgl_fail_key(err, MGL_DATA, "keep-order",
                            "rows are too long to be shuffled; give `keep-order`");
    MGL_TRY(
        mgl_grow_array(&state->starts, &state->capacity, b->n_rows, sizeof *state->starts, err));
    text->size = 0;
    MGL_TRY(mgl_check_memory(
        mgl_buffer_reserve(text, find_records(layout, b, state->starts) + MGL_ROW_MARGIN), err));
    if (outlet->shuffle != NULL)
        mgl_shuffle_order(outlet->shuffle, b->bucket, state->starts, b->n_rows);
    uint32_t *tags = layout->plan->tags;
    char *at = text->data;
    for (size_t i = 0; i < b->n_rows; i++) {
        fetch(layout, b, state->starts, i + PREFETCH);
        mgl_record record = mgl_record_read(layout, b->records.data + state->starts[i]);
        at = mgl_row_write(layout, &record, at);
        if (tags != NULL)
            tags[b->first_row + i] = record.tag;
    }
    text->size = (size_t)(at - text->data);
    mgl_buffer_free(&b->records);
    return MGL_OK;
}

static void write_text(mgl_outlet *outlet, size_t item)
{
    batch *b = &outlet->batches[item];
    text_buffer *text = &outlet->texts[b->text];
    if (b->status == MGL_OK && !outlet->failed)
        b->status =
            mgl_text_write(outlet->writer, text->text.data, text->text.size, &outlet->errors[item]);
    outlet->failed = outlet->failed || b->status != MGL_OK;
    atomic_flag_clear(&text->used);
}

/* A thread whose batch is not the next one leaves it and goes on; the one that finishes the next
 * writes all that are ready (true). A thread that waits has no batch of its own: the next one is
 * made by a thread that does not. A thread that need not wait any more wakes another one. */
static bool is_turn(mgl_outlet *o, size_t item)
{
    pthread_mutex_lock(&o->lock);
    o->ready[item] = true;
    o->waiting++;
    bool mine = !o->busy && item == o->next;
    o->busy = o->busy || mine;
    while (!mine && o->waiting > MOST_TEXTS)
        pthread_cond_wait(&o->handed_on, &o->lock);
    if (!mine)
        pthread_cond_signal(&o->handed_on);
    pthread_mutex_unlock(&o->lock);
    return mine;
}

static bool next_ready(mgl_outlet *o, size_t *item)
{
    pthread_mutex_lock(&o->lock);
    bool there = o->next < MOST_BATCHES && o->ready[o->next];
    if (there) {
        *item = o->next++;
        o->waiting--;
        if (o->waiting <= MOST_TEXTS)
            pthread_cond_signal(&o->handed_on);
    }
    o->busy = there;
    pthread_mutex_unlock(&o->lock);
    return there;
}

/* The kernel lets one thread at a time write to a file, and the order is to be kept: the thread
 * that made the next text writes all that are ready, while the others make more. */
static void run_item(void *context, size_t item, unsigned worker)
{
    mgl_outlet *outlet = context;
    batch *b = &outlet->batches[item];
    b->text = take_text(outlet);
    b->status = make_text(outlet, b, &outlet->workers[worker], &outlet->errors[item]);
    if (is_turn(outlet, item))
        for (size_t next; next_ready(outlet, &next);)
            write_text(outlet, next);
}

static mgl_status run_round(mgl_outlet *outlet, mgl_error *err)
{
    size_t n = outlet->n;
    outlet->n = 0;
    outlet->next = outlet->waiting = 0;
    memset(outlet->ready, 0, sizeof outlet->ready);
    mgl_pool_run(outlet->pool, n, run_item, outlet);
    for (size_t i = 0; i < n; i++)
        if (outlet->batches[i].status != MGL_OK) {
            if (err != NULL)
                *err = outlet->errors[i];
            return outlet->batches[i].status;
        }
    return MGL_OK;
}

static mgl_status put(mgl_outlet *outlet, mgl_buffer *records, size_t bucket, size_t n_rows,
                      mgl_error *err)
{
    batch *b = &outlet->batches[outlet->n++];
    if (records != NULL) {
        mgl_buffer_free(&b->records);
        b->records = *records;
        *records = (mgl_buffer){0};
    }
    b->bucket = bucket;
    b->n_rows = n_rows;
    b->first_row = outlet->n_rows;
    outlet->n_rows += n_rows;
    return outlet->n == outlet->at_once ? run_round(outlet, err) : MGL_OK;
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
    return run_round(outlet, err);
}
