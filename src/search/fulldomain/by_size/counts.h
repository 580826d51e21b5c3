/* The ladder: the exact search over the lattice for models that look at class sizes, and at how
 * many sensitive values are different. Inside the room only.
 *
 * Columns: the attributes divide into a block of a few with few values, and the others, in
 * an order. A class of the others carries one count per combination of values of the block
 * (a lane), so that one table of classes serves all nodes of the block. Where different values
 * are wanted, a lane has a set of them beside the count.
 *
 * Rungs: a rung fixes the levels of the first columns and leaves those after them at their
 * highest. It is a node itself, and the rows it must suppress are suppressed at every finer
 * node, too: the lower bound for all nodes that refine the columns left open. Rungs are
 * refined column by column, depth first; what a rung's table is rolled up from stays on a
 * shelf for its neighbours.
 *
 * Bounds only exclude. What they leave is priced exactly, in the terms of the statistics
 * that define the measures. */
#ifndef MGL_SEARCH_LADDER_H
#define MGL_SEARCH_LADDER_H

#include "search/node/demand.h"
#include "search/fulldomain/branch/divide.h"

#include <math.h>

enum {
    MGL_LANES = 32,        /* combinations of values of the block */
    MGL_LADDER_ROWS = 256, /* groups of all nodes of the block together */
    MGL_BLOCK_NODES = 64,  /* nodes of the block: bits of a mask */
    MGL_BLOCK_COLUMNS = 8,
    MGL_LADDER_PLANES = 3, /* sets of sensitive values that a lane has at most */
    MGL_SET_BITS = 16,     /* values of one of them */
    MGL_SMALL_TABLE = 200  /* tables no larger are rolled up from as they are */
};

/* ---- Columns -------------------------------------------------------------------- */

/* Suppressing `rows` more rows adds at least `penalty` for each. */
typedef struct mgl_ladder_step {
    double rows, penalty;
} mgl_ladder_step;

/* A bound that is linear in the number of suppressed rows: weaker, but quick. */
typedef struct mgl_ladder_line {
    double base, slope;
} mgl_ladder_line;

typedef struct mgl_ladder_level {
    uint32_t n_values; /* that occur */
    uint64_t mask;     /* what the level keeps of the column's bits of a key */
    unsigned shift;    /* brings that down to a number, the code */
    size_t n_codes;    /* codes are below this; 0: too many for a table */
    const uint32_t *value_of_code;
    double base;                   /* what the cells of all rows cost */
    const mgl_ladder_step *steps;  /* ascending penalties; the last has no end */
    bool uniform;                  /* there is one step: each suppressed row adds the same */
    mgl_ladder_line line;          /* what the column adds to that of a node */
    double weight;                 /* and what a penalty adds to it */
    const double *surplus_of_code; /* see mgl_ladder_surplus_of; NULL: no table */
} mgl_ladder_level;

/* Levels are counted from the lowest that the column can have. */
typedef struct mgl_ladder_column {
    uint32_t attribute, low;
    uint8_t n_levels;
    bool in_block;
    size_t first_place;              /* of its levels among those of all columns */
    size_t seen_stride;              /* see mgl_ladder_remember */
    uint64_t node_step, node_offset; /* what a level, and the lowest, add to a node's number */
    unsigned n_bits;                 /* of a key */
    unsigned word, shift;            /* where they lie */
    uint64_t *code_of_leaf;          /* in the block: what it adds to the number of the lane */
    const double *penalty;           /* [released value] what suppressing a cell of it adds */
    double most_penalty;
    mgl_ladder_level *levels;
} mgl_ladder_column;

/* ---- The block ------------------------------------------------------------------ */

typedef struct mgl_ladder_node {
    uint8_t levels[MGL_BLOCK_COLUMNS];
    uint16_t first_row, n_groups;
    uint64_t needs;         /* the nodes from which this one's groups are made, and itself */
    const uint8_t *members; /* per group: how many rows make it up, and which */
    mgl_ladder_line line;   /* of the block's columns */
} mgl_ladder_node;

typedef struct mgl_ladder_block {
    size_t n_columns, n_nodes, n_lanes;
    const mgl_ladder_column *columns[MGL_BLOCK_COLUMNS];
    mgl_ladder_node nodes[MGL_BLOCK_NODES];
    uint32_t values[MGL_LADDER_ROWS][MGL_BLOCK_COLUMNS]; /* released, of each group */
    double surplus[MGL_LADDER_ROWS];                     /* of each group, see mgl_ladder_surplus */
} mgl_ladder_block;

/* ---- Tables --------------------------------------------------------------------- */

/* Records 1..n: a key, MGL_LANES counts, then as many sets for each plane. */
typedef struct mgl_ladder_table {
    char *records;
    size_t n, capacity;
} mgl_ladder_table;

