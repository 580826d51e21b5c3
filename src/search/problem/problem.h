/* What a search is asked and what it answers: problems, solutions, and what a method is. */
#ifndef MGL_SEARCH_PROBLEM_H
#define MGL_SEARCH_PROBLEM_H

#include "base/base.h"
#include "classes/classes.h"
#include "privacy/privacy.h"
#include "recoding/recoding.h"
#include "search/problem/by_set.h"
#include "utility/utility.h"

/* ---- Options of methods ---------------------------------------------------------------------- */

/* Options of methods: a row beside the method defines each, and all that reads a job file or a
 * command line, helps, completes or checks goes by these rows. */

typedef struct mgl_method_option mgl_method_option;
struct mgl_method_option {
    const char *name;        /* of the option, and of the key in job files */
    const char *value;       /* how the value is written, for help; NULL: flags and words */
    const char *help;        /* begins with the names of the methods it is for */
    const char *fallback;    /* what holds when it is not given; NULL: all zero */
    mgl_value_parser parser; /* of the value, or of each item of a list */
    bool list;               /* values with commas between, which the form adds to one another */
    bool by_column;  /* column=value for quasi-identifiers: the field is a pointer to the values
                        of all of them, in their order */
    bool of_levels;  /* by_column: a value besides the default asks for levels of a hierarchy */
    bool of_release; /* it says how a release is judged, too */
    mgl_value_record record;
    size_t place; /* offset of the field in the struct of the method's options */
    /* Defines everything but the place, for an option that several methods have; NULL: this row
     * does. */
    const mgl_method_option *same;
};

struct mgl_method_type;

/* The row that defines an option of the method, by its number. */
const mgl_method_option *mgl_method_option_at(const struct mgl_method_type *method, size_t i);

enum { MGL_WHOLE_TABLE = -1 };

/* Returns the text given for an option, which must outlive the options; NULL: none was given.
 * column: the number of a quasi-identifier, or MGL_WHOLE_TABLE. */
typedef const char *mgl_option_text_fn(const void *context, const mgl_method_option *option,
                                       ptrdiff_t column);

/* Makes the options of a method for so many quasi-identifiers: the texts given, else the defaults.
 * Everything lies in the arena; *out is NULL for a method without options. given: optional. */
mgl_status mgl_method_options(const struct mgl_method_type *method, size_t n_attributes,
                              mgl_option_text_fn *given, const void *context, mgl_arena *arena,
                              mgl_error *err, const void **out);

/* ---- Combinations of columns ----------------------------------------------------------------- */

/* The option --combinations, which mu-argus and local-suppression have. */

/* Combinations of columns that a method looks at, or on which k must hold. */
typedef struct mgl_combinations {
    uint64_t sizes; /* bit i: all combinations of i columns */
    bool published; /* those of Sweeney 2002, figure 12 */
    bool all;       /* of every size; for mu-argus with rounds until k holds */
    bool named;     /* columns with + between: these are the quasi-identifiers of the problem */
} mgl_combinations; /* all zero: not given */

extern const mgl_method_option mgl_combinations_option;

/* Searches that keep a level per column on the stack take no more columns than these. */
enum { MGL_MOST_COLUMNS = 1024 };

/* What becomes of suppressed rows (docs/definitions.md#suppression). */
typedef enum mgl_treatment { MGL_KEEP, MGL_DROP, MGL_EXEMPT } mgl_treatment;

/* How long to look for a better answer, where a method can go on looking. */
typedef enum mgl_effort { MGL_EFFORT_FAST, MGL_EFFORT_BALANCED, MGL_EFFORT_BEST } mgl_effort;

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
    size_t number; /* among those of the job, of which one may have no columns left */
} mgl_quasi_set;

/* What is so of some model of a set. */
enum {
    MGL_SOME_SEE_HISTOGRAMS = 1, /* mgl_needs_histograms */
    MGL_SOME_SEE_POPULATION = 2,
    MGL_SOME_WEIGH = 4,
    MGL_SOME_JUDGE_TABLE = 8,
    MGL_SOME_BREAK = 16 /* not upward closed */
};

