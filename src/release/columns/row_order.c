/* Finds the tuple of each row and puts the rows that are released in their order: as in the input,
 * or at random. Each row then falls into one of some buckets at random, and each bucket is
 * shuffled, which together is a uniform shuffle; chunks of rows and buckets are shared out among
 * the threads. Buckets and chunks draw from streams of random numbers of their own, so that the
 * order does not depend on the number of threads. */
#include "release/columns/row_order.h"

mgl_status mgl_row_positions_init(mgl_row_positions *places, const mgl_arrow_table *table,
                                  const uint32_t *rows, mgl_error *err)
{
    *places = (mgl_row_positions){.table = table, .rows = rows};
    if (table->n_batches <= 1 || table->n_rows == 0)
        return MGL_OK;
    /* As many rows between hints as batches have on average, so that hints take no more memory than
     * batches. */
    unsigned shift = 0;
    while ((table->n_rows >> (shift + 1)) >= table->n_batches)
        shift++;
    places->shift = shift;
    size_t n = (size_t)(table->n_rows >> places->shift) + 1;
    MGL_TRY(mgl_new_array(n, sizeof *places->hints, err, &places->hints));
    size_t batch = 0;
    for (size_t i = 0; i < n; i++) {
        while (batch + 1 < table->n_batches && table->first_rows[batch + 1] <= i << places->shift)
            batch++;
        places->hints[i] = (uint32_t)batch;
    }
    return MGL_OK;
}

void mgl_row_positions_free(mgl_row_positions *places)
{
    mgl_free(places->hints);
    places->hints = NULL;
}

mgl_cell_position mgl_position_of_row(const mgl_row_positions *places, size_t row)
{
    const mgl_arrow_table *table = places->table;
    if (places->hints == NULL)
        return (mgl_cell_position){0, (uint32_t)row};
    uint32_t batch = places->hints[row >> places->shift];
    while (batch + 1 < table->n_batches && table->first_rows[batch + 1] <= row)
        batch++;
    return (mgl_cell_position){batch, (uint32_t)(row - table->first_rows[batch])};
}

void mgl_positions_of_rows(const void *context, size_t first, size_t n, mgl_cell_position *out)
{
    const mgl_row_positions *places = context;
    for (size_t i = 0; i < n; i++)
        out[i] =
            mgl_position_of_row(places, places->rows != NULL ? places->rows[first + i] : first + i);
}

enum {
    ROWS_IN_CHUNK = 1 << 16, /* and more where that makes too many chunks */
    MOST_CHUNKS = 256,
    ROWS_IN_BUCKET = 16384,                      /* their numbers fit into the first cache */
    MOST_BUCKETS = 8192,                         /* below 2^16: a bucket is drawn from 16 bits */
    FIRST_STREAM = 1,                            /* of the buckets, as in files */
    DRAWING_STREAM = FIRST_STREAM + MOST_BUCKETS /* of the chunks */
};

typedef struct ordering {
    const mgl_row_plan *plan;
    mgl_row_order *order;
    mgl_tuple_finder *finder; /* NULL: the tuples are known */
    size_t n_input, rows_in_chunk, n_chunks;
    size_t n_buckets;    /* a power of two */
    uint16_t *bucket_of; /* [n_input]; NULL: there is one bucket */
    uint32_t *places;    /* [chunk][bucket] how many rows; then where the next one goes */
    size_t *starts;      /* [n_buckets + 1] */
} ordering;

static size_t rows_of_chunk(const ordering *o, size_t chunk)
{
    size_t first = chunk * o->rows_in_chunk;
    return o->n_input - first < o->rows_in_chunk ? o->n_input - first : o->rows_in_chunk;
}

/* Of rows from the first one on. */
static void leave_out(const ordering *o, size_t first, uint32_t *tuples, size_t n)
{
    const uint8_t *suppressed = o->plan->recoding->suppressed, *left_out = o->plan->left_out;
    for (size_t r = 0; o->plan->drop_suppressed && r < n; r++)
        if (suppressed[tuples[r]])
            tuples[r] = MGL_NOT_FOUND;
    for (size_t r = 0; left_out != NULL && r < n; r++)
        if (left_out[first + r])
            tuples[r] = MGL_NOT_FOUND;
}

