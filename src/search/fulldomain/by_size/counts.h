/* Branch and bound by class sizes: what the files of this engine share. Private to the module.
 *
 * Columns: the attributes divide into a block of a few with few values, and the others, in an
 * order. A class of the others carries one count per combination of values of the block (a lane),
 * so that one table of classes serves all nodes of the block. Where different sensitive values are
 * wanted, a lane has a set of them beside the count.
 *
 * Tables that others are rolled up from stay in a cache for the neighbours of a branch. */
#ifndef MGL_SEARCH_FULLDOMAIN_BY_SIZE_COUNTS_H
#define MGL_SEARCH_FULLDOMAIN_BY_SIZE_COUNTS_H

#include "search/fulldomain/by_size/by_size.h"

#include <math.h>

enum {
    MGL_MOST_LANES = 64,       /* combinations of values of the block */
    MGL_BY_SIZE_PLANES = 3,    /* sets of sensitive values that a lane has at most */
    MGL_SET_BITS = 16,         /* values of one of them */
    MGL_SIZES_WITH_LOGS = 512, /* of classes, that a table has logarithms for */
    MGL_MOST_AT_ONCE = 64,     /* records that a kernel looks at together, at most */
    MGL_SMALL_TABLE = 200      /* tables no larger are rolled up from as they are */
};

/* ---- Tables --------------------------------------------------------------------- */

/* A piece of memory for one large table. */
typedef struct mgl_by_size_block {
    struct mgl_by_size_block *next, **before;
    size_t size;
    _Alignas(16) char bytes[];
} mgl_by_size_block;

/* Records 1..n: a key, a plane of counts, one for each lane, then planes of sets. A packed table
 * has only the counts that are not 0: n keys, each with the number of the lane in its lowest bits,
 * and then n counts. It takes a fraction of the memory where most classes have few lanes, but
 * others can only be rolled up from it. */
typedef struct mgl_by_size_table {
    char *records;
    size_t n, capacity;
    bool packed;
    uint64_t mask;            /* bits of the key that are left, where it is one word */
    unsigned ordered;         /* records whose keys begin with the same so many bits, or fewer, lie
                                 side by side; 0: in no order */
    mgl_by_size_block *block; /* NULL: a small table, in a chunk */
} mgl_by_size_table;

/* Records of a table, counted from 0. */
typedef struct mgl_by_size_range {
    size_t first, end;
} mgl_by_size_range;

/* A hash table of numbers of records, kept at most a quarter full, or half full where it is large.
 */
typedef struct mgl_by_size_slots {
    uint32_t *numbers;
    size_t mask, capacity;
    unsigned shift;
    mgl_by_size_block *block;
} mgl_by_size_slots;

/* What a table is made of: the records of another, its counts if it is packed, or tuples. */
typedef struct mgl_by_size_source {
    const char *keys;               /* the first */
    size_t stride, n;               /* bytes from one key to the next; keys */
    const mgl_by_size_table *table; /* NULL: the tuples of the list */
} mgl_by_size_source;

typedef struct mgl_by_size mgl_by_size;

typedef struct mgl_by_size_kernel {
    size_t lanes;     /* of a record */
    size_t groups;    /* of all nodes of a block, at most */
    size_t plane;     /* bytes of their counts */
    size_t lane_size; /* bytes of a count in a packed table */
    /* Adds what is listed of the source to the records with these numbers, from `records` on. */
    void (*add_listed)(const mgl_by_size *search, const mgl_by_size_source *source,
                       const uint32_t *list, const uint32_t *numbers, size_t n, char *records);
    void (*gather)(const mgl_by_size *search, mgl_by_size_slots *slots, const uint64_t *keys,
                   mgl_by_size_table *out);
    void (*roll_up)(const mgl_by_size *search, mgl_by_size_slots *slots,
                    const mgl_by_size_table *source, const uint64_t *masks, mgl_by_size_table *out);
    /* How many counts of some records are not 0? And these packed, from a place on. */
    size_t (*count_lanes)(const mgl_by_size *search, const mgl_by_size_table *table,
                          mgl_by_size_range range);
    void (*pack)(const mgl_by_size *search, const mgl_by_size_table *table, mgl_by_size_range range,
                 size_t at, mgl_by_size_table *out);
    void (*count)(const mgl_by_size *search, const mgl_by_size_table *table, uint64_t wanted,
                  mgl_branch_counts *out);
    void (*find_small)(const mgl_by_size *search, const mgl_by_size_table *table, size_t b,
                       uint32_t *of_record, uint64_t *of_group);
    /* The sizes of the classes of a node that are not suppressed, and 0 for the others, of
     * `at_once` records from `first` on: [group][record]. */
    void (*list_sizes)(const mgl_by_size *search, const mgl_by_size_table *table, size_t first,
                       size_t b, uint32_t *sizes);
    size_t at_once;
    void (*weigh)(const mgl_by_size *search, const mgl_by_size_table *table, uint64_t wanted,
                  const double *of_record, double *sums);
} mgl_by_size_kernel;

