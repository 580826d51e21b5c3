/* Records that stand for all rows at nodes where some attributes are raised: there are fewer of
 * them than tuples. Inside the room only. */
#ifndef MGL_SEARCH_CELL_BOUND_RAISED_ROWS_H
#define MGL_SEARCH_CELL_BOUND_RAISED_ROWS_H

#include "search/box/box.h"
#include "search/node/node.h"

enum { MGL_CELL_MOST_RAISED = 5 }; /* attributes */

/* All rows with some attributes one level above their lowest. */
typedef struct mgl_raised_rows {
    bool made;
    unsigned wanted; /* how often it was asked for: making it takes about as long as one look at the
                        one below */
    size_t n;
    const uint64_t *keys;      /* [n * words] */
    const uint32_t *rows;      /* [n] */
    void *own_keys, *own_rows; /* NULL: the tuples' own */
} mgl_raised_rows;

/* Rows for every choice among the attributes that may be raised. */
typedef struct mgl_raised_choices {
    const mgl_box_space *space;
    size_t raised[MGL_CELL_MOST_RAISED]; /* attributes */
    size_t n_raised;
    mgl_raised_rows *each; /* [2^n_raised] bit i of the number: raised[i] is */
    uint64_t bytes;        /* of all that are made */
    /* While some are made. */
    size_t *missing; /* numbers of those that are made at once */
    mgl_key_table *const *tables;
} mgl_raised_choices;

/* End with mgl_raised_choices_end, also after a failure. */
mgl_status mgl_raised_choices_begin(mgl_raised_choices *choices, const mgl_box_space *space,
                                    mgl_error *err);
void mgl_raised_choices_end(mgl_raised_choices *choices);

/* A node that will be looked at. */
void mgl_raised_choices_want(mgl_raised_choices *choices, const uint8_t *levels);

/* Makes those that were wanted so often. No other thread may look for its rows meanwhile. tables:
 * [worker], for as many classes as there are tuples. */
mgl_status mgl_raised_choices_make(mgl_raised_choices *choices, unsigned often,
                                   mgl_key_table *const *tables, mgl_error *err);

/* The fewest rows made so far from which the classes of a node can be counted. */
const mgl_raised_rows *mgl_raised_rows_for(const mgl_raised_choices *choices,
                                           const uint8_t *levels);

#endif
