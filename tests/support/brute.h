/* Brute force: small random tables, and everything docs/definitions.md says about a node of
 * their lattice computed plainly, row by row, from the text of the cells. Nothing here uses
 * the code that it is compared with. */
#ifndef BRUTE_H
#define BRUTE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    BRUTE_ATTRIBUTES = 5,
    BRUTE_ROWS = 40,
    BRUTE_LEAVES = 10,
    BRUTE_LEVELS = 5,                          /* heights 1..4 */
    BRUTE_TEXT = 32,                           /* bytes of a label */
    BRUTE_TEXTS = BRUTE_LEVELS * BRUTE_LEAVES, /* different labels of a column */
    BRUTE_SETS = 3,
    BRUTE_PREFER = 3,
    BRUTE_LABELS = 3
};

/* ---- Random numbers: the tests' own, so that a seed gives the same case everywhere --- */

typedef struct brute_random {
    uint64_t state;
} brute_random;

uint64_t brute_next(brute_random *random);
int brute_below(brute_random *random, int limit);           /* 0..limit-1 */
int brute_between(brute_random *random, int low, int high); /* low..high */
bool brute_chance(brute_random *random, int percent);

/* The thread sanitizer makes everything some fifty times slower and looks at threads alone, which
 * meet in the same way in all cases: it gets one in so many. So does WebAssembly, whose arithmetic
 * is what is looked at there, and where the files of a case, by Node, take most of the time. */
#if defined __SANITIZE_THREAD__ || defined __EMSCRIPTEN__
enum { BRUTE_ONE_IN = 10 };
#else
enum { BRUTE_ONE_IN = 1 };
#endif

/* How many times a number of cases is run: MGL_TEST_LONG multiplies it. */
int brute_cases(int usual);

/* ---- A table ----------------------------------------------------------------------- */

typedef struct brute_hierarchy {
    bool given;    /* a file lists it; otherwise value and * */
    int n_lines;   /* ground values of the file */
    int n_written; /* levels the file has */
    int n_leaves;  /* with the missing value, which comes last */
    bool has_missing;
    int height;
    char label[BRUTE_LEVELS][BRUTE_LEAVES][BRUTE_TEXT]; /* [level][leaf] */
    /* equal texts, equal numbers: found by comparing the labels once */
    int text[BRUTE_LEVELS][BRUTE_LEAVES];
    int n_texts;
    int lowest[BRUTE_TEXTS]; /* [text] the lowest level that carries it */
    int leaves[BRUTE_TEXTS]; /* [text] leaves under it */
    int first[BRUTE_TEXTS];  /* [text] the first of these */
    int rows[BRUTE_TEXTS];   /* [text] rows of the table whose value lies under it */
} brute_hierarchy;

typedef enum brute_treatment { BRUTE_KEEP, BRUTE_DROP, BRUTE_EXEMPT } brute_treatment;

typedef enum brute_measure {
    BRUTE_PRECISION,
    BRUTE_LOSS,
    BRUTE_GEOMETRIC_LOSS,
    BRUTE_NCP,
    BRUTE_DISCERNIBILITY,
    BRUTE_CLASS_SIZE,
    BRUTE_AMBIGUITY,
    BRUTE_ENTROPY,
    BRUTE_NONUNIFORM_ENTROPY,
    BRUTE_HEIGHT,
    BRUTE_CLASSIFICATION,
    BRUTE_DRIVING, /* the measures above can drive a search */
    BRUTE_RELATIVE_HEIGHT = BRUTE_DRIVING,
    BRUTE_DOUBLING_HEIGHT,
    BRUTE_C_AVG,
    BRUTE_MEASURES
} brute_measure;

const char *brute_measure_option(brute_measure measure); /* "nonuniform-entropy" */
const char *brute_measure_key(brute_measure measure);    /* "nonuniform_entropy" */

typedef enum brute_criterion {
    BRUTE_ABSOLUTE,
    BRUTE_RELATIVE,
    BRUTE_DISTRIBUTION,
    BRUTE_SUPPRESSION,
    BRUTE_BY_MEASURE
} brute_criterion;