extern const mgl_by_size_kernel mgl_by_size_kernel4, mgl_by_size_kernel8, mgl_by_size_kernel16,
    mgl_by_size_kernel32;
/* On x86. */
extern const mgl_by_size_kernel mgl_by_size_kernel4_avx2, mgl_by_size_kernel8_avx2,
    mgl_by_size_kernel16_avx2;

/* kernels.c. For counts of 4, 8, 16 or 32 bits. */
const mgl_by_size_kernel *mgl_by_size_kernel_for(unsigned bits);

/* A table that others are rolled up from, or another one that does as well. */
typedef struct mgl_by_size_cached_table {
    bool made;
    mgl_by_size_table table;
    const mgl_by_size_table *other;
} mgl_by_size_cached_table;

/* What the finest node of a branch gives. */
typedef struct mgl_by_size_floor {
    const mgl_by_size_table *table;
    mgl_branch_counts counts;
} mgl_by_size_floor;

/* The first columns have their levels, the others are open, at their highest. */
typedef struct mgl_by_size_branch {
    uint64_t wanted; /* nodes of the block that the bound does not exclude */
    uint32_t rows[]; /* [nodes of the block] that must be suppressed */
} mgl_by_size_branch;

/* ---- The whole ------------------------------------------------------------------ */

/* What items know of each other, guarded by the lock of the parallel search. */
typedef struct mgl_by_size_shared {
    uint64_t round;
    uint32_t *before, *all; /* [n_known] from the rounds before this one; with this one */
} mgl_by_size_shared;

struct mgl_by_size {
    mgl_branching frame; /* columns, bounds and threads, as in every branch and bound */
    size_t n_planes;     /* of sets beside the counts */
    size_t *first_plane; /* [n_varieties + 1] of each variety */
    uint64_t threshold;  /* counts below are of classes to suppress: k, if there are no sets */
    bool exact_sizes;    /* lanes hold whole sizes, not only up to k */
    const double *log_of_size; /* [MGL_SIZES_WITH_LOGS] size log2 size; NULL: not needed */
    bool whole_products;       /* products of leaves are added without rounding */
    bool halves;               /* counts of half a byte would do */
    const mgl_by_size_kernel *kernel;
    size_t stride;          /* of a record */
    size_t least_in_pieces; /* tables of fewer records are rolled up by one thread */
    bool sorts;             /* the first tables, where they are large */
    /* Branches times nodes of the block; 0: too many to remember, or of no use. */
    size_t n_known, n_potentials;
    mgl_by_size_cached_table *first; /* [n_columns + 1] that many columns at their lowest levels,
                                        the rest at their highest */
    bool has_floor;           /* the measure is one of class sizes, and fine nodes may hold */
    bool use_pairs;           /* see search_by_size.c */
    mgl_by_size_table *pairs; /* of a large search, for all workers; NULL: each makes its own */
    bool by_level;            /* each level has its cost, whatever the classes are */
    mgl_by_size_shared shared;
    size_t n_up;                        /* columns that are refined from their lowest levels on */
    struct mgl_by_size_worker *workers; /* [n_workers] one per thread */
    unsigned n_workers;
    uint64_t most_taken; /* bytes that each takes at most for tables that it can do without */
};

/* A piece of memory for tables. */
typedef struct mgl_by_size_chunk {
    struct mgl_by_size_chunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
} mgl_by_size_chunk;