/* Half of a draw of 32 bits for each row. Chunks draw from streams of their own. */
static void draw_buckets(const ordering *o, size_t chunk, uint16_t *buckets, size_t n)
{
    mgl_random random;
    uint16_t mask = (uint16_t)(o->n_buckets - 1);
    mgl_random_stream(o->plan->shuffle, DRAWING_STREAM + chunk, &random);
    for (size_t r = 0; r < n; r += 2) {
        uint32_t draw = mgl_random_u32(&random);
        buckets[r] = draw & mask;
        if (r + 1 < n)
            buckets[r + 1] = draw >> 16 & mask;
    }
}

static void count_buckets(const ordering *o, size_t chunk)
{
    size_t first = chunk * o->rows_in_chunk, n = rows_of_chunk(o, chunk);
    const uint32_t *tuples = o->order->tuples + first;
    uint32_t *counts = o->places + chunk * o->n_buckets;
    if (o->bucket_of == NULL) {
        for (size_t r = 0; r < n; r++)
            counts[0] += tuples[r] != MGL_NOT_FOUND;
        return;
    }
    uint16_t *buckets = o->bucket_of + first;
    draw_buckets(o, chunk, buckets, n);
    for (size_t r = 0; r < n; r++)
        counts[buckets[r]] += tuples[r] != MGL_NOT_FOUND;
}

static void look_at_chunk(void *context, size_t chunk, unsigned worker)
{
    const ordering *o = context;
    (void)worker;
    size_t first = chunk * o->rows_in_chunk, n = rows_of_chunk(o, chunk);
    if (o->finder != NULL)
        mgl_tuple_find(o->finder, first, n, o->order->tuples + first);
    leave_out(o, first, o->order->tuples + first, n);
    count_buckets(o, chunk);
}

/* Codes that wait in a file are brought into memory one chunk after another. */
static mgl_status reach_chunks(const ordering *o, mgl_error *err)
{
    for (size_t chunk = 0; chunk < o->n_chunks; chunk++) {
        size_t first = chunk * o->rows_in_chunk, n = rows_of_chunk(o, chunk);
        MGL_TRY(mgl_tuple_reach(o->finder, first, n, err, o->order->tuples + first));
        leave_out(o, first, o->order->tuples + first, n);
        count_buckets(o, chunk);
    }
    return MGL_OK;
}

static mgl_status look_at_rows(ordering *o, mgl_error *err)
{
    bool known = o->order->tuples != NULL;
    if (!known) {
        MGL_TRY(mgl_new_array(o->n_input, sizeof *o->order->tuples, err, &o->order->tuples));
        MGL_TRY(
            mgl_tuple_finder_share(o->plan->list, o->plan->quasi, o->plan->pool, err, &o->finder));
    }
    if (!known && o->plan->n_quasi > 0 && o->plan->quasi[0].column->window != NULL)
        return reach_chunks(o, err);
    mgl_pool_run(o->plan->pool, o->n_chunks, look_at_chunk, o);
    return MGL_OK;
}

/* Within a bucket rows are in the order of chunks: as in the input. */
static void find_places(ordering *o)
{
    size_t at = 0;
    for (size_t b = 0; b < o->n_buckets; b++) {
        o->starts[b] = at;
        for (size_t chunk = 0; chunk < o->n_chunks; chunk++) {
            uint32_t *place = &o->places[chunk * o->n_buckets + b];
            uint32_t n = *place;
            *place = (uint32_t)at;
            at += n;
        }
    }
    o->starts[o->n_buckets] = at;
    o->order->n_rows = at;
}

