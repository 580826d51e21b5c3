/* Brute force for the privacy models: small random tables with sensitive columns, persons with
 * several rows, a population, and sets of models; what docs/definitions.md#suppression and #models
 * say about them, computed plainly from the rows. Extends brute.h. */
#ifndef BRUTE_MODELS_H
#define BRUTE_MODELS_H

#include "brute.h"
#include "mingle.h"

enum {
    BRUTE_SENSITIVE = 2,
    BRUTE_VALUES = 6,       /* the missing value among them */
    BRUTE_VALUE_LEVELS = 4, /* of a sensitive hierarchy */
    BRUTE_PROTECTED = 2,
    BRUTE_MODELS = 3,
    BRUTE_POPULATION = 80
};

typedef enum brute_kind {
    BRUTE_K,
    BRUTE_DISTINCT_L,
    BRUTE_ENTROPY_L,
    BRUTE_RECURSIVE,
    BRUTE_P_SENSITIVE,
    BRUTE_EXTENDED_P,
    BRUTE_ALPHA,
    BRUTE_T,
    BRUTE_DELTA_DISCLOSURE,
    BRUTE_BETA,
    BRUTE_ENHANCED_BETA,
    BRUTE_K_MAP,
    BRUTE_DELTA_PRESENCE,
    BRUTE_MAX_RISK,
    BRUTE_MEAN_RISK, /* from here on the whole table is judged */
    BRUTE_RISK_SHARE,
    BRUTE_UNIQUENESS,
    BRUTE_KINDS
} brute_kind;

const char *brute_kind_name(brute_kind kind);   /* "k-anonymity" */
const char *brute_kind_option(brute_kind kind); /* "k" */
bool brute_kind_takes_attribute(brute_kind kind);
bool brute_kind_needs_q(brute_kind kind); /* the shares in the whole table */

typedef struct brute_sensitive {
    int n_values; /* the missing one, if there is one, comes last */
    bool has_missing;
    char text[BRUTE_VALUES][BRUTE_TEXT];
    int value[BRUTE_ROWS];
    bool has_hierarchy;
    int height;
    char label[BRUTE_VALUE_LEVELS][BRUTE_VALUES][BRUTE_TEXT];
    int n_protected;
    char protect[BRUTE_PROTECTED][BRUTE_TEXT];
} brute_sensitive;

typedef struct brute_model {
    brute_kind kind;
    int attribute;
    double parameters[2]; /* as the job takes them: c, l; t, distance; lo, hi; threshold, share */
} brute_model;

typedef struct brute_table {
    brute_case c;
    int n_sensitive;
    brute_sensitive sensitive[BRUTE_SENSITIVE];
    bool has_persons;
    int person[BRUTE_ROWS];
    bool has_population;
    int n_population;
    int population[BRUTE_POPULATION]; /* each a row of c.leaf, perhaps one beyond c.n_rows */
    int n_models;
    brute_model models[BRUTE_MODELS];
    int threads; /* of its jobs */
} brute_table;

/* Fills the table from its seed: two to four quasi-identifiers, at most most_nodes nodes. */
void brute_table_make(brute_table *t, uint64_t seed, int most_nodes);
/* Gives it other models, with parameters near what some class of it has. */
void brute_table_choose_models(brute_table *t, brute_random *random);
/* As above with exactly this model. */
void brute_table_take_model(brute_table *t, brute_random *random, brute_kind kind);
/* The k that steers Datafly and C_avg. */
int brute_table_k(const brute_table *t);
bool brute_table_has(const brute_table *t, brute_kind kind);
/* Lets two rows change places. */
void brute_table_swap(brute_table *t, int r, int s);
void brute_table_print(const brute_table *t, FILE *file);

/* ---- Classes, as lists of rows -------------------------------------------------------- */

typedef struct brute_rows {
    int n, row[BRUTE_ROWS];
    int matching; /* rows of the population under the released tuple */
} brute_rows;

/* Distinct persons, or rows. */
int brute_rows_size(const brute_table *t, const brute_rows *rows);
bool brute_rows_hold(const brute_table *t, const brute_model *model, const brute_rows *rows);
/* The strongest first parameter the class holds with; delta-presence: the share. */
double brute_rows_measure(const brute_table *t, const brute_model *model, const brute_rows *rows);
/* Of a release, the worst class counts: is that the least measure? */
bool brute_kind_worst_is_least(brute_kind kind);

/* Table-level: classes of rows that are not suppressed. */
bool brute_classes_hold(const brute_table *t, const brute_model *model, const brute_rows *classes,
                        int n);
double brute_classes_measure(const brute_table *t, const brute_model *model,
                             const brute_rows *classes, int n);

/* Must the job be refused before any search? (k > N, conditions 1 and 2, and what no class
 * can hold.) */
bool brute_table_is_refused(const brute_table *t);

/* ---- Nodes ---------------------------------------------------------------------------- */

void brute_table_evaluate(const brute_table *t, const int *level, brute_node *out);
/* Its middle: what is suppressed among released cells, some of which may be already. */
void brute_table_treat(const brute_table *t, brute_node *node);
/* Free with brute_lattice_free. */
void brute_table_lattice(const brute_table *t, brute_lattice *out);
/* The classes of the released rows on a set (-1: all attributes): rows left out are in none. */
int brute_node_classes(const brute_table *t, const brute_node *node, int set, const bool *left_out,
                       brute_rows *classes);

/* ---- Files ---------------------------------------------------------------------------- */

/* table.csv, the hierarchies a.csv, ..., s0.csv, ..., and population.csv. */
void brute_table_write(const brute_table *t);
/* A job over these files; command as in brute_job. Free with mgl_job_free. */
mgl_job *brute_table_job(const brute_table *t, int command);

#endif
