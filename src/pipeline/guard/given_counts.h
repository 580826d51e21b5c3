/* Counts for the leak guard that were made elsewhere (`guard-counts`). Inside the room only. */
#ifndef MGL_PIPELINE_GUARD_GIVEN_COUNTS_H
#define MGL_PIPELINE_GUARD_GIVEN_COUNTS_H

#include "pipeline/task/task.h"

/* A table with the columns of the reading: quasi-identifiers, then those that models look at. */
typedef struct mgl_given_counts {
    mgl_table *table;
    const mgl_column *column; /* the further column, which passes through; NULL: none */
    const mgl_column *other;  /* a second one; NULL: none */
    const char *name, *other_name;
    uint64_t *times;
    mgl_cache_pins pins;
} mgl_given_counts;

/* location NULL: the table of the job itself. Free with mgl_given_counts_free, also on failure. */
mgl_status mgl_given_counts_read(const mgl_reading *reading, const char *location, mgl_error *err,
                                 mgl_given_counts *out);
void mgl_given_counts_free(mgl_given_counts *counts);

/* Fails unless it has the records that were searched: as many of every tuple. tuples: [rows]. */
mgl_status mgl_given_counts_agree(const mgl_given_counts *counts, const mgl_frequency_list *list,
                                  const uint32_t *tuples, const char *location, mgl_error *err);

#endif
