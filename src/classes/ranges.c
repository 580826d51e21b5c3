/* Counts the rows of a table on all threads: ranges of rows, then ranges of keys; and remembers the
 * tuple of each row. */
#include "classes/counter.h"

/* The tuples of slots for the rows of some rounds. */
typedef struct epoch {
    size_t first_round;
    size_t n_slots;
    uint32_t *tuples; /* [n_slots] of the range; where each slot went until the end is known */
} epoch;

typedef struct range {
    epoch *epochs;
    size_t n_epochs, capacity;
    size_t next_round; /* the first one behind these epochs */
    uint32_t first_tuple;
} range;

struct mgl_remembered {
    size_t n_rows, rows_in_round, n_attributes;
    uint32_t *places;   /* [n_rows] */
    const void **codes; /* [n_attributes] of the columns that were counted */
    range ranges[MGL_KEY_RANGES];
    mgl_owned own;
};

/* Free with mgl_remembered_free. Rows are counted in rounds of so many. */
static mgl_status remembered_new(const mgl_row_keys *keys, size_t n_rows, size_t rows_in_round,
                                 mgl_error *err, mgl_remembered **out)
{
    mgl_remembered *x;
    MGL_TRY(mgl_new_zeroed(1, sizeof *x, err, &x));
    x->n_rows = n_rows;
    x->rows_in_round = rows_in_round;
    x->n_attributes = keys->packing->n_attributes;
    x->places = mgl_own_array(&x->own, n_rows, sizeof *x->places);
    x->codes = mgl_own_array(&x->own, x->n_attributes, sizeof *x->codes);
    if (x->own.missing) {
        mgl_remembered_free(x);
        return mgl_fail_memory(err);
    }
    for (size_t a = 0; a < x->n_attributes; a++)
        x->codes[a] = keys->quasi[a].column->codes;
    *out = x;
    return MGL_OK;
}

void mgl_remembered_free(mgl_remembered *remembered)
{
    if (remembered == NULL)
        return;
    for (size_t r = 0; r < MGL_KEY_RANGES; r++) {
        for (size_t e = 0; e < remembered->ranges[r].n_epochs; e++)
            mgl_free(remembered->ranges[r].epochs[e].tuples);
        mgl_free(remembered->ranges[r].epochs);
    }
    mgl_owned_free(&remembered->own);
    mgl_free(remembered);
}

/* [n_rows] for a row: range << MGL_SLOT_BITS | slot. */
static uint32_t *remembered_places(mgl_remembered *remembered)
{
    return remembered->places;
}

/* ---- While rows are counted ------------------------------------------------------------------ */

/* Takes over the tuples, whatever comes. */
static mgl_status add_epoch(range *range, const epoch *fresh, mgl_error *err)
{
    if (!mgl_grow(&range->epochs, &range->capacity, range->n_epochs + 1, sizeof *range->epochs)) {
        mgl_free(fresh->tuples);
        return mgl_fail_memory(err);
    }
    range->epochs[range->n_epochs++] = *fresh;
    return MGL_OK;
}

/* From this round on the slots of a range are others; moved[old] is where each has gone and is
 * taken over. */
static mgl_status remembered_move(mgl_remembered *remembered, size_t range, size_t round,
                                  size_t n_slots, uint32_t *moved, mgl_error *err)
{
    struct range *of = &remembered->ranges[range];
    size_t first = of->next_round;
    of->next_round = round;
    return add_epoch(of, &(epoch){first, n_slots, moved}, err);
}

/* The slots of the last rounds are these keys of the range, which is taken over, and the first of
 * its keys is that tuple. */
static mgl_status remembered_end(mgl_remembered *remembered, size_t range, uint32_t *ranks,
                                 size_t first_tuple, mgl_error *err)
{
    struct range *of = &remembered->ranges[range];
    of->first_tuple = (uint32_t)first_tuple;
    MGL_TRY(add_epoch(of, &(epoch){of->next_round, 0, ranks}, err));
    for (size_t e = of->n_epochs - 1; e-- > 0;)
        for (size_t s = 0; s < of->epochs[e].n_slots; s++)
            of->epochs[e].tuples[s] = of->epochs[e + 1].tuples[of->epochs[e].tuples[s]];
    return MGL_OK;
}

/* ---- Afterwards ------------------------------------------------------------------------------ */

bool mgl_list_remembers(const mgl_frequency_list *list, const mgl_bound_column *quasi)
{
    const mgl_remembered *x = list->remembered;
    if (x == NULL || list->joined != NULL)
        return false;
    for (size_t a = 0; a < x->n_attributes; a++)
        if (quasi[a].column->codes != x->codes[a])
            return false;
    return true;
}

