/* Finding the best nodes of the lattice. Inside the room only.
 *
 * Three ways to the same answer: the sweep evaluates every node plainly and is the oracle of
 * the tests; two branch and bound engines, by class sizes and by sensitive values, are much faster
 * for the problems that they handle. */
#ifndef MGL_SEARCH_OPTIMUM_H
#define MGL_SEARCH_OPTIMUM_H

#include "search/search.h"
#include "search/node/ties.h"

/* Lattices up to this many nodes are swept whole where that is needed, and their minimal
 * nodes are reported. */
#define MGL_MOST_NODES UINT64_C(100000)

/* Lattices with more nodes than this are not searched whole, unless there is a time limit. */
#define MGL_TOO_MANY_NODES (UINT64_C(1) << 40)
/* Says so, and what to do. */
mgl_status mgl_refuse_lattice(mgl_error *err);

/* Must some rows be left when others are suppressed, whatever the limit? They must if nothing else
 * would be released; exempt rows that are all at the top are one class, which may hold. */
mgl_status mgl_some_must_stay(const mgl_problem *problem, mgl_error *err, bool *out);

/* What a search over the lattice found. */
typedef struct mgl_optimum {
    mgl_ties ties;
    uint64_t checked; /* nodes whose classes were looked at */
    bool timed_out;   /* the deadline came first: ties are the best so far */
} mgl_optimum;

/* Every node, plainly. ties must be initialized. */
mgl_status mgl_sweep_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out);

/* holds[number] for every node in lexicographic order; the lattice has at most
 * MGL_MOST_NODES nodes. */
mgl_status mgl_sweep_holding(const mgl_problem *problem, mgl_error *err, uint8_t *holds,
                             uint64_t *checked);

/* ---- The fastest way (choose_engine.c) -------------------------------------------------- */

/* ties must be initialized. */
mgl_status mgl_lattice_best(const mgl_problem *problem, mgl_error *err, mgl_optimum *out);
/* As mgl_sweep_holding; the array is the caller's (mgl_free). */
mgl_status mgl_lattice_holding(const mgl_problem *problem, mgl_error *err, uint8_t **holds);
/* The best, and what mgl_minimal_nodes needs: those that hold; nodes above one of them may be
 * marked or not, which makes no difference to the minimal ones. *above is NULL if the lattice has
 * more than MGL_MOST_NODES nodes, or if the deadline came first, or if the problem is brief; it
 * may be if none holds. */
mgl_status mgl_lattice_best_and_holding(const mgl_problem *problem, mgl_error *err,
                                        mgl_optimum *best, uint8_t **above);

/* ---- What follows (cost_by_levels.c, cost_rises.c, minimal.c)
 * -------------------------------------------- */

/* Does the cost of a node that holds follow from its levels alone? Then these are the best of
 * the nodes that hold; ties must be initialized. */
bool mgl_levels_decide(const mgl_problem *problem);
mgl_status mgl_levels_best(const mgl_problem *problem, const uint8_t *holds, mgl_error *err,
                           mgl_ties *ties);

/* Does generalizing a cell never lower its distortion? A label that stands on several levels
 * counts as the lowest of them: with levels m, x, m the cell x is more distorted than what it
 * is generalized to. The bounds of branch and bound are none then. */
bool mgl_distortion_rises(const mgl_problem *problem);

/* If nothing is suppressed: does no node cost less than one below it? */
bool mgl_cost_rises(const mgl_problem *problem);

/* Marks in holds all nodes above one that is marked, and looks at those that were left open (see
 * divide.h). */
mgl_status mgl_mark_above(const mgl_problem *problem, mgl_error *err, uint8_t *holds);

/* Are rows suppressed because of where they are, although they may violate no model (early_top.c)?
 */
bool mgl_tops_come_early(const mgl_problem *problem);
/* Is holding monotone along the lattice (docs/definitions.md#pruning)? */
bool mgl_holding_is_monotone(const mgl_problem *problem);

#endif