static void place_chunk(void *context, size_t chunk, unsigned worker)
{
    const ordering *o = context;
    (void)worker;
    size_t first = chunk * o->rows_in_chunk, n = rows_of_chunk(o, chunk);
    uint32_t *places = o->places + chunk * o->n_buckets;
    for (size_t r = first; r < first + n; r++) {
        uint32_t tuple = o->order->tuples[r];
        if (tuple == MGL_NOT_FOUND)
            continue;
        uint32_t at = places[o->bucket_of != NULL ? o->bucket_of[r] : 0]++;
        o->order->rows[at] = (uint32_t)r;
        o->order->tuples_of_rows[at] = tuple;
    }
}

static inline void swap(uint32_t *numbers, size_t i, size_t j)
{
    uint32_t number = numbers[i];
    numbers[i] = numbers[j];
    numbers[j] = number;
}

static void shuffle_bucket(void *context, size_t bucket, unsigned worker)
{
    const ordering *o = context;
    (void)worker;
    mgl_random random;
    mgl_random_stream(o->plan->shuffle, FIRST_STREAM + bucket, &random);
    uint32_t *rows = o->order->rows + o->starts[bucket];
    uint32_t *tuples = o->order->tuples_of_rows + o->starts[bucket];
    for (size_t i = o->starts[bucket + 1] - o->starts[bucket]; i > 1; i--) {
        size_t j = mgl_random_below_32(&random, (uint32_t)i);
        swap(rows, i - 1, j);
        swap(tuples, i - 1, j);
    }
}

static mgl_status put_in_order(ordering *o, mgl_error *err)
{
    find_places(o);
    if (o->plan->shuffle == NULL && o->order->n_rows == o->n_input)
        return MGL_OK;
    o->order->rows = mgl_alloc_array(o->order->n_rows, sizeof *o->order->rows);
    o->order->tuples_of_rows = mgl_alloc_array(o->order->n_rows, sizeof *o->order->tuples_of_rows);
    MGL_TRY(mgl_check_memory(o->order->rows != NULL && o->order->tuples_of_rows != NULL, err));
    mgl_pool_run(o->plan->pool, o->n_chunks, place_chunk, o);
    if (o->plan->shuffle != NULL)
        mgl_pool_run(o->plan->pool, o->n_buckets, shuffle_bucket, o);
    return MGL_OK;
}

static mgl_status begin(ordering *o, mgl_error *err)
{
    o->rows_in_chunk = ROWS_IN_CHUNK;
    while (o->n_input / o->rows_in_chunk >= MOST_CHUNKS)
        o->rows_in_chunk *= 2;
    o->n_chunks = (o->n_input + o->rows_in_chunk - 1) / o->rows_in_chunk;
    o->n_buckets = 1;
    while (o->plan->shuffle != NULL && o->n_buckets < MOST_BUCKETS &&
           o->n_input / o->n_buckets > ROWS_IN_BUCKET)
        o->n_buckets *= 2;
    o->places = mgl_zeroed_array(o->n_chunks * o->n_buckets, sizeof *o->places);
    o->starts = mgl_alloc_array(o->n_buckets + 1, sizeof *o->starts);
    if (o->n_buckets > 1)
        o->bucket_of = mgl_alloc_array(o->n_input, sizeof *o->bucket_of);
    bool room =
        o->places != NULL && o->starts != NULL && (o->n_buckets == 1 || o->bucket_of != NULL);
    return room ? MGL_OK : mgl_fail_memory(err);
}

mgl_status mgl_row_order_make(const mgl_row_plan *plan, mgl_error *err, mgl_row_order *out)
{
    ordering o = {.plan = plan, .order = out, .n_input = plan->n_rows};
    *out = (mgl_row_order){.tuples = mgl_row_tuples_take(plan->tuples, plan->list)};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&o, err));
    MGL_GO(look_at_rows(&o, err));
    MGL_GO(put_in_order(&o, err));
done:
    mgl_tuple_finder_free(o.finder);
    mgl_free(o.bucket_of);
    mgl_free(o.places);
    mgl_free(o.starts);
    return status;
}

void mgl_row_order_free(mgl_row_order *order)
{
    mgl_free(order->tuples);
    mgl_free(order->rows);
    mgl_free(order->tuples_of_rows);
    *order = (mgl_row_order){0};
}
