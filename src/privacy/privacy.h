/* privacy: the models a release must hold, one file each behind one interface.
 *
 * A new model is one file with an mgl_model_type and one row in model_rows.h. Where rows have
 * weights or are a known share of the population it can have descriptors of their own (`weighed`,
 * `sampled`), so that what a descriptor states for searches is true for each of these sources. */
#ifndef MGL_PRIVACY_H
#define MGL_PRIVACY_H

#include "hierarchy/hierarchy.h"
#include "table/table.h"

#include <math.h>

enum { MGL_MAX_PARAMETERS = 4 };

typedef enum mgl_scope {
    MGL_SCOPE_CLASS, /* each class is judged by itself */
    MGL_SCOPE_TABLE  /* the whole release is judged */
} mgl_scope;

/* What a model takes, as it is named in job files and results: a number, or one of a few
 * words, whose place among them is then the number. */
typedef struct mgl_parameter {
    const char *name;
    const char *help;
    bool whole;               /* an integer */
    double min, max;          /* inclusive */
    const char *const *words; /* NULL: a number; else NULL-terminated, the first is the default */
} mgl_parameter;

/* What is known about a sensitive attribute over the whole input table. */
typedef struct mgl_sensitive {
    const mgl_column *column;
    const uint64_t *counts; /* [code] rows (persons) that have the value; the sum is n */
    uint64_t n;
    uint32_t n_values;    /* size of the dictionary */
    uint32_t n_present;   /* values that occur, missing cells among them */
    uint32_t unknown;     /* the code of missing cells, plus 1, where some occur and they are no
                             value to models of known values; 0: every cell has a value */
    const uint32_t *rank; /* [code] place among the values that occur, numbers by value,
                             other values bytewise */
    /* The distribution along the ranks, [n_present] and [n_present + 1]: rows whose value has
     * at most this rank, and the sum of cumulative[0..rank-1]. */
    const uint64_t *cumulative, *cumulative_sums;
    const mgl_hierarchy *hierarchy;      /* NULL: none */
    const uint32_t *leaf_of_code;        /* with a hierarchy */
    const uint64_t *const *level_counts; /* with a hierarchy: [level][value] rows under it */
    /* Protected subtrees: each value counts as its strong ancestor. Without protected values
     * every value is its own. */
    const uint32_t *strong;    /* [code] number of the subtree, 0..n_strong-1 */
    uint32_t n_strong;         /* in the hierarchy, or in the data if there is none */
    uint32_t n_strong_known;   /* of these, without one that only missing cells are in */
    uint32_t n_strong_present; /* subtrees of which values occur, known ones if only these count */
    uint32_t n_protected;      /* values the holder marked as protected */
} mgl_sensitive;

/* What the table is a sample of, where rows give that and no table of the whole population does. */
typedef struct mgl_sample {
    double fraction; /* the share of the population that is in the table; 0: not known */
    uint64_t unit;   /* what a person counts in the population of a group, where that is the sum of
                        the weights of its rows; 0: rows have no weights */
    uint64_t total;  /* the sum of all weights, in that unit */
} mgl_sample;

/* What is known about the whole input table. */
typedef struct mgl_facts {
    uint64_t n_rows;                /* or persons, with --entity */
    const mgl_sensitive *sensitive; /* [n_sensitive] */
    size_t n_sensitive;
    uint64_t k; /* of k-anonymity; 0: not asked for */
    mgl_sample sample;
} mgl_facts;

/* Sizes of the classes of a release, suppressed rows left out. Their order means nothing, and what
 * a model finds must not depend on it. */
typedef struct mgl_class_sizes {
    const uint64_t *sizes;
    size_t n;
    const uint64_t *population; /* [n] as that of a group; NULL: models look at sizes alone */
} mgl_class_sizes;

/* A release that a search has yet to find: its classes lie within these, and some rows of theirs
 * may be suppressed. */
typedef struct mgl_open_release {
    mgl_class_sizes classes; /* all rows of the table are in them */
    uint64_t suppressible;   /* rows that may be suppressed, at most */
    bool kept; /* suppressed rows are a class like any other; else they are left out */
} mgl_open_release;

typedef struct mgl_model mgl_model;

/* What a model has to do with k, the number of rows (persons) that a job asks of every class. */
typedef enum mgl_k_role {
    MGL_K_NONE,
    MGL_K_IS,        /* its first parameter is k, and how many look alike is all it counts */
    MGL_K_STANDS_FOR /* its first parameter is k, too, where no model of the job gives one */
} mgl_k_role;

/* Models that ask for as many different values in a class as their first parameter says, and beside
 * that for rows only. */
