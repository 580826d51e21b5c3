/* Puts records in random order, in buckets that go to private files where memory is limited.
 * Writers of releases place rows in it and take them out. */
#include "base/shuffle.h"

#include "base/memory.h"
#include "base/sys.h"

enum {
    ROWS_IN_BUCKET = 16384, /* a few of them fit into the caches as text */
    BYTES_IN_BUCKET = 2 << 20,
    MOST_BUCKETS = 8192, /* below 2^16: a bucket is drawn from 16 bits */
    MOST_SPOOLS = 16,
    FIRST_STREAM = 1 /* of the buckets; stream 0 draws them */
};

/* A private file that some of the buckets wait in. The kernel lets one thread at a time write to a
 * file, so each thread has one. */
typedef struct spool {
    int fd;
    uint64_t size;
} spool;

/* A piece of a bucket that was spooled. */
typedef struct piece {
    int fd;
    uint64_t offset, size;
} piece;

/* Records lie one after another. */
typedef struct bucket {
    mgl_buffer records;
    size_t n_rows;
    piece *pieces;
    size_t n_pieces, capacity;
} bucket;

struct mgl_shuffle {
    const mgl_random *key;
    uint64_t n_rows;       /* that were placed */
    mgl_random random;     /* of the next record that is placed by itself */
    uint32_t draw;         /* its bits, if the one before has the other half */
    uint64_t expected;     /* bytes of a bucket */
    uint64_t budget, held; /* bytes in memory */
    size_t n_buckets;      /* a power of two */
    bucket *buckets;
    size_t n_spools;
    spool *spools; /* NULL: all is in memory */
};

mgl_status mgl_shuffle_new(const mgl_random *random, uint64_t n_rows, uint64_t bytes,
                           uint64_t budget, mgl_error *err, mgl_shuffle **out)
{
    mgl_shuffle *shuffle = mgl_zeroed_array(1, sizeof *shuffle);
    MGL_TRY(mgl_check_memory(shuffle != NULL, err));
    shuffle->key = random;
    mgl_random_stream(random, 0, &shuffle->random);
    shuffle->budget = budget;
    shuffle->n_buckets = 1;
    while (shuffle->n_buckets < MOST_BUCKETS && (n_rows / shuffle->n_buckets > ROWS_IN_BUCKET ||
                                                 bytes / shuffle->n_buckets > BYTES_IN_BUCKET))
        shuffle->n_buckets *= 2;
    shuffle->buckets = mgl_zeroed_array(shuffle->n_buckets, sizeof *shuffle->buckets);
    if (shuffle->buckets == NULL) {
        mgl_free(shuffle);
        return mgl_fail_memory(err);
    }
    *out = shuffle;
    return MGL_OK;
}

void mgl_shuffle_free(mgl_shuffle *shuffle)
{
    if (shuffle == NULL)
        return;
    for (size_t b = 0; b < shuffle->n_buckets; b++) {
        mgl_buffer_free(&shuffle->buckets[b].records);
        mgl_free(shuffle->buckets[b].pieces);
    }
    mgl_free(shuffle->buckets);
    for (size_t i = 0; i < shuffle->n_spools; i++)
        mgl_sys_close(shuffle->spools[i].fd);
    mgl_free(shuffle->spools);
    mgl_free(shuffle);
}

static mgl_status open_spools(mgl_shuffle *shuffle, size_t n, mgl_error *err)
{
    MGL_TRY(mgl_new_zeroed(n, sizeof *shuffle->spools, err, &shuffle->spools));
    for (size_t i = 0; i < n; i++) {
        shuffle->spools[i].fd = mgl_sys_spool();
        if (shuffle->spools[i].fd < 0)
            return mgl_fail_temporary(err, "create");
        shuffle->n_spools++;
    }
    return MGL_OK;
}

/* The first of the buckets that a spool is for. */
static size_t first_of(const mgl_shuffle *shuffle, size_t number)
{
    return shuffle->n_buckets * number / shuffle->n_spools;
}

static mgl_status spool_bucket(spool *s, bucket *b, mgl_error *err)
{
    if (b->records.size > 0) {
        MGL_TRY(mgl_grow_array(&b->pieces, &b->capacity, b->n_pieces + 1, sizeof *b->pieces, err));
        if (mgl_sys_pwrite(s->fd, b->records.data, b->records.size, s->size) != 0)
            return mgl_fail_temporary(err, "write");
        b->pieces[b->n_pieces++] = (piece){s->fd, s->size, b->records.size};
        s->size += b->records.size;
    }
    mgl_buffer_free(&b->records);
    return MGL_OK;
}

static mgl_status fill_spool(void *context, size_t item, unsigned worker, mgl_error *err)
{
    const mgl_shuffle *shuffle = context;
    (void)worker;
    for (size_t i = first_of(shuffle, item); i < first_of(shuffle, item + 1); i++)
        MGL_TRY(spool_bucket(&shuffle->spools[item], &shuffle->buckets[i], err));
    return MGL_OK;
}

/* All buckets are spooled at once: each then leaves a piece large enough to be read back in few
 * calls. */