/* A hash table of numbers of records, kept at most a quarter full. */
typedef struct mgl_ladder_slots {
    uint32_t *numbers;
    size_t mask, capacity;
    unsigned shift;
} mgl_ladder_slots;

/* What a table says about the nodes of the block. */
typedef struct mgl_ladder_counts {
    uint64_t rows[MGL_BLOCK_NODES];    /* in classes below k */
    uint64_t classes[MGL_BLOCK_NODES]; /* of k and more */
    double sum[MGL_BLOCK_NODES];       /* over these, if sizes are exact: squares or logs */
    uint64_t least[MGL_BLOCK_NODES];   /* the smallest of these, likewise */
} mgl_ladder_counts;

typedef struct mgl_ladder mgl_ladder;

typedef struct mgl_ladder_kernel {
    size_t lane_size;
    void (*gather)(const mgl_ladder *ladder, mgl_ladder_slots *slots, const uint64_t *keys,
                   mgl_ladder_table *out);
    void (*roll_up)(const mgl_ladder *ladder, mgl_ladder_slots *slots,
                    const mgl_ladder_table *source, const uint64_t *masks, mgl_ladder_table *out);
    void (*count)(const mgl_ladder *ladder, const mgl_ladder_table *table, uint64_t wanted,
                  mgl_ladder_counts *out);
    void (*find_small)(const mgl_ladder *ladder, const mgl_ladder_table *table, size_t b,
                       uint32_t *of_record, uint64_t *of_group);
    void (*weigh)(const mgl_ladder *ladder, const mgl_ladder_table *table, uint64_t wanted,
                  const double *of_record, double *sums);
} mgl_ladder_kernel;

extern const mgl_ladder_kernel mgl_ladder_kernel8, mgl_ladder_kernel16, mgl_ladder_kernel32;

/* A table that others are rolled up from, or another one that does as well. */
typedef struct mgl_ladder_shelved_table {
    bool made;
    mgl_ladder_table table;
    const mgl_ladder_table *other;
} mgl_ladder_shelved_table;

/* What the finest node of a rung gives. */
typedef struct mgl_ladder_floor {
    const mgl_ladder_table *table;
    mgl_ladder_counts counts;
} mgl_ladder_floor;

/* The first columns have their levels, the others are open, at their highest. */
typedef struct mgl_ladder_rung {
    uint64_t wanted; /* nodes of the block that the bound does not exclude */
    uint32_t rows[]; /* [nodes of the block] that must be suppressed */
} mgl_ladder_rung;

/* ---- The whole ------------------------------------------------------------------ */

struct mgl_ladder {
    const mgl_problem *problem;
    mgl_arena *arena;
    uint64_t n_rows, limit;
    bool some_stay;         /* not all rows may be suppressed, whatever the limit */
    mgl_demand demand;      /* what a class needs */
    uint64_t k;             /* of that, the rows */
    size_t n_planes;        /* of sets beside the counts */
    size_t *first_plane;    /* [n_varieties + 1] of each variety */
    uint64_t threshold;     /* counts below are of classes to suppress: k, if there are no sets */
    uint64_t largest_small; /* rows that a class to suppress has at most */
    mgl_cost_form measure;
    mgl_measured_cells cells;
    bool sizes;         /* the measure looks at all of them */
    double *cell_scale; /* [n_attributes] */
    bool exact_sizes;   /* lanes hold whole sizes, not only up to k */
    uint8_t *holds;     /* wanted instead of the best nodes, lexicographic; NULL: is not */
    bool impossible;    /* no node can hold */
    bool above;         /* what lies above a node that holds is marked, too */
    bool monotone;      /* because it holds, too, or because that is wanted */
    const mgl_ladder_kernel *kernel;
    size_t words, stride;              /* of a record */
    mgl_ladder_column *all;            /* [n_attributes] */
    const mgl_ladder_column **columns; /* [n_columns] outside the block, in order */
    size_t n_columns;
    mgl_ladder_block block;
    uint8_t *highest;                /* [n_columns] the last level of each */
    size_t n_places;                 /* levels of all of them */
    size_t n_seen;                   /* rungs times nodes of the block; 0: too many to remember */
    mgl_ladder_shelved_table *first; /* [n_columns + 1] that many columns at their lowest levels,
                                        the rest at their highest */
    uint64_t least_misclassified;    /* at the finest node */
    bool has_floor;   /* the measure is one of class sizes, and fine nodes may hold */
    bool use_pairs;   /* see look_ahead.c */
    bool by_level;    /* each level has its price, whatever the classes are */
    double line_rows; /* linear bounds count no more rows than this */
    struct mgl_ladder_worker *workers; /* [n_workers] one per thread */
    unsigned n_workers;
    uint64_t most_taken;   /* bytes that each takes at most for tables that it can do without */
    mgl_division division; /* among these */
};

