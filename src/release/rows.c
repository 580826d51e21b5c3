/* Writes the rows of the release as text, or gives them to a sink: makes a record of each row, puts
 * the records in order and writes them. */
#include "release/layout.h"
#include "release/packer.h"
#include "release/row_pass.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- Where rows go ------------------------------------------------------------------------ */

typedef struct mgl_outlet mgl_outlet;

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

static void outlet_free(mgl_outlet *outlet)
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

/* shuffle NULL: records keep their order. Free with outlet_free. */
static mgl_status outlet_new(const mgl_layout *layout, mgl_text_writer *writer,
                             mgl_shuffle *shuffle, mgl_pool *pool, mgl_error *err, mgl_outlet **out)
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
        outlet_free(outlet);
        return mgl_fail_memory(err);
    }
    /* Buckets take no memory while they wait, records do. */
    if (shuffle == NULL && threads == 1)
        most = 1;
    outlet->at_once = shuffle == NULL && most < MOST_BATCHES ? most : MOST_BATCHES;
    *out = outlet;
    return MGL_OK;
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

/* The next batch: these records, whose buffer is taken over. */
static mgl_status outlet_put(mgl_outlet *outlet, mgl_buffer *records, size_t n_rows, mgl_error *err)
{
    return put(outlet, records, 0, n_rows, err);
}

/* The next batch: a bucket of the shuffle. */
static mgl_status outlet_put_bucket(mgl_outlet *outlet, size_t bucket, mgl_error *err)
{
    return put(outlet, NULL, bucket, mgl_shuffle_rows(outlet->shuffle, bucket), err);
}

/* Writes what is left. */
static mgl_status outlet_end(mgl_outlet *outlet, mgl_error *err)
{
    return run_round(outlet, err);
}

/* All zero before the first record. Free with neutral_free. */
typedef struct neutral_row {
    mgl_field *fields;
    size_t capacity;
    mgl_buffer text, scratch;
} neutral_row;

/* True if some cells may be released otherwise than they are. */
static bool neutral_is_needed(const mgl_row_plan *plan)
{
    return plan->neutralize || plan->respelled != NULL;
}

/* What the cell of a column that is passed through becomes; false: it stays. */
static bool changes(neutral_row *neutral, const mgl_layout *layout, size_t c, size_t row,
                    mgl_field field, mgl_span *out)
{
    const mgl_row_plan *plan = layout->plan;
    const mgl_column *respelled = plan->respelled != NULL ? plan->respelled[c] : NULL;
    if (layout->labels != NULL && layout->labels[c] != NULL)
        return false;
    mgl_span value = mgl_field_value(field, &neutral->scratch);
    if (respelled != NULL) {
        mgl_span known =
            mgl_dictionary_value(respelled->dictionary, mgl_column_code(respelled, row));
        bool same = mgl_span_equal(known, value);
        *out = known;
        return !same || (plan->neutralize && mgl_text_is_formula(known));
    }
    *out = value;
    return plan->neutralize && field.size > 0 && mgl_text_is_formula(value);
}

/* How many bytes the changed cells of a record can take; 0: none is changed. */
static size_t room_for(neutral_row *neutral, const mgl_layout *layout, size_t row,
                       const mgl_field *fields)
{
    enum { MORE = 3 }; /* quotes around the cell, and the apostrophe */
    size_t room = 0;
    mgl_span value;
    for (size_t c = 0; c < layout->plan->n_columns; c++)
        if (changes(neutral, layout, c, row, fields[layout->plan->columns[c]], &value))
            room += 2 * value.size + MORE;
    return room;
}

/* The fields of the row, counted from 0, as they are written: themselves, or a copy that lives
 * until the next call. NULL when memory is out. */
