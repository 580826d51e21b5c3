/* What the checks of a certificate share: costs, demands, boxes, candidates. Private to the module.
 */
#ifndef MGL_PROOF_CHECKS_H
#define MGL_PROOF_CHECKS_H

#include "proof/proof.h"

/* Sums of prices of many rows do not fit into 64 bits. */
typedef __int128 mgl_proof_sum;

/* What cells cost by the definition of the measure, in units of MGL_PROOF_UNIT, rounded down. */
typedef struct mgl_proof_costs {
    int64_t **of; /* [column][value] */
    int64_t top;  /* of a row */
} mgl_proof_costs;

/* Free with mgl_proof_costs_free, also on failure. */
mgl_status mgl_proof_costs_find(const mgl_proof *proof, mgl_error *err, mgl_proof_costs *out);
void mgl_proof_costs_free(mgl_proof_costs *costs, size_t n_columns);

/* The value of the measure if all rows together cost as much as so many rows at the top. */
double mgl_proof_value(const mgl_proof *proof, double cost);
/* The other way round. */
double mgl_proof_cost(const mgl_proof *proof, double value);
/* What a row at the top costs in the measure's own terms, if every column has two leaves or more.
 */
double mgl_proof_total(const mgl_proof *proof);

/* Of each value of a column: the lowest level, and how many leaves and rows are under it. Free with
 * mgl_proof_counts_free, also on failure. */
typedef struct mgl_proof_counts {
    uint32_t *lowest;
    uint64_t *leaves, *rows;
} mgl_proof_counts;
mgl_status mgl_proof_counts_find(const mgl_proof *proof, size_t a, mgl_error *err,
                                 mgl_proof_counts *out);
void mgl_proof_counts_free(mgl_proof_counts *counts);
/* Are costs fractions, of the height by levels or of the leaves by leaves, and do weights act? */
bool mgl_proof_is_fraction(const mgl_proof *proof, bool *levels, bool *weighted);

/* Costs as whole numbers without any rounding; or rounded down, the top costing about 2^40. */
typedef struct mgl_proof_whole {
    bool known;   /* they can be written so */
    int64_t **of; /* [column][value] */
    int64_t top;  /* of a row */
    double unit;  /* what 1 is in the measure's own terms */
} mgl_proof_whole;
/* Free with mgl_proof_whole_free, also on failure. */
mgl_status mgl_proof_whole_find(const mgl_proof *proof, bool rounded, mgl_error *err,
                                mgl_proof_whole *out);
void mgl_proof_whole_free(mgl_proof_whole *whole, size_t n_columns);

typedef struct mgl_proof_demand {
    const mgl_proof *proof;
    uint64_t rows;      /* that a class has at least */
    uint64_t *distinct; /* [n_sensitive] and how many values */
    bool looks;         /* values matter at all */
    uint32_t *seen;     /* [codes] the last look in which a code was seen */
    uint32_t look;
} mgl_proof_demand;

/* Free with mgl_proof_demand_free, also on failure. */
mgl_status mgl_proof_demand_init(mgl_proof_demand *demand, const mgl_proof *proof, mgl_error *err);
void mgl_proof_demand_free(mgl_proof_demand *demand);
/* Do these tuples meet it, all together? */
bool mgl_proof_can_hold(mgl_proof_demand *demand, const uint32_t *tuples, size_t n);

/* The tuples divided by their values at one column. */
typedef struct mgl_proof_division {
    uint32_t *tuples; /* [n] one piece behind the other, in the order they were given */
    uint32_t *values; /* [n_values] those of the pieces */
    size_t *count;    /* [n_values] all 0 between divisions */
    size_t *end;      /* [n_values] */
} mgl_proof_division;

/* Going through all boxes: one value per column, and the tuples under it. The current tuples are
 * divided by their values on each level of a column, and each piece by the next column. */
typedef struct mgl_proof_walk {
    const mgl_proof *proof;
    int64_t *const *cost;          /* [column][value] */
    int64_t *rest;                 /* [n_columns + 1] what the columns from here on cost at least */
    mgl_proof_division *divisions; /* [n_columns] */
    uint32_t *values, *levels;     /* [n_columns] of the box so far */
    uint32_t anchor;               /* only boxes of this tuple; MGL_NOT_FOUND: all */
    /* Can a box of some of these tuples matter that costs at least this much? */
    bool (*matters)(void *context, const uint32_t *tuples, size_t n, int64_t cost);
    /* A box with all of its tuples. */
    void (*visit)(void *context, const uint32_t *tuples, size_t n, int64_t cost);
    void *context;
    const mgl_progress *progress;
    uint64_t steps, next_report;
    mgl_error *err;
    mgl_status status;
} mgl_proof_walk;

/* Costs, callbacks and context are set. Free with mgl_proof_walk_end, also on failure. */
mgl_status mgl_proof_walk_begin(mgl_proof_walk *walk);
void mgl_proof_walk_end(mgl_proof_walk *walk);
void mgl_proof_walk_go(mgl_proof_walk *walk, const uint32_t *tuples, size_t n);
/* Counts steps; true if there were too many, or the run was cancelled: see status. */
bool mgl_proof_walk_is_over(mgl_proof_walk *walk, size_t steps);
static inline uint32_t mgl_proof_value_of(const mgl_proof *p, uint32_t t, size_t a, uint32_t level)
{
    return p->columns[a].value[level][p->leaves[t * p->n_columns + a]];
}
/* Do all have the same value on this level? */
static inline bool mgl_proof_read_alike(const mgl_proof *p, size_t a, uint32_t level,
                                        const uint32_t *tuples, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (mgl_proof_value_of(p, tuples[i], a, level) !=
            mgl_proof_value_of(p, tuples[0], a, level))
            return false;
    return true;
}

/* Classes that a release may have which costs little enough. */
typedef struct mgl_proof_candidates {
    size_t n;
    mgl_proof_sum *cost; /* [class] of all its rows */
    size_t *start;       /* [n + 1] */
    uint32_t *members;   /* tuples of class c at start[c]..start[c+1] */
    uint8_t *left_out;   /* [class] 1: a tuple that is suppressed */
    uint32_t *closed;    /* [class] 0: it may be chosen; else the depth where it was ruled out */
    size_t cost_room, start_room, members_room, left_out_room, closed_room;
} mgl_proof_candidates;
void mgl_proof_candidates_free(mgl_proof_candidates *candidates);

/* Rows that may be left out. */
uint64_t mgl_proof_most_left_out(const mgl_proof *proof);
/* All classes, and tuples left out, that cost at most `gap` more than the prices of the first step;
 * counts those that cost less. MGL_UNMET if they are too many. Free what is in *out, also on
 * failure. */
mgl_status mgl_proof_name_classes(const mgl_proof *proof, const mgl_proof_whole *whole,
                                  mgl_proof_sum gap, const mgl_progress *progress, mgl_error *err,
                                  mgl_proof_candidates *out, uint64_t *overpriced);
/* What all releases cost at least, but not more than `most`, by dividing at most MGL_PROOF_FEW
 * tuples in all ways; and how many sets of them are classes. */
mgl_status mgl_proof_try_sets(const mgl_proof *proof, const mgl_proof_whole *whole,
                              mgl_proof_sum most, const mgl_progress *progress, mgl_error *err,
                              mgl_proof_sum *least, uint64_t *classes);

#endif
