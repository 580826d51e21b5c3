/* The lattice, and one node of it: which classes it makes, which rows it suppresses, whether it
 * holds and what it costs. Here stands what the searches mean by their words; faster searches are
 * compared with it. */
#ifndef MGL_SEARCH_NODE_H
#define MGL_SEARCH_NODE_H

#include "base/base.h"
#include "search/node/demand.h"
#include "search/node/population_matches.h"
#include "search/problem/problem.h"

#include <string.h>

/* ---- Classes by their keys ------------------------------------------------------------------- */

/* Classes 1..n, found by key; 0 is for what is in none. What is known of each lies in arrays of
 * its own, since loops over many tuples touch one or two of them. */
typedef struct mgl_key_table {
    uint32_t *slots;
    uint64_t *keys;
    uint32_t *rows;
    uint32_t *first; /* tuple */
    uint32_t *cost, *mark;
    int64_t *worth; /* what its rows are worth more than they cost, so far */
    uint32_t n;
    size_t mask, capacity;
    mgl_owned own;
} mgl_key_table;

/* Room for so many classes with keys of so many words. */
mgl_status mgl_key_table_init(mgl_key_table *table, size_t n_classes, size_t words, mgl_error *err);
void mgl_key_table_free(mgl_key_table *table);

static inline void mgl_key_table_clear(mgl_key_table *table, size_t expected)
{
    size_t size = 64;
    while (size < expected * 4 && size < table->capacity)
        size *= 2;
    table->mask = size - 1;
    table->n = 0;
    memset(table->slots, 0, size * sizeof *table->slots);
}

MGL_SPECIALIZE size_t mgl_key_table_slot(const mgl_key_table *table, const uint64_t *key,
                                         const uint64_t *mask, size_t words)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < words; w++)
        hash = (hash ^ (key[w] & mask[w])) * UINT64_C(0x9E3779B97F4A7C15);
    size_t slot = (hash ^ hash >> 29) & table->mask;
    for (;; slot = (slot + 1) & table->mask) {
        uint32_t number = table->slots[slot];
        bool same = true;
        for (size_t w = 0; number != 0 && w < words; w++)
            same = same && table->keys[number * words + w] == (key[w] & mask[w]);
        if (number == 0 || same)
            return slot;
    }
}

/* 0: there is none. */
MGL_SPECIALIZE uint32_t mgl_key_table_find(const mgl_key_table *table, const uint64_t *key,
                                           const uint64_t *mask, size_t words)
{
    return table->slots[mgl_key_table_slot(table, key, mask, words)];
}

/* The class, a new one without rows if there was none. */
MGL_SPECIALIZE uint32_t mgl_key_table_add(mgl_key_table *table, const uint64_t *key,
                                          const uint64_t *mask, size_t words, uint32_t tuple)
{
    size_t slot = mgl_key_table_slot(table, key, mask, words);
    uint32_t number = table->slots[slot];
    if (number != 0)
        return number;
    number = table->slots[slot] = ++table->n;
    for (size_t w = 0; w < words; w++)
        table->keys[number * words + w] = key[w] & mask[w];
    table->rows[number] = 0;
    table->first[number] = tuple;
    return number;
}

/* ---- What is known of nodes ------------------------------------------------------------------ */

/* What is known of nodes without a look at their classes: where holding and costs are monotone
 * along the lattice, and what holds for the top node. */

/* Marks of nodes. An open one holds if its complementary suppression stays within the limit, which
 * the function that marked it left to mgl_mark_above; there are open ones only where nodes above
 * one that holds count as holding, too. */
enum { MGL_HOLDS_NOT, MGL_HOLDS, MGL_HOLDS_OPEN };

/* Does generalizing a cell never lower its distortion? A label that stands on several levels
 * counts as the lowest of them: with levels m, x, m the cell x is more distorted than what it
 * is generalized to. Branch and bound has no bounds then. */
bool mgl_distortion_rises(const mgl_problem *problem);

/* If nothing is suppressed: does no node cost less than one below it? */
bool mgl_cost_rises(const mgl_problem *problem);

/* Marks in holds all nodes above one that is marked, and looks at those that were left open. */
mgl_status mgl_mark_above(const mgl_problem *problem, mgl_error *err, uint8_t *holds);

/* Are rows suppressed because of where they are, although they may violate no model (minimal.c)?
 */
bool mgl_tops_come_early(const mgl_problem *problem);
/* Is holding monotone along the lattice (docs/definitions.md#pruning)? */
bool mgl_holding_is_monotone(const mgl_problem *problem);

/* Must some rows stay unsuppressed, whatever the limit? They must if nothing would be released
 * otherwise. Exempt rows that are all at the top are one class, which may hold. */
mgl_status mgl_some_must_stay(const mgl_problem *problem, mgl_error *err, bool *out);

/* Does the release hold that has all rows at the top? */
mgl_status mgl_top_class_holds(const mgl_problem *problem, mgl_error *err, bool *holds);

