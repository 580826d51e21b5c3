/* Records in random order.
 *
 * Each record falls into one of some buckets at random; each bucket is then shuffled in memory.
 * Together that is a uniform shuffle, and only a few buckets must fit in memory: what exceeds the
 * budget waits in unlinked private files. The order depends on the seed and on the size of the
 * table, not on the budget. */
#ifndef MGL_BASE_SHUFFLE_H
#define MGL_BASE_SHUFFLE_H

#include "base/buffer.h"
#include "base/pool.h"
#include "base/random.h"

typedef struct mgl_shuffle mgl_shuffle;

/* n_rows: how many records will come; bytes: about how many they have. Borrows random. Free with
 * mgl_shuffle_free. */
mgl_status mgl_shuffle_new(const mgl_random *random, uint64_t n_rows, uint64_t bytes,
                           uint64_t budget, mgl_error *err, mgl_shuffle **out);
void mgl_shuffle_free(mgl_shuffle *shuffle);
/* How many bytes all records will have, about: so much room is made at once. */
void mgl_shuffle_expect(mgl_shuffle *shuffle, uint64_t bytes);

/* Room for the next record, which the caller fills before the next call; NULL when memory is out
 * or the spool failed, and err says which. */
char *mgl_shuffle_place(mgl_shuffle *shuffle, size_t size, mgl_error *err);

/* The same for many records at a time, from several threads: anyone who knows the number of a
 * record draws its bucket; when all are drawn, each bucket makes room for its records, and these
 * are filled in. mgl_shuffle_make_way comes before the room that a group of records needs,
 * mgl_shuffle_taken after it; the threads of its pool share the writing (NULL: the caller does
 * it). */
void mgl_shuffle_draw(const mgl_shuffle *shuffle, uint64_t first, size_t n, uint16_t *buckets);
mgl_status mgl_shuffle_make_way(mgl_shuffle *shuffle, mgl_pool *pool, mgl_error *err);
/* For different buckets, from several threads. NULL when memory is out. */
char *mgl_shuffle_room(mgl_shuffle *shuffle, size_t bucket, size_t size, size_t n_rows);
void mgl_shuffle_taken(mgl_shuffle *shuffle, uint64_t n_rows);

size_t mgl_shuffle_buckets(const mgl_shuffle *shuffle);
size_t mgl_shuffle_rows(const mgl_shuffle *shuffle, size_t bucket);
/* Hands the records of a bucket over, with `margin` bytes behind them. Safe from several threads,
 * for different buckets. */
mgl_status mgl_shuffle_take(mgl_shuffle *shuffle, size_t bucket, size_t margin, mgl_error *err,
                            mgl_buffer *out);
/* Puts the n numbers of a bucket into random order. */
void mgl_shuffle_order(const mgl_shuffle *shuffle, size_t bucket, uint32_t *numbers, size_t n);

#endif
