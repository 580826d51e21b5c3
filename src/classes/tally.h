/* Counts equal keys within some memory: what exceeds it is written to a file as a sorted run, and
 * the runs are merged at the end. Private to the module. */
#ifndef MGL_CLASSES_TALLY_H
#define MGL_CLASSES_TALLY_H

#include "classes/counter.h"

typedef struct mgl_tally {
    mgl_counter counter;
    unsigned zeros;
    size_t most; /* keys in memory; SIZE_MAX: no limit */
    int fd;      /* of the runs; -1: none */
    uint64_t size;
    uint64_t *ends; /* [n_runs] of the runs, in entries */
    size_t n_runs, capacity;
} mgl_tally;

/* As mgl_counter_init; memory 0: no limit. Free with mgl_tally_free, also on failure. */
mgl_status mgl_tally_init(mgl_tally *tally, size_t n_words, unsigned zeros, uint64_t memory,
                          mgl_error *err);
void mgl_tally_free(mgl_tally *tally);
/* As mgl_counter_add. */
mgl_status mgl_tally_add(mgl_tally *tally, const uint64_t *keys, const uint64_t *amounts, size_t n,
                         mgl_error *err);
/* As mgl_counter_take. */
mgl_status mgl_tally_take(mgl_tally *tally, mgl_error *err, uint64_t **keys, uint64_t **counts,
                          size_t *n);

#endif