typedef struct brute_case {
    uint64_t seed;
    int n_rows, n_attributes;
    brute_hierarchy hierarchies[BRUTE_ATTRIBUTES];
    int leaf[BRUTE_ROWS][BRUTE_ATTRIBUTES];
    bool second_token[BRUTE_ROWS][BRUTE_ATTRIBUTES]; /* missing, written NA */
    int class_label[BRUTE_ROWS];

    int k;
    bool without_k; /* k only steers Datafly and C_avg: no job asks for it */
    bool limited;
    int limit;
    brute_treatment treatment;
    int min_level[BRUTE_ATTRIBUTES], max_level[BRUTE_ATTRIBUTES];
    bool bounded[BRUTE_ATTRIBUTES];
    bool ranges; /* the method makes ranges of numbers: jobs name no hierarchy for these */
    double weight[BRUTE_ATTRIBUTES], preference[BRUTE_ATTRIBUTES], likelihood[BRUTE_ATTRIBUTES];
    int n_sets;
    bool in_set[BRUTE_SETS][BRUTE_ATTRIBUTES];
    brute_measure measure;
    int n_prefer;
    brute_criterion prefer[BRUTE_PREFER];
    brute_measure prefer_measure[BRUTE_PREFER];
} brute_case;

/* Fills the case from its seed. */
void brute_make(brute_case *c, uint64_t seed);

/* A column called a, b, ... as it stands in the lines of a file. */
void brute_write_hierarchy(const brute_hierarchy *h, FILE *file);
void brute_write_table(const brute_case *c, FILE *file);
const char *brute_cell(const brute_case *c, int row, int attribute);

/* k_Q of a set, by its likelihoods. */
int brute_set_k(const brute_case *c, int set);

/* ---- A node -------------------------------------------------------------------------- */

typedef struct brute_node {
    int level[BRUTE_ATTRIBUTES];
    bool suppressed[BRUTE_ROWS];
    int released[BRUTE_ROWS][BRUTE_ATTRIBUTES]; /* text numbers of the released cells */
    int violating_rows;                         /* before the treatment */
    int suppressed_rows;                        /* after it */
    int top_rows;                               /* rows that look suppressed */
    bool met, holds;
    int distinct_tuples; /* that are released */
    int n_classes;       /* the top class included */
    double value[BRUTE_MEASURES];
} brute_node;

void brute_evaluate(const brute_case *c, const int *level, brute_node *out);
/* Its steps: the cells of the levels, nothing suppressed yet; the measures of what is. */
void brute_node_begin(const brute_case *c, const int *level, brute_node *out);
void brute_node_measure(const brute_case *c, brute_node *n);
void brute_suppress(const brute_case *c, brute_node *n, int r);
int brute_count_suppressed(const brute_case *c, const brute_node *n);
/* Equal released cells, or top ones, on the attributes of a set (-1: on all). */
bool brute_looks_like(const brute_case *c, const brute_node *n, int r, int s, int set);
bool brute_is_top(const brute_case *c, const brute_node *n, int r, int set);
/* The rulings on rows at the top. Under exempt all of them are suppressed, whatever put them there,
 * unless all rows are: then none is, and the answer is true. */
bool brute_exempt_tops(const brute_case *c, brute_node *n);
/* If all rows are at the top in the end they are one class, which is judged; where level bounds do
 * not allow the top node, one of suppressed rows. */
bool brute_levels_allow_top(const brute_case *c);
void brute_judge_exempt(const brute_case *c, brute_node *n, bool top_node, bool top_class_holds);
bool brute_all_at_top(const brute_case *c, const brute_node *n);
/* Is a row in no class of the release: dropped, or exempt? */
bool brute_leaves_out(const brute_case *c, const brute_node *n, int r);
/* What the release says about suppressed rows; and the node that it is then: rows that are all at
 * the top, however they came there, are the top node. */
int brute_released_suppressed(const brute_case *c, const brute_node *n);
brute_node brute_as_released(const brute_case *c, const brute_node *n);
/* The order of released tuples. */
bool brute_comes_before(const brute_case *c, const brute_node *n, int r, int s);

const char *brute_released_text(const brute_case *c, const brute_node *node, int row,
                                int attribute);

/* ---- The lattice ----------------------------------------------------------------------- */

typedef struct brute_lattice {
    int n_nodes;
    brute_node *nodes; /* lexicographic; free with brute_lattice_free */
} brute_lattice;

void brute_lattice_make(const brute_case *c, brute_lattice *out);
void brute_lattice_free(brute_lattice *lattice);

/* No holding node lies below this one, which holds. */
bool brute_is_minimal(const brute_case *c, const brute_lattice *lattice, int number);

/* Lower is better. */
double brute_cost(brute_measure measure, const brute_node *node);
bool brute_ties(double a, double b);

/* Number of the node each search must choose, or -1. */
int brute_mingen(const brute_case *c, const brute_lattice *lattice, int *n_ties);
int brute_samarati(const brute_case *c, const brute_lattice *lattice, int *n_candidates);
/* The best of the minimal nodes. */
int brute_incognito(const brute_case *c, const brute_lattice *lattice, int *n_ties);
int brute_datafly(const brute_case *c, const brute_lattice *lattice);

/* What is needed to make a failing case again. */
void brute_print(const brute_case *c, FILE *file);

#endif