static const mgl_field *neutral_fields(neutral_row *neutral, const mgl_layout *layout, size_t row,
                                       const mgl_field *fields, size_t n_fields)
{
    size_t room = room_for(neutral, layout, row, fields);
    neutral->text.size = 0;
    if (neutral->scratch.failed)
        return NULL;
    if (room == 0)
        return fields;
    /* With all memory reserved at once no cell moves when another one is added. */
    if (!mgl_grow(&neutral->fields, &neutral->capacity, n_fields, sizeof *fields) ||
        !mgl_buffer_reserve(&neutral->text, room))
        return NULL;
    memcpy(neutral->fields, fields, n_fields * sizeof *fields);
    for (size_t c = 0; c < layout->plan->n_columns; c++) {
        mgl_field *field = &neutral->fields[layout->plan->columns[c]];
        mgl_span value;
        if (!changes(neutral, layout, c, row, *field, &value))
            continue;
        size_t start = neutral->text.size;
        mgl_layout_put(layout, &neutral->text, value);
        size_t size = neutral->text.size - start;
        *field = (mgl_field){.data = neutral->text.data + start,
                             .size = (uint32_t)size,
                             .quoted = size > 0 && neutral->text.data[start] == '"'};
    }
    return neutral->text.failed || neutral->scratch.failed ? NULL : neutral->fields;
}

#define DEFAULT_MEMORY (UINT64_C(512) << 20)

typedef struct row_writer {
    const mgl_row_plan *plan;
    mgl_packer *packer; /* NULL if the release is text */
    mgl_layout layout;
    const mgl_progress *progress;
    mgl_text_writer *writer;
    mgl_shuffle *shuffle; /* NULL: records keep their order, and go to the outlet as they come */
    mgl_outlet *outlet;
    uint64_t rows_written;
} row_writer;

enum { BUCKET_GROUPS = 64 }; /* that threads make room in at the same time */

/* What belongs to a block of a wave. */
typedef struct lot {
    uint16_t *buckets; /* [n_kept] */
    uint32_t *sizes;   /* [n_kept] */
    size_t n_buckets, n_sizes;
    size_t *bytes;      /* [bucket] of the block's records */
    size_t *counts;     /* [bucket] */
    char **places;      /* [bucket] where the next record goes */
    mgl_buffer records; /* in order, where nothing is shuffled */
    neutral_row neutral;
} lot;

typedef struct maker {
    row_writer *writer;
    lot lots[MGL_WAVE_BLOCKS];
    mgl_buffer line; /* of the packer */
    uint32_t *cells; /* [n_attributes] of the row for the packer */
    uint64_t n_rows;
} maker;

/* The fields of a row as they are released; *failed: memory is out. */
static const mgl_field *fields_of(const maker *m, lot *l, const mgl_row_block *b, size_t r,
                                  bool *failed)
{
    const row_writer *w = m->writer;
    if (b->records.fields == NULL)
        return NULL;
    const mgl_field *fields = b->records.fields + r * b->records.n_fields;
    if (neutral_is_needed(w->plan)) {
        fields = neutral_fields(&l->neutral, &w->layout, b->first + r, fields, b->records.n_fields);
        *failed = fields == NULL;
    }
    return fields;
}

static uint32_t tag_of(const maker *m, const mgl_row_block *b, size_t r)
{
    const mgl_column *tag = m->writer->plan->tag;
    return tag != NULL ? mgl_column_code(tag, b->first + r) : 0;
}

static void make(const maker *m, const mgl_row_block *b, size_t r, const mgl_field *fields,
                 char *place)
{
    const mgl_layout *layout = &m->writer->layout;
    mgl_record_make(layout, mgl_layout_class(layout, b->tuples[r]), tag_of(m, b, r), fields, place);
}

static size_t a_block_each(const void *context, const mgl_row_wave *wave)
{
    (void)context;
    return wave->n;
}

static mgl_status count_rows(void *context, const mgl_row_wave *wave, mgl_error *err)
{
    maker *m = context;
    (void)err;
    for (size_t b = 0; b < wave->n; b++)
        m->n_rows += wave->blocks[b].n_kept;
    return MGL_OK;
}

