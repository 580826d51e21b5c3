/* What the files of top-down share. Private to the module. */
#ifndef MGL_SEARCH_FULLDOMAIN_TOP_DOWN_H
#define MGL_SEARCH_FULLDOMAIN_TOP_DOWN_H

#include "search/fulldomain/optimum.h"

/* Is there a way that looks at few of the nodes? */
bool mgl_is_fast(const mgl_problem *problem);

/* A problem with one quasi-identifier and such models only that what holds on all columns holds
 * on some of them, too, with no more rows suppressed; suppressed rows are exempt. Every node that
 * holds in the given problem holds here and costs no more. */
typedef struct mgl_relaxation {
    mgl_problem problem;
    mgl_quasi_set set;
    mgl_model *models;
    uint32_t *lowest; /* [n_attributes] lower levels do not hold even if all other columns are at
                         their tops */
    bool met;         /* there are such levels */
    mgl_owned own;
} mgl_relaxation;

/* Free with mgl_relaxation_free. */
mgl_status mgl_relaxation_new(const mgl_problem *problem, mgl_error *err, mgl_relaxation **out);
void mgl_relaxation_free(mgl_relaxation *relaxation);

typedef struct mgl_least_cost {
    bool known;
    double cost;  /* no node that holds costs less */
    double slack; /* taken off for rounding */
    uint64_t checked;
    bool timed_out;
} mgl_least_cost;

/* node: one that holds. */
mgl_status mgl_top_down_bound(const mgl_relaxation *relaxation, const uint32_t *node, uint64_t work,
                              mgl_error *err, mgl_least_cost *out);

/* The best node so far. */
typedef struct mgl_descent {
    const mgl_problem *problem;
    const uint32_t *lowest; /* [n_attributes] */
    uint32_t *node;         /* [n_attributes] */
    double cost;            /* INFINITY: none that holds was found yet */
    bool whole;             /* the whole lattice was searched */
    bool timed_out;
    uint64_t work; /* left */
    uint64_t checked;
} mgl_descent;

/* Searches sublattices around the node, up to so many nodes each, for a better one. */
mgl_status mgl_top_down_improve(mgl_descent *descent, uint64_t most_nodes, mgl_error *err);

#endif