/* State of one thread. */
typedef struct mgl_by_size_worker {
    mgl_by_size *search;
    mgl_thread_result *result;
    double worst, worst_line;          /* bounds above this exclude */
    mgl_by_size_table *ranges, *pairs; /* [n_columns * n_columns] */
    uint32_t **facts;                  /* [n_places] rows for each place and node of the block */
    uint32_t *ahead;                   /* [n_columns + 1] the facts that count at this depth */
    uint32_t *known;    /* [n_known] see search_by_size.c; NULL: too many, or of no use */
    double *potentials; /* [n_potentials] of the nodes that this item knows something about */
    uint8_t *path;      /* [n_path] the levels of the branch at work */
    uint8_t *lows;      /* see mgl_by_size_lows */
    size_t n_path;
    size_t n_fixed;                  /* the first so many are fixed by the item */
    mgl_by_size_cached_table *cache; /* [n_columns + 1][n_columns + 1] */
    mgl_by_size_table scratch[2];
    mgl_by_size_slots slots;
    mgl_by_size_block *pieces; /* see count_tables.c */
    mgl_by_size_chunk *chunks; /* memory of all these, the newest first */
    mgl_by_size_block *blocks;
    uint64_t taken;  /* bytes of both */
    uint64_t needed; /* of these, what the search cannot do without */
    uint64_t *masks; /* [words] */
    uint8_t *levels; /* [n_columns] */
    uint32_t *node;  /* [n_attributes] */
    uint32_t *small; /* [n_small] rows below k by record */
    size_t n_small;
    uint64_t of_group[MGL_MOST_LANES];
    double *surplus; /* [n_surplus] by record */
    size_t n_surplus;
    char *branches;            /* one per depth */
    mgl_by_size_floor *floors; /* likewise, from first_floor on */
    size_t first_floor;
    mgl_statistics statistics;
    mgl_log_terms log_terms;
    mgl_evaluator *evaluator; /* made when first needed */
    mgl_owned own;
} mgl_by_size_worker;

static inline size_t mgl_by_size_branch_size(const mgl_by_size *search)
{
    size_t size = sizeof(mgl_by_size_branch) + search->frame.block.n_nodes * sizeof(uint32_t);
    return (size + 15) / 16 * 16;
}

/* The lowest levels that nodes worth a look can have below the branch with the first `depth`
 * columns of the path: theirs, and what looking ahead leaves of the open ones. */
static inline uint8_t *mgl_by_size_lows(const mgl_by_size_worker *worker, size_t depth)
{
    return worker->lows + depth * worker->search->frame.n_columns;
}

/* by_size.c. Free with mgl_by_size_free. *out is NULL if a column needs too many bits: the
 * sweep does it then. */
mgl_status mgl_by_size_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                           mgl_by_size **out);
void mgl_by_size_free(mgl_by_size *search);
/* Are large tables made by all threads together? */
bool mgl_by_size_is_large(const mgl_problem *problem);

/* Packs a large table, if that takes half of the memory or less. */
mgl_status mgl_by_size_pack(mgl_by_size_worker *worker, mgl_by_size_table *table, mgl_error *err);
/* Forgets the records; the memory of a large table is given back. */
void mgl_by_size_empty(mgl_by_size_worker *worker, mgl_by_size_table *table);

/* count_tables.c */
/* The threads that make a table of so many records together; NULL: one does. */
mgl_pool *mgl_by_size_helpers(const mgl_by_size *search, size_t n);

/* Are so many tables made of large ones that these are better in order? */
bool mgl_by_size_sorting_pays(const mgl_by_size *search);
/* Sorts a table whose keys are of one word, without sets, by so many of their first bits, if there
 * is memory for it. */
void mgl_by_size_sort(const mgl_by_size *search, unsigned bits, mgl_by_size_table *table);

/* count_tables.c. Levels are those of the columns outside the block. */
void mgl_by_size_worker_free(mgl_by_size_worker *worker);
/* The first tables, from the keys of all tuples. */
mgl_status mgl_by_size_gather(mgl_by_size *search, const uint64_t *keys, mgl_error *err);
/* The table of a coarser node, into a table that is made once. */
mgl_status mgl_by_size_roll_up(mgl_by_size_worker *worker, const mgl_by_size_table *source,
                               const uint8_t *levels, mgl_error *err, mgl_by_size_table *out);
