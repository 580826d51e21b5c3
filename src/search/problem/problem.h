/* What a search is asked and what it answers: problems, solutions, and what a method is. */
#ifndef MGL_SEARCH_PROBLEM_H
#define MGL_SEARCH_PROBLEM_H

#include "classes/classes.h"
#include "privacy/privacy.h"
#include "recoding/recoding.h"
#include "utility/utility.h"

/* Searches that keep a level per column on the stack take no more columns than these. */
enum { MGL_MOST_COLUMNS = 1024 };

/* What becomes of suppressed rows (docs/definitions.md#suppression). */
typedef enum mgl_treatment { MGL_KEEP, MGL_DROP, MGL_EXEMPT } mgl_treatment;

/* How long to look for a better answer, where a method can go on looking. */
typedef enum mgl_effort { MGL_EFFORT_FAST, MGL_EFFORT_BALANCED, MGL_EFFORT_BEST } mgl_effort;

/* mondrian: equal values stay together, or halves are as equal as can be. */
typedef enum mgl_cut { MGL_CUT_STRICT, MGL_CUT_RELAXED } mgl_cut;

/* microaggregate: what stands for the numbers of a group. */
typedef enum mgl_replace { MGL_REPLACE_MEAN, MGL_REPLACE_MEDIAN, MGL_REPLACE_RANGE } mgl_replace;

/* mu-argus: which combinations of columns are looked at; local-suppression: on which of them k
 * must hold. */
typedef struct mgl_combinations {
    uint64_t sizes; /* bit i: all combinations of i columns */
    bool published; /* those of Sweeney 2002, figure 12 */
    bool all;       /* of every size; for mu-argus with rounds until k holds */
} mgl_combinations;

/* What single methods are told; others look at none of it. */
typedef struct mgl_choices {
    mgl_cut cut;
    mgl_replace replace;
    mgl_combinations combinations;  /* all zero: not given */
    bool missing_matches_all;       /* local-suppression: a suppressed cell matches every value */
    bool accept_unsafe;             /* a result that breaks its promise is taken */
    const uint32_t *identification; /* [n_attributes] mu-argus: 1 most, 2 more, 3 identifying */
    const uint32_t *generalize;     /* [n_attributes] mu-argus: steps the holder wants, or 0 */
    const double *importance;       /* [n_attributes] local-suppression: what a cell is worth */
} mgl_choices;

/* Which rows models look at together, where that is not just those with equal cells. */
typedef struct mgl_counting {
    bool tops_match;  /* a cell at the top matches every value: k-anonymity counts the rows that
                         match a row */
    uint32_t columns; /* models hold on each combination of so many columns; 0: on all together */
} mgl_counting;

/* A quasi-identifier with the models that must hold on it. */
typedef struct mgl_quasi_set {
    const uint32_t *attributes; /* numbers into the list's attributes */
    size_t n_attributes;
    const mgl_model *models;
    size_t n_models;
} mgl_quasi_set;

/* A criterion among equal answers. */
typedef enum mgl_preference_kind {
    MGL_PREFER_ABSOLUTE,     /* least height */
    MGL_PREFER_RELATIVE,     /* least sum of level/H */
    MGL_PREFER_DISTRIBUTION, /* most distinct released tuples */
    MGL_PREFER_SUPPRESSION,  /* fewest suppressed rows */
    MGL_PREFER_MEASURE
} mgl_preference_kind;

typedef struct mgl_preference {
    mgl_preference_kind kind;
    const mgl_measure_type *measure; /* for MGL_PREFER_MEASURE */
} mgl_preference;

typedef struct mgl_problem {
    const mgl_frequency_list *list;
    const mgl_released_column *const *columns; /* [n_attributes] */
    const char *const *names;                  /* [n_attributes] for messages; NULL: unknown */
    const mgl_cell_costs *costs;
    const uint32_t *min_level, *max_level; /* [n_attributes] */
    const double *weights;                 /* [n_attributes] */
    const double *preference;              /* [n_attributes] Datafly's, 0..1 */
    const mgl_quasi_set *sets;
    size_t n_sets;
    uint64_t k;     /* the k of k-anonymity, or 1 */
    bool no_k;      /* the job names none: there is no C_avg */
    bool limited;   /* a suppression limit was given */
    uint64_t limit; /* rows */
    mgl_treatment treatment;
    mgl_effort effort;
    const mgl_measure_type *measure;
    const mgl_frequency_list *population; /* everybody, for the models that need it; or NULL */
    const uint32_t *pasts;   /* [tuple] what earlier releases show of it, where all of its rows have
                                the same; NULL: not known */
    const mgl_sparse *label; /* for the classification measure; NULL: none */
    const mgl_preference *prefer;
    size_t n_prefer;
    mgl_pool *pool;
    const mgl_progress *progress;
    mgl_choices choices;
    mgl_counting counting; /* how a result is judged */
    double deadline;       /* mgl_sys_seconds at which to stop; 0: none */
    uint64_t memory;       /* bytes that matter more than time; 0: as many as it takes */
    bool brief;            /* minimal nodes are not asked for */
    bool wants_proof;      /* the prices that prove a bound are */
} mgl_problem;

