/* utility: what a release lost, one file per measure behind one interface.
 *
 * All measures are functions of a few sums over the released cells, the statistics. They are
 * gathered once; a measure is then a small function, and a search that knows the sums of a node in
 * some faster way gets every measure with them. A new measure is one file with an mgl_measure_type
 * and one row in measure_rows.h; a sum that it needs goes into mgl_statistics. */
#ifndef MGL_UTILITY_H
#define MGL_UTILITY_H

#include "classes/classes.h"
#include "recoding/recoding.h"
#include "utility/exact_sums.h"

#include <math.h>

typedef struct mgl_statistics {
    uint64_t n_rows;         /* N, rows of the input */
    uint64_t top_rows;       /* n_s: rows at the top node: suppressed, dropped or recoded so */
    uint64_t n_classes;      /* other than the top one */
    bool tops_are_classes;   /* strata: those at the tops are among them, but in no square */
    double squares;          /* sum of |E|^2 over these */
    double log_sum;          /* sum of |E| log2 |E| over these */
    double original_log_sum; /* the same over the classes of the input */
    size_t n_attributes;
    double *distortion;      /* [a] sum over rows of level/H; NULL if the release has ranges */
    double *loss;            /* [a] sum over rows of (leaves - 1)/(leaves of a - 1) */
    double *bits;            /* [a] sum over rows of log2(f(released)/f(original)) */
    double ambiguity;        /* sum over rows of the product of leaves */
    bool has_label;          /* a class label was given */
    uint64_t misclassified;  /* rows that are suppressed or not of their class's majority */
    const uint32_t *node;    /* levels of a full-domain release; NULL for others */
    const uint32_t *heights; /* [a] H */
    const double *weights;   /* [a] */
    double k;                /* for C_avg; 0: none */
    double query_error;      /* NAN: not measured */
    bool regrouped;          /* rare rows were counted on higher levels (--least-count) */
    uint64_t *scratch;       /* a number for each value of each column */
    mgl_owned own;
} mgl_statistics;

/* How what a release costs is made up, for searches that bound it or compute it in a faster way. */
typedef enum mgl_cost_form {
    MGL_COST_UNKNOWN,  /* nothing is known: whole releases are priced */
    MGL_COST_SUM,      /* the mean over cells, or 1 minus it if higher is better; the sum of bits */
    MGL_COST_PRODUCT,  /* the product over the columns of 1 + the mean over cells, to the power of
                          1/columns, minus 1 */
    MGL_COST_TUPLES,   /* the mean over rows of the product over cells */
    MGL_COST_SQUARES,  /* every row pays the size of its class; a row at the top pays N */
    MGL_COST_CLASSES,  /* the more classes the better */
    MGL_COST_LOGS,     /* the entropy of the classes */
    MGL_COST_LEVELS,   /* the sum of the levels of the node */
    MGL_COST_MAJORITY, /* rows at the top, and those that are not of their class's majority */
} mgl_cost_form;

/* What is summed up or multiplied over cells. */
typedef enum mgl_measured_cells {
    MGL_PAYS_NONE,
    MGL_PAYS_LEVEL,  /* the level of the released value as a share of the height */
    MGL_PAYS_LEAVES, /* (leaves - 1)/(leaves of the column - 1) */
    MGL_PAYS_BITS,   /* log2 of the rows under it, less that of the original value */
    MGL_PAYS_WIDTH   /* its leaves */
} mgl_measured_cells;

/* A measure says here what searches, checks and findings need to know. What it leaves unsaid counts
 * as not so, and they price whole releases by `value`. */
typedef struct mgl_measure_type {
    const char *name; /* as an option: "loss" */
    const char *key;  /* in results: "loss" */
    const char *help; /* one line */
    const char *when; /* when to use it */
    /* In views of results: a title of few letters, if the key is none; always part of a summary; a
     * column of its own in comparisons. */
    const char *title;
    bool in_summary, in_table;
    bool higher_is_better;
    bool drives_search; /* may be named by --utility */
    bool is_standard;   /* taken where a job names none */
    bool takes_label;   /* named together with a column: NAME=COLUMN */
    bool whole;         /* a whole number */
    bool is_share;      /* never above 1, nor below 0 (the joined view aside) */
    bool needs_ground;  /* a release lacks it if rows were regrouped before they were counted: their
                           ground values are not known, and they can be above the node */
    bool from_release;  /* follows from a release and its node: sizes of classes, levels, labels */
    mgl_cost_form form;
    mgl_measured_cells cells;                          /* of a form that looks at cells */
    bool weighted;                                     /* cells have the weights of their columns */
    double (*value)(const mgl_statistics *statistics); /* NAN: the release does not have it */
} mgl_measure_type;

const mgl_measure_type *const *mgl_measure_types(size_t *n);
const mgl_measure_type *mgl_measure_type_find(const char *name); /* NULL: none */
const mgl_measure_type *mgl_measure_type_find_span(mgl_span name);
const mgl_measure_type *mgl_measure_type_find_key(const char *key); /* as results name it; NULL */
const mgl_measure_type *mgl_measure_type_standard(void);            /* where a job names none */

/* Is it a sum or a mean over cells? */
static inline bool mgl_adds_up(const mgl_measure_type *measure)
{
    return measure->form == MGL_COST_SUM;
}

