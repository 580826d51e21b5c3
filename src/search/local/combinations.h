/* Models on combinations of columns, where a suppressed cell is a value like any other. Inside the
 * room only. */
#ifndef MGL_SEARCH_LOCAL_COMBINATIONS_H
#define MGL_SEARCH_LOCAL_COMBINATIONS_H

#include "search/local/patterns.h"
#include "search/node/node.h"

typedef struct mgl_local_combined {
    const mgl_problem *problem;
    const uint32_t *sets; /* [n_sets] columns */
    size_t n_sets;
    mgl_recoding *recoding; /* that is judged */
    uint8_t *violating;     /* [t] 1: in a class that violates a model */
    mgl_classes classes;    /* on the combination judged last */
    /* Of judging. */
    uint32_t *n_values; /* [a] */
    uint8_t *bad;       /* [class] */
    mgl_group_maker *maker;
    mgl_population *population;           /* NULL: no model looks at it */
    uint64_t *matching, *sizes, *weights; /* [n] */
} mgl_local_combined;

/* Marks further tuples in classes that violate a model on one combination; true if there are any,
 * or if a model of the whole table does not hold. */
bool mgl_local_violates(mgl_local_combined *c, uint32_t columns);

/* What the cell is if it is not suppressed. */
static inline uint32_t mgl_local_ground(const mgl_local_combined *c, size_t t, size_t a)
{
    const mgl_problem *p = c->problem;
    return p->columns[a]->of_leaf[p->min_level[a]][mgl_list_leaf(p->list, t, a)];
}

/* Nothing suppressed. */
void mgl_local_restore_all(mgl_local_combined *c);

/* rounds.c: in every row in need the cell that is in most violating classes is suppressed,
 * again and again. False in *met if that does not lead to a release that holds. */
mgl_status mgl_local_rounds(mgl_local_combined *c, mgl_error *err, bool *met);

#endif