static inline bool mgl_problem_is_late(const mgl_problem *problem)
{
    return problem->deadline > 0 && mgl_sys_seconds() > problem->deadline;
}

/* microaggregate: how far the released numbers are from the original ones. Numbers are divided by
 * the standard deviation of their column; a cell that is released as the top counts as if it were
 * the mean of its column, a missing one not at all. */
typedef struct mgl_aggregation {
    bool known;      /* false: another method */
    uint64_t groups; /* of which several may read alike */
    double sse;      /* sum of squares between released and original numbers */
    double sst;      /* the same if every cell were the mean of its column */
    double il1s;     /* sum of distances divided by sqrt(2), with the deviation of a sample */
} mgl_aggregation;

/* How a bound was proved that the prices of rows alone do not prove (docs/proofs.md): prices of
 * whole tuples, and pairs of tuples that are in one class, and then are not, in the order of a
 * search. */
enum { MGL_STEP_PRICES, MGL_STEP_TOGETHER, MGL_STEP_APART, MGL_STEP_END };
typedef struct mgl_bound_steps {
    /* MGL_STEP_PRICES, price of a row left out, number of cuts, prices of the tuples, and for each
     * cut its price, its size and its tuples; or another kind of step and two tuples. */
    int64_t *numbers;
    size_t n, capacity; /* n = 0: nothing was proved so */
    int64_t bound;
    bool rounded; /* costs are rounded down; else they are whole, and multiples of that: */
    int64_t times;
    double unit; /* what that is in the measure's own terms */
    bool failed; /* memory was out */
} mgl_bound_steps;

/* Nodes are arrays of n_attributes levels. */
struct mgl_solution {
    size_t n_attributes;
    mgl_recoding *recoding;
    uint32_t *node;           /* NULL for a recoding that mixes levels */
    uint32_t *levels;         /* of which node single cells were suppressed; NULL: of none */
    uint64_t suppressed_rows; /* moved to the top by suppression */
    uint64_t nodes_total;     /* saturates at UINT64_MAX */
    uint64_t nodes_checked;
    bool minimal_known;
    uint32_t *minimal_nodes; /* [n_minimal * n_attributes], lexicographic */
    size_t n_minimal;
    uint64_t *heights_tried; /* samarati: each height of its search, in order */
    size_t n_heights_tried;
    size_t n_ties; /* nodes as good as the chosen one, itself included; 0: not counted */
    bool exact;    /* value is proved to be the best possible for this kind of recoding */
    bool bounded;  /* no release of this kind is better than best_possible, as is proved */
    double best_possible;
    /* If the problem wants them and the method has them: the price of each row of a tuple, in units
     * of what the measure adds up over the cells of a row. No class costs less than its prices. */
    uint32_t *prices; /* [n_tuples]; NULL: there are none */
    double price_unit;
    mgl_bound_steps steps;
    bool timed_out;
    mgl_aggregation aggregation;
    bool unsafe;       /* models do not hold on the recoding; it may be released only if that was
                          accepted */
    const char *safer; /* unsafe: what would help */
};

typedef struct mgl_method_type {
    const char *name;
    const char *help;    /* one line */
    const char *when;    /* when to use it */
    const char *cost;    /* what it costs, in words */
    const char *options; /* keys that only it and few others take, with a space between; "": none */
    bool is_standard;    /* taken where a job names none */
    bool full_domain;    /* one level per column */
    bool several_sets;   /* handles several quasi-identifiers */
    bool own_limit;      /* suppresses as many rows as its own rule says, unless a job limits it */
    /* How its results count, by the choices; NULL: rows with equal cells do. */
    mgl_counting (*counting)(const mgl_choices *choices, size_t n_attributes);
    bool own_values;   /* may release ranges or averages, which no population can be matched with:
                          numbers without a hierarchy become such */
    bool averages;     /* of numbers is all that it releases */
    bool keeps_values; /* a cell keeps its value or loses it: columns need no hierarchy */
    mgl_status (*run)(const mgl_problem *problem, mgl_error *err, mgl_solution *out);
} mgl_method_type;

#endif