static inline unsigned mgl_models_of(const mgl_quasi_set *set)
{
    unsigned some = 0;
    for (size_t i = 0; i < set->n_models; i++) {
        const mgl_model_type *type = set->models[i].type;
        some |= mgl_needs_histograms(type) ? MGL_SOME_SEE_HISTOGRAMS : 0;
        some |= type->needs_population ? MGL_SOME_SEE_POPULATION : 0;
        some |= type->weighs ? MGL_SOME_WEIGH : 0;
        some |= type->scope == MGL_SCOPE_TABLE ? MGL_SOME_JUDGE_TABLE : 0;
        some |= !type->upward_closed ? MGL_SOME_BREAK : 0;
    }
    return some;
}

/* Do all class-wise models of the set hold? */
static inline bool mgl_set_holds(const mgl_quasi_set *set, const mgl_group *group)
{
    for (size_t i = 0; i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_CLASS &&
            !mgl_model_holds(&set->models[i], group))
            return false;
    return true;
}

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
    const mgl_aggregate *aggregates;       /* [n_attributes]; NULL: every column is generalized, or
                                              whatever the method does with it */
    const mgl_quasi_set *sets;
    size_t n_sets;
    uint64_t k;             /* the k of k-anonymity, or 1 */
    bool no_k;              /* the job names none: there is no C_avg */
    bool limited;           /* a suppression limit was given */
    uint64_t limit;         /* rows */
    const char *limit_text; /* "10" or "2%", which each stratum is given of its own rows; NULL: it
                               was not given, or strata have the limit above */
    mgl_treatment treatment;
    mgl_effort effort;
    const mgl_measure_type *measure;
    const mgl_frequency_list *population; /* all persons, for the models that need it; or NULL */
    const uint8_t *gone; /* [tuple] 1: suppressed before the search, because of its risk; NULL:
                            none is */
    const uint32_t *histories; /* [tuple] what earlier releases show of it, where all of its rows
                              have the same; NULL: not known */
    const mgl_sparse *label;   /* for the classification measure; NULL: none */
    const mgl_preference *prefer;
    size_t n_prefer;
    mgl_pool *pool;
    const mgl_progress *progress;
    const struct mgl_method_type *method; /* that is to run; NULL: not known */
    const void *options;                  /* its own; other methods run with their defaults */
    mgl_counting counting;                /* how a result is judged */
    double deadline;                      /* mgl_sys_seconds at which to stop; 0: none */
    uint64_t memory;  /* bytes that matter more than time; 0: as many as it takes */
    bool brief;       /* minimal nodes are not asked for */
    bool wants_proof; /* the dual values that prove a bound are */
} mgl_problem;

/* Is time up, or was the job cancelled? The caller of the search reports it. */
static inline bool mgl_problem_is_late(const mgl_problem *problem)
{
    return mgl_progress_stopped(problem->progress) ||
           (problem->deadline > 0 && mgl_sys_seconds() > problem->deadline);
}

/* ---- Findings of methods --------------------------------------------------------------------- */

/* What a method found beside the recoding, as a flat list of named values: a result shows it in
 * the order given. MGL_FINDING_GROUP opens a set of named values, MGL_FINDING_LIST a list of
 * unnamed ones; MGL_FINDING_END closes the innermost of both. */
typedef enum mgl_finding_kind {
    MGL_FINDING_COUNT,
    MGL_FINDING_REAL,
    MGL_FINDING_TEXT,
    MGL_FINDING_ABSENT,
    MGL_FINDING_GROUP,
    MGL_FINDING_LIST,
    MGL_FINDING_END
} mgl_finding_kind;

typedef struct mgl_finding {
    mgl_finding_kind kind;
    const char *name; /* a string constant; NULL in a list */
    uint64_t count;
    double real;
    const char *text; /* the list's */
} mgl_finding;

typedef struct mgl_findings {
    mgl_finding *of; /* [n] */
    size_t n, capacity;
    mgl_arena *texts;
    bool failed; /* memory ran out: the list is incomplete */
} mgl_findings;  /* starts all zero */

