/* Going down: the tuples of a list taken apart by a lower level of one column. For refiner.c alone.
 */
#ifndef MGL_SEARCH_NODE_ROLL_DOWN_H
#define MGL_SEARCH_NODE_ROLL_DOWN_H

#include "search/node/roll.h"

/* What a level of a column makes of its codes at the lowest level. */
typedef struct mgl_down_level {
    uint32_t *codes;  /* [lowest code] */
    uint32_t *places; /* [lowest code] of its code among those that are one a level up */
    uint32_t fan;     /* the most that are */
} mgl_down_level;

/* A column of the problem's tuples, as codes of its lowest level. */
typedef struct mgl_down_column {
    unsigned width; /* bytes of a code: 1, 2 or 4 */
    void *of_tuple; /* [n_tuples] */
    size_t n_levels;
    mgl_down_level *levels;
} mgl_down_column;

/* Free with mgl_down_column_free, also after a failure. of_tuple is to be filled in. */
mgl_status mgl_down_column_make(mgl_down_column *column, const mgl_roll_column *of, size_t n_tuples,
                                mgl_error *err);
void mgl_down_column_free(mgl_down_column *column);
/* The codes of tuples first..end-1 of the problem's list. */
void mgl_down_column_fill(const mgl_down_column *column, const mgl_roll_maker *maker, size_t c,
                          size_t first, size_t end);

/* A column goes down to a level. */
typedef struct mgl_down_step {
    const mgl_down_column *column;
    uint32_t number, level;
    const mgl_rolled *from;   /* the list before, where it is one level higher, or */
    bool from_anywhere;       /* does not tell codes of it apart */
    const uint32_t *class_of; /* [n_tuples] where the problem's tuples are in that list */
    size_t most;              /* tuples that are of interest */
    bool track;               /* maker->of_tuple gets where they are now */
} mgl_down_step;

/* Makes the list, without histograms and persons; the order of first members is kept. There is room
 * for most + 2 tuples. False: they are more than that. */
bool mgl_roll_down(mgl_roll_maker *maker, const mgl_down_step *step, mgl_rolled *to);

#endif