/* The same into memory that the next but one call uses again. */
mgl_status mgl_by_size_roll_to_scratch(mgl_by_size_worker *worker, const mgl_by_size_table *source,
                                       const uint8_t *levels, mgl_error *err,
                                       const mgl_by_size_table **out);
/* The path takes column c at this level; what lay beyond is forgotten. */
void mgl_by_size_step_to(mgl_by_size_worker *worker, size_t c, uint8_t level);
/* The table with the first `same` columns as on the path, those before `depth` at the lowest levels
 * that are worth a look there and the rest at their highest; or, not exact, a finer one that is
 * hardly larger. */
mgl_status mgl_by_size_cached(mgl_by_size_worker *worker, size_t same, size_t depth, mgl_error *err,
                              const mgl_by_size_table **out, bool *exact);

/* Was that table made already? */
bool mgl_by_size_is_cached(const mgl_by_size_worker *worker, size_t same, size_t depth);

/* What the kernel does, on all threads of the pool if the table is large. */
void mgl_by_size_count(const mgl_by_size *search, const mgl_by_size_table *table, uint64_t wanted,
                       mgl_branch_counts *out);
/* The surplus of wanted nodes; the first `depth` columns have these levels. */
typedef struct mgl_by_size_surplus_plan {
    const uint8_t *levels;
    size_t depth;
    uint64_t wanted;
    double *of_record; /* room for all records, and for as many as a kernel looks at together */
} mgl_by_size_surplus_plan;

/* evaluate_by_size.c */
/* Does it matter for the cost which rows are suppressed? */
bool mgl_by_size_is_uneven(const mgl_by_size *search, const uint8_t *levels, size_t depth,
                           size_t b);
/* By how much the rows below k of each wanted node cost more than the cheapest ones that a
 * linear bound takes them for; in the block and in the first `depth` columns. */
mgl_status mgl_by_size_surplus(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                               const uint8_t *levels, size_t depth, uint64_t wanted, mgl_error *err,
                               double *sums);
/* Does the node hold, and at what cost? The node itself is left in the worker's node. */
typedef struct mgl_by_size_evaluated {
    bool holds;
    double cost;
} mgl_by_size_evaluated;
mgl_status mgl_by_size_evaluate(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                                const uint8_t *levels, size_t b, const mgl_branch_counts *counts,
                                mgl_error *err, mgl_by_size_evaluated *out);

/* Looking ahead: search_by_size.c */
/* Makes the tables of pairs of a large search. */
mgl_status mgl_by_size_share_pairs(mgl_by_size *search, mgl_error *err);
void mgl_by_size_ahead_free(mgl_by_size_worker *worker);
/* The table of the columns from `same` to before `depth` at their lowest levels, if the path has
 * those before at their highest and it was made; else NULL. */
const mgl_by_size_table *mgl_by_size_range_made(const mgl_by_size_worker *worker, size_t same,
                                                size_t depth);

/* Known rows: search_by_size.c */
/* An item begins, and ends: later rounds know what it found. */
mgl_status mgl_by_size_known_begin(mgl_by_size_worker *worker, mgl_error *err);
void mgl_by_size_known_end(mgl_by_size_worker *worker);
/* These nodes of the block suppress so many rows at these levels. */
void mgl_by_size_remember(mgl_by_size_worker *worker, const uint8_t *highest, uint64_t nodes,
                          const uint32_t *rows);
/* Raises the rows of each node of the block to what is known about the branch whose first `depth`
 * columns have their levels. */
void mgl_by_size_recall(const mgl_by_size_worker *worker, const uint8_t *highest, size_t depth,
                        uint32_t *rows);
/* What is known about that branch, [node of the block]; with column c open, what is known with it
 * a step down follows known_stride nodes later. NULL: nothing is. */
const uint32_t *mgl_by_size_known(const mgl_by_size_worker *worker, const uint8_t *levels,
                                  size_t depth);

/* A good node, if one is found, and those that tie with it. */
mgl_status mgl_by_size_first_node(mgl_by_size *search, mgl_error *err, mgl_ties *out);

/* search_by_size.c */
/* Searches all nodes whose first n columns have these levels. */
mgl_status mgl_by_size_search(mgl_by_size_worker *worker, const uint8_t *levels, size_t n,
                              mgl_error *err);

#endif