/* Each adds a value. The text is copied. */
void mgl_findings_count(mgl_findings *findings, const char *name, uint64_t count);
void mgl_findings_real(mgl_findings *findings, const char *name, double real);
void mgl_findings_text(mgl_findings *findings, const char *name, const char *text);
/* The kinds without a value. */
void mgl_findings_mark(mgl_findings *findings, mgl_finding_kind kind, const char *name);
/* Adds all values of `more`. */
void mgl_findings_append(mgl_findings *findings, const mgl_findings *more);
void mgl_findings_free(mgl_findings *findings);

/* ---- Aggregation ----------------------------------------------------------------------------- */

/* How far released averages are from the original numbers. Numbers are divided by the standard
 * deviation of their column; a cell that is released as the top counts as if it were the mean of
 * its column, a missing one not at all. */
typedef struct mgl_aggregation {
    uint64_t groups; /* of which several may read alike */
    double sse;      /* sum of squares between released and original numbers */
    double sst;      /* the same if every cell were the mean of its column */
    double il1s;     /* sum of distances divided by sqrt(2), with the deviation of a sample */
} mgl_aggregation;
/* Adds all of them, and the share of the sum of squares that is lost, as values of a group. */
void mgl_aggregation_report(const mgl_aggregation *aggregation, mgl_findings *out);

/* The same of one column. */
typedef struct mgl_aggregated_column {
    size_t attribute;
    mgl_aggregate function;
    mgl_aggregation sums; /* of numbers */
    uint64_t changed;     /* cells that had a value and do not read like it */
    uint64_t stand;       /* of categories: cells that stand for values, neither missing nor at the
                             top; and for how many in all: */
    uint64_t values;
} mgl_aggregated_column;

/* What became of columns that are aggregated within classes. */
typedef struct mgl_aggregated {
    uint64_t classes; /* of the other columns */
    uint64_t groups;  /* that these were cut into; several may read alike */
    bool searched;    /* there are other columns, and: */
    bool bounded;     /* the search proved a bound for them */
    bool exact;       /* and reached it */
    uint32_t *node;   /* [n_attributes] their levels, where each has one; NULL */
    size_t n;
    mgl_aggregated_column *columns; /* [n] */
} mgl_aggregated;
void mgl_aggregated_free(mgl_aggregated *aggregated);

/* How a bound was proved that the dual values of rows alone do not prove (docs/proofs.md): dual
 * values of whole tuples, and pairs of tuples that are in one class, and then are not, in the order
 * of a search. */
enum { MGL_STEP_DUALS, MGL_STEP_TOGETHER, MGL_STEP_APART, MGL_STEP_END };
typedef struct mgl_bound_steps {
    /* MGL_STEP_DUALS, dual value of a row left out, number of cuts, dual values of the tuples, and
     * for each cut its dual value, its size and its tuples; or another kind of step and two
     * tuples. */
    int64_t *numbers;
    size_t n, capacity; /* n = 0: nothing was proved so */
    int64_t bound;
    bool rounded; /* costs are rounded down; else they are whole, and multiples of that: */
    int64_t times;
    double unit; /* what that is in the measure's own terms */
    bool failed; /* memory was out */
} mgl_bound_steps;

/* What proves a bound: the dual value of each row of a tuple, in units of what the measure adds up
 * over the cells of a row. No class costs less than its dual values. */
typedef struct mgl_bound_duals {
    uint32_t *duals; /* [n_tuples] */
    double unit;
    mgl_bound_steps steps;
} mgl_bound_duals;

/* The limit that a text like "10" or "2%" means for so many rows; NULL: 0. */
uint64_t mgl_limit_of(const char *given, uint64_t n_rows);

struct mgl_strata;

