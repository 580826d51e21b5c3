/* Branch and bound by sensitive values: what the files of this engine share. Private to the module.
 *
 * A class is a record: a key, the number of its rows, of the rows of the population that match it
 * or what its own rows weigh, what the models must know of its sensitive values and households
 * (which of them occur: bits; how often: lanes). All of it is whole words that are or-ed and added,
 * so that a coarser node's records are made from a finer one's. What a branch says about rows that
 * must be suppressed holds for every node that refines it (by_value.c).
 *
 * Earlier releases divide classes by histories (docs/definitions.md#history). The history of a
 * record is a field of its key that no level takes away.
 *
 * Columns, codes of values and bounds on the measures are those of every branch and bound
 * (branch.h), with an empty block.
 *
 * A class label that a measure looks at has lanes like the values of a model. */
#ifndef MGL_SEARCH_FULLDOMAIN_BY_VALUE_RECORDS_H
#define MGL_SEARCH_FULLDOMAIN_BY_VALUE_RECORDS_H

#include "search/fulldomain/by_value/by_value.h"

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

/* Ids of persons with rows in several tuples. */
typedef struct mgl_by_value_ids {
    uint32_t *start; /* [classes + 1] where those of each begin; NULL: persons do not matter */
    uint32_t *all;
    size_t class_capacity, capacity;
} mgl_by_value_ids;

/* Records: key words, words to add (lanes; lane 0 is the number of rows), words to or. First those
 * with rows of the table, the classes; then those that only rows of the population lie in, which
 * coarser classes need. */
typedef struct mgl_by_value_table {
    uint64_t *records;
    size_t n;        /* classes */
    size_t n_all;    /* records */
    size_t capacity; /* in records */
    mgl_by_value_ids ids;
} mgl_by_value_table;

typedef struct mgl_by_value_cached_table {
    bool made;
    mgl_by_value_table table;
} mgl_by_value_cached_table;

/* What earlier releases have to do with classes. */
typedef enum mgl_by_value_history {
    MGL_BY_VALUE_NO_HISTORY,
    MGL_BY_VALUE_EACH_HISTORY, /* a tuple has one history: the rows of each are a class */
    MGL_BY_VALUE_ALL_HISTORIES /* a class violates a model if the rows of one of its histories do */
} mgl_by_value_history;

typedef struct mgl_by_value {
    mgl_branching frame;
    mgl_by_value_set *sets; /* one per variety that has its bits */
    size_t n_sets;
    mgl_by_value_counter *counters; /* quick ones first */
    size_t n_counters;
    const mgl_model **group_models; /* that look at size and population */
    size_t n_group_models;
    const mgl_model **table_models;
    size_t n_table_models;
    uint64_t suppressible; /* rows that class-wise models may have suppressed */
    bool closed;           /* all class-wise models are closed under union */
    mgl_by_value_history history;
    const mgl_joint *joint; /* any of the models on histories, with MGL_BY_VALUE_ALL_HISTORIES */
    uint32_t n_histories;
    unsigned history_bits;   /* the lowest of a key's first word */
    bool plain;              /* a counter is unknown: what is left is judged plainly */
    bool wide_lanes;         /* of four bytes, not two */
    bool population;         /* lane 1 counts matching rows of the population */
    bool weighs;             /* lane 1 sums up the weights of the rows, */
    uint64_t weight_step;    /* in these units, rounded up */
    bool persons;            /* lane 1 counts persons, who may have several rows */
    bool households;         /* the last word to or has the sizes of households */
    uint64_t rows_of_person; /* a class has at most so many times as many rows as persons */
    size_t n_lanes;
    size_t first_label, n_labels; /* lanes of the label that a measure looks at; 0: none */
    bool whole_products;          /* products of leaves are added without rounding */
    double *logs; /* [n_rows + 1] x ln x, if a model wants them and they are not too many */
    uint32_t **lane_of_code;           /* [n_sensitive] NULL: none */
    size_t words, n_add, n_or, stride; /* of a record, in words */
    mgl_by_value_table *first; /* [n_columns + 1] columns before at the lowest, the rest highest */
    size_t room; /* bytes that the tables of all workers may take together; 0: as few as can be */
    struct mgl_by_value_worker *workers;
    unsigned n_workers;
} mgl_by_value;

