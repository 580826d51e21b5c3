/* The classes of the whole table at one node after another, each from the classes of a node below
 * it: there are fewer of these than tuples. Inside the room only. */
#ifndef MGL_SEARCH_CELL_BOUND_ROLLUP_H
#define MGL_SEARCH_CELL_BOUND_ROLLUP_H

#include "search/box/box.h"
#include "search/node/node.h"

/* Classes with the levels of a node in some attributes and the lowest ones in the others. */
typedef struct mgl_cell_step mgl_cell_step;
struct mgl_cell_step {
    mgl_cell_step *below; /* where the classes come from; NULL: the lowest node */
    size_t n, capacity;
    uint32_t *first, *rows; /* [n] a member, and how many rows there are */
    uint64_t *differ;       /* [n * words] bits in which members differ from the first one */
    uint32_t *of_below;     /* [below->n] into which class a class below goes */
    uint32_t *of_tuple;     /* [tuples] if spread */
    bool spread;
};

typedef struct mgl_cell_rollup {
    const mgl_box_space *space;
    mgl_cell_step *steps; /* [m + 1] */
    mgl_cell_step **at;   /* [m + 1] the step after so many attributes */
    size_t *order;        /* [m] attributes, those with the most leaves first */
    uint8_t *levels;      /* [m] of the last node */
    uint8_t *partly;      /* [m] of a step */
    uint64_t *mask;       /* [words] */
    mgl_key_table table;
} mgl_cell_rollup;

/* End with mgl_cell_rollup_end, also after a failure. One per thread. */
mgl_status mgl_cell_rollup_begin(mgl_cell_rollup *rollup, const mgl_box_space *space,
                                 mgl_error *err);
void mgl_cell_rollup_end(mgl_cell_rollup *rollup);

/* The order in which nodes have most in common with the one before. */
int mgl_cell_rollup_compare(const mgl_cell_rollup *rollup, const uint8_t *levels,
                            const uint8_t *others);

/* The classes of the node; the top is not one. NULL: memory is out. */
mgl_cell_step *mgl_cell_rollup_go(mgl_cell_rollup *rollup, const uint8_t *levels);

/* The class of each tuple. NULL: memory is out. */
const uint32_t *mgl_cell_rollup_spread(mgl_cell_rollup *rollup, mgl_cell_step *step);

#endif
