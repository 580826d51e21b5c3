/* The climb: the exact search over the lattice for models that look at sensitive values.
 * Inside the room only.
 *
 * A class is a record: a key, the number of its rows, what the models must know of its
 * sensitive values (which of them occur: bits; how often: lanes). All of it is whole words
 * that are or-ed and added, so that a coarser node's records are made from a finer one's.
 *
 * Rungs are as in the ladder: the levels of the first columns are fixed, the columns after
 * them are open, at their highest levels. A rung is a node itself, and what it says about
 * rows that must be suppressed holds for every node below it (model_records.c), which are
 * all nodes that refine the open columns.
 *
 * Columns, codes of values and bounds on the measures are the ladder's own: a climb has a
 * ladder of its own as a frame, with an empty block. */
#ifndef MGL_SEARCH_CLIMB_H
#define MGL_SEARCH_CLIMB_H

#include "search/fulldomain/by_size/counts.h"

/* ---- Models ------------------------------------------------------------------------- */

/* Where a record has the bits of a variety. */
typedef struct mgl_climb_set {
    const mgl_variety *variety;
    size_t first_word, n_words; /* of a record's bits */
} mgl_climb_set;

/* A kernel that looks at the largest counts looks at so many at most. */
enum { MGL_CLIMB_LARGEST = 8 };

/* A model that looks at how often values occur, in its terms (mgl_value_terms): caps[v] * n is what
 * a class of n rows that holds has of value v at most, floors[v] * n what it has at least. */
typedef struct mgl_climb_counter {
    const mgl_model *model;
    mgl_value_rule rule;
    mgl_value_kernel kernel;
    size_t first_lane, n_lanes;
    const uint32_t *codes; /* [n_lanes] ascending */
    double *caps;          /* [n_lanes] */
    float *quick_caps;     /* [n_lanes], and up to a multiple of 4 what matters not */
    uint32_t *by_rank;     /* [n_lanes] lanes in the order of an ordered distance, or NULL */
    double *cumulative;    /* [n_lanes] what the table has up to each, as a share */
    double *floors;        /* [n_lanes] likewise, at least; NULL: none */
    double whole;          /* so much of a class lies below its caps, or more */
    bool decides;          /* caps and floors are all there is to the model */
    double farthest;       /* the largest distance there is */
} mgl_climb_counter;

/* ---- Tables ------------------------------------------------------------------------- */

/* Records: key words, words to add (lanes; lane 0 is the number of rows), words to or. */
typedef struct mgl_climb_table {
    uint64_t *records;
    size_t n, capacity; /* in records */
} mgl_climb_table;

typedef struct mgl_climb_shelved {
    bool made;
    mgl_climb_table table;
} mgl_climb_shelved;

/* ---- The whole ---------------------------------------------------------------------- */

typedef struct mgl_climb {
    mgl_ladder frame;
    mgl_climb_set *sets; /* one per variety that has its bits */
    size_t n_sets;
    mgl_climb_counter *counters; /* quick ones first */
    size_t n_counters;
    bool plain;      /* a counter is unknown: what is left is judged plainly */
    bool wide_lanes; /* of four bytes, not two */
    size_t n_lanes;
    double *logs; /* [n_rows + 1] x ln x, if a model wants them and they are not too many */
    uint32_t **lane_of_code;           /* [n_sensitive] NULL: none */
    size_t words, n_add, n_or, stride; /* of a record, in words */
    mgl_climb_table *first; /* [n_columns + 1] columns before at the lowest, the rest highest */
    struct mgl_climb_worker *workers;
    unsigned n_workers;
} mgl_climb;

/* One thread's own things. */
typedef struct mgl_climb_worker {
    mgl_climb *climb;
    mgl_hand *hand;
    double worst; /* bounds above this exclude */
    uint64_t steps;
    uint8_t *path;            /* [n_columns] levels of the rung at work */
    size_t n_fixed;           /* the first so many are the task's */
    uint8_t *lowest;          /* [n_columns + 1][n_columns] levels that bounds are made for */
    mgl_climb_shelved *shelf; /* [n_places][n_columns + 1] */
    uint32_t *slots;
    size_t slot_capacity;
    uint64_t *masks; /* [words] */
    uint32_t *node;  /* [n_attributes] */
    uint32_t *bad;   /* [bad_capacity] numbers of suppressed classes */
    uint8_t *is_bad; /* [bad_capacity] */
    size_t n_bad, bad_capacity;
    uint64_t *top;    /* [stride] the suppressed rows as a class */
    uint32_t *values; /* [n_lanes] a histogram as models take it */
    uint64_t *counts;
    mgl_histogram *histograms; /* [n_sensitive] */
    mgl_statistics statistics;
    mgl_evaluator *evaluator; /* made when first needed */
} mgl_climb_worker;

static inline const uint64_t *mgl_climb_record(const mgl_climb *climb, const mgl_climb_table *table,
                                               size_t i)
{
    return table->records + (i + 1) * climb->stride;
}

static inline uint64_t mgl_climb_size(const mgl_climb *climb, const uint64_t *record)
{
    uint64_t word = record[climb->words];
    return climb->wide_lanes ? word & UINT32_MAX : word & UINT16_MAX;
}

/* setup_by_value.c. Free with mgl_climb_free. *out is NULL if the problem is too exotic. */
mgl_status mgl_climb_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                         mgl_climb **out);
void mgl_climb_free(mgl_climb *climb);

/* model_records.c */
mgl_status mgl_climb_models_make(mgl_climb *climb, mgl_error *err);

/* judge_records.c */
bool mgl_climb_class_holds(mgl_climb_worker *worker, const uint64_t *record);
/* Rows of violating classes, which are listed as the bad ones; stops above `most`. */
uint64_t mgl_climb_violating(mgl_climb_worker *worker, const mgl_climb_table *table, uint64_t most);
/* Rows that every finer node must suppress; stops above `most`. */
uint64_t mgl_climb_least(mgl_climb_worker *worker, const mgl_climb_table *table, uint64_t most);

/* record_tables.c */
mgl_status mgl_climb_workers_make(mgl_climb *climb, mgl_error *err);
void mgl_climb_worker_free(mgl_climb_worker *worker);
mgl_status mgl_climb_first_make(mgl_climb *climb, mgl_error *err);
/* The path takes column c at this level; what lay beyond is forgotten. */
void mgl_climb_step_to(mgl_climb_worker *worker, size_t c, uint8_t level);
/* Columns before c as on the path, column c at this level, those before `depth` at their
 * lowest, the rest at their highest. */
mgl_status mgl_climb_get(mgl_climb_worker *worker, size_t c, uint8_t level, size_t depth,
                         mgl_error *err, const mgl_climb_table **out);

/* price_by_value.c: the node of this table, whose levels are the path. Bad classes are listed.
 * Does it hold, and at what cost? */
mgl_status mgl_climb_price(mgl_climb_worker *worker, const mgl_climb_table *table, uint64_t rows,
                           mgl_error *err, bool *holds, double *cost);
void mgl_climb_name_node(mgl_climb_worker *worker);

/* search_by_value.c */
/* Searches all nodes whose first n columns have these levels. */
mgl_status mgl_climb_search(mgl_climb_worker *worker, const uint8_t *levels, size_t n,
                            mgl_error *err);

#endif
