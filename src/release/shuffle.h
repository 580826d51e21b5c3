/* Rows in random order. Inside the room only.
 *
 * Each row falls into one of a few buckets at random; each bucket is then shuffled in
 * memory. Together that is a uniform shuffle, and only one bucket must fit in memory: what
 * exceeds the budget waits in an unlinked private file. */
#ifndef MGL_RELEASE_SHUFFLE_H
#define MGL_RELEASE_SHUFFLE_H

#include "release/release.h"

typedef struct mgl_shuffle mgl_shuffle;

/* expected: about how many bytes will come. Free with mgl_shuffle_free. */
mgl_status mgl_shuffle_new(mgl_random *random, uint64_t expected, uint64_t budget, mgl_error *err,
                           mgl_shuffle **out);
void mgl_shuffle_free(mgl_shuffle *shuffle);
/* A row, and a number that goes with it. */
mgl_status mgl_shuffle_add(mgl_shuffle *shuffle, const char *row, size_t size, uint32_t tag,
                           mgl_error *err);
/* Writes all rows; tags (NULL: not wanted) gets their numbers in the order written. */
mgl_status mgl_shuffle_write(mgl_shuffle *shuffle, mgl_text_writer *writer, uint32_t *tags,
                             mgl_error *err);

#endif