/* State of one thread. */
typedef struct mgl_by_value_worker {
    mgl_by_value *search;
    mgl_thread_result *result;
    double worst;          /* bounds above this exclude */
    uint64_t steps, words; /* taken, and rolled up, since the last look at the clock */
    uint8_t *path;         /* [n_columns] levels of the branch at work */
    size_t n_fixed;        /* the first so many are fixed by the item */
    uint8_t *lowest;       /* [n_columns + 1][n_columns] levels that bounds are made for */
    mgl_by_value_cached_table *cache; /* [n_places][n_columns + 1] */
    size_t kept;                      /* bytes in these */
    uint32_t *slots;
    size_t slot_capacity;
    uint64_t *masks; /* [words] */
    uint32_t *node;  /* [n_attributes] */
    uint32_t *bad;   /* [bad_capacity] numbers of suppressed classes */
    uint8_t *is_bad; /* [bad_capacity] */
    size_t n_bad, bad_capacity;
    uint64_t *sizes;           /* [bad_capacity] of classes, for models of the whole table */
    uint64_t *weights;         /* [bad_capacity] likewise */
    mgl_by_value_table merged; /* classes without their histories (mgl_by_value_merge_histories) */
    uint32_t *class_of;        /* [bad_capacity] where there are histories: the number there */
    uint32_t *by_history;  /* [bad_capacity] where there are histories: classes in their order */
    size_t *history_start; /* [n_histories + 2] where those of each begin */
    uint64_t *top; /* [2 * stride] the suppressed rows as a class, and what is cleared behind it */
    uint32_t *values; /* [n_lanes] a histogram as models take it */
    uint64_t *counts;
    mgl_histogram *histograms; /* [n_sensitive] */
    mgl_statistics statistics;
    mgl_log_terms log_terms;
    mgl_evaluator *evaluator; /* made when first needed */
    /* Where persons have several rows: which ids were met, and when last; which record each one of
     * a source goes into; of each class the last record of the source with ids, the record before
     * that one, ids of all these together. */
    uint32_t *met, meeting;
    uint32_t *goes_to, *last_source, *source_before, *n_gathered;
    mgl_owned own;
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

/* Lane 1: matching rows of the population, weights or persons, where they are counted. */
static inline uint64_t mgl_by_value_second(const mgl_by_value *search, const uint64_t *record)
{
    uint64_t word = record[search->words];
    return search->wide_lanes ? word >> 32 : word >> 16 & UINT16_MAX;
}

/* What a group has as its population. Weights may be rounded up: then a class may seem to hold that
 * does not, and what is left is judged plainly. */
static inline uint64_t mgl_by_value_population(const mgl_by_value *search, const uint64_t *record)
{
    return mgl_by_value_second(search, record) * (search->weighs ? search->weight_step : 1);
}

static inline void mgl_by_value_set_second(const mgl_by_value *search, uint64_t *record,
                                           uint64_t count)
{
    unsigned bits = search->wide_lanes ? 32 : 16;
    uint64_t lane = ((UINT64_C(1) << bits) - 1) << bits;
    record[search->words] = (record[search->words] & ~lane) | count << bits;
}

/* What k counts: rows, or persons, of which a class that has enough may count more than there
 * are. */
static inline uint64_t mgl_by_value_people(const mgl_by_value *search, const uint64_t *record)
{
    return search->persons ? mgl_by_value_second(search, record)
                           : mgl_by_value_size(search, record);
}

/* Households of so many members at most are recorded: a bit for each size. */
enum { MGL_BY_VALUE_MEMBERS = 64 };

/* Members of the largest household with a row in the class; 0: not wanted. */
static inline uint64_t mgl_by_value_household(const mgl_by_value *search, const uint64_t *record)
{
    uint64_t sizes = search->households ? record[search->stride - 1] : 0;
    return sizes == 0 ? 0 : 64 - (uint64_t)__builtin_clzll(sizes);
}

static inline uint32_t mgl_by_value_history_of(const mgl_by_value *search, const uint64_t *record)
{
    return (uint32_t)(record[0] & ((UINT64_C(1) << search->history_bits) - 1));
}

/* by_value.c. Free with mgl_by_value_free. *out is NULL if a column needs too many bits or
 * all records too much memory: the sweep does it then. */
mgl_status mgl_by_value_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                            mgl_by_value **out);
void mgl_by_value_free(mgl_by_value *search);

/* record_tables.c */
/* Classes of the tuples, and records with those of the population. */
size_t mgl_by_value_ground_records(const mgl_by_value *search);

void mgl_by_value_table_free(mgl_by_value_table *table);
/* Finds out rows_of_person. */
mgl_status mgl_by_value_rows_of_person(mgl_by_value *search, mgl_error *err);
/* Those of the bad classes together; more need not be counted than models ask for. */
uint64_t mgl_by_value_bad_persons(mgl_by_value_worker *worker, const mgl_by_value_table *table);

/* judge_records.c */
bool mgl_by_value_class_holds(mgl_by_value_worker *worker, const uint64_t *record);
/* Rows of violating classes, which are listed as the bad ones; stops above `most`. */
uint64_t mgl_by_value_violating(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                                uint64_t most);
/* The rows of classes that violate a model in one of their histories are suppressed whole: adds
 * what the bad ones leave out, to their list and to the rows. */
mgl_status mgl_by_value_violating_whole(mgl_by_value_worker *worker,
                                        const mgl_by_value_table *table, mgl_error *err,
                                        uint64_t *rows);
/* Rows that every finer node must suppress; stops above `most`. */
uint64_t mgl_by_value_least(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                            uint64_t most);

/* Do the models of the whole table hold where these rows and the bad classes are suppressed? */
bool mgl_by_value_table_holds(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                              uint64_t rows);
/* Can they hold at a finer node? */
bool mgl_by_value_table_may_hold(mgl_by_value_worker *worker, const mgl_by_value_table *table);

/* record_tables.c */
/* Which records make up one class, whatever their histories (class_of), and what that is
 * (merged). */
mgl_status mgl_by_value_merge_histories(mgl_by_value_worker *worker,
                                        const mgl_by_value_table *table, mgl_error *err);
mgl_status mgl_by_value_workers_make(mgl_by_value *search, mgl_error *err);
void mgl_by_value_worker_free(mgl_by_value_worker *worker);
mgl_status mgl_by_value_first_make(mgl_by_value *search, mgl_error *err);
/* The path takes column c at this level; what lay beyond is forgotten. */
void mgl_by_value_step_to(mgl_by_value_worker *worker, size_t c, uint8_t level);
/* Columns before c as on the path, column c at this level, those before `depth` at their
 * lowest, the rest at their highest. */
mgl_status mgl_by_value_get(mgl_by_value_worker *worker, size_t c, uint8_t level, size_t depth,
                            mgl_error *err, const mgl_by_value_table **out);

/* evaluate_by_value.c: the node of this table, whose levels are the path. Bad classes are listed.
 * Does it hold, and at what cost? */
mgl_status mgl_by_value_evaluate(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                                 uint64_t rows, mgl_error *err, bool *holds, double *cost);

#endif
