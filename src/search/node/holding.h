/* What is known of nodes without a look at their classes: where holding and costs are monotone
 * along the lattice, and what the top node says. */
#ifndef MGL_SEARCH_NODE_HOLDING_H
#define MGL_SEARCH_NODE_HOLDING_H

#include "search/problem/problem.h"

/* Marks of nodes. An open one holds if its complementary suppression stays within the limit, which
 * whoever marked it left to mgl_mark_above; there are open ones only where nodes above one that
 * holds count as holding, too. */
enum { MGL_HOLDS_NOT, MGL_HOLDS, MGL_HOLDS_OPEN };

/* Does generalizing a cell never lower its distortion? A label that stands on several levels
 * counts as the lowest of them: with levels m, x, m the cell x is more distorted than what it
 * is generalized to. Branch and bound has no bounds then. */
bool mgl_distortion_rises(const mgl_problem *problem);

/* If nothing is suppressed: does no node cost less than one below it? */
bool mgl_cost_rises(const mgl_problem *problem);

/* Marks in holds all nodes above one that is marked, and looks at those that were left open. */
mgl_status mgl_mark_above(const mgl_problem *problem, mgl_error *err, uint8_t *holds);

/* Are rows suppressed because of where they are, although they may violate no model (early_top.c)?
 */
bool mgl_tops_come_early(const mgl_problem *problem);
/* Is holding monotone along the lattice (docs/definitions.md#pruning)? */
bool mgl_holding_is_monotone(const mgl_problem *problem);

/* Must some rows stay unsuppressed, whatever the limit? They must if nothing would be released
 * otherwise. Exempt rows that are all at the top are one class, which may hold. */
mgl_status mgl_some_must_stay(const mgl_problem *problem, mgl_error *err, bool *out);

/* Does the release hold that has all rows at the top? */
mgl_status mgl_top_class_holds(const mgl_problem *problem, mgl_error *err, bool *holds);

#endif
