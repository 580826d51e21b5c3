/* What every class needs so that the models may hold: rows, and different sensitive values.
 *
 * Both are upward closed, and quickly seen. For some models that is all there is to them. */
#ifndef MGL_SEARCH_NODE_DEMAND_H
#define MGL_SEARCH_NODE_DEMAND_H

#include "search/problem/problem.h"

/* So many different values of a sensitive attribute, or of its protected subtrees. Each that
 * occurs has a bit. */
typedef struct mgl_variety {
    uint32_t attribute;
    bool subtrees;
    const uint32_t *bit_of_code; /* [n_values] MGL_NOT_FOUND: does not occur, or is no value */
    uint32_t n_bits;
    uint64_t need;
} mgl_variety;

typedef struct mgl_demand {
    uint64_t size; /* see mgl_demand_size */
    mgl_variety *varieties;
    size_t n_varieties;
    uint64_t most_classes; /* that can have all this, whatever is suppressed */
    bool persons;          /* have several rows, maybe of one value in many classes */
} mgl_demand;

/* How many rows must be suppressed at least if there are so many classes: one for each class too
 * many. */
static inline uint64_t mgl_demand_rows(const mgl_demand *demand, uint64_t n_classes)
{
    return n_classes > demand->most_classes ? n_classes - demand->most_classes : 0;
}

/* The least size at which a class can hold the models of the first set, as far as they say so;
 * one more than the table has rows if none does. */
uint64_t mgl_demand_size(const mgl_problem *problem);
/* Does the model stand for a k that is not given? Without one, p-sensitivity asks for p persons,
 * who may have several values. */
bool mgl_demand_implies_k(const mgl_model *model);

/* Are size and variety all there is to the model? */
bool mgl_demand_is_whole(const mgl_model_type *type);

/* What the models of the first set need. Memory is the arena's; there is room for one more
 * variety per model. */
mgl_status mgl_demand_make(const mgl_problem *problem, mgl_arena *arena, mgl_error *err,
                           mgl_demand *out);

/* Classes need so many values of the attribute, or so many of its protected subtrees. */
mgl_status mgl_demand_variety(mgl_demand *demand, const mgl_facts *facts, uint32_t attribute,
                              bool subtrees, double need, mgl_arena *arena, mgl_error *err);

#endif
