/* What searches fill a solution with, and what they say where there is none. */
#ifndef MGL_SEARCH_NODE_TAKE_SOLUTION_H
#define MGL_SEARCH_NODE_TAKE_SOLUTION_H

#include "search/problem/problem.h"

/* Fills in recoding, node and suppressed rows of a node that holds. */
mgl_status mgl_solution_take_node(mgl_solution *solution, const mgl_problem *problem,
                                  const uint32_t *node, mgl_error *err);

/* Fills in the minimal ones of the nodes that hold. */
mgl_status mgl_solution_take_minimal(mgl_solution *solution, const mgl_problem *problem,
                                     const uint8_t *holds, mgl_error *err);

/* Takes over a recoding that a method made in its own way, suppresses what violates a model and
 * applies the treatment. Rows that it has as suppressed already stay so. The recoding becomes the
 * solution's, also on failure. MGL_UNMET if the models do not hold then, or too many rows are
 * suppressed; the caller says what that means. */
mgl_status mgl_solution_take_recoding(mgl_solution *solution, const mgl_problem *problem,
                                      mgl_recoding *recoding, mgl_error *err);

/* As mgl_solution_take_recoding without a look at the limit: *holds becomes false, and nothing
 * fails, if the models do not hold then. */
mgl_status mgl_solution_treat_recoding(mgl_solution *solution, const mgl_problem *problem,
                                       mgl_recoding *recoding, mgl_error *err, bool *holds);

/* The classes of the released tuples on all columns. Free with mgl_classes_free. */
mgl_status mgl_recoding_classes(const mgl_problem *problem, const mgl_recoding *recoding,
                                mgl_error *err, mgl_classes *out);
/* The same on the columns of one quasi-identifier; NULL: on all columns. */
mgl_status mgl_recoding_classes_on(const mgl_problem *problem, const mgl_recoding *recoding,
                                   const mgl_quasi_set *set, mgl_error *err, mgl_classes *out);
/* Makes them known to the solution, unless the search did: for those who judge and measure it. */
mgl_status mgl_solution_group(mgl_solution *solution, const mgl_problem *problem, mgl_error *err);

/* How a message names a column: column "age". */
enum { MGL_COLUMN_TEXT = 80 };
void mgl_problem_column(const mgl_problem *problem, size_t a, char text[MGL_COLUMN_TEXT]);

/* Is there a model that judges the whole release? */
bool mgl_judges_table(const mgl_problem *problem);

/* No node holds within the limit, as the caller knows: says why and what would help. */
mgl_status mgl_fail_unmet(const mgl_problem *problem, bool timed_out, mgl_error *err);
/* The same of a method that does not look at all nodes. */
mgl_status mgl_fail_no_node(const mgl_problem *problem, const char *method, mgl_error *err);
/* And of one whose releases are more than nodes. */
mgl_status mgl_fail_no_release(const mgl_problem *problem, const char *method, mgl_error *err);

#endif
