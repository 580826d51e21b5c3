/* What nodes suppress at least. Private to the module. */
#ifndef MGL_SEARCH_FULLDOMAIN_BY_ROLL_UP_FLOORS_H
#define MGL_SEARCH_FULLDOMAIN_BY_ROLL_UP_FLOORS_H

#include "search/fulldomain/branch/branch.h"

/* The rows that the models on one quasi-identifier have suppressed, at each node of its own columns
 * or of some of them. */
typedef struct mgl_row_floor {
    uint64_t
        *step; /* [n_attributes] what a level adds to the number of the node; 0: not of these */
    uint64_t *rows; /* by number */
    uint64_t *bits; /* by number, words for each: the tuples; NULL: that would be too much */
    uint64_t at;    /* the number of the node that was asked for */
} mgl_row_floor;

typedef struct mgl_row_floors {
    const mgl_problem *problem;
    size_t n, words;
    mgl_row_floor *floors;
    bool exact; /* a node that must suppress no row holds */
} mgl_row_floors;

/* Free with mgl_row_floors_free, also after a failure. *timed_out: there was no time for all. */
mgl_status mgl_row_floors_make(const mgl_problem *problem, mgl_error *err, mgl_row_floors *out,
                               bool *timed_out);
void mgl_row_floors_free(mgl_row_floors *floors);
/* How many rows the node suppresses at least. */
uint64_t mgl_row_floor_of(mgl_row_floors *floors, const uint32_t *node);
/* So many suppressed rows are a class that holds whatever they are, where they are kept and models
 * look at sizes alone; 0: there is no such number. */
uint64_t mgl_rows_enough(const mgl_row_floors *floors);

#endif
