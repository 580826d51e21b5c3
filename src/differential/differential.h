/* differential: what differential privacy by sampling and k needs of mathematics: the sampling rate
 * and k that give (epsilon, delta), and random choices whose probabilities are exact
 * (docs/differential-privacy.md). It knows nothing of tables. */
#ifndef MGL_DIFFERENTIAL_H
#define MGL_DIFFERENTIAL_H

#include "base/base.h"

/* What a job asks for. */
typedef struct mgl_privacy_budget {
    double epsilon, delta; /* of the release as a whole; epsilon 0: nothing is asked for */
} mgl_privacy_budget;

/* Epsilon from 0.001 to 8, delta from 1e-15 to 0.1: beyond these nothing useful is released, or
 * nothing is promised. */
bool mgl_privacy_budget_is_fine(const mgl_privacy_budget *budget);

/* Probabilities of the sample are multiples of 2^-32, those of levels have exponents that are
 * multiples of 2^-20: both are rounded so that less of epsilon is used. */
#define MGL_RATE_ONE (UINT64_C(1) << 32)
#define MGL_EXPONENT_ONE (UINT64_C(1) << 20)

/* What follows from epsilon and delta (docs/differential-privacy.md#sampling-rate-and-k). */
typedef struct mgl_sampling {
    double epsilon;    /* what is left of it for sampling */
    uint32_t rate;     /* a row is in the sample with the probability rate / 2^32 */
    uint64_t k;        /* rows that a combination of cells must have in the sample */
    uint64_t choosing; /* what the choice of levels has of epsilon, in units of 2^-20; 0: they are
                          given */
} mgl_sampling;

/* choosing: what the choice of levels has of epsilon, less than all of it; 0: nothing. */
mgl_sampling mgl_sampling_of(const mgl_privacy_budget *budget, double choosing);

/* An upper bound of the probability that more than gamma * n of n rows are in a sample, where
 * gamma = 1 - (1 - rate) * exp(-epsilon). */
double mgl_sampling_tail(const mgl_sampling *sampling, uint64_t n);

/* The exponential mechanism with scores that no row lowers: chooses i with a probability
 * proportional to exp(epsilon * scores[i] / sensitivity), epsilon = choosing / 2^20, where a row
 * more raises any score by at most the sensitivity. n > 0; the scores are below 2^62, the
 * sensitivity is below 2^43. */
size_t mgl_random_by_score(mgl_random *random, uint64_t choosing, uint64_t sensitivity,
                           const uint64_t *scores, size_t n);

/* Rows, each in the class of those that are released alike. */
typedef struct mgl_rows_in_classes {
    const uint32_t *class_of; /* [n] */
    uint64_t n;
    size_t n_classes;
} mgl_rows_in_classes;

/* Takes each row into the sample with the probability of the rate, independently of all others, and
 * leaves out those of classes that fewer than k rows of the sample are in. Fills in the bits of the
 * rows that are released, [n / 64 + 1], and sizes, [n_classes], of the classes in the sample.
 * Returns how many rows are released. */
uint64_t mgl_sample_rows(mgl_random *random, const mgl_sampling *sampling,
                         const mgl_rows_in_classes *rows, uint64_t *bits, uint64_t *sizes);

#endif