typedef enum mgl_distinct {
    MGL_DISTINCT_NONE,    /* the model asks for something else */
    MGL_DISTINCT_VALUES,  /* values of its attribute */
    MGL_DISTINCT_OF_EACH, /* values of each sensitive attribute */
    MGL_DISTINCT_SUBTREES /* protected subtrees of its attribute */
} mgl_distinct;

/* What can be said of the counts of values in a class that holds. */
typedef enum mgl_value_rule {
    MGL_VALUES_UNKNOWN, /* nothing: the model itself must judge */
    MGL_VALUES_SHARES,  /* every value has at most its share of the class */
    MGL_VALUES_OVERLAP, /* at least a given share of the class lies within the shares of its values
                         */
    MGL_VALUES_DISTANCE /* the measure is at most the first parameter; it is convex and largest for
                           a class of one value */
} mgl_value_rule;

/* How a class is judged fast where the rule alone does not decide. */
typedef enum mgl_value_kernel {
    MGL_KERNEL_NONE,    /* by the model itself */
    MGL_KERNEL_ENTROPY, /* the entropy is at least ln of the first parameter */
    MGL_KERNEL_LARGEST, /* the largest count is below the first parameter times the sum of the
                           counts from the l-th largest on, l the second parameter */
    MGL_KERNEL_RANKS    /* the distance is that of the cumulative shares along the ranks */
} mgl_value_kernel;

/* A model on the values of one attribute, for searches that count values themselves. What is said
 * here must be true of every class that holds. */
typedef struct mgl_value_terms {
    mgl_value_rule rule;
    mgl_value_kernel kernel;
    bool decides;    /* a class that meets all terms holds */
    double distinct; /* different values it must have at least; 0: any number */
    double overlap;  /* MGL_VALUES_OVERLAP: the share of the class */
    /* The share a value may have at most, and must have at least, by its share in the table. NULL:
     * there is no such bound. */
    double (*most)(const mgl_model *model, double share);
    double (*least)(const mgl_model *model, double share);
} mgl_value_terms;

/* A model states here what searches, checks and result sections need. What it does not state counts
 * as false, and they call `holds`: that is slower, and always right. */
typedef struct mgl_model_type mgl_model_type;
struct mgl_model_type {
    const char *name;      /* in job files and results: "k-anonymity" */
    const char *option;    /* on the command line: "k" */
    const char *help;      /* one line */
    const char *when;      /* when to use it */
    bool takes_attribute;  /* it protects one sensitive attribute */
    bool sizes_only;       /* it looks at nothing but the sizes of classes */
    bool needs_population; /* it looks at a class's size and its rows in the population table */
    bool weighs;           /* it looks at a class's size and the weights of its rows */
    bool by_household;     /* it looks at the largest household in a class, too */
    bool bounds_risk;      /* its first parameter is the most that the risk of a row may be */
    bool looks_at_input;   /* it compares a class with the whole input table */
    bool known_values;     /* it looks at known cells only: a missing one is no value to it */
    bool empty_at_one;     /* with a number of 1 a row alone keeps it */
    const char *brief;     /* a few words, of models that are often used; else NULL */
    mgl_k_role k;
    mgl_distinct distinct;
    const mgl_parameter *parameters;
    size_t n_parameters;
    mgl_scope scope;
    bool union_closed;  /* the union of holding classes holds */
    bool upward_closed; /* a superset of a holding class holds */
    /* Class-wise models. The measure is the strongest parameter a class holds with; the
     * release's is the least (measured_is_least) or the largest over its classes. */
    bool (*holds)(const mgl_model *model, const mgl_group *group);
    double (*measure)(const mgl_model *model, const mgl_group *group);
    bool measured_is_least;
    /* Optional, of models on size and population: how many rows of the group can lie in parts of it
     * that hold, each with the population that matches it, at most. What is not said follows from
     * upward_closed: all of them, or none if the group does not hold. */
    double (*most_kept)(const mgl_model *model, const mgl_group *group);
    /* Table-level models. */
    bool (*table_holds)(const mgl_model *model, const mgl_class_sizes *classes);
    double (*table_measure)(const mgl_model *model, const mgl_class_sizes *classes);
    /* Optional: can it hold on such a release? False is a proof. Without it searches evaluate every
     * node plainly. */
    bool (*table_may_hold)(const mgl_model *model, const mgl_open_release *release);
    /* Optional: does it look at the hierarchy of its attribute, with these parameters? */
    bool (*reads_hierarchy)(const double *parameters);
    /* Optional: refuses what cannot be met, before any search. */
    mgl_status (*prepare)(mgl_model *model, const mgl_facts *facts, mgl_error *err);
    /* Optional: what searches may know about the counts of values in a class. */
    mgl_value_terms (*terms)(const mgl_model *model);
    /* The same model where rows have sampling weights, and where the table is a known share of the
     * population; NULL: it is no other there. */
    const mgl_model_type *weighed, *sampled;
    bool needs_fraction; /* it is none without such a share */
};

