/* How long the cell level looks, for each --effort. */
#ifndef MGL_SEARCH_CELL_EFFORTS_H
#define MGL_SEARCH_CELL_EFFORTS_H

#include "search/node/node.h"

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
    uint32_t sweeps;       /* to find prices */
    uint32_t large_sweeps; /* the same in a large table */
    bool improves_large;   /* large tables are improved by prices, too */
    uint64_t least_work;   /* for improving, at least: small tables cost little */
    uint64_t tuple_work;   /* for each tuple */
    uint64_t improve_work; /* and at most */
    uint64_t price_times;  /* as much of both where prices are the guide */
    uint64_t exact_work;   /* for a proof, in small tables */
} mgl_cell_effort;

extern const mgl_cell_effort mgl_cell_efforts[];

/* What is allowed for improving a release of so many distinct tuples. */
uint64_t mgl_cell_improve_work(mgl_effort effort, uint64_t n_tuples, bool by_prices);

#endif
