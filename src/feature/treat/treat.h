/* feature/treat: columns that are treated before anything is counted (`treat`). */
#ifndef MGL_FEATURE_TREAT_H
#define MGL_FEATURE_TREAT_H

#include "findings/findings.h"

/* A released column that is no quasi-identifier and is treated before anything is counted. */
typedef struct mgl_treated_column {
    const char *name, *text; /* text: its treatments, as the job has them */
    mgl_treat *treat;
    size_t field;          /* of the source */
    const mgl_column *raw; /* as it was read; NULL: what is read has it not */
    bool made;
    mgl_column column; /* where made: as it is released */
    char *resolved;    /* where made: the treatments, with what they took from the values */
    /* Where it is perturbed: */
    size_t quasi;          /* its number among the quasi-identifiers; SIZE_MAX: it is none */
    mgl_column plain;      /* as it was before */
    mgl_column read;       /* the column that was read, of a quasi-identifier that is replaced */
    uint64_t rows;         /* with a value; */
    uint64_t changed_rows; /* of these, with another one than before */
    uint64_t near_rows;    /* and with one that lies near it */
    bool ordered;          /* values are numbers or dates, for which these can be stated */
    size_t *with;          /* [n_with] numbers of the columns whose noise goes with its own */
    size_t n_with;
    double *correlations; /* [3 n_with] room for what the verifier finds: before, after, errors */
} mgl_treated_column;

/* How many rows an outsider finds who has the perturbed columns as they were, and takes the nearest
 * one. */
typedef struct mgl_nearest_rows {
    size_t n_columns; /* 0: none of them has an order */
    uint64_t rows;    /* that were tried */
    double found;
} mgl_nearest_rows;

/* What the feature keeps of a reading. */
typedef struct mgl_treated {
    mgl_treated_column *of; /* [n] quasi-identifiers last */
    size_t n;
    mgl_nearest_rows nearest;
} mgl_treated;
mgl_treated *mgl_treated_of(const mgl_reading *reading);

/* perturbed_columns.c */
/* Compares perturbed columns with what they were before. */
mgl_status mgl_perturbed_compare(const mgl_reading *reading, mgl_treated *all, mgl_error *err);
/* Adds the section of a result. promises: [n]; NULL: nothing was written. */
void mgl_perturbed_describe(const mgl_treated *all, const mgl_promised_treat *promises,
                            mgl_result *result);
/* Adds the warnings that follow from it. */
void mgl_perturbed_warn_of(const json_t *perturbation, mgl_result *result);
void mgl_perturbed_warn(const mgl_reading *reading, mgl_result *result);
/* Adds section and warnings to a result of `risk`, whose quasi-identifiers are counted as they are.
 */
void mgl_perturbed_found(const mgl_reading *reading, mgl_result *result);
/* Objects to columns that pass through beside perturbed quasi-identifiers. */
void mgl_perturbed_object(const mgl_reading *reading, mgl_objections *objections);

extern const mgl_feature mgl_treat_feature;
extern const mgl_feature_release mgl_treat_release;
extern const struct mgl_feature_audit mgl_treat_audit;

#endif
