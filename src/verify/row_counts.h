/* Counts equal rows of a release as they come, for collect.c. Inside the room only. */
#ifndef MGL_VERIFY_ROW_COUNTS_H
#define MGL_VERIFY_ROW_COUNTS_H

#include "verify/verify.h"

/* A hash table with open addressing. */
typedef struct mgl_row_counts {
    size_t n_words;  /* of a row */
    uint64_t *slots; /* a row and its count side by side; count 0: the slot is free */
    size_t n_slots;  /* a power of two; at most half of them are used */
    size_t n;        /* different rows so far */
} mgl_row_counts;

/* Adds n rows that lie side by side. False if memory is out. The counts begin as {n_words}; free
 * their slots with mgl_free. */
bool mgl_row_counts_add(mgl_row_counts *counts, const uint64_t *rows, size_t n);

/* Moves the rows, each with its count behind it, to the first slots. Nothing can be added then. */
void mgl_row_counts_gather(mgl_row_counts *counts);

#endif
