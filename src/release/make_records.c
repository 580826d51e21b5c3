/* Makes a record of each row that is released and puts it where it belongs: into a bucket of the
 * shuffle, or behind the one before. Threads take a block of rows each; the buckets are drawn by
 * the number of a record, so that the order does not depend on the threads. rows.c calls it. */
#include "release/make_records.h"

#include "release/neutral.h"
#include "release/row_pass.h"

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
    mgl_neutral neutral;
} lot;

typedef struct maker {
    const mgl_record_order *order;
    lot lots[MGL_WAVE_BLOCKS];
    mgl_buffer line; /* of the packer */
    uint32_t *cells; /* [n_attributes] of the row for the packer */
    uint64_t n_rows;
} maker;

/* ---- Rows of a block ---------------------------------------------------------------------------
 */

/* The fields of a row as they are released; *failed: memory is out. */
static const mgl_field *fields_of(const maker *m, lot *l, const mgl_row_block *b, size_t r,
                                  bool *failed)
{
    const mgl_record_order *o = m->order;
    if (b->records.fields == NULL)
        return NULL;
    const mgl_field *fields = b->records.fields + r * b->records.n_fields;
    if (mgl_neutral_is_needed(o->plan)) {
        fields =
            mgl_neutral_fields(&l->neutral, o->layout, b->first + r, fields, b->records.n_fields);
        *failed = fields == NULL;
    }
    return fields;
}

static uint32_t tag_of(const maker *m, const mgl_row_block *b, size_t r)
{
    const mgl_column *tag = m->order->plan->tag;
    return tag != NULL ? mgl_column_code(tag, b->first + r) : 0;
}

static void make(const maker *m, const mgl_row_block *b, size_t r, const mgl_field *fields,
                 char *place)
{
    const mgl_layout *layout = m->order->layout;
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

/* ---- Into buckets -------------------------------------------------------------------------------
 */

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
    if (l->bytes == NULL || l->counts == NULL || l->places == NULL)
        return mgl_fail_memory(err);
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
    const mgl_shuffle *shuffle = m->order->shuffle;
    bool failed = false;
    MGL_TRY(set_up_lot(l, b->n_kept, mgl_shuffle_buckets(shuffle), err));
    mgl_shuffle_draw(shuffle, b->first_kept, b->n_kept, l->buckets);
    for (size_t r = 0, i = 0; r < b->n; r++) {
        if (b->tuples[r] == MGL_NOT_FOUND)
            continue;
        const mgl_field *fields = fields_of(m, l, b, r, &failed);
        if (failed)
            return mgl_fail_memory(err);
        mgl_formulas_note(m->order->layout, fields);
        size_t size = mgl_record_size(m->order->layout, fields);
        l->sizes[i] = (uint32_t)size;
        l->bytes[l->buckets[i]] += size;
        l->counts[l->buckets[i++]]++;
    }
    return MGL_OK;
}

static mgl_status make_way(void *context, const mgl_row_wave *wave, mgl_error *err)
{
    const mgl_record_order *o = ((maker *)context)->order;
    (void)wave;
    return mgl_shuffle_make_way(o->shuffle, o->plan->pool, err);
}

static size_t some_buckets_each(const void *context, const mgl_row_wave *wave)
{
    (void)wave;
    size_t n = mgl_shuffle_buckets(((const maker *)context)->order->shuffle);
    return n < BUCKET_GROUPS ? n : BUCKET_GROUPS;
}

/* The records of a bucket lie in the order of the rows: those of the first block come first. */
static bool make_room_in(maker *m, const mgl_row_wave *wave, size_t bucket)
{
    size_t bytes = 0, rows = 0;
    for (size_t b = 0; b < wave->n; b++) {
        bytes += m->lots[b].bytes[bucket];
        rows += m->lots[b].counts[bucket];
    }
    if (rows == 0)
        return true;
    char *place = mgl_shuffle_room(m->order->shuffle, bucket, bytes, rows);
    for (size_t b = 0; place != NULL && b < wave->n; b++) {
        m->lots[b].places[bucket] = place;
        place += m->lots[b].bytes[bucket];
    }
    return place != NULL;
}

