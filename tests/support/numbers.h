/* Random tables of numbers, and the problem that a search is given for them. */
#ifndef MGL_TESTS_NUMBERS_H
#define MGL_TESTS_NUMBERS_H

#include "brute.h"
#include "findings/findings.h"
#include "steps.h"

enum { NUMBERS_ROWS = 400, NUMBERS_COLUMNS = 6 };

typedef struct numbers {
    uint64_t seed;
    int n_rows, n_columns;
    double cell[NUMBERS_ROWS][NUMBERS_COLUMNS]; /* NAN: missing */
    int disease[NUMBERS_ROWS];                  /* a sensitive column of few values */
    int person[NUMBERS_ROWS];
    bool has_persons;
} numbers;

/* Columns of few whole numbers, of decimals, of very different sizes, constant ones; some rows
 * occur several times, some are mirror images of others. missing: percent of the cells of some
 * columns. */
void numbers_make(numbers *out, uint64_t seed, int most_rows, int most_columns, int missing);

typedef struct numbers_made {
    mgl_job *job;
    steps steps;
    mgl_problem problem;             /* a copy, to be changed */
    uint32_t tuple_of[NUMBERS_ROWS]; /* [row] */
} numbers_made;

/* Writes table.csv to the current folder, columns c0, c1, ... and disease, and makes the problem
 * of a job over it with these further keys and values (NULL after the last). Fails the test if it
 * cannot. Free with numbers_made_free. */
void numbers_open(const numbers *t, const char *const *keys, numbers_made *out);
void numbers_made_free(numbers_made *m);

/* What a cell is released as; the number it reads as (NAN: none). */
mgl_span numbers_text(const numbers_made *m, const mgl_recoding *recoding, int row, int column);
double numbers_value(const numbers_made *m, const mgl_recoding *recoding, int row, int column);

/* Fails the test with the seed. */
_Noreturn void numbers_disagree(const numbers *t, const char *what);

#endif
