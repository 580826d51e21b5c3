/* The sampling rate and the k that give (epsilon, delta)-differential privacy (Li, Qardaji, Su
 * 2012, theorem 1; Bild, Kuhn, Prasser 2018). docs/differential-privacy.md#sampling-rate-and-k has
 * the derivation and says why each step here errs on the side of a larger k. */
#include "differential/differential.h"

#include <math.h>

/* Relative errors of the functions below stay far under these. */
static const double threshold_slack = 1e-12, sum_slack = 1e-6;

bool mgl_privacy_budget_is_fine(const mgl_privacy_budget *budget)
{
    return budget->epsilon >= 0.001 && budget->epsilon <= 8 && budget->delta >= 1e-15 &&
           budget->delta <= 0.1;
}

static double rate_of(const mgl_sampling *sampling)
{
    return (double)sampling->rate / (double)MGL_RATE_ONE;
}

static double gamma_of(const mgl_sampling *sampling)
{
    return 1 - (1 - rate_of(sampling)) * exp(-sampling->epsilon);
}

/* ln n!; the functions of the C library that compute it are not safe with threads everywhere. */
static double log_factorial(double n)
{
    const double half_log_two_pi = 0.91893853320467274178;
    double x = n + 1, shift = 0;
    for (; x < 16; x++)
        shift += log(x);
    double y = 1 / (x * x);
    double series =
        (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / x;
    return (x - 0.5) * log(x) - x + half_log_two_pi + series - shift;
}

double mgl_sampling_tail(const mgl_sampling *sampling, uint64_t n)
{
    double rate = rate_of(sampling), odds = rate / (1 - rate), count = (double)n;
    /* The least number of rows that is more than gamma * n: never one more than it is. */
    double first = floor(gamma_of(sampling) * count * (1 - threshold_slack)) + 1;
    if (first > count)
        return 0;
    double term = exp(log_factorial(count) - log_factorial(first) - log_factorial(count - first) +
                      first * log(rate) + (count - first) * log1p(-rate));
    double sum = 0;
    /* The terms fall by half or more each: what is left out is in the slack. */
    for (double j = first; j <= count && term > sum * 1e-17; j++) {
        sum += term;
        term *= (count - j) / (j + 1) * odds;
    }
    return sum * (1 + sum_slack);
}

/* From so many rows on, Chernoff's bound exp(-n * D(gamma || rate)) of the tail is at most delta.
 */
static uint64_t rows_bounded(const mgl_sampling *sampling, double delta)
{
    double rate = rate_of(sampling), gamma = gamma_of(sampling);
    double divergence = gamma * log(gamma / rate) + (1 - gamma) * log((1 - gamma) / (1 - rate));
    return (uint64_t)ceil(-log(delta) / divergence * (1 + sum_slack)) + 1;
}

/* A combination of n rows, one row more or less, is distinguished where its count in the sample is
 * above gamma * n: less likely than delta from some n on, and k sees to it that smaller ones show
 * no such count. */
static uint64_t least_k(const mgl_sampling *sampling, double delta)
{
    uint64_t n = rows_bounded(sampling, delta);
    while (n > 0 && mgl_sampling_tail(sampling, n) <= delta)
        n--;
    return (uint64_t)floor(gamma_of(sampling) * (double)(n + 1) * (1 + threshold_slack)) + 1;
}

mgl_sampling mgl_sampling_of(const mgl_privacy_budget *budget, double choosing)
{
    mgl_sampling out = {.choosing = (uint64_t)floor(choosing * (double)MGL_EXPONENT_ONE)};
    /* What is rounded off the choice is not given to the sample. */
    out.epsilon = (budget->epsilon - choosing) * (1 - threshold_slack);
    out.rate = (uint32_t)floor(-expm1(-out.epsilon) * (double)MGL_RATE_ONE * (1 - threshold_slack));
    out.k = least_k(&out, budget->delta);
    return out;
}

static bool happens(mgl_random *random, uint64_t numerator, uint64_t denominator)
{
    return mgl_random_below(random, denominator) < numerator;
}

/* exp(-x) for x <= 1: in a row of events with the probabilities x/1, x/2, x/3, ... the first that
 * does not happen has an odd number. */
static bool below_one(mgl_random *random, uint64_t numerator, uint64_t denominator)
{
    uint64_t number = 1;
    while (happens(random, numerator, denominator) && happens(random, 1, number))
        number++;
    return number % 2 == 1;
}

/* exp(-(choosing / 2^20) * below / sensitivity), where the product may need more than 64 bits: a
 * power of exp(-1) and what is left. */
static bool is_kept(mgl_random *random, uint64_t choosing, uint64_t below, uint64_t sensitivity)
{
    unsigned __int128 numerator = (unsigned __int128)choosing * below;
    uint64_t denominator = sensitivity * MGL_EXPONENT_ONE;
    for (; numerator > denominator; numerator -= denominator)
        if (!below_one(random, 1, 1))
            return false;
    return below_one(random, (uint64_t)numerator, denominator);
}

/* Draws evenly and keeps what was drawn with a probability that the best score has as 1: what is
 * kept has the probabilities asked for, whatever is best. */
size_t mgl_random_by_score(mgl_random *random, uint64_t choosing, uint64_t sensitivity,
                           const uint64_t *scores, size_t n)
{
    uint64_t best = 0;
    for (size_t i = 0; i < n; i++)
        best = scores[i] > best ? scores[i] : best;
    for (;;) {
        size_t i = (size_t)mgl_random_below(random, n);
        if (is_kept(random, choosing, best - scores[i], sensitivity))
            return i;
    }
}

uint64_t mgl_sample_rows(mgl_random *random, const mgl_sampling *sampling,
                         const mgl_rows_in_classes *rows, uint64_t *bits, uint64_t *sizes)
{
    uint64_t n = 0;
    for (size_t c = 0; c < rows->n_classes; c++)
        sizes[c] = 0;
    for (uint64_t row = 0; row < rows->n; row++) {
        bool taken = mgl_random_u32(random) < sampling->rate;
        uint64_t bit = UINT64_C(1) << row % 64;
        bits[row / 64] = (bits[row / 64] & ~bit) | (taken ? bit : 0);
        sizes[rows->class_of[row]] += taken;
    }
    for (uint64_t row = 0; row < rows->n; row++) {
        if (sizes[rows->class_of[row]] < sampling->k)
            bits[row / 64] &= ~(UINT64_C(1) << row % 64);
        n += bits[row / 64] >> row % 64 & 1;
    }
    return n;
}
