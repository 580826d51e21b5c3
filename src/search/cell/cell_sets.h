/* What the files of the cell level share: how long it looks for each `effort`, and what it does
 * with several quasi-identifiers. Private to the module. */
#ifndef MGL_SEARCH_CELL_SETS_H
#define MGL_SEARCH_CELL_SETS_H

#include "search/node/node.h"

/* ---- How long it looks ----------------------------------------------------------------------- */

/* In units that do not depend on the machine. */
typedef struct mgl_cell_effort {
    uint64_t simple_work;  /* tuples looked at for the simple bound */
    uint64_t near_work;    /* cells looked at for it in a large lattice */
    uint64_t around_work;  /* neighbours looked at for each tuple's classes there */
    uint64_t cluster_work; /* and for clusters there, at most */
    size_t guides;         /* tuples that show which nodes matter there */
    size_t borrow_tuples;  /* tables with more are placed by the greedy without borrowing */
    size_t most_tuples;    /* tables with more are placed by the greedy alone */
    uint64_t closed_work;  /* tuples looked at for closed classes */
    uint64_t large_work;   /* the same in a large table */
    uint32_t sweeps;       /* to find dual values */
    uint32_t large_sweeps; /* the same in a large table */
    bool improves_large;   /* large tables are improved by dual values, too */
    uint64_t least_work;   /* for improving, at least: small tables cost little */
    uint64_t tuple_work;   /* for each tuple */
    uint64_t improve_work; /* and at most */
    uint64_t dual_times;   /* as much of both where dual values are the guide */
    uint64_t exact_work;   /* for a proof, in small tables */
} mgl_cell_effort;

extern const mgl_cell_effort mgl_cell_efforts[];

/* What no release of some columns costs less than. */
typedef struct mgl_bound_apart {
    double cost; /* over all rows, in the measure's own terms */
    bool whole;  /* costs were not rounded */
    bool timed_out;
} mgl_bound_apart;

/* cell.c: of a problem with one quasi-identifier; columns of one level are left out of it. */
mgl_status mgl_cell_bound_apart(const mgl_problem *problem, mgl_error *err, mgl_bound_apart *out);

/* several_sets.c: all of the method. */
mgl_status mgl_cell_run_sets(const mgl_problem *problem, mgl_error *err, mgl_solution *out);

#endif
