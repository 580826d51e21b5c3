/* Nodes judged from lists that were rolled up to them, instead of all tuples. What is found is
 * what the evaluator finds, which does the judging here, too.
 *
 * Tuples that look alike at a node and above it become one, with their counts, histograms and
 * persons, so that figures are the same to the last bit. */
#ifndef MGL_SEARCH_NODE_ROLLER_H
#define MGL_SEARCH_NODE_ROLLER_H

#include "search/problem/problem.h"

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

/* From now on it can be told which tuples a node suppresses. To be called before there was one. */
mgl_status mgl_roller_track(mgl_roller *roller, mgl_error *err);
/* Of the last node: sets the bits of the tuples of the problem's list that are suppressed. */
void mgl_roller_suppressed(const mgl_roller *roller, uint64_t *bits);

/* The order in which columns rise on the way to a node: [n_attributes]. The first change least. */
void mgl_roller_order(const mgl_problem *problem, uint32_t *order);
/* The place of a node among all in this order, and back: returns its number in the lexicographic
 * one. A place beyond 64 bits wraps around. */
uint64_t mgl_roller_place(const mgl_problem *problem, const uint32_t *order, const uint32_t *node);
uint64_t mgl_roller_node(const mgl_problem *problem, const uint32_t *order, uint64_t place,
                         uint32_t *node);

#endif