static mgl_status make_room(void *context, const mgl_row_wave *wave, size_t item, mgl_error *err)
{
    maker *m = context;
    size_t n = mgl_shuffle_buckets(m->order->shuffle), groups = some_buckets_each(m, wave);
    for (size_t bucket = n * item / groups; bucket < n * (item + 1) / groups; bucket++)
        if (!make_room_in(m, wave, bucket))
            return mgl_fail_memory(err);
    return MGL_OK;
}

static mgl_status end_room(void *context, const mgl_row_wave *wave, mgl_error *err)
{
    maker *m = context;
    uint64_t before = m->n_rows;
    MGL_TRY(count_rows(context, wave, err));
    mgl_shuffle_taken(m->order->shuffle, m->n_rows - before);
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

/* ---- In order
 * ------------------------------------------------------------------------------------ */

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
            mgl_formulas_note(m->order->layout, fields);
        char *place =
            failed ? NULL : place_behind(&l->records, mgl_record_size(m->order->layout, fields));
        if (place == NULL)
            return mgl_fail_memory(err);
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
                mgl_outlet_put(m->order->outlet, &m->lots[b].records, wave->blocks[b].n_kept, err));
    return count_rows(context, wave, err);
}

static const mgl_row_step in_order[] = {{a_block_each, line_up, put_batches}};

/* ---- Lines that are packed
 * ------------------------------------------------------------------------ */

static mgl_status pack_row(maker *m, lot *l, const mgl_row_block *b, size_t r, mgl_error *err)
{
    const mgl_record_order *o = m->order;
    const mgl_recoding *recoding = o->plan->recoding;
    bool failed = false;
    const mgl_field *fields = fields_of(m, l, b, r, &failed);
    for (size_t a = 0; a < recoding->n_attributes; a++)
        m->cells[a] = recoding->cells[a][b->tuples[r]];
    if (failed || !mgl_packer_row(o->packer, fields, m->cells, &m->line))
        return mgl_fail_memory(err);
    size_t size = mgl_record_line_size(o->layout, m->line.size);
    char *place = o->shuffle != NULL ? mgl_shuffle_place(o->shuffle, size, err)
                                     : place_behind(&l->records, size);
    if (place == NULL)
        return o->shuffle != NULL ? MGL_SYSTEM : mgl_fail_memory(err);
    mgl_record_make_line(o->layout, tag_of(m, b, r), m->line.data, m->line.size, place);
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

/* ---- All of it
 * ------------------------------------------------------------------------------------ */

static void choose_steps(const mgl_record_order *o, mgl_row_pass *pass)
{
    bool shuffled = o->shuffle != NULL;
    pass->n_steps = 1;
    if (o->packer != NULL) {
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
        mgl_neutral_free(&l->neutral);
    }
    mgl_buffer_free(&m->line);
    mgl_free(m->cells);
    mgl_free(m);
}

mgl_status mgl_make_records(const mgl_record_order *order, const mgl_progress *progress,
                            mgl_error *err, uint64_t *n_rows)
{
    maker *m = mgl_zeroed_array(1, sizeof *m);
    if (m == NULL)
        return mgl_fail_memory(err);
    m->order = order;
    m->cells = mgl_alloc_array(order->plan->recoding->n_attributes, sizeof *m->cells);
    mgl_row_pass pass = {.plan = order->plan,
                         .needs_source = mgl_layout_needs_source(order->layout),
                         .progress = progress,
                         .context = m};
    choose_steps(order, &pass);
    mgl_status status = m->cells == NULL ? mgl_fail_memory(err) : mgl_row_pass_run(&pass, err);
    *n_rows = m->n_rows;
    end(m);
    return status;
}