/* A piece of memory for tables. */
typedef struct mgl_ladder_chunk {
    struct mgl_ladder_chunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
} mgl_ladder_chunk;

/* One thread's own things. */
typedef struct mgl_ladder_worker {
    mgl_ladder *ladder;
    mgl_hand *hand;
    double worst, worst_line;         /* bounds above this exclude */
    mgl_ladder_table *ranges, *pairs; /* [n_columns * n_columns] */
    uint32_t **facts;                 /* [n_places] rows for each place and node of the block */
    uint32_t *ahead;                  /* [n_columns + 1] the facts that count at this depth */
    uint32_t *seen; /* [n_seen] rows of the rungs seen by this task; NULL: too many */
    uint8_t *path;  /* [n_path] the levels of the rung at work */
    size_t n_path;
    size_t n_fixed;                  /* the first so many are the task's */
    mgl_ladder_shelved_table *shelf; /* [n_columns + 1][n_columns + 1] */
    mgl_ladder_table scratch[2];
    mgl_ladder_slots slots;
    mgl_ladder_chunk *chunks; /* memory of all these, the newest first */
    uint64_t taken;           /* bytes of the chunks */
    uint64_t *masks;          /* [words] */
    uint8_t *levels;          /* [n_columns] */
    uint32_t *node;           /* [n_attributes] */
    uint32_t *small;          /* [n_small] rows below k by record */
    size_t n_small;
    uint64_t of_group[MGL_LANES];
    double *surplus; /* [n_surplus] by record */
    size_t n_surplus;
    char *rungs;              /* one per depth */
    mgl_ladder_floor *floors; /* likewise, from first_floor on */
    size_t first_floor;
    mgl_statistics statistics;
    mgl_evaluator *evaluator; /* made when first needed */
} mgl_ladder_worker;

static inline size_t mgl_ladder_rung_size(const mgl_ladder *ladder)
{
    size_t size = sizeof(mgl_ladder_rung) + ladder->block.n_nodes * sizeof(uint32_t);
    return (size + 15) / 16 * 16;
}

/* setup_by_size.c. Free with mgl_ladder_free. *out is NULL if the problem is too exotic. */
mgl_status mgl_ladder_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                          mgl_ladder **out);
void mgl_ladder_free(mgl_ladder *ladder);

/* measure_kind.c */
/* Can the ladder or the climb do it, as far as the models are not looked at? */
bool mgl_ladder_frames(const mgl_problem *problem);
/* Does the measure look at the sizes of all classes? */
bool mgl_ladder_wants_sizes(const mgl_problem *problem);
mgl_status mgl_ladder_measure_make(mgl_ladder *ladder, mgl_error *err);

/* column_codes.c */
mgl_status mgl_ladder_columns_make(mgl_ladder *ladder, mgl_error *err);
/* The order in which rungs refine the columns outside the block, by their numbers of values,
 * and where their codes lie in keys, whose first bits are taken. */
mgl_status mgl_ladder_columns_order(mgl_ladder *ladder, bool many_first, unsigned taken,
                                    mgl_error *err);
/* Is there a row that has the value of the leaf at the column's lowest level? */
bool mgl_ladder_occurs(const mgl_ladder *ladder, const mgl_ladder_column *column, uint32_t leaf);
/* The released value with this code. */
uint32_t mgl_ladder_value(const mgl_ladder *ladder, const mgl_ladder_column *column, size_t level,
                          uint64_t code);

/* column_block.c */
mgl_status mgl_ladder_block_make(mgl_ladder *ladder, mgl_error *err);

/* tuple_keys.c: the first tables, from all tuples. */
mgl_status mgl_ladder_keys_gather(mgl_ladder *ladder, mgl_error *err);

/* count_tables.c. Levels are those of the columns outside the block. */
mgl_status mgl_ladder_workers_make(mgl_ladder *ladder, mgl_error *err);
void mgl_ladder_worker_free(mgl_ladder_worker *worker);
/* The first tables, from the keys of all tuples. */
mgl_status mgl_ladder_gather(mgl_ladder *ladder, const uint64_t *keys, mgl_error *err);
/* The table of a coarser node, into a table that is made once. */
mgl_status mgl_ladder_roll_up(mgl_ladder_worker *worker, const mgl_ladder_table *source,
                              const uint8_t *levels, mgl_error *err, mgl_ladder_table *out);
/* The same into memory that the next but one call uses again. */
mgl_status mgl_ladder_roll_to_scratch(mgl_ladder_worker *worker, const mgl_ladder_table *source,
                                      const uint8_t *levels, mgl_error *err,
                                      const mgl_ladder_table **out);
/* The path takes column c at this level; what lay beyond is forgotten. */
void mgl_ladder_step_to(mgl_ladder_worker *worker, size_t c, uint8_t level);
/* The table with the first `same` columns as on the path, those before `depth` at their
 * lowest levels and the rest at their highest; or, not exact, a finer one that is hardly
 * larger. */