/* Rows of one round. */
static void recall(const mgl_remembered *x, size_t first, size_t n, uint32_t *out)
{
    const uint32_t *tuples[MGL_KEY_RANGES];
    uint32_t begin[MGL_KEY_RANGES], mask = ((uint32_t)1 << MGL_SLOT_BITS) - 1;
    for (size_t r = 0; r < MGL_KEY_RANGES; r++) {
        const range *range = &x->ranges[r];
        size_t e = range->n_epochs - 1;
        while (range->epochs[e].first_round > first / x->rows_in_round)
            e--;
        tuples[r] = range->epochs[e].tuples;
        begin[r] = range->first_tuple;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t place = x->places[first + i], r = place >> MGL_SLOT_BITS;
        out[i] = begin[r] + tuples[r][place & mask];
    }
}

void mgl_list_recall(const mgl_frequency_list *list, size_t first, size_t n, uint32_t *out)
{
    const mgl_remembered *x = list->remembered;
    for (size_t done = 0, some; done < n; done += some) {
        size_t row = first + done, left = x->rows_in_round - row % x->rows_in_round;
        some = n - done < left ? n - done : left;
        recall(x, row, some, out + done);
    }
}

enum {
    RANGES = MGL_KEY_RANGES,
    PIECES = 16,          /* of the rows of a round */
    PIECE_ROWS = 1 << 13, /* small enough to stay in the cache until they are counted */
    ROUND_ROWS = PIECES * PIECE_ROWS,
    SAMPLE = 1024
};

/* Some rows, sorted by range. */
typedef struct piece {
    uint64_t *keys, *amounts; /* [PIECE_ROWS], amounts NULL: 1 each */
    size_t start[RANGES + 1];
    uint32_t *slots; /* [PIECE_ROWS] of the keys; NULL: not remembered */
    uint8_t *ranges; /* [PIECE_ROWS] in the order of the rows; NULL likewise */
} piece;

typedef struct ranges {
    const mgl_row_keys *keys;
    const uint64_t *times;
    size_t n_rows, words;
    uint64_t begins[RANGES]; /* the first word of the keys from which on a range has them */
    mgl_counter counters[RANGES];
    piece pieces[PIECES];
    struct scratch {
        uint64_t *keys;  /* [PIECE_ROWS] in the order of the rows */
        uint8_t *ranges; /* theirs */
    } * workers;
    unsigned n_workers;
    size_t first; /* row of the round */
    mgl_status status[RANGES];
    mgl_error errors[RANGES];
    uint64_t *taken[RANGES], *amounts[RANGES]; /* what the counters gave */
    size_t n_taken[RANGES];
    uint32_t *ranks[RANGES];
    bool crowded[RANGES];       /* too many slots to remember them */
    mgl_remembered *remembered; /* NULL: nothing is */
    mgl_owned own;
} ranges;

/* ---- Ranges --------------------------------------------------------------------------------- */

/* About as many rows in each, by rows from all over the table. */
static void choose_ranges(ranges *x)
{
    uint64_t sample[SAMPLE], key[MGL_KEY_WORDS];
    for (size_t i = 0; i < SAMPLE; i++) {
        mgl_row_keys_make(x->keys, x->n_rows / SAMPLE * i, 1, key);
        sample[i] = key[0];
    }
    mgl_sort_u64(sample, SAMPLE);
    x->begins[0] = 0;
    for (size_t r = 1; r < RANGES; r++)
        x->begins[r] = sample[r * SAMPLE / RANGES];
}

/* Without branches, which could not be guessed. */
static inline uint8_t range_of(const uint64_t *begins, uint64_t key)
{
    uint8_t range = 0;
    for (size_t r = 1; r < RANGES; r++)
        range += key >= begins[r];
    return range;
}

/* ---- A round -------------------------------------------------------------------------------- */

/* Notes the slots of the rows of the round before, in the order of the rows. */
static void note_slots(const ranges *x, size_t number)
{
    const piece *p = &x->pieces[number];
    size_t next[RANGES], n = p->start[RANGES];
    if (p->slots == NULL || x->first == 0)
        return;
    uint32_t *places =
        remembered_places(x->remembered) + x->first - ROUND_ROWS + number * PIECE_ROWS;
    memcpy(next, p->start, sizeof next);
    for (size_t i = 0; i < n; i++) {
        uint32_t range = p->ranges[i];
        places[i] = range << MGL_SLOT_BITS | p->slots[next[range]++];
    }
}

