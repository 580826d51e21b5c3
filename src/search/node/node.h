/* The lattice, and one node of it: which classes it makes, which rows it suppresses, whether it
 * holds and what it costs. Here stands what the searches mean by their words; faster searches are
 * compared with it. */
#ifndef MGL_SEARCH_NODE_H
#define MGL_SEARCH_NODE_H

#include "search/node/batch.h"
#include "search/node/demand.h"
#include "search/node/holding.h"
#include "search/node/key_table.h"
#include "search/node/population_matches.h"
#include "search/node/refiner.h"
#include "search/node/roller.h"
#include "search/node/suppress.h"
#include "search/node/take_solution.h"
#include "search/node/ties.h"
#include "search/problem/problem.h"

/* ---- Methods ------------------------------------------------------------------- */

/* How the results of the problem's method count. tops_match: that is asked for. */
mgl_counting mgl_method_counting(const mgl_problem *problem, bool tops_match);

/* The levels that columns were generalized to before single cells were suppressed; NULL: the method
 * does not work so. */
const uint32_t *mgl_solution_levels(const mgl_solution *solution);
/* What proves its bound, if the problem wanted that; NULL: nothing does. */
const mgl_bound_prices *mgl_solution_prices(const mgl_solution *solution);
/* Adds what only its method found to the document of a result. */
void mgl_solution_tell(const mgl_solution *solution, json_t *document);

/* Runs a method. MGL_UNMET if no recoding holds. Free with mgl_solution_free. */
mgl_status mgl_method_run(const mgl_method_type *method, const mgl_problem *problem, mgl_error *err,
                          mgl_solution **out);

/* What is released of rows without quasi-identifiers, for which nothing is to be searched. Free
 * with mgl_solution_free. */
mgl_status mgl_solution_without_columns(const mgl_problem *problem, mgl_error *err,
                                        mgl_solution **out);

/* ---- Recodings, judged ----------------------------------------------------------- */

/* Do all models hold on a recoding, each on its quasi-identifier? */
mgl_status mgl_recoding_holds(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, bool *out);
/* What the models find in a recoding, one entry per model of each set. Suppressed rows are
 * left out unless they are kept as a class like any other. */
mgl_status mgl_judge_recoding(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, mgl_found *found);
/* The same where its classes on all columns are known. */
mgl_status mgl_judge_classes(const mgl_problem *problem, const mgl_recoding *recoding,
                             const mgl_classes *classes, mgl_error *err, mgl_found *found);
/* The same; failing[t] becomes 1 for tuples of classes that violate a model, and stays what it is
 * for others. */
mgl_status mgl_judge_tuples(const mgl_problem *problem, const mgl_recoding *recoding,
                            mgl_error *err, mgl_found *found, uint8_t *failing);

/* Where a suppressed cell matches every value: tells of each class of equal tuples how many rows,
 * or persons, match it on all columns, and how many rows are in it. times: how many classes are
 * like that, of those that were not told of. */
typedef void mgl_matched_class_fn(void *context, uint64_t size, uint64_t rows, uint64_t times);
mgl_status mgl_match_each(const mgl_problem *problem, const mgl_recoding *recoding,
                          mgl_matched_class_fn *fn, void *context, mgl_error *err);

/* ---- The lattice --------------------------------------------------------------- */

uint64_t mgl_lattice_size(const uint32_t *min_level, const uint32_t *max_level, size_t n);

/* The next node in lexicographic order; false after the last. */
bool mgl_lattice_next(uint32_t *node, const uint32_t *min_level, const uint32_t *max_level,
                      size_t n);
/* Node number `number` in that order, from 0. */
void mgl_lattice_node(uint64_t number, const uint32_t *min_level, const uint32_t *max_level,
                      size_t n, uint32_t *node);
uint64_t mgl_node_height(const uint32_t *node, size_t n);

/* The minimal nodes among those that hold: no other holding node lies below them.
 * Lexicographic; nodes is the caller's (mgl_free). */
mgl_status mgl_minimal_nodes(const mgl_problem *problem, const uint8_t *holds, mgl_error *err,
                             uint32_t **nodes, size_t *n);

/* ---- One node, judged plainly --------------------------------------------------- */

/* What a node gives: which tuples are suppressed, whether it holds, its statistics. The
 * evaluator is the definition of all this; faster searches are compared with it. */
typedef struct mgl_evaluator mgl_evaluator;

typedef struct mgl_evaluation {
    bool holds;                       /* the models hold and the limit is kept */
    bool met;                         /* the models hold after suppression, whatever its extent */
    uint64_t suppressed_rows;         /* after complementary suppression */
    uint64_t n_classes;               /* of unsuppressed rows */
    double cost;                      /* of the problem's measure; lower is better */
    const mgl_statistics *statistics; /* lives until the next call */
    const uint8_t *suppressed;        /* [n_tuples], likewise */
    uint32_t *const *cells;           /* released cells, likewise */
} mgl_evaluation;

/* Free with mgl_evaluator_free. One per thread. */
mgl_status mgl_evaluator_new(const mgl_problem *problem, mgl_error *err, mgl_evaluator **out);
void mgl_evaluator_free(mgl_evaluator *evaluator);
mgl_status mgl_evaluate_node(mgl_evaluator *evaluator, const uint32_t *node, mgl_evaluation *out);

/* For whoever knows the cells of a node in another way, and may change the tuples of the problem's
 * list: to others, never more than there were when the evaluator was made. */
mgl_status mgl_evaluator_of_cells(const mgl_problem *problem, mgl_error *err, mgl_evaluator **out);
/* Looks at the list anew; returns the cells[a][t] to fill in before they are evaluated. */
uint32_t *const *mgl_evaluator_fit(mgl_evaluator *evaluator);
mgl_status mgl_evaluate_cells(mgl_evaluator *evaluator, const uint32_t *node, mgl_evaluation *out);
/* The same without statistics and what follows from them. */
void mgl_judge_cells(mgl_evaluator *evaluator, mgl_evaluation *out);

/* Classes of the release that the node gives: those at the top are one unless they are dropped or
 * exempt. */
uint64_t mgl_evaluation_classes(const mgl_problem *problem, const mgl_evaluation *evaluation);

/* Lattices with more nodes than this are not searched whole, unless there is a time limit. */
#define MGL_TOO_MANY_NODES (UINT64_C(1) << 40)
/* Says so, and what to do. */
mgl_status mgl_refuse_lattice(mgl_error *err);

/* Calls visit for every node of the lattice, number by number within a thread, distinct
 * nodes on several threads at once. A deadline stops it early (*timed_out). */
typedef mgl_status mgl_visit_fn(void *context, uint64_t number, const uint32_t *node,
                                const mgl_evaluation *evaluation, mgl_error *err);
mgl_status mgl_lattice_sweep(const mgl_problem *problem, mgl_visit_fn *visit, void *context,
                             mgl_error *err, uint64_t *visited, bool *timed_out);
/* The same much faster, from lists that are rolled up; in another order, and without the cells and
 * the suppressed tuples of the evaluations. */
mgl_status mgl_lattice_visit(const mgl_problem *problem, mgl_visit_fn *visit, void *context,
                             mgl_error *err, uint64_t *visited, bool *timed_out);

#endif