static mgl_status set_up_lot(lot *l, size_t n_kept, size_t n_buckets, mgl_error *err)
{
    if (!mgl_grow(&l->buckets, &l->n_buckets, n_kept, sizeof *l->buckets) ||
        !mgl_grow(&l->sizes, &l->n_sizes, n_kept, sizeof *l->sizes))
        return mgl_fail_memory(err);
    if (l->bytes == NULL)
        l->bytes = mgl_alloc_array(n_buckets, sizeof *l->bytes);
    if (l->counts == NULL)
        l->counts = mgl_alloc_array(n_buckets, sizeof *l->counts);
    if (l->places == NULL)
        l->places = mgl_alloc_array(n_buckets, sizeof(char *));
    MGL_TRY(mgl_check_memory(l->bytes != NULL && l->counts != NULL && l->places != NULL, err));
    memset(l->bytes, 0, n_buckets * sizeof *l->bytes);
    memset(l->counts, 0, n_buckets * sizeof *l->counts);
    return MGL_OK;
}

/* Draws the buckets of a block and adds up how many bytes go into each. */
static mgl_status draw_buckets(void *context, const mgl_row_wave *wave, size_t item, mgl_error *err)
{
    maker *m = context;
    lot *l = &m->lots[item];
    const mgl_row_block *b = &wave->blocks[item];
    const mgl_shuffle *shuffle = m->writer->shuffle;
    bool failed = false;
    MGL_TRY(set_up_lot(l, b->n_kept, mgl_shuffle_buckets(shuffle), err));
    mgl_shuffle_draw(shuffle, b->first_kept, b->n_kept, l->buckets);
    for (size_t r = 0, i = 0; r < b->n; r++) {
        if (b->tuples[r] == MGL_NOT_FOUND)
            continue;
        const mgl_field *fields = fields_of(m, l, b, r, &failed);
        if (failed)
            return mgl_fail_memory(err);
        mgl_formulas_note(&m->writer->layout, fields);
        size_t size = mgl_record_size(&m->writer->layout, fields);
        l->sizes[i] = (uint32_t)size;
        l->bytes[l->buckets[i]] += size;
        l->counts[l->buckets[i++]]++;
    }
    return MGL_OK;
}

static mgl_status make_way(void *context, const mgl_row_wave *wave, mgl_error *err)
{
    const row_writer *w = ((maker *)context)->writer;
    (void)wave;
    return mgl_shuffle_make_way(w->shuffle, w->plan->pool, err);
}

static size_t some_buckets_each(const void *context, const mgl_row_wave *wave)
{
    (void)wave;
    size_t n = mgl_shuffle_buckets(((const maker *)context)->writer->shuffle);
    return n < BUCKET_GROUPS ? n : BUCKET_GROUPS;
}

/* The records of a bucket are in the order of the rows: those of the first block come first. */
static bool make_room_in(maker *m, const mgl_row_wave *wave, size_t bucket)
{
    size_t bytes = 0, rows = 0;
    for (size_t b = 0; b < wave->n; b++) {
        bytes += m->lots[b].bytes[bucket];
        rows += m->lots[b].counts[bucket];
    }
    if (rows == 0)
        return true;
    char *place = mgl_shuffle_room(m->writer->shuffle, bucket, bytes, rows);
    for (size_t b = 0; place != NULL && b < wave->n; b++) {
        m->lots[b].places[bucket] = place;
        place += m->lots[b].bytes[bucket];
    }
    return place != NULL;
}

static mgl_status make_room(void *context, const mgl_row_wave *wave, size_t item, mgl_error *err)
{
    maker *m = context;
    size_t n = mgl_shuffle_buckets(m->writer->shuffle), groups = some_buckets_each(m, wave);
    for (size_t bucket = n * item / groups; bucket < n * (item + 1) / groups; bucket++)
        MGL_TRY(mgl_check_memory(make_room_in(m, wave, bucket), err));
    return MGL_OK;
}