static void sort_piece(void *context, size_t number, unsigned worker)
{
    ranges *x = context;
    piece *p = &x->pieces[number];
    struct scratch *w = &x->workers[worker];
    uint8_t *of_row = p->ranges != NULL ? p->ranges : w->ranges;
    size_t row = x->first + number * PIECE_ROWS, words = x->words;
    size_t left = row < x->n_rows ? x->n_rows - row : 0, n = left < PIECE_ROWS ? left : PIECE_ROWS;
    note_slots(x, number);
    memset(p->start, 0, sizeof p->start);
    if (n == 0)
        return;
    mgl_row_keys_make(x->keys, row, n, w->keys);
    size_t next[RANGES + 1] = {0};
    for (size_t i = 0; i < n; i++) {
        of_row[i] = range_of(x->begins, w->keys[i * words]);
        next[of_row[i] + 1]++;
    }
    for (size_t r = 0; r < RANGES; r++)
        next[r + 1] += next[r];
    memcpy(p->start, next, sizeof next);
    for (size_t i = 0; i < n; i++) {
        size_t at = next[of_row[i]]++;
        memcpy(p->keys + at * words, w->keys + i * words, words * sizeof *p->keys);
        if (p->amounts != NULL)
            p->amounts[at] = x->times[row + i];
    }
}

/* The slots of the rows of a round are of one table, which does not grow meanwhile. */
static mgl_status make_room(ranges *x, size_t r)
{
    mgl_counter *counter = &x->counters[r];
    size_t n = 0, slots = counter->mask + 1;
    uint32_t *moved;
    for (size_t i = 0; i < PIECES; i++)
        n += x->pieces[i].start[r + 1] - x->pieces[i].start[r];
    MGL_TRY(mgl_counter_reserve(counter, n, &x->errors[r], &moved));
    return moved == NULL ? MGL_OK
                         : remembered_move(x->remembered, r, x->first / ROUND_ROWS, slots, moved,
                                           &x->errors[r]);
}

static void place_range(void *context, size_t r, unsigned worker)
{
    (void)worker;
    ranges *x = context;
    x->status[r] = make_room(x, r);
    for (size_t i = 0; i < PIECES && x->status[r] == MGL_OK; i++) {
        const piece *p = &x->pieces[i];
        size_t from = p->start[r], n = p->start[r + 1] - from;
        x->status[r] = mgl_counter_place(&x->counters[r], p->keys + from * x->words, n,
                                         &x->errors[r], p->slots + from);
    }
}

static void count_range(void *context, size_t r, unsigned worker)
{
    (void)worker;
    ranges *x = context;
    for (size_t i = 0; i < PIECES && x->status[r] == MGL_OK; i++) {
        const piece *p = &x->pieces[i];
        size_t from = p->start[r], n = p->start[r + 1] - from;
        x->status[r] =
            mgl_counter_add(&x->counters[r], p->keys + from * x->words,
                            p->amounts != NULL ? p->amounts + from : NULL, n, &x->errors[r]);
    }
}

static void note_last(void *context, size_t number, unsigned worker)
{
    (void)worker;
    note_slots(context, number);
}

static void take_range(void *context, size_t r, unsigned worker)
{
    (void)worker;
    ranges *x = context;
    x->crowded[r] = x->counters[r].mask >> MGL_SLOT_BITS != 0;
    x->status[r] = x->remembered != NULL
                       ? mgl_counter_take_ranked(&x->counters[r], &x->errors[r], &x->taken[r],
                                                 &x->amounts[r], &x->n_taken[r], &x->ranks[r])
                       : mgl_counter_take(&x->counters[r], &x->errors[r], &x->taken[r],
                                          &x->amounts[r], &x->n_taken[r]);
}

static mgl_status worst_of(const ranges *x, mgl_error *err)
{
    for (size_t r = 0; r < RANGES; r++)
        if (x->status[r] != MGL_OK) {
            if (err != NULL)
                *err = x->errors[r];
            return x->status[r];
        }
    return MGL_OK;
}

/* ---- All rows -------------------------------------------------------------------------------- */

static mgl_status begin(ranges *x, unsigned zeros, mgl_pool *pool, mgl_error *err)
{
    for (size_t r = 0; r < RANGES; r++)
        MGL_TRY(mgl_counter_init(&x->counters[r], x->words, zeros, err));
    mgl_owned *own = &x->own;
    for (size_t i = 0; i < PIECES; i++) {
        x->pieces[i].keys = mgl_own_array(own, PIECE_ROWS, x->words * sizeof(uint64_t));
        if (x->times != NULL)
            x->pieces[i].amounts = mgl_own_array(own, PIECE_ROWS, sizeof(uint64_t));
        if (x->remembered == NULL)
            continue;
        x->pieces[i].slots = mgl_own_array(own, PIECE_ROWS, sizeof(uint32_t));
        x->pieces[i].ranges = mgl_own_array(own, PIECE_ROWS, 1);
    }
    x->n_workers = mgl_pool_threads(pool);
    x->workers = mgl_own_zeroed(own, x->n_workers, sizeof *x->workers);
    for (unsigned i = 0; x->workers != NULL && i < x->n_workers; i++) {
        x->workers[i].keys = mgl_own_array(own, PIECE_ROWS, x->words * sizeof(uint64_t));
        x->workers[i].ranges = mgl_own_array(own, PIECE_ROWS, 1);
    }
    return mgl_owned_check(own, err);
}