mgl_status mgl_ladder_shelved(mgl_ladder_worker *worker, size_t same, size_t depth, mgl_error *err,
                              const mgl_ladder_table **out, bool *exact);

/* cost_bounds.c */
/* Bounds are on a scale of their own; above this one a node cannot be as good as `best`. */
double mgl_ladder_worst(const mgl_ladder *ladder, double best);
/* What a node with at least these levels and suppressed rows costs at least. */
double mgl_ladder_bound(const mgl_ladder *ladder, const uint8_t *levels, size_t b, uint64_t rows);

/* The same, from the counts at a node that is at least as fine, and the rows that a node at
 * least as coarse suppresses; for measures of class sizes. */
double mgl_ladder_bound_by_floor(const mgl_ladder *ladder, const mgl_ladder_counts *finest,
                                 size_t b, uint64_t rows);

/* Linear bounds, on another scale: all columns at these levels. */
mgl_status mgl_ladder_lines_make(mgl_ladder *ladder, mgl_error *err);
/* By how much suppressing a cell of this value adds more than one of the cheapest. */
double mgl_ladder_surplus_of(const mgl_ladder_column *column, size_t level, uint32_t value);
mgl_ladder_line mgl_ladder_line_of(const mgl_ladder *ladder, const uint8_t *levels, size_t b);
double mgl_ladder_line_at(const mgl_ladder *ladder, mgl_ladder_line line, uint64_t rows,
                          double surplus);
double mgl_ladder_worst_line(const mgl_ladder *ladder, double worst);

/* price_by_size.c */
/* Does it matter for the cost which rows are suppressed? */
bool mgl_ladder_is_uneven(const mgl_ladder *ladder, const uint8_t *levels, size_t depth, size_t b);
/* By how much the rows below k of each wanted node cost more than the cheapest ones that a
 * linear bound takes them for; in the block and in the first `depth` columns. */
mgl_status mgl_ladder_surplus(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                              const uint8_t *levels, size_t depth, uint64_t wanted, mgl_error *err,
                              double *sums);
/* Does the node hold, and at what cost? The node itself is left in the worker's node. */
mgl_status mgl_ladder_price(mgl_ladder_worker *worker, const mgl_ladder_table *table,
                            const uint8_t *levels, size_t b, const mgl_ladder_counts *counts,
                            mgl_error *err, bool *holds, double *cost);

/* look_ahead.c */
mgl_status mgl_ladder_ahead_begin(mgl_ladder_worker *worker, mgl_error *err);
void mgl_ladder_ahead_free(mgl_ladder_worker *worker);
/* What is known once column c has this level. */
mgl_status mgl_ladder_ahead_step(mgl_ladder_worker *worker, size_t c, uint8_t level,
                                 mgl_error *err);
/* Rows that must be suppressed if column c takes this level; the first `depth` have theirs. */
uint32_t mgl_ladder_rows_ahead(const mgl_ladder_worker *worker, size_t depth, size_t c,
                               size_t level, size_t b);
/* Rows that rungs are known to suppress, and what follows from coarser ones for this one,
 * whose first `depth` columns have their levels. */
void mgl_ladder_remember(mgl_ladder_worker *worker, const uint8_t *highest, uint64_t nodes,
                         const uint32_t *rows);
void mgl_ladder_recall(const mgl_ladder_worker *worker, const uint8_t *highest, size_t depth,
                       uint32_t *rows);
/* Raises the lowest levels of the columns from `depth` on past those that are out. */
void mgl_ladder_lift(const mgl_ladder_worker *worker, size_t depth, size_t b, uint64_t rows,
                     uint8_t *lowest);

/* known_nodes.c */
/* Of these nodes of the block, those that are known to hold at these levels; they are marked.
 * The first n_fixed columns are the task's. */
uint64_t mgl_ladder_known(const mgl_ladder *ladder, size_t n_fixed, const uint8_t *levels,
                          uint64_t nodes);
/* Marks the node as open: somebody else looks whether its suppressed rows can be joined. */
void mgl_ladder_leave_open(const mgl_ladder *ladder, const uint8_t *levels, size_t b);
/* Marks the nodes at these levels and at all higher ones of the columns from `depth` on. */
void mgl_ladder_mark_above(const mgl_ladder *ladder, const uint8_t *lowest, size_t depth,
                           uint64_t nodes);

/* search_by_size.c */
/* Searches all nodes whose first n columns have these levels. */
mgl_status mgl_ladder_search(mgl_ladder_worker *worker, const uint8_t *levels, size_t n,
                             mgl_error *err);

/* by_size.c: how much there is to divide. */
void mgl_ladder_divide(mgl_ladder *ladder, size_t n_classes, size_t most_columns);

#endif