/* Does a row that is alone keep the model with these parameters, so that it promises nothing? */
static inline bool mgl_model_is_empty(const mgl_model_type *type, const double *parameters)
{
    for (size_t i = 0; type->empty_at_one && i < type->n_parameters; i++)
        if (type->parameters[i].words == NULL && parameters[i] == 1)
            return true;
    return false;
}

/* Must more be known of a class than its size: the values of sensitive attributes, weights? Not if
 * a class that is large enough surely holds, nor if the sizes of all classes say it all. */
static inline bool mgl_needs_histograms(const mgl_model_type *type)
{
    bool by_sizes = type->sizes_only && (type->upward_closed || type->scope == MGL_SCOPE_TABLE);
    return !by_sizes && !type->needs_population;
}

/* Does it look at the values of sensitive attributes? */
static inline bool mgl_looks_at_values(const mgl_model_type *type)
{
    return mgl_needs_histograms(type) && !type->weighs && !type->by_household;
}

/* Is a least size of every class all it asks for? */
static inline bool mgl_asks_for_size(const mgl_model_type *type)
{
    return type->scope == MGL_SCOPE_CLASS && type->sizes_only && type->upward_closed;
}

struct mgl_model {
    const mgl_model_type *type;
    double parameters[MGL_MAX_PARAMETERS];
    uint32_t attribute; /* which sensitive attribute, if the type takes one */
    const mgl_facts *facts;
    const struct mgl_joint *joint; /* NULL: the model judges classes as they are */
};

/* The attribute a model protects, and its histogram in a class. */
static inline const mgl_sensitive *mgl_model_sensitive(const mgl_model *model)
{
    return &model->facts->sensitive[model->attribute];
}
static inline const mgl_histogram *mgl_model_histogram(const mgl_model *model,
                                                       const mgl_group *group)
{
    return &group->sensitive[model->attribute];
}

/* The same of a model that may have no facts: NULL then. */
static inline const mgl_sensitive *mgl_model_facts(const mgl_model *model)
{
    bool any = model->facts != NULL && model->facts->sensitive != NULL;
    return any ? mgl_model_sensitive(model) : NULL;
}

/* Where missing cells that are no value stand in a histogram of the attribute (NULL: every cell has
 * a value); SIZE_MAX: there are none. */
static inline size_t mgl_unknown_at(const mgl_sensitive *sensitive, const mgl_histogram *histogram)
{
    for (size_t i = 0; sensitive != NULL && sensitive->unknown != 0 && i < histogram->size; i++)
        if (mgl_histogram_code(histogram, i) + 1 == sensitive->unknown)
            return i;
    return SIZE_MAX;
}

/* How many different known values a class has. */
static inline size_t mgl_known_values(const mgl_sensitive *sensitive,
                                      const mgl_histogram *histogram)
{
    return histogram->size - (mgl_unknown_at(sensitive, histogram) != SIZE_MAX);
}

/* How many different known values the table has. */
static inline uint32_t mgl_known_present(const mgl_sensitive *sensitive)
{
    return sensitive->n_present - (sensitive->unknown != 0);
}

/* Is the value none to the model? */
static inline bool mgl_model_skips(const mgl_model *model, uint32_t code)
{
    return model->type->known_values && mgl_model_sensitive(model)->unknown == code + 1;
}

/* What the model says of the counts of values; nothing if its type has no terms. Missing cells that
 * are no value count as rows of the class all the same: what is said of shares then holds of known
 * values only (mgl_model_skips), and does not decide. */
static inline mgl_value_terms mgl_model_terms(const mgl_model *model)
{
    mgl_value_terms terms =
        model->type->terms != NULL ? model->type->terms(model) : (mgl_value_terms){0};
    if (model->type->known_values && mgl_model_sensitive(model)->unknown != 0) {
        terms.decides = false;
        terms.kernel = MGL_KERNEL_NONE;
    }
    return terms;
}

/* Comparisons allow a relative 1e-12 in favour of holding (docs/definitions.md#models). */
static inline bool mgl_at_most(double value, double limit)
{
    return value <= limit ||
           (isfinite(value) && value - limit <= 1e-12 * fmax(fabs(value), fabs(limit)));
}

const mgl_model_type *const *mgl_model_types(size_t *n);
const mgl_model_type *mgl_model_type_find(const char *name); /* by name; NULL */
const mgl_model_type *mgl_model_type_of_k(void);    /* the one whose first parameter is k */
const mgl_model_type *mgl_model_type_of_risk(void); /* the one that bounds_risk */

static inline bool mgl_model_holds(const mgl_model *model, const mgl_group *group)
{
    return model->type->holds(model, group);
}

/* ---- Samples ------------------------------------------------------------------------ */

