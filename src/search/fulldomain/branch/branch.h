/* Branch and bound over the lattice: what the engines have in common.
 *
 * A branch fixes the levels of the first columns, in an order of their own, and leaves the columns
 * after them open, at their highest levels. It is a node itself, and the rows that this node must
 * suppress are suppressed at every finer node, too: that bounds the cost of all nodes that refine
 * the open columns. Branches are refined column by column, depth first.
 *
 * Bounds only exclude. What they leave is evaluated exactly, in the terms of the statistics that
 * define the measures. */
#ifndef MGL_SEARCH_FULLDOMAIN_BRANCH_H
#define MGL_SEARCH_FULLDOMAIN_BRANCH_H

#include "search/node/node.h"

#include <pthread.h>

/* A search over the lattice divided among threads.
 *
 * An item fixes the levels of the first columns and searches all nodes that have them. Items are
 * begun in rounds; each knows what the rounds before it found, and nothing else. So neither the
 * answer nor the nodes looked at depend on the number of threads. */

/* What one thread has of the item it is at. */
typedef struct mgl_thread_result {
    mgl_ties ties;
    uint64_t checked;  /* nodes whose classes were looked at */
    uint64_t reported; /* how many of these were reported so far */
    bool stopped;      /* time is up */
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

enum {
    MGL_BLOCK_GROUPS = 512, /* groups of all nodes of the block together */
    MGL_BLOCK_NODES = 64,   /* nodes of the block: bits of a mask */
    MGL_BLOCK_COLUMNS = 8
};

/* Suppressing `rows` more rows adds at least `penalty` for each. */
typedef struct mgl_bound_step {
    double rows, penalty;
} mgl_bound_step;

/* A bound that is linear in the number of suppressed rows: weaker, but quick. */
typedef struct mgl_bound_line {
    double base, slope;
} mgl_bound_line;

typedef struct mgl_branch_level {
    uint32_t n_values; /* that occur */
    uint64_t mask;     /* what the level keeps of the column's bits of a key */
    unsigned shift;    /* brings that down to a number, the code */
    size_t n_codes;    /* codes are below this; 0: too many for a table */
    const uint32_t *value_of_code;
    double base;                   /* what the cells of all rows cost */
    const mgl_bound_step *steps;   /* ascending penalties; the last has no end */
    bool uniform;                  /* there is one step: each suppressed row adds the same */
    mgl_bound_line line;           /* what the column adds to the linear bound of a node */
    double weight;                 /* what a penalty adds to that bound */
    const double *surplus_of_code; /* see mgl_bound_surplus_of; NULL: no table */
} mgl_branch_level;

enum { MGL_BRANCH_MOST_WORDS = MGL_MOST_COLUMNS + 1 }; /* a column lies in one word whole */

/* Levels are counted from the lowest that the column can have. */
typedef struct mgl_branch_column {
    uint32_t attribute, low;
    uint8_t n_levels;
    bool in_block;
    size_t first_place;              /* of its levels among those of all columns */
    size_t known_stride;             /* of its levels among nodes, see by_size/search_by_size.c */
    uint64_t node_step, node_offset; /* what a level, and the lowest, add to a node's number */
    unsigned n_bits;                 /* of a key */
    unsigned word, shift;            /* where they lie */
    const uint8_t *const *matched;   /* [level][value] rows of the population have it; or NULL */
    uint64_t *code_of_leaf;          /* in the block: what it adds to the number of the lane */
    const double *penalty;           /* [released value] what suppressing a cell of it adds */
    double most_penalty;
    mgl_branch_level *levels;
} mgl_branch_column;

typedef struct mgl_branch_block_node {
    uint8_t levels[MGL_BLOCK_COLUMNS];
    uint16_t first_row, n_groups;
    uint64_t needs;          /* the nodes from which this one's groups are made, and itself */
    const uint16_t *members; /* per group: how many rows make it up, and which */
    mgl_bound_line line;     /* of the block's columns */
} mgl_branch_block_node;

typedef struct mgl_branch_block {
    size_t n_columns, n_nodes, n_lanes;
    const mgl_branch_column *columns[MGL_BLOCK_COLUMNS];
    mgl_branch_block_node nodes[MGL_BLOCK_NODES];
    uint32_t values[MGL_BLOCK_GROUPS][MGL_BLOCK_COLUMNS]; /* released, of each group */
    double surplus[MGL_BLOCK_GROUPS]; /* of each group, see mgl_by_size_surplus */
} mgl_branch_block;

/* What a table says about the nodes of the block. */
typedef struct mgl_branch_counts {
    uint64_t rows[MGL_BLOCK_NODES];    /* in classes below k */
    uint64_t classes[MGL_BLOCK_NODES]; /* of k and more */
    double sum[MGL_BLOCK_NODES];       /* over these, if sizes are exact: squares or logs */
    uint64_t least[MGL_BLOCK_NODES];   /* the smallest of these, likewise */
} mgl_branch_counts;

/* What a branch and bound over the lattice knows, whatever its classes carry. */
typedef struct mgl_branching {
    const mgl_problem *problem;
    mgl_arena *arena;
    uint64_t n_rows, limit;
    bool some_stay;         /* not all rows may be suppressed, whatever the limit */
    mgl_demand demand;      /* what a class needs */
    uint64_t k;             /* of that, the rows */
    uint64_t largest_small; /* rows that a class to suppress has at most */
    mgl_cost_form measure;
    mgl_measured_cells cells;
    bool sizes;         /* the measure looks at all of them */
    double *cell_scale; /* [n_attributes] */
    uint8_t
        *holds; /* [node] which nodes hold, where that is wanted instead of the best; else NULL */
    bool impossible;                      /* no node can hold */
    const mgl_frequency_list *population; /* values of it have codes, too; NULL: there are none */
    bool above;             /* the caller wants what lies above a node that holds marked, too */
    bool monotone;          /* nodes above one that holds are marked: they hold, or it is wanted */
    size_t words;           /* of a key; at most MGL_BRANCH_MOST_WORDS */
    mgl_branch_column *all; /* [n_attributes] */
    const mgl_branch_column **columns; /* [n_columns] outside the block, in order */
    size_t n_columns;
    mgl_branch_block block;
    uint8_t *highest;             /* [n_columns] the last level of each */
    size_t n_places;              /* levels of all of them */
    uint64_t least_misclassified; /* at the finest node */
    double line_rows;             /* linear bounds count no more rows than this */
    mgl_parallel parallel;        /* how the search is shared among threads */
} mgl_branching;

/* Begins a search, of which everything is zero, with its problem and an arena of its own, which is
 * the caller's to free, also after a failure. */
mgl_status mgl_branching_begin(mgl_branching *branching, const mgl_problem *problem,
                               const mgl_marking *marking, mgl_error *err);

/* cost_bounds.c */
/* Can a branch and bound do it, the models aside? */
bool mgl_branch_handles(const mgl_problem *problem);
/* Does the measure look at the sizes of all classes? */
bool mgl_branch_wants_sizes(const mgl_problem *problem);
mgl_status mgl_branch_measure_make(mgl_branching *branching, mgl_error *err);

/* column_codes.c */
mgl_status mgl_branch_columns_make(mgl_branching *branching, mgl_error *err);
/* The order in which branches refine the columns outside the block, by their numbers of values,
 * and where their codes lie in keys, whose first bits are taken. */
mgl_status mgl_branch_columns_order(mgl_branching *branching, bool many_first, unsigned taken,
                                    mgl_error *err);
/* Is there a row that has the value of the leaf at the column's lowest level? */
bool mgl_branch_occurs(const mgl_branching *branching, const mgl_branch_column *column,
                       uint32_t leaf);
/* The released value with this code. */
uint32_t mgl_branch_value(const mgl_branching *branching, const mgl_branch_column *column,
                          size_t level, uint64_t code);

/* cost_bounds.c */
/* Bounds are on a scale of their own; above this one a node cannot be as good as `best`. */
double mgl_branch_worst(const mgl_branching *branching, double best);
/* What a node with at least these levels and suppressed rows costs at least. */
double mgl_branch_bound(const mgl_branching *branching, const uint8_t *levels, size_t b,
                        uint64_t rows);

/* For measures of class sizes: what a node that is at least as fine says, by its counts, and what
 * follows for a node that suppresses at least these rows. At best all rows that are suppressed at
 * the finer node and not at the coarser one end up in classes of exactly k. The higher the
 * potential the higher the bound; -INFINITY: nothing is known. */
double mgl_branch_potential(const mgl_branching *branching, const mgl_branch_counts *counts,
                            size_t b);
double mgl_branch_bound_by_potential(const mgl_branching *branching, double potential,
                                     uint64_t rows);

/* Linear bounds, on another scale: all columns at these levels. */
mgl_status mgl_bound_lines_make(mgl_branching *branching, mgl_error *err);
/* By how much suppressing a cell of this value adds more than one of the cheapest. */
double mgl_bound_surplus_of(const mgl_branch_column *column, size_t level, uint32_t value);
mgl_bound_line mgl_bound_line_of(const mgl_branching *branching, const uint8_t *levels, size_t b);
double mgl_bound_line_at(const mgl_branching *branching, mgl_bound_line line, uint64_t rows,
                         double surplus);
double mgl_bound_worst_line(const mgl_branching *branching, double worst);

/* Of these nodes of the block, those that are known to hold at these levels; they are marked.
 * The first n_fixed columns are fixed by the item. */
uint64_t mgl_branch_known(const mgl_branching *branching, size_t n_fixed, const uint8_t *levels,
                          uint64_t nodes);
/* Marks the node as open: the caller finds out whether its suppressed rows can be joined. */
void mgl_branch_leave_open(const mgl_branching *branching, const uint8_t *levels, size_t b);
/* Marks the nodes at these levels and at all higher ones of the columns from `depth` on. */
void mgl_branch_mark_above(const mgl_branching *branching, const uint8_t *lowest, size_t depth,
                           uint64_t nodes);

/* divide.c: how much there is to divide. */
void mgl_branching_divide(mgl_branching *branching, size_t n_classes, size_t most_columns);

typedef struct mgl_cost_floors {
    bool known;          /* bounds can be given for this measure */
    mgl_branching frame; /* where they are made */
    uint8_t *levels;     /* [n_attributes] scratch */
} mgl_cost_floors;

/* Free with mgl_cost_floors_free, also after a failure. */
mgl_status mgl_cost_floors_make(const mgl_problem *problem, mgl_error *err, mgl_cost_floors *out);
void mgl_cost_floors_free(mgl_cost_floors *floors);
/* What the node costs at least if it suppresses at least so many rows, on a scale of its own; and
 * above which no node can be as good as one that costs `best`. */
double mgl_cost_floor_of(const mgl_cost_floors *floors, const uint32_t *node, uint64_t rows);
double mgl_cost_floor_worst(const mgl_cost_floors *floors, double best);

#endif