/* ---- Suppression ----------------------------------------------------------------------------- */

/* Which tuples must be suppressed so that released cells hold the models, and what the treatment of
 * suppressed rows adds to them. */

/* Do level bounds allow the top node? Otherwise a row at the top is a suppressed one. */
bool mgl_levels_allow_top(const mgl_problem *problem);

typedef struct mgl_suppressor mgl_suppressor;

typedef struct mgl_suppression {
    bool holds;            /* the models hold after suppression, whatever its extent */
    uint64_t rows;         /* suppressed, complementary suppression included; exempt: all at the
                              top, but none of the top node */
    uint64_t violating;    /* rows of violating classes, before the treatment */
    const uint8_t *tuples; /* [n_tuples] 1: suppressed; lives until the next call */
} mgl_suppression;

/* Free with mgl_suppressor_free. One per thread. */
mgl_status mgl_suppressor_new(const mgl_problem *problem, mgl_error *err, mgl_suppressor **out);
void mgl_suppressor_free(mgl_suppressor *suppressor);

/* From now on all threads of the pool share what is long. */
void mgl_suppressor_share(mgl_suppressor *suppressor, mgl_pool *pool);

/* The list of the problem has other tuples now, not more than before. */
void mgl_suppressor_fit(mgl_suppressor *suppressor);

/* cells[a][t]: what each tuple would be released as. */
void mgl_suppress(mgl_suppressor *suppressor, uint32_t *const *cells, mgl_suppression *out);
/* The same where some tuples are suppressed already: already[t] is 1. */
void mgl_suppress_more(mgl_suppressor *suppressor, uint32_t *const *cells, const uint8_t *already,
                       mgl_suppression *out);

/* The classes of what is released after suppressing, on all columns, if no tuple had been
 * suppressed before; nothing, which is an of_tuple of NULL, where the classes that rows were
 * suppressed by do not show. Nothing can be suppressed with it afterwards. */
mgl_status mgl_suppressor_released(mgl_suppressor *suppressor, uint32_t *const *cells,
                                   mgl_error *err, mgl_classes *out);

/* ---- Solutions ------------------------------------------------------------------------------- */

/* What searches fill a solution with, and what they say where there is none. */

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

/* ---- Ties ------------------------------------------------------------------------------------ */

/* The best nodes found so far, ties kept, and the choice among them. */

typedef struct mgl_ties {
    size_t n_attributes;
    double best; /* least cost; INFINITY: nothing yet */
    size_t n, capacity;
    uint32_t *nodes; /* [n * n_attributes] */
    double *costs;   /* [n] */
    size_t cost_capacity;
} mgl_ties;

void mgl_ties_init(mgl_ties *ties, size_t n_attributes);
void mgl_ties_free(mgl_ties *ties);

/* Costs within a relative 1e-12 are ties. */
bool mgl_costs_tie(double a, double b);

/* Adds a holding node of this cost, unless a better one is there; drops what it beats. */
mgl_status mgl_ties_add(mgl_ties *ties, const uint32_t *node, double cost, mgl_error *err);

/* Puts them in lexicographic order. */
void mgl_ties_sort(mgl_ties *ties);

/* Number of the preferred one: the --prefer criteria, then height, then lexicographic.
 * There must be at least one. */
mgl_status mgl_ties_choose(const mgl_ties *ties, const mgl_problem *problem, mgl_error *err,
                           size_t *out);

/* ---- Nodes side by side ---------------------------------------------------------------------- */

typedef struct mgl_batch mgl_batch;

typedef struct mgl_judged {
    bool holds;  /* false, too, if time was up first */
    double cost; /* NAN: it was not asked for */
} mgl_judged;

/* Free with mgl_batch_free. */
mgl_status mgl_batch_new(const mgl_problem *problem, mgl_error *err, mgl_batch **out);
void mgl_batch_free(mgl_batch *batch);

/* Only whether nodes hold is asked from now on. */
void mgl_batch_without_costs(mgl_batch *batch);

/* nodes[n * n_attributes]; what is found does not depend on the number of threads. A deadline
 * stops it early (*timed_out), but never before a node was judged. */
mgl_status mgl_batch_run(mgl_batch *batch, const uint32_t *nodes, size_t n, mgl_error *err,
                         mgl_judged *out, bool *timed_out);

/* ---- Rolling up ------------------------------------------------------------------------------ */

/* Nodes judged from lists that were rolled up to them, instead of all tuples. What is found is what
 * the evaluator finds, which does the judging here, too.
 *
 * Tuples that look alike at a node and above it become one, with their counts, histograms and
 * persons, so that figures are the same to the last bit. */

typedef struct mgl_roller mgl_roller;

