/* What is promised of treated columns, and its judge. */
#ifndef MGL_VERIFY_TREATED_VALUES_H
#define MGL_VERIFY_TREATED_VALUES_H

#include "treat/treat.h"
#include "verify/judge.h"

/* What a perturbed column of a release keeps of what it was. */
typedef struct mgl_perturbed_figures {
    bool judged;
    double distance;      /* half the sum of what the shares of values differ by; 0: none */
    bool measured;        /* its values are numbers: */
    double before, after; /* their standard deviation */
    /* [n_with] correlations, and by how many standard errors the covariance is off that before and
     * of the noise; NAN: unknown, not judged. NULL: not asked for. */
    double *with_before, *with_after, *with_errors;
} mgl_perturbed_figures;

/* A treated column of the release. */
typedef struct mgl_promised_treat {
    size_t column; /* of the release */
    const mgl_treat *treat;
    const mgl_notation *notation; /* of its numbers; NULL: unknown */
    const mgl_column *raw;        /* as it was read; NULL: unknown */
    const mgl_column *plain;      /* where it is perturbed: as it was before; else NULL */
    /* Where its noise is correlated with that of others: these, by their offsets in the promise. */
    const size_t *with; /* [n_with] */
    size_t n_with;
    const mgl_column *persons; /* of the rows of the table; optional */
    size_t n_rows;             /* of the table */
    uint64_t most_values;      /* that there can be; UINT64_MAX: unknown */
    bool all_values;           /* each of them must be there */
    /* What was found: */
    uint64_t values;              /* different ones, missing cells aside */
    const mgl_treat_step *broken; /* whose promise some value breaks; NULL: none */
    mgl_perturbed_figures found;
} mgl_promised_treat;

extern const mgl_judge mgl_treat_judge; /* of mgl_promised_treat */

/* How the treated columns of a source are read. */
typedef struct mgl_treated_reading {
    const mgl_span *missing; /* cells that mean missing */
    size_t n_missing;
    mgl_span no_value; /* what null reads as */
    bool neutralized;
    mgl_pool *pool;
    const mgl_progress *progress;
} mgl_treated_reading;

/* Looks at every value of the treated columns of a release, and records in `promised` what was
 * found. */
mgl_status mgl_verify_treated(mgl_source *source, const mgl_treated_reading *how,
                              mgl_promised_treat *promised, size_t n, mgl_error *err);

/* The same of what perturbed columns keep: MGL_SYSTEM if it is not what their treatments promise.
 */
mgl_status mgl_verify_perturbed(mgl_source *source, const mgl_treated_reading *how,
                                mgl_promised_treat *promised, size_t n, mgl_error *err);

#endif