/* One list of what all ranges hold, one behind the other. */
typedef struct joining {
    ranges *x;
    mgl_counted_keys all;
    size_t first[RANGES]; /* tuple of a range */
} joining;

/* What the slots became is known when all keys are sorted. */
static void join_range(void *context, size_t r, unsigned worker)
{
    joining *j = context;
    ranges *x = j->x;
    size_t n = x->n_taken[r], at = j->first[r];
    (void)worker;
    memcpy(j->all.keys + at * x->words, x->taken[r], n * x->words * sizeof *j->all.keys);
    memcpy(j->all.counts + at, x->amounts[r], n * sizeof *j->all.counts);
    if (x->remembered == NULL)
        return;
    uint32_t *ranks = x->ranks[r];
    x->ranks[r] = NULL;
    x->status[r] = remembered_end(x->remembered, r, ranks, at, &x->errors[r]);
}

static mgl_status join(ranges *x, mgl_pool *pool, mgl_error *err, mgl_counted_keys *out)
{
    joining j = {.x = x};
    mgl_status status = MGL_OK;
    for (size_t r = 0; r < RANGES; r++) {
        j.first[r] = j.all.n;
        j.all.n += x->n_taken[r];
    }
    j.all.keys = mgl_alloc_array(j.all.n, x->words * sizeof *j.all.keys);
    j.all.counts = mgl_alloc_array(j.all.n, sizeof *j.all.counts);
    MGL_GO(mgl_check_memory(j.all.keys != NULL && j.all.counts != NULL, err));
    mgl_pool_run(pool, RANGES, join_range, &j);
    MGL_GO(worst_of(x, err));
    j.all.remembered = x->remembered;
    x->remembered = NULL;
    *out = j.all;
    return MGL_OK;
done:
    mgl_free(j.all.keys);
    mgl_free(j.all.counts);
    return status;
}

/* Where a range had too many slots, nothing is remembered. */
static void note_all(ranges *x, mgl_pool *pool)
{
    mgl_pool_run(pool, PIECES, note_last, x);
    for (size_t r = 0; r < RANGES; r++)
        if (x->crowded[r]) {
            mgl_remembered_free(x->remembered);
            x->remembered = NULL;
            return;
        }
}

static mgl_status count(ranges *x, const mgl_keyed_rows *rows, mgl_pool *pool, mgl_error *err,
                        mgl_counted_keys *out)
{
    if (rows->remember)
        MGL_TRY(remembered_new(x->keys, x->n_rows, ROUND_ROWS, err, &x->remembered));
    MGL_TRY(begin(x, rows->zeros, pool, err));
    choose_ranges(x);
    for (; x->first < x->n_rows; x->first += ROUND_ROWS) {
        mgl_pool_run(pool, PIECES, sort_piece, x);
        mgl_pool_run(pool, RANGES, x->remembered != NULL ? place_range : count_range, x);
        MGL_TRY(worst_of(x, err));
    }
    mgl_pool_run(pool, RANGES, take_range, x);
    MGL_TRY(worst_of(x, err));
    if (x->remembered != NULL)
        note_all(x, pool);
    return join(x, pool, err, out);
}

mgl_status mgl_ranges_count(const mgl_keyed_rows *rows, mgl_pool *pool, mgl_error *err,
                            mgl_counted_keys *out)
{
    ranges *x;
    MGL_TRY(mgl_new_zeroed(1, sizeof *x, err, &x));
    x->keys = rows->keys;
    x->times = rows->times;
    x->n_rows = rows->n_rows;
    x->words = rows->keys->packing->n_words;
    mgl_status status = count(x, rows, pool, err, out);
    for (size_t r = 0; r < RANGES; r++) {
        mgl_counter_free(&x->counters[r]);
        mgl_free(x->taken[r]);
        mgl_free(x->amounts[r]);
        mgl_free(x->ranks[r]);
    }
    mgl_remembered_free(x->remembered);
    mgl_owned_free(&x->own);
    mgl_free(x);
    return status;
}
