/* mu-Argus as docs/definitions.md#mu-argus says it, row by row and combination by combination.
 * Nothing here uses the code that it is compared with. */
#ifndef BRUTE_ARGUS_H
#define BRUTE_ARGUS_H

#include <stdbool.h>
#include <stdint.h>

enum { BRUTE_ARGUS_ROWS = 80, BRUTE_ARGUS_COLUMNS = 40, BRUTE_ARGUS_SETS = 20000 };

typedef struct brute_argus {
    int n, m;
    int cell[BRUTE_ARGUS_ROWS][BRUTE_ARGUS_COLUMNS]; /* as generalized; equal numbers are equal */
    int top[BRUTE_ARGUS_COLUMNS];
    uint64_t weight[BRUTE_ARGUS_ROWS]; /* rows that each of the n stands for */
    bool has_persons;                  /* then persons count, and every weight is 1 */
    int person[BRUTE_ARGUS_ROWS];
    uint64_t k;
    int identification[BRUTE_ARGUS_COLUMNS];
    bool all, published;
    uint64_t sizes; /* bit i: combinations of i columns */
    /* What comes out: cells that are suppressed are the top. */
    bool lost[BRUTE_ARGUS_ROWS][BRUTE_ARGUS_COLUMNS];
} brute_argus;

/* Rows (persons) that look like r in these columns. */
uint64_t brute_argus_count(const brute_argus *x, int r, uint64_t columns);
/* Is this combination looked at? */
bool brute_argus_looks_at(const brute_argus *x, uint64_t columns);
/* The combinations that are looked at in which the row is rare; returns how many. sets: room for
 * BRUTE_ARGUS_SETS. */
int brute_argus_outliers(const brute_argus *x, int r, uint64_t *sets);
/* Suppresses cells; cell becomes what is released, but for the treatment of whole rows. */
void brute_argus_run(brute_argus *x);
/* All cells of a row are at the top, and some were not before. */
bool brute_argus_is_suppressed(const brute_argus *x, int r);

#endif
