/* Classes on every set of columns, found by dividing classes further and further. Inside the room
 * only. */
#ifndef MGL_RISK_REFINE_H
#define MGL_RISK_REFINE_H

#include "risk/risk.h"

/* Called for each class of tuples on each set of columns (bit a: attribute a). A tuple that has a
 * class for itself is told once, on the set that made it so: `mask`, and all sets that follow from
 * it by adding columns before the first one of `mask`. For each tuple, sets come in increasing
 * order of their masks, so that all subsets come before a set; a tuple is handled by one worker at
 * a time. */
typedef struct mgl_refine_visitor {
    void *context;
    size_t most_columns; /* in a set */
    /* Of two tuples or more; false: do not divide it further. NULL: always do. */
    bool (*on_class)(void *context, unsigned worker, uint64_t mask, const uint32_t *tuples,
                     size_t n);
    void (*on_single)(void *context, unsigned worker, uint64_t mask, uint32_t tuple);
} mgl_refine_visitor;

mgl_status mgl_refine(const mgl_frequency_list *list, const mgl_refine_visitor *visitor,
                      mgl_pool *pool, mgl_error *err);

#endif