mgl_status mgl_shuffle_make_way(mgl_shuffle *shuffle, mgl_pool *pool, mgl_error *err)
{
    /* Memory once taken stays with its bucket, so what counts is its room, not its contents. */
    if (shuffle->held <= shuffle->budget)
        return MGL_OK;
    size_t threads = mgl_pool_threads(pool);
    if (shuffle->spools == NULL)
        MGL_TRY(open_spools(shuffle, threads < MOST_SPOOLS ? threads : MOST_SPOOLS, err));
    MGL_TRY(mgl_pool_try(pool, shuffle->n_spools, fill_spool, shuffle, err));
    shuffle->held = 0;
    return MGL_OK;
}

/* What was spooled comes first, as it was placed. */
mgl_status mgl_shuffle_take(mgl_shuffle *shuffle, size_t number, size_t margin, mgl_error *err,
                            mgl_buffer *out)
{
    bucket *b = &shuffle->buckets[number];
    size_t spooled = 0, at = 0;
    for (size_t i = 0; i < b->n_pieces; i++)
        spooled += (size_t)b->pieces[i].size;
    MGL_TRY(mgl_check_memory(mgl_buffer_reserve(&b->records, spooled + margin), err));
    if (spooled > 0)
        memmove(b->records.data + spooled, b->records.data, b->records.size);
    for (size_t i = 0; i < b->n_pieces; i++) {
        size_t size = (size_t)b->pieces[i].size;
        ssize_t n = mgl_sys_pread(b->pieces[i].fd, b->records.data + at, size, b->pieces[i].offset);
        if (n < 0 || (size_t)n != size)
            return mgl_fail_temporary(err, "read");
        at += size;
    }
    b->records.size += spooled;
    *out = b->records;
    b->records = (mgl_buffer){0};
    return MGL_OK;
}

/* Half of a draw of 32 bits for each record, the lower one for those with an even number. */
static inline size_t bucket_of(const mgl_shuffle *shuffle, uint32_t draw, uint64_t record)
{
    return (record % 2 == 0 ? draw : draw >> 16) & (shuffle->n_buckets - 1);
}

void mgl_shuffle_expect(mgl_shuffle *shuffle, uint64_t bytes)
{
    if (bytes < shuffle->budget / 2)
        shuffle->expected = (bytes + bytes / 8) / shuffle->n_buckets;
}

char *mgl_shuffle_room(mgl_shuffle *shuffle, size_t number, size_t size, size_t n_rows)
{
    bucket *b = &shuffle->buckets[number];
    size_t first = size > shuffle->expected ? size : (size_t)shuffle->expected;
    if (!mgl_buffer_reserve(&b->records, b->records.capacity == 0 ? first : size))
        return NULL;
    char *place = b->records.data + b->records.size;
    b->records.size += size;
    b->n_rows += n_rows;
    return place;
}

void mgl_shuffle_taken(mgl_shuffle *shuffle, uint64_t n_rows)
{
    shuffle->n_rows += n_rows;
    shuffle->held = 0;
    for (size_t i = 0; i < shuffle->n_buckets; i++)
        shuffle->held += shuffle->buckets[i].records.capacity;
}

void mgl_shuffle_draw(const mgl_shuffle *shuffle, uint64_t first, size_t n, uint16_t *buckets)
{
    mgl_random random;
    mgl_random_stream(shuffle->key, 0, &random);
    mgl_random_seek(&random, first / 2);
    uint32_t draw = first % 2 != 0 ? mgl_random_u32(&random) : 0;
    for (size_t i = 0; i < n; i++) {
        if ((first + i) % 2 == 0)
            draw = mgl_random_u32(&random);
        buckets[i] = (uint16_t)bucket_of(shuffle, draw, first + i);
    }
}

char *mgl_shuffle_place(mgl_shuffle *shuffle, size_t size, mgl_error *err)
{
    if (mgl_shuffle_make_way(shuffle, NULL, err) != MGL_OK)
        return NULL;
    if (shuffle->n_rows % 2 == 0)
        shuffle->draw = mgl_random_u32(&shuffle->random);
    size_t number = bucket_of(shuffle, shuffle->draw, shuffle->n_rows);
    size_t before = shuffle->buckets[number].records.capacity;
    char *place = mgl_shuffle_room(shuffle, number, size, 1);
    if (place == NULL) {
        mgl_fail_memory(err);
        return NULL;
    }
    shuffle->n_rows++;
    shuffle->held += shuffle->buckets[number].records.capacity - before;
    return place;
}

size_t mgl_shuffle_buckets(const mgl_shuffle *shuffle)
{
    return shuffle->n_buckets;
}

size_t mgl_shuffle_rows(const mgl_shuffle *shuffle, size_t b)
{
    return shuffle->buckets[b].n_rows;
}

void mgl_shuffle_order(const mgl_shuffle *shuffle, size_t number, uint32_t *numbers, size_t n)
{
    mgl_random random;
    mgl_random_stream(shuffle->key, FIRST_STREAM + number, &random);
    mgl_random_permute(&random, numbers, n);
}