/* Is it put together from what each column costs by itself: levels, leaves or bits of its cells? */
static inline bool mgl_is_by_column(const mgl_measure_type *measure)
{
    return measure->form == MGL_COST_SUM || measure->form == MGL_COST_PRODUCT ||
           measure->form == MGL_COST_LEVELS;
}

/* Lower is better for every measure: the value, or its negative. */
static inline double mgl_measure_cost(const mgl_measure_type *measure, const mgl_statistics *s)
{
    double value = measure->value(s);
    return measure->higher_is_better ? -value : value;
}

/* The reported value: NAN also where the release lacks it. */
static inline double mgl_measure_reported(const mgl_measure_type *measure, const mgl_statistics *s)
{
    return measure->needs_ground && s->regrouped ? NAN : measure->value(s);
}

/* Per released value of each attribute: what a cell of it costs. */
typedef struct mgl_cell_costs {
    size_t n_attributes;
    double **distortion;   /* [a][value] level/H */
    double **loss;         /* [a][value] */
    double **log_rows;     /* [a][value] log2 of the rows of the input under the value */
    uint64_t **rows;       /* [a][value] these rows */
    uint64_t ***at_level;  /* [a][level][value of the level] rows that have it there; [a] NULL: all
                              that lie under its label, since there are no stand-ins */
    double *original_bits; /* [a] sum over rows of log2 f(original) */
    double original_log_sum;
    mgl_owned own;
} mgl_cell_costs;

/* How many rows have value v at a level. */
static inline uint64_t mgl_rows_at(const mgl_cell_costs *costs, const mgl_released_column *column,
                                   size_t a, uint32_t level, uint32_t v)
{
    if (costs->at_level[a] != NULL)
        return costs->at_level[a][level][v];
    return costs->rows[a][column->of_leaf[level][column->hierarchy->levels[level].first_leaf[v]]];
}

/* pool: NULL for one thread. Free with mgl_cell_costs_free. */
mgl_status mgl_cell_costs_new(const mgl_frequency_list *list,
                              const mgl_released_column *const *columns, mgl_pool *pool,
                              mgl_error *err, mgl_cell_costs **out);
void mgl_cell_costs_free(mgl_cell_costs *costs);

/* A release as released tuples in classes, none of them empty: what the measures need to know. */
typedef struct mgl_released_tuples {
    size_t n_attributes, n_tuples;
    uint32_t *const *cells;   /* [a][t] */
    const uint32_t *first;    /* [class] a tuple of it */
    uint64_t dropped_rows;    /* rows of the input that are not among them */
    const uint32_t *class_of; /* [t] class, numbered 0..n_classes-1 */
    const uint64_t *class_sizes;
    size_t n_classes;
    uint32_t **class_cells; /* [a][class] those of its first tuple; NULL: not made */
} mgl_released_tuples;

static inline uint32_t mgl_class_cell(const mgl_released_tuples *tuples, size_t a, size_t class)
{
    return tuples->class_cells != NULL ? tuples->class_cells[a][class]
                                       : tuples->cells[a][tuples->first[class]];
}

/* Makes class_cells, side by side: they are looked at many times. Free with
 * mgl_class_cells_free. */
mgl_status mgl_class_cells_make(mgl_released_tuples *tuples, mgl_pool *pool, mgl_error *err);
void mgl_class_cells_free(mgl_released_tuples *tuples);

/* Room for the sums over these columns. */
mgl_status mgl_statistics_init(mgl_statistics *statistics,
                               const mgl_released_column *const *columns, size_t n_attributes,
                               mgl_error *err);
void mgl_statistics_free(mgl_statistics *statistics);

/* Fills the sums. Weights, heights, node, k and the label are the caller's to set. */
void mgl_statistics_gather(mgl_statistics *statistics, const mgl_cell_costs *costs,
                           const mgl_released_column *const *columns, uint64_t n_rows,
                           const mgl_released_tuples *tuples, mgl_pool *pool);

/* The sums of one column, from how many rows have each released value. */
void mgl_statistics_column(mgl_statistics *statistics, const mgl_cell_costs *costs, size_t a,
                           const uint64_t *rows_of_value, size_t n_values);

/* Majority labels: label_counts is the sparse histogram of the label per tuple. */
mgl_status mgl_statistics_label(mgl_statistics *statistics, const mgl_sparse *label_counts,
                                const mgl_released_column *const *columns,
                                const mgl_released_tuples *tuples, mgl_error *err);

/* The query error over a fixed random workload (MGL_QUERIES COUNT queries, seed
 * MGL_QUERY_SEED). The original is the list, the release the tuples. */
enum { MGL_QUERIES = 100, MGL_QUERY_SEED = 2002 };
/* What the original answers: truths[MGL_QUERIES]. Columns may be any of the hierarchies of the
 * list. */
mgl_status mgl_query_truths(const mgl_frequency_list *list,
                            const mgl_released_column *const *columns, mgl_pool *pool,
                            mgl_error *err, uint64_t *truths);
mgl_status mgl_query_error(const uint64_t *truths, uint64_t n_rows,
                           const mgl_released_column *const *columns,
                           const mgl_released_tuples *tuples, mgl_pool *pool, mgl_error *err,
                           double *out);

#endif
