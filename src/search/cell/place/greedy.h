/* The state of the greedy, which its files share. Private to the module. */
#ifndef MGL_SEARCH_CELL_PLACE_GREEDY_H
#define MGL_SEARCH_CELL_PLACE_GREEDY_H

#include "search/cell/place/place.h"

/* A tuple that may help out a class at a node. */
typedef struct mgl_cell_donor {
    uint32_t class; /* of the node, that wants it */
    uint32_t cost;  /* of a row where it is now */
    uint32_t tuple;
} mgl_cell_donor;

typedef struct mgl_greedy {
    const mgl_box_space *space;
    const mgl_greedy_options *how;
    mgl_box_release *out;
    mgl_key_table table;
    mgl_row_filter filter;
    mgl_box_judge *judge;
    /* Tuples not placed yet, by what they cost at least. */
    size_t n_rest;
    uint32_t *rest, *rows, *bound; /* [n_rest] */
    uint64_t *keys;                /* [n_rest * words] */
    uint32_t *entry_of;            /* [n_rest] its class at the node */
    /* Classes 1..n of a node that have rows enough, or nearly. */
    uint32_t *members; /* [n] one class after another */
    size_t *start;     /* [n + 2] */
    /* Tuples of classes with more rows than they need. */
    uint32_t *donors;     /* [n_donors] */
    uint64_t *donor_keys; /* [n_donors * words] */
    size_t n_donors;
    uint64_t borrow_work;   /* that is left */
    mgl_row_filter wanting; /* slots of classes that want rows */
    uint32_t *gathered;     /* [n] a class in the making */
    uint32_t *from;         /* [n] donor of each */
    mgl_cell_donor *candidates;
    size_t n_candidates, candidates_capacity;
    uint32_t *given; /* [class] rows that it is about to give */
    size_t given_capacity;
} mgl_greedy;

/* Rows from which on a class of the rest is looked at. */
uint32_t mgl_cell_least_rows(const mgl_greedy *g);

/* ---- Borrowing ------------------------------------------------------------------------------- */

mgl_status mgl_cell_borrow_begin(mgl_greedy *g, mgl_error *err);
void mgl_cell_borrow_end(mgl_greedy *g);

/* Lists the members as donors if the class has more rows than it needs. */
void mgl_cell_list_donors(mgl_greedy *g, uint32_t class);

/* Classes of the node, gathered, that lack a few rows are released if tuples of classes with rows
 * to spare make them whole and that pays. True if any was. */
bool mgl_cell_borrow(mgl_greedy *g, const uint8_t *levels, const uint64_t *mask);

/* ---- What is left ---------------------------------------------------------------------------- */

#endif
