/* The cell level: every distinct tuple is generalized by itself.
 *
 * A first release is placed, then improved until the work allowed is done; bounds say how far it is
 * from the best one, and small tables are solved exactly. Threads share out nodes or
 * neighbourhoods, and results are taken in a fixed order: the release does not depend on the number
 * of threads. */
#ifndef MGL_SEARCH_CELL_H
#define MGL_SEARCH_CELL_H

#include "search/cell/bound/bound.h"
#include "search/cell/exact/exact.h"
#include "search/cell/place/place.h"

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

extern const mgl_method_type mgl_cell;

#endif