/* Nodes are arrays of n_attributes levels. */
typedef struct mgl_solution {
    size_t n_attributes;
    mgl_recoding *recoding;
    mgl_classes *classes;     /* of the released tuples on all columns; NULL: not known. They are
                                 freed when the recoding changes */
    uint32_t *node;           /* NULL for a recoding that mixes levels */
    uint64_t suppressed_rows; /* moved to the top by suppression */
    uint64_t risky_rows;      /* of these, gone before the search */
    uint64_t joined_rows;     /* of these, what had to join them */
    uint64_t nodes_total;     /* saturates at UINT64_MAX */
    uint64_t nodes_checked;
    bool minimal_known;
    uint32_t *minimal_nodes; /* [n_minimal * n_attributes], lexicographic */
    size_t n_minimal;
    size_t n_ties; /* nodes as good as the chosen one, itself included; 0: not counted */
    bool exact;    /* value is proved to be the best possible for this kind of recoding */
    bool bounded;  /* no release of this kind is better than best_possible, as is proved */
    double best_possible;
    bool timed_out;
    const char *made;  /* what values are that no hierarchy has ("means"); NULL: ranges */
    bool unsafe;       /* models do not hold on the recoding; it may be released only if that was
                          accepted */
    const char *safer; /* unsafe: what would help */
    const struct mgl_method_type *method; /* that found it */
    void *findings;             /* what else it found, which only it knows; NULL: nothing */
    mgl_aggregated *aggregated; /* NULL: no column says how it is aggregated */
    struct mgl_strata *strata;  /* that were searched one by one; NULL: the table is one */
} mgl_solution;
void mgl_solution_free(mgl_solution *solution);

/* Rows that were searched and judged on their own. */
typedef struct mgl_stratum {
    size_t first, n_tuples; /* its tuples lie side by side in the list */
    uint64_t n_rows;
    uint64_t n_classes, smallest; /* of those that are judged; rows or persons */
    double value;                 /* of the measure, on its rows alone; NAN: it has none */
    mgl_solution *solution; /* for the other columns alone; its recoding is part of the whole one */
} mgl_stratum;

typedef struct mgl_strata {
    size_t n_held; /* columns that define strata: the first ones */
    size_t n;
    mgl_stratum *of; /* [n] in the order of the list */
} mgl_strata;
void mgl_strata_free(mgl_strata *strata);

typedef struct mgl_method_type {
    const char *name;
    const char *help; /* one line */
    const char *when; /* when to use it */
    const char *cost; /* what it costs, in words */

    /* Options of its own: a row each, for the fields of a struct that only the method reads. */
    const mgl_method_option *options;
    size_t n_options;
    size_t options_size; /* of the struct */

    bool is_standard;  /* taken where a job names none */
    bool full_domain;  /* one level per column */
    bool best_node;    /* finds the best of these levels: one that alone is left is it */
    bool several_sets; /* handles several quasi-identifiers */
    bool own_limit;    /* suppresses as many rows as its own rule says, unless a job limits it */
    bool own_values;   /* may release ranges or averages, which no population can be matched with:
                          numbers without a hierarchy become such */
    bool averages;     /* of numbers is all that it releases */
    bool keeps_values; /* a cell keeps its value or loses it: columns need no hierarchy */
    /* What keys of a job it has a use for, of those that not every method has. */
    bool looks_longer;   /* it goes on looking, as long as the effort allows */
    bool proves;         /* it can give the dual values that prove its bound */
    bool may_be_unsafe;  /* models need not hold on its results */
    bool tops_may_match; /* it can count suppressed cells as matching every value */
    /* On how many columns at a time models hold on its results; NULL: on all of them together. */
    uint32_t (*columns_together)(const void *options, size_t n_attributes);

    mgl_status (*run)(const mgl_problem *problem, mgl_error *err, mgl_solution *out);

    /* Its findings: what it adds to a result, under names that a result of another method has as
     * null or not at all; what others ask for; how they are freed (NULL: mgl_free). */
    void (*report)(const void *findings, mgl_findings *out);
    const char *const *reported; /* those names that no other result has, NULL at the end; NULL:
                                    none */
    const uint32_t *(*levels)(const void *findings);
    const mgl_bound_duals *(*duals)(const void *findings);
    void (*free_findings)(void *findings);
} mgl_method_type;

#endif