/* The type for a job that states how rows stand for a population. */
static inline const mgl_model_type *mgl_model_type_of_sample(const mgl_model_type *type,
                                                             bool weights, bool fraction)
{
    const mgl_model_type *other = weights ? type->weighed : fraction ? type->sampled : NULL;
    return other != NULL ? other : type;
}

/* The mean of 1/F for a person that looks like `sample` rows, which stand for about `population`
 * persons (Benedetti and Franconi 1998). The usual approximation, or the exact form. */
double mgl_individual_risk(double sample, double population, bool exact);

/* How many persons of the population a class of so many rows stands for, itself at least. */
double mgl_sample_persons(const mgl_sample *sample, uint64_t size, uint64_t population);
/* The individual risk of its rows; 1/size where the table is no sample of anything. */
double mgl_sample_risk(const mgl_sample *sample, uint64_t size, uint64_t population);

/* Estimates of how many persons of the population are unique in it; NAN: none can be given. */
typedef struct mgl_population_uniques {
    double pitman;      /* Hoshino 2001 */
    double zayatz;      /* Zayatz 1991 */
    double snb;         /* Chen and Keller-McNulty 1998 */
    const char *chosen; /* by the rule of Dankar et al. 2012; NULL: none */
} mgl_population_uniques;

/* From the classes of a sample that is the given fraction (0 to 1) of the population. */
mgl_status mgl_population_uniques_find(const mgl_class_sizes *classes, double fraction,
                                       mgl_error *err, mgl_population_uniques *out);

/* The estimator; by the rule: the one that the rule of Dankar et al. 2012 chooses. */
typedef enum mgl_uniques_estimator {
    MGL_UNIQUES_BY_RULE,
    MGL_UNIQUES_PITMAN,
    MGL_UNIQUES_ZAYATZ,
    MGL_UNIQUES_SNB
} mgl_uniques_estimator;
/* The same by one of them; NAN: it has no estimate, or memory is out. */
double mgl_population_uniques_by(const mgl_class_sizes *classes, double fraction,
                                 mgl_uniques_estimator estimator);

/* ---- Judging ------------------------------------------------------------------------ */

/* What judging one class after another found out about a model. */
typedef struct mgl_found {
    bool holds;
    double measured; /* NAN: no class to measure */
    uint64_t violating_rows, violating_classes;
} mgl_found;

#define MGL_FOUND_NOTHING ((mgl_found){.holds = true, .measured = NAN})
/* Class-wise models, class by class. */
void mgl_found_add(mgl_found *found, const mgl_model *model, const mgl_group *group);
/* The worse of this and another judgement of the same model, on other columns. Rows can violate
 * both, so the larger number is reported and not the sum. */
void mgl_found_worsen(mgl_found *found, const mgl_found *other, const mgl_model *model);
/* The same where what was found is about other rows: of another stratum. */
void mgl_found_join(mgl_found *found, const mgl_found *other, const mgl_model *model);
/* Table-level models, once. */
void mgl_found_judge_table(mgl_found *found, const mgl_model *model,
                           const mgl_class_sizes *classes);

/* ---- Together with earlier releases --------------------------------------------- */

/* A model to be judged on what earlier releases divide a class into. */
typedef struct mgl_joint {
    const mgl_model *inner;
    size_t histories; /* which histogram of the group counts the histories of its rows */
    size_t by_value;  /* the first of n_sensitive histograms: each counts pairs of a history and a
                         value */
    const uint32_t *const *first;   /* [sensitive][history] the first code of its pairs there; one
                                       more   at the end */
    const uint32_t *const *meaning; /* [sensitive][code] the value */
} mgl_joint;

/* The joint must outlive the model. */
mgl_model mgl_model_jointly(const mgl_joint *joint);

/* ---- The strongest parameters a table holds with ------------------------------- */

/* A parameter that `check` reports for each sensitive attribute. */
typedef struct mgl_strongest {
    const char *key; /* "entropy_l" */
    const mgl_model_type *type;
    double parameters[MGL_MAX_PARAMETERS]; /* those that are not measured: a distance */
    bool whole;
    bool needs_hierarchy, needs_protected;
    bool shows_mixture; /* the c of recursive (c,l) for each l are reported behind it */
    bool is_distance;   /* the distance of classes from the table that figures show */
} mgl_strongest;
const mgl_strongest *mgl_strongest_table(size_t *n);

/* For recursive (c,l): the least c (exclusive) a class holds with for each l in 2..most;
 * keeps the largest over the classes in infimum[l], INFINITY where a class has fewer than
 * l known values of the attribute. */
void mgl_recursive_infimum(const mgl_sensitive *sensitive, const mgl_histogram *histogram,
                           size_t most, double *infimum, uint64_t *scratch);

#endif
