/* Branch and bound by sensitive values: what the files of this engine share. Inside the room only.
 *
 * A class is a record: a key, the number of its rows, what the models must know of its sensitive
 * values (which of them occur: bits; how often: lanes). All of it is whole words that are or-ed and
 * added, so that a coarser node's records are made from a finer one's. What a branch says about
 * rows that must be suppressed holds for every node that refines it (model_records.c).
 *
 * Columns, codes of values and bounds on the measures are those of every branch and bound
 * (branch.h), with an empty block. */
#ifndef MGL_SEARCH_FULLDOMAIN_BY_VALUE_RECORDS_H
#define MGL_SEARCH_FULLDOMAIN_BY_VALUE_RECORDS_H

#include "search/fulldomain/by_value/by_value.h"

/* ---- Models ------------------------------------------------------------------------- */

/* Where a record has the bits of a variety. */
typedef struct mgl_by_value_set {
    const mgl_variety *variety;
    size_t first_word, n_words; /* of a record's bits */
} mgl_by_value_set;

/* A kernel that looks at the largest counts looks at so many at most. */
enum { MGL_BY_VALUE_LARGEST = 8 };

/* A model that looks at how often values occur, in its terms (mgl_value_terms): caps[v] * n is what
 * a class of n rows that holds has of value v at most, floors[v] * n what it has at least. */
typedef struct mgl_by_value_counter {
    const mgl_model *model;
    mgl_value_rule rule;
    mgl_value_kernel kernel;
    size_t first_lane, n_lanes;
    const uint32_t *codes; /* [n_lanes] ascending */
    double *caps;          /* [n_lanes] */
    float *quick_caps;     /* [n_lanes], padded to a multiple of 4; padding is ignored */
    uint32_t *by_rank;     /* [n_lanes] lanes in the order of an ordered distance, or NULL */
    double *cumulative;    /* [n_lanes] what the table has up to each, as a share */
    double *floors;        /* [n_lanes] the least share of each; NULL: none */
    double whole;          /* the least share of a class that lies below its caps */
    bool decides;          /* caps and floors are all there is to the model */
    double farthest;       /* the largest distance there is */
} mgl_by_value_counter;

/* ---- Tables ------------------------------------------------------------------------- */

/* Records: key words, words to add (lanes; lane 0 is the number of rows), words to or. */
typedef struct mgl_by_value_table {
    uint64_t *records;
    size_t n, capacity; /* in records */
} mgl_by_value_table;

typedef struct mgl_by_value_cached_table {
    bool made;
    mgl_by_value_table table;
} mgl_by_value_cached_table;

/* ---- The whole ---------------------------------------------------------------------- */

typedef struct mgl_by_value {
    mgl_branching frame;
    mgl_by_value_set *sets; /* one per variety that has its bits */
    size_t n_sets;
    mgl_by_value_counter *counters; /* quick ones first */
    size_t n_counters;
    bool plain;      /* a counter is unknown: what is left is judged plainly */
    bool wide_lanes; /* of four bytes, not two */
    size_t n_lanes;
    double *logs; /* [n_rows + 1] x ln x, if a model wants them and they are not too many */
    uint32_t **lane_of_code;           /* [n_sensitive] NULL: none */
    size_t words, n_add, n_or, stride; /* of a record, in words */
    mgl_by_value_table *first; /* [n_columns + 1] columns before at the lowest, the rest highest */
    struct mgl_by_value_worker *workers;
    unsigned n_workers;
} mgl_by_value;

/* One thread's own things. */
typedef struct mgl_by_value_worker {
    mgl_by_value *search;
    mgl_thread_result *result;
    double worst; /* bounds above this exclude */
    uint64_t steps;
    uint8_t *path;   /* [n_columns] levels of the branch at work */
    size_t n_fixed;  /* the first so many are fixed by the item */
    uint8_t *lowest; /* [n_columns + 1][n_columns] levels that bounds are made for */
    mgl_by_value_cached_table *cache; /* [n_places][n_columns + 1] */
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
} mgl_by_value_worker;

static inline const uint64_t *mgl_by_value_record(const mgl_by_value *search,
                                                  const mgl_by_value_table *table, size_t i)
{
    return table->records + (i + 1) * search->stride;
}

static inline uint64_t mgl_by_value_size(const mgl_by_value *search, const uint64_t *record)
{
    uint64_t word = record[search->words];
    return search->wide_lanes ? word & UINT32_MAX : word & UINT16_MAX;
}

/* setup_by_value.c. Free with mgl_by_value_free. *out is NULL if a column needs too many bits or
 * all records too much memory: the sweep does it then. */
mgl_status mgl_by_value_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                            mgl_by_value **out);
void mgl_by_value_free(mgl_by_value *search);

/* model_records.c */
mgl_status mgl_by_value_models_make(mgl_by_value *search, mgl_error *err);

/* judge_records.c */
bool mgl_by_value_class_holds(mgl_by_value_worker *worker, const uint64_t *record);
/* Rows of violating classes, which are listed as the bad ones; stops above `most`. */
uint64_t mgl_by_value_violating(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                                uint64_t most);
/* Rows that every finer node must suppress; stops above `most`. */
uint64_t mgl_by_value_least(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                            uint64_t most);

/* record_tables.c */
mgl_status mgl_by_value_workers_make(mgl_by_value *search, mgl_error *err);
void mgl_by_value_worker_free(mgl_by_value_worker *worker);
mgl_status mgl_by_value_first_make(mgl_by_value *search, mgl_error *err);
/* The path takes column c at this level; what lay beyond is forgotten. */
void mgl_by_value_step_to(mgl_by_value_worker *worker, size_t c, uint8_t level);
/* Columns before c as on the path, column c at this level, those before `depth` at their
 * lowest, the rest at their highest. */
mgl_status mgl_by_value_get(mgl_by_value_worker *worker, size_t c, uint8_t level, size_t depth,
                            mgl_error *err, const mgl_by_value_table **out);

/* price_by_value.c: the node of this table, whose levels are the path. Bad classes are listed.
 * Does it hold, and at what cost? */
mgl_status mgl_by_value_price(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                              uint64_t rows, mgl_error *err, bool *holds, double *cost);

/* search_by_value.c */
/* Searches all nodes whose first n columns have these levels. */
mgl_status mgl_by_value_search(mgl_by_value_worker *worker, const uint8_t *levels, size_t n,
                               mgl_error *err);

#endif
