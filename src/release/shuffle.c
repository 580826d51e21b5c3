#include "release/shuffle.h"

enum { BUCKET_SIZE = 1 << 20, MOST_BUCKETS = 4096 };

/* A piece of a bucket that was spooled. */
typedef struct piece {
    uint64_t offset, size;
} piece;

/* In front of each row in a bucket. */
typedef struct row_head {
    uint32_t length, tag;
} row_head;

/* Rows lie one after another. */
typedef struct bucket {
    mgl_buffer rows;
    size_t n_rows;
    piece *pieces;
    size_t n_pieces, capacity;
} bucket;

struct mgl_shuffle {
    mgl_random *random;
    uint64_t budget, held; /* bytes in memory */
    size_t n_buckets;
    bucket *buckets;
    int spool;
    uint64_t spooled;
    mgl_buffer ordered; /* the rows of one bucket in their new order */
};

mgl_status mgl_shuffle_new(mgl_random *random, uint64_t expected, uint64_t budget, mgl_error *err,
                           mgl_shuffle **out)
{
    mgl_shuffle *shuffle = mgl_zeroed_array(1, sizeof *shuffle);
    if (shuffle == NULL)
        return mgl_fail_memory(err);
    shuffle->spool = -1;
    shuffle->random = random;
    shuffle->budget = budget;
    /* Small buckets are shuffled inside the processor's cache, and one that was spooled is
     * far smaller than the budget when it is loaded whole. */
    uint64_t room = budget / 4 < BUCKET_SIZE ? budget / 4 : BUCKET_SIZE;
    uint64_t wanted = expected / (room + 1) + 1;
    shuffle->n_buckets = wanted < MOST_BUCKETS ? (size_t)wanted : MOST_BUCKETS;
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
        mgl_buffer_free(&shuffle->buckets[b].rows);
        mgl_free(shuffle->buckets[b].pieces);
    }
    mgl_buffer_free(&shuffle->ordered);
    mgl_free(shuffle->buckets);
    mgl_sys_close(shuffle->spool);
    mgl_free(shuffle);
}

/* All buckets go to the spool at once: each then leaves a piece large enough to be read
 * back in few calls. */
static mgl_status spool_all(mgl_shuffle *shuffle, mgl_error *err)
{
    if (shuffle->spool < 0)
        shuffle->spool = mgl_sys_spool();
    if (shuffle->spool < 0)
        return mgl_fail_errno(err, "temporary file", "create");
    for (size_t i = 0; i < shuffle->n_buckets; i++) {
        bucket *b = &shuffle->buckets[i];
        if (b->rows.size == 0)
            continue;
        if (!mgl_grow(&b->pieces, &b->capacity, b->n_pieces + 1, sizeof *b->pieces))
            return mgl_fail_memory(err);
        if (mgl_sys_pwrite(shuffle->spool, b->rows.data, b->rows.size, shuffle->spooled) != 0)
            return mgl_fail_errno(err, "temporary file", "write");
        b->pieces[b->n_pieces++] = (piece){shuffle->spooled, b->rows.size};
        shuffle->spooled += b->rows.size;
        b->rows.size = 0;
    }
    shuffle->held = 0;
    return MGL_OK;
}

mgl_status mgl_shuffle_add(mgl_shuffle *shuffle, const char *row, size_t size, uint32_t tag,
                           mgl_error *err)
{
    size_t chosen =
        shuffle->n_buckets > 1 ? (size_t)mgl_random_below(shuffle->random, shuffle->n_buckets) : 0;
    bucket *b = &shuffle->buckets[chosen];
    row_head head = {(uint32_t)size, tag};
    if (!mgl_buffer_reserve(&b->rows, sizeof head + size))
        return mgl_fail_memory(err);
    mgl_buffer_append(&b->rows, (const char *)&head, sizeof head);
    mgl_buffer_append(&b->rows, row, size);
    b->n_rows++;
    shuffle->held += sizeof head + size;
    if (shuffle->n_buckets > 1 && shuffle->held > shuffle->budget)
        return spool_all(shuffle, err);
    return MGL_OK;
}

static mgl_status load_pieces(const mgl_shuffle *shuffle, bucket *b, mgl_error *err)
{
    for (size_t i = 0; i < b->n_pieces; i++) {
        size_t size = (size_t)b->pieces[i].size;
        if (!mgl_buffer_reserve(&b->rows, size))
            return mgl_fail_memory(err);
        ssize_t n =
            mgl_sys_pread(shuffle->spool, b->rows.data + b->rows.size, size, b->pieces[i].offset);
        if (n < 0 || (size_t)n != size)
            return mgl_fail_errno(err, "temporary file", "read");
        b->rows.size += size;
    }
    return MGL_OK;
}

static mgl_status write_bucket(mgl_shuffle *shuffle, bucket *b, mgl_text_writer *writer,
                               uint32_t *tags, mgl_error *err)
{
    size_t *rows = mgl_alloc_array(b->n_rows, sizeof *rows);
    if (rows == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0, at = 0; i < b->n_rows; i++) {
        row_head head;
        memcpy(&head, b->rows.data + at, sizeof head);
        rows[i] = at;
        at += sizeof head + head.length;
    }
    for (size_t i = b->n_rows; i > 1; i--) {
        size_t j = (size_t)mgl_random_below(shuffle->random, i);
        size_t swap = rows[i - 1];
        rows[i - 1] = rows[j];
        rows[j] = swap;
    }
    mgl_status status =
        mgl_buffer_reserve(&shuffle->ordered, b->rows.size) ? MGL_OK : mgl_fail_memory(err);
    char *at = shuffle->ordered.data;
    for (size_t i = 0; status == MGL_OK && i < b->n_rows; i++) {
        row_head head;
        memcpy(&head, b->rows.data + rows[i], sizeof head);
        memcpy(at, b->rows.data + rows[i] + sizeof head, head.length);
        at += head.length;
        if (tags != NULL)
            tags[i] = head.tag;
    }
    if (status == MGL_OK)
        status = mgl_text_write(writer, shuffle->ordered.data, (size_t)(at - shuffle->ordered.data),
                                err);
    mgl_free(rows);
    return status;
}

mgl_status mgl_shuffle_write(mgl_shuffle *shuffle, mgl_text_writer *writer, uint32_t *tags,
                             mgl_error *err)
{
    if (shuffle->spool >= 0)
        MGL_TRY(spool_all(shuffle, err));
    for (size_t i = 0; i < shuffle->n_buckets; i++) {
        bucket *b = &shuffle->buckets[i];
        MGL_TRY(load_pieces(shuffle, b, err));
        MGL_TRY(write_bucket(shuffle, b, writer, tags, err));
        if (tags != NULL)
            tags += b->n_rows;
        mgl_buffer_free(&b->rows);
    }
    return MGL_OK;
}
