/* A search over the lattice divided among threads.
 *
 * An item fixes the levels of the first columns and searches all nodes that have them. Items
 * are begun in rounds; each knows what the rounds before it found, and nothing else. So
 * neither the answer nor the nodes looked at depend on the number of threads. */
#ifndef MGL_SEARCH_FULLDOMAIN_BRANCH_DIVIDE_H
#define MGL_SEARCH_FULLDOMAIN_BRANCH_DIVIDE_H

#include "search/fulldomain/sweep/sweep.h"

#include <pthread.h>

/* What one thread has of the item it is at. */
typedef struct mgl_thread_result {
    mgl_ties ties;
    uint64_t checked; /* nodes whose classes were looked at */
    uint64_t told;    /* how many of these were reported so far */
    bool stopped;     /* time is up */
} mgl_thread_result;

/* Searches all nodes whose first n columns have these levels. */
typedef mgl_status mgl_engine_search_fn(void *context, unsigned thread, const uint8_t *levels,
                                        size_t n, mgl_error *err);

typedef struct mgl_parallel {
    const mgl_problem *problem;
    void *context;          /* of the items */
    bool empty;             /* no node can hold: there is nothing to search */
    const uint8_t *highest; /* [most_columns] the last level of each column that can be fixed */
    size_t most_columns;
    double work;                /* classes times nodes, roughly */
    uint64_t round;             /* of items, from 1 on */
    bool divided;               /* there are several items, which have a thread each */
    mgl_thread_result *results; /* [threads of the pool] */
    pthread_mutex_t lock;       /* guards what follows */
    double reported;            /* when progress was reported last */
    bool cancelled;
    uint64_t n_checked, n_nodes;
    bool timed_out;
} mgl_parallel;

/* Classes times nodes of a search that is not worth dividing. */
#define MGL_LITTLE_WORK 3e8

/* Makes room for the results of all threads. Free with mgl_parallel_free. */
mgl_status mgl_parallel_make(mgl_parallel *parallel, const mgl_problem *problem, mgl_error *err);
void mgl_parallel_free(mgl_parallel *parallel);

/* Nodes that hold are wanted, instead of the best ones. */
typedef struct mgl_marking {
    uint8_t *holds; /* by number of the node: MGL_HOLDS, MGL_HOLDS_NOT or MGL_HOLDS_OPEN */
    bool above;     /* what lies above one that holds need not be looked at: it counts as holding */
} mgl_marking;

/* A search that can be divided. Without a marking its items add the best nodes to the ties. */
typedef struct mgl_engine {
    /* *out is NULL if the problem is left to the sweep. To be freed by `free`. */
    mgl_status (*begin)(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                        mgl_parallel **out);
    void (*free)(mgl_parallel *parallel);
    mgl_engine_search_fn *search;
    /* Adds a good node to the ties, if it finds one, before items are begun. NULL: none. */
    mgl_status (*find_first)(void *context, mgl_error *err, mgl_ties *out);
    /* Does one search keep all threads busy? NULL: no. */
    bool (*takes_all)(const mgl_problem *problem);
} mgl_engine;

/* The best nodes, lexicographic, as a sweep would find them; by the sweep itself where the engine
 * leaves the problem to it. Divided if there is more work than little_work. */
mgl_status mgl_engine_optimum(const mgl_engine *type, const mgl_problem *problem,
                              double little_work, mgl_error *err, mgl_optimum *out);
/* As mgl_sweep_holding; with `above`, nodes above one that holds are marked, too. */
mgl_status mgl_engine_holding(const mgl_engine *type, const mgl_problem *problem, bool above,
                              double little_work, mgl_error *err, uint8_t *holds,
                              uint64_t *checked);

/* Both at once, the second with `above`. */
mgl_status mgl_engine_both(const mgl_engine *type, const mgl_problem *problem, double little_work,
                           mgl_error *err, mgl_optimum *out, uint8_t *holds);

/* Says how far it is, and stops when it must; to be called by items now and then. */
mgl_status mgl_parallel_pause(mgl_parallel *parallel, mgl_thread_result *result, mgl_error *err);

#endif
