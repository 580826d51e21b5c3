/* The risk of one person of a sample, whose class in the population is estimated, and the choice
 * between sample and population. */
#include "privacy/privacy.h"

#include <math.h>

/* The terms are 1 / binomial(f + n, n) * q^n. */
static double by_series(double f, double p)
{
    double q = 1 - p, term = 1, sum = 1;
    for (double n = 1; term > sum * 1e-17; n++) {
        term *= q * n / (f + n);
        sum += term;
    }
    return p / f * sum;
}

/* R(1) = (p/q) ln(1/p), R(f + 1) = (p/q) (1/f - R(f)): errors do not grow while p <= q. */
static double by_recurrence(double f, double p)
{
    double ratio = p / (1 - p), risk = ratio * log(1 / p);
    for (int i = 1; i < f; i++)
        risk = ratio * (1.0 / i - risk);
    return risk;
}

static double approximation(double f, double p)
{
    double q = 1 - p, ratio = p / q;
    if (f == 1)
        return ratio * log(1 / p);
    if (f == 2)
        return ratio - ratio * ratio * log(1 / p);
    return p / (f - q);
}

double mgl_individual_risk(double sample, double population, bool exact)
{
    double p = sample / population;
    if (!(p < 1))
        return 1 / sample;
    /* Where p is near 1 the closed forms of 1 and 2 lose digits that the series keeps. */
    bool quick = p > 0.5 || sample > 40;
    if (!exact && sample > 2)
        return approximation(sample, p);
    return quick   ? by_series(sample, p)
           : exact ? by_recurrence(sample, p)
                   : approximation(sample, p);
}

double mgl_sample_persons(const mgl_sample *sample, uint64_t size, uint64_t population)
{
    double rows = (double)size;
    if (sample->unit > 0)
        return fmax(rows, (double)population / (double)sample->unit);
    return sample->fraction > 0 ? rows / sample->fraction : rows;
}

double mgl_sample_risk(const mgl_sample *sample, uint64_t size, uint64_t population)
{
    return mgl_individual_risk((double)size, mgl_sample_persons(sample, size, population), false);
}
