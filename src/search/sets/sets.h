/* Several quasi-identifiers by a method that knows one: the sets of columns are searched in an
 * order.
 *
 * The first set is released as if it were alone. What it has of the next one is fixed then: tuples
 * that read differently there cannot be in one class, whatever becomes of the other columns, and
 * the method releases these within each such block. Blocks are unions of classes of an earlier set,
 * so that models which hold for the union of two classes hold for a block as a whole. */
#ifndef MGL_SEARCH_SETS_H
#define MGL_SEARCH_SETS_H

#include "search/node/node.h"

/* What is asked about one set, or a part of it. */
typedef struct mgl_one_set_request {
    const uint8_t *columns;   /* [m] 1: released freely; the others are at the top */
    const uint32_t *block_of; /* [t] classes lie in one block; NULL: all is one */
    const uint8_t *gone;      /* [t] 1: not looked at; NULL: all are */
    size_t models_of;         /* the set whose models hold */
} mgl_one_set_request;

/* A problem of one quasi-identifier: the columns as they are numbered, then one for the blocks,
 * which stays as it is, if there are any. */
typedef struct mgl_one_set {
    mgl_problem problem;
    uint32_t *tuple_of; /* [n_tuples of its list] which one that is */
    mgl_quasi_set set;
    mgl_frequency_list list;
    mgl_hierarchy *hierarchy; /* of the blocks */
    mgl_released_column *blocks;
    mgl_cell_costs costs;
    mgl_arena *arena;
} mgl_one_set;

/* Free with mgl_one_set_free, also after a failure. Borrows the problem. */
mgl_status mgl_one_set_make(const mgl_problem *problem, const mgl_one_set_request *request,
                            mgl_error *err, mgl_one_set *out);
void mgl_one_set_free(mgl_one_set *one);

/* The set that asks for the most rows. */
size_t mgl_strictest_set(const mgl_problem *problem);

/* All columns as one quasi-identifier, with the models of the strictest set: what holds on it holds
 * on each set. There are at most MGL_MOST_COLUMNS. Borrows the problem. */
typedef struct mgl_united_sets {
    mgl_problem problem;
    mgl_quasi_set set;
    uint32_t attributes[MGL_MOST_COLUMNS];
} mgl_united_sets;
const mgl_problem *mgl_unite_sets(const mgl_problem *problem, mgl_united_sets *out);

/* Solutions get the best release that is found; one that has a recoding keeps it unless something
 * costs less. Finding none is no failure. */

/* What the method finds for one set after the other, in the orders that there are. */
mgl_status mgl_sets_in_turn(const mgl_method_type *method, const mgl_problem *problem,
                            mgl_error *err, mgl_solution *out);
/* What it finds for all columns together. */
mgl_status mgl_sets_together(const mgl_method_type *method, const mgl_problem *problem,
                             mgl_error *err, mgl_solution *out);

/* Both, as a method's whole run; MGL_UNMET if nothing holds. */
mgl_status mgl_sets_run(const mgl_method_type *method, const mgl_problem *problem, mgl_error *err,
                        mgl_solution *out);

/* Takes the recoding, which is gone then, or freed, if it holds every model on every set within the
 * limit and costs less than what the solution has. */
mgl_status mgl_sets_take_better(const mgl_problem *problem, mgl_recoding *recoding, mgl_error *err,
                                mgl_solution *out);

/* The sum over all cells of what they cost: by the measure if it adds up, else the leaves that they
 * lose. */
double mgl_sets_cost(const mgl_problem *problem, const mgl_recoding *recoding);

#endif
