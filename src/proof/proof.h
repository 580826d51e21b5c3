/* proof: the certificate of a bound, and the program that checks it.
 *
 * A certificate has all that a bound rests on: the hierarchies, the list of distinct tuples with
 * their counts, what models demand of a class, and a price for each tuple. This module writes such
 * a file, reads it, and verifies it from the definitions alone: it includes no other module, so
 * that a mistake of a search cannot hide here. docs/proofs.md describes the file and proves the
 * argument. */
#ifndef MGL_PROOF_H
#define MGL_PROOF_H

#include "base/base.h"

/* Prices and costs are whole numbers, of which a row at the top costs about so many. */
#define MGL_PROOF_UNIT 0x1p50

enum {
    MGL_PROOF_VERSION = 1,
    MGL_PROOF_FEW = 20 /* tuples that are divided in all ways */
};

/* A quasi-identifier. Values are numbered; different ones have different labels. */
typedef struct mgl_proof_column {
    const char *name;
    double weight;
    uint32_t height;    /* levels are 0..height */
    uint32_t low, high; /* those that cells may have */
    uint32_t n_leaves;
    uint32_t n_values;
    const mgl_span *labels; /* [n_values] */
    uint32_t **value;       /* [level][leaf] */
} mgl_proof_column;

/* What distinguishes the cells of a sensitive attribute: their values, or the protected groups
 * that these are in. */
typedef struct mgl_proof_sensitive {
    const char *attribute;
    bool grouped;
    size_t *start;   /* [n_tuples + 1] */
    uint32_t *codes; /* those of tuple t at start[t]..start[t+1], each once, ascending */
} mgl_proof_sensitive;

/* A model that holds for every superset of a class for which it holds. */
typedef struct mgl_proof_model {
    const char *model; /* as results name it */
    double parameter;
    const uint32_t *sensitive; /* [n_sensitive] the attributes it looks at */
    size_t n_sensitive;
} mgl_proof_model;

/* A cut: of an odd number n of tuples, classes hold at most (n - 1)/2 pairs, where a class with q
 * of them holds floor(q/2). */
typedef struct mgl_proof_cut {
    int64_t price;
    const uint32_t *tuples;
    size_t n;
} mgl_proof_cut;

/* Steps: prices of tuples for the classes that are left; two tuples are in one class from here on;
 * that case is done, and they are in different ones; both cases are done. */
typedef enum mgl_proof_kind {
    MGL_PROOF_PRICES,
    MGL_PROOF_TOGETHER,
    MGL_PROOF_APART,
    MGL_PROOF_END
} mgl_proof_kind;

typedef struct mgl_proof_step {
    mgl_proof_kind kind;
    const int64_t *prices; /* [n_tuples] */
    int64_t left;          /* of a row that is left out */
    const mgl_proof_cut *cuts;
    size_t n_cuts;
    uint32_t pair[2];
} mgl_proof_step;

/* That no release costs less than `bound`. Costs are whole numbers here (docs/proofs.md). Prices
 * are fractions of the same unit with the denominator `times`; all classes cost multiples of `step`
 * such fractions. */
typedef struct mgl_proof_exact {
    bool rounded; /* costs cannot be written so: each is rounded down */
    bool sets;    /* there are no steps: the check divides the tuples in all ways */
    int64_t times, step, bound;
    const mgl_proof_step *steps; /* the first has prices that no class of the table exceeds */
    size_t n_steps;
} mgl_proof_exact;

typedef struct mgl_proof {
    const char *method, *measure, *treatment; /* as results name them */
    const char *input;                        /* SHA-256 of the table; NULL: unknown */
    uint64_t n_rows, limit;
    mgl_proof_column *columns;
    size_t n_columns;
    mgl_proof_sensitive *sensitive;
    size_t n_sensitive;
    mgl_proof_model *models;
    size_t n_models;
    size_t n_tuples;
    uint32_t *leaves;             /* [t * n_columns + a] */
    uint64_t *counts;             /* [t] rows */
    int64_t *prices;              /* [t] of each of them */
    const mgl_proof_exact *exact; /* a better bound; NULL: there is none */
    mgl_arena *arena;             /* owns everything above in a certificate that was read */
} mgl_proof;

/* Reads and checks the form of a certificate: MGL_DATA names what is wrong with it. Free with
 * mgl_proof_free. */
mgl_status mgl_proof_read(const char *path, mgl_error *err, mgl_proof **out);
void mgl_proof_free(mgl_proof *proof);

/* The certificate as a file. */
mgl_status mgl_proof_write(const mgl_proof *proof, mgl_error *err, mgl_buffer *out);

/* Is the measure one that adds up over cells, and the model one that this module knows? The name of
 * its parameter, or NULL. */
bool mgl_proof_knows_measure(const char *measure);
const char *mgl_proof_parameter(const char *model);

/* A price per row that a search found, in the measure's own terms (what it adds up over the cells
 * of a row), as one of a certificate: a few units lower, by which costs are rounded down. */
int64_t mgl_proof_price(const mgl_proof *proof, double price);

/* What the whole-number costs of mgl_proof_exact count, in the measure's own terms; 0: costs cannot
 * be written so, but rounded. */
mgl_status mgl_proof_whole_unit(const mgl_proof *proof, bool rounded, mgl_error *err, double *out);

/* The bound of a table of at most MGL_PROOF_FEW tuples, divided in all ways, where no more is
 * looked for than `value`, which a search found. *found is false if there are more tuples, or it
 * cannot be written down. */
mgl_status mgl_proof_divide(const mgl_proof *proof, double value, const mgl_progress *progress,
                            mgl_error *err, bool *found, mgl_proof_exact *out);

/* What the check found. */
typedef struct mgl_proof_verdict {
    bool holds;
    uint64_t boxes;      /* that can hold and were compared with their prices */
    uint64_t bargains;   /* of these, that cost less than their rows are priced */
    uint64_t too_dear;   /* tuples priced above the top */
    double proved;       /* no release of this kind has a better value of the measure */
    uint64_t classes;    /* that were named to prove it, if prices of rows are not enough */
    uint64_t overpriced; /* classes that cost less than a step prices them */
    bool open;           /* the steps end before all is proved, or a division costs less */
    mgl_buffer example;  /* a box that costs less: its labels, as mgl_shown shows them; or empty */
} mgl_proof_verdict;

/* Compares every box that can hold with its prices. MGL_UNMET if that is more work than is done.
 * Free what is in *out with mgl_buffer_free(&out->example). */
mgl_status mgl_proof_verify(const mgl_proof *proof, const mgl_progress *progress, mgl_error *err,
                            mgl_proof_verdict *out);

/* May the file claim `claimed`, if `proved` is what it proves? It may be worse by rounding. */
bool mgl_proof_supports(const mgl_proof *proof, double proved, double claimed);
/* Is a higher value of the measure the better one? */
bool mgl_proof_rises(const mgl_proof *proof);

#endif