static mgl_status end_room(void *context, const mgl_row_wave *wave, mgl_error *err)
{
    maker *m = context;
    uint64_t before = m->n_rows;
    MGL_TRY(count_rows(context, wave, err));
    mgl_shuffle_taken(m->writer->shuffle, m->n_rows - before);
    return MGL_OK;
}

static mgl_status fill_buckets(void *context, const mgl_row_wave *wave, size_t item, mgl_error *err)
{
    maker *m = context;
    lot *l = &m->lots[item];
    const mgl_row_block *b = &wave->blocks[item];
    bool failed = false;
    for (size_t r = 0, i = 0; r < b->n; r++) {
        if (b->tuples[r] == MGL_NOT_FOUND)
            continue;
        const mgl_field *fields = fields_of(m, l, b, r, &failed);
        if (failed)
            return mgl_fail_memory(err);
        char **place = &l->places[l->buckets[i]];
        make(m, b, r, fields, *place);
        *place += l->sizes[i++];
    }
    return MGL_OK;
}

static const mgl_row_step into_buckets[] = {
    {a_block_each, draw_buckets, make_way},
    {some_buckets_each, make_room, end_room},
    {a_block_each, fill_buckets, NULL},
};

static char *place_behind(mgl_buffer *records, size_t size)
{
    if (!mgl_buffer_reserve(records, size + MGL_ROW_MARGIN))
        return NULL;
    char *place = records->data + records->size;
    records->size += size;
    return place;
}

static mgl_status line_up(void *context, const mgl_row_wave *wave, size_t item, mgl_error *err)
{
    maker *m = context;
    lot *l = &m->lots[item];
    const mgl_row_block *b = &wave->blocks[item];
    bool failed = false;
    for (size_t r = 0; r < b->n; r++) {
        if (b->tuples[r] == MGL_NOT_FOUND)
            continue;
        const mgl_field *fields = fields_of(m, l, b, r, &failed);
        if (!failed)
            mgl_formulas_note(&m->writer->layout, fields);
        char *place =
            failed ? NULL : place_behind(&l->records, mgl_record_size(&m->writer->layout, fields));
        MGL_TRY(mgl_check_memory(place != NULL, err));
        make(m, b, r, fields, place);
    }
    return MGL_OK;
}

/* The records of each block are a batch. */
static mgl_status put_batches(void *context, const mgl_row_wave *wave, mgl_error *err)
{
    maker *m = context;
    for (size_t b = 0; b < wave->n; b++)
        if (wave->blocks[b].n_kept > 0)
            MGL_TRY(
                outlet_put(m->writer->outlet, &m->lots[b].records, wave->blocks[b].n_kept, err));
    return count_rows(context, wave, err);
}

static const mgl_row_step in_order[] = {{a_block_each, line_up, put_batches}};

static mgl_status pack_row(maker *m, lot *l, const mgl_row_block *b, size_t r, mgl_error *err)
{
    const row_writer *w = m->writer;
    const mgl_recoding *recoding = w->plan->recoding;
    bool failed = false;
    const mgl_field *fields = fields_of(m, l, b, r, &failed);
    for (size_t a = 0; a < recoding->n_attributes; a++)
        m->cells[a] = recoding->cells[a][b->tuples[r]];
    if (failed || !mgl_packer_row(w->packer, fields, m->cells, &m->line))
        return mgl_fail_memory(err);
    size_t size = mgl_record_line_size(&w->layout, m->line.size);
    char *place = w->shuffle != NULL ? mgl_shuffle_place(w->shuffle, size, err)
                                     : place_behind(&l->records, size);
    if (place == NULL)
        return w->shuffle != NULL ? MGL_SYSTEM : mgl_fail_memory(err);
    mgl_record_make_line(&w->layout, tag_of(m, b, r), m->line.data, m->line.size, place);
    return MGL_OK;
}