/* Free with mgl_roller_free. One per thread. */
mgl_status mgl_roller_new(const mgl_problem *problem, mgl_error *err, mgl_roller **out);
/* With so many stops on the way to a node, each with lists: 1 to as many as there are columns. */
mgl_status mgl_roller_with_stops(const mgl_problem *problem, size_t n_stops, mgl_error *err,
                                 mgl_roller **out);
void mgl_roller_free(mgl_roller *roller);

/* As mgl_evaluate_node, without cells and suppressed tuples. Lists are kept for the next node:
 * fastest where nodes come in the order of their places. */
struct mgl_evaluation;
mgl_status mgl_roller_evaluate(mgl_roller *roller, const uint32_t *node, mgl_error *err,
                               struct mgl_evaluation *out);

/* The same without statistics and what follows from them. */
mgl_status mgl_roller_judge(mgl_roller *roller, const uint32_t *node, mgl_error *err,
                            struct mgl_evaluation *out);

/* From now on it is known which tuples a node suppresses. To be called before there was one. */
mgl_status mgl_roller_track(mgl_roller *roller, mgl_error *err);
/* Of the last node: sets the bits of the tuples of the problem's list that are suppressed. */
void mgl_roller_suppressed(const mgl_roller *roller, uint64_t *bits);

/* The order in which columns rise on the way to a node: [n_attributes]. The first change least. */
void mgl_roller_request(const mgl_problem *problem, uint32_t *order);
/* The place of a node among all in this order, and back: returns its number in the lexicographic
 * one. A place beyond 64 bits wraps around. */
uint64_t mgl_roller_place(const mgl_problem *problem, const uint32_t *order, const uint32_t *node);
uint64_t mgl_roller_node(const mgl_problem *problem, const uint32_t *order, uint64_t place,
                         uint32_t *node);

/* ---- Going down ------------------------------------------------------------------------------ */

/* Nodes judged on the way down the lattice. What is found is what the evaluator finds, which does
 * the judging here, too. */

typedef struct mgl_refiner mgl_refiner;

/* At the node. Free with mgl_refiner_free. */
mgl_status mgl_refiner_new(const mgl_problem *problem, const uint32_t *node, mgl_error *err,
                           mgl_refiner **out);
void mgl_refiner_free(mgl_refiner *refiner);

/* Judges the node that it is at. Of nodes that do not hold the cost is INFINITY if that was seen
 * early. */
mgl_status mgl_refiner_judge(mgl_refiner *refiner, mgl_error *err, mgl_judged *out);

/* Judges the nodes one level below in each of n columns, side by side. What is found does not
 * depend on the number of threads. A deadline stops it early (*timed_out), but never before a node
 * was judged. */
mgl_status mgl_refiner_judge_steps(mgl_refiner *refiner, const uint32_t *columns, size_t n,
                                   mgl_error *err, mgl_judged *out, bool *timed_out);

/* How many rows the node one level below in a column suppresses at least, by what was judged on the
 * way. */
uint64_t mgl_refiner_rows_below(const mgl_refiner *refiner, uint32_t column);

/* Goes one level down in a column. */
mgl_status mgl_refiner_step(mgl_refiner *refiner, uint32_t column, mgl_error *err);

/* ---- Methods ------------------------------------------------------------------- */

/* How the results of the problem's method count. tops_match: that is asked for. */
mgl_counting mgl_method_counting(const mgl_problem *problem, bool tops_match);

/* The levels that columns were generalized to before single cells were suppressed; NULL: the method
 * does not work so. */
const uint32_t *mgl_solution_levels(const mgl_solution *solution);
/* What proves its bound, if the problem wanted that; NULL: nothing does. */
const mgl_bound_duals *mgl_solution_duals(const mgl_solution *solution);
/* Adds what only its method found. */
void mgl_solution_report(const mgl_solution *solution, mgl_findings *out);

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

/* Where a suppressed cell matches every value: reports for each class of equal tuples how many
 * rows, or persons, match it on all columns, and how many rows are in it. times: how many classes
 * are like that, of those that were not reported. */
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

/* For callers that know the cells of a node in another way, and may change the tuples of the
 * problem's list: to others, never more than there were when the evaluator was made. */
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

/* Lattices up to this many nodes are swept whole where that is needed, and their minimal
 * nodes are reported. */
#define MGL_MOST_NODES UINT64_C(100000)

/* What a search over the lattice found. */
typedef struct mgl_optimum {
    mgl_ties ties;
    uint64_t checked; /* nodes whose classes were looked at */
    bool timed_out;   /* the deadline came first: ties are the best so far */
} mgl_optimum;

/* Every node, plainly. ties must be initialized. */
mgl_status mgl_sweep_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out);

/* Says that the time limit came before all nodes were tried. */
mgl_status mgl_fail_nodes_left(mgl_error *err);

/* holds[number] for every node in lexicographic order; the lattice has at most
 * MGL_MOST_NODES nodes. */
mgl_status mgl_sweep_holding(const mgl_problem *problem, mgl_error *err, uint8_t *holds,
                             uint64_t *checked);

#endif