static size_t all_at_once(const void *context, const mgl_row_wave *wave)
{
    (void)context;
    (void)wave;
    return 1;
}

/* The packer looks at all cells of a column: one thread does it. */
static mgl_status pack_all(void *context, const mgl_row_wave *wave, size_t item, mgl_error *err)
{
    maker *m = context;
    (void)item;
    for (size_t i = 0; i < wave->n; i++) {
        const mgl_row_block *b = &wave->blocks[i];
        for (size_t r = 0; r < b->n; r++)
            if (b->tuples[r] != MGL_NOT_FOUND)
                MGL_TRY(pack_row(m, &m->lots[i], b, r, err));
    }
    return MGL_OK;
}

static const mgl_row_step packed_into_buckets[] = {{all_at_once, pack_all, count_rows}};
static const mgl_row_step packed_in_order[] = {{all_at_once, pack_all, put_batches}};

static void choose_steps(const row_writer *w, mgl_row_pass *pass)
{
    bool shuffled = w->shuffle != NULL;
    pass->n_steps = 1;
    if (w->packer != NULL) {
        pass->steps = shuffled ? packed_into_buckets : packed_in_order;
    } else if (shuffled) {
        pass->steps = into_buckets;
        pass->n_steps = sizeof into_buckets / sizeof *into_buckets;
    } else {
        pass->steps = in_order;
    }
}

static void end(maker *m)
{
    for (size_t i = 0; i < MGL_WAVE_BLOCKS; i++) {
        lot *l = &m->lots[i];
        mgl_free(l->buckets);
        mgl_free(l->sizes);
        mgl_free(l->bytes);
        mgl_free(l->counts);
        mgl_free(l->places);
        mgl_buffer_free(&l->records);
        mgl_free(l->neutral.fields);
        mgl_buffer_free(&l->neutral.text);
        mgl_buffer_free(&l->neutral.scratch);
    }
    mgl_buffer_free(&m->line);
    mgl_free(m->cells);
    mgl_free(m);
}

/* The hash table of the tuples goes with the pass: the buckets need the memory. */
static mgl_status make_records(row_writer *w, mgl_error *err)
{
    maker *m = mgl_zeroed_array(1, sizeof *m);
    MGL_TRY(mgl_check_memory(m != NULL, err));
    m->writer = w;
    m->cells = mgl_alloc_array(w->plan->recoding->n_attributes, sizeof *m->cells);
    mgl_row_pass pass = {.plan = w->plan,
                         .needs_source = mgl_layout_needs_source(&w->layout),
                         .progress = w->progress,
                         .context = m};
    choose_steps(w, &pass);
    mgl_status status = m->cells == NULL ? mgl_fail_memory(err) : mgl_row_pass_run(&pass, err);
    w->rows_written = m->n_rows;
    end(m);
    return status;
}

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

/* Bytes of a record besides its cells. */
enum { RECORD_HEAD = 8 };

static mgl_status write_all(row_writer *w, mgl_error *err)
{
    if (w->packer == NULL)
        MGL_TRY(write_header(w, err));
    MGL_TRY(make_records(w, err));
    mgl_formulas_note_labels(&w->layout);
    if (w->plan->warnings != NULL)
        mgl_formulas_warn(&w->layout, w->plan->warnings);
    for (size_t b = 0; w->shuffle != NULL && b < mgl_shuffle_buckets(w->shuffle); b++)
        MGL_TRY(outlet_put_bucket(w->outlet, b, err));
    MGL_TRY(outlet_end(w->outlet, err));
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
    return outlet_new(&w->layout, w->writer, w->shuffle, plan->pool, err, &w->outlet);
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
    outlet_free(w.outlet);
    mgl_shuffle_free(w.shuffle);
    mgl_text_writer_free(w.writer);
    mgl_packer_free(w.packer);
    mgl_layout_free(&w.layout);
    return status;
}
