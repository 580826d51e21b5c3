/* The individual risk is E(1/F | f), F the persons of the population that look like a row of which
 * there are f in the sample, F - f being negative binomial with p = f / (expected F):
 *
 *     (p^f / f) 2F1(f, f; f + 1; q),   q = 1 - p,
 *
 * which Euler's transformation turns into (p / f) 2F1(1, 1; f + 1; q). `risk` calls it for tables
 * with weights, and the models of a sample do.
 *
 * The risk that models look at falls, or stays, when f grows and when F does, each alone. So it
 * falls when rows join a class, whatever they weigh, and what holds for a class holds for all that
 * have its rows:
 * - for f > 2 it is 1 / (1 + F (1 - 1/f)), which falls in both;
 * - for f = 1 and 2 it is E(1/F | f). With a smaller p the negative binomial is stochastically
 *   larger, so that the mean of 1/F falls while the expected F grows;
 * - from f = 1 to 2 and to 3 it falls at every F (a property test tries them all over the scale);
 * - for F <= f it is 1/f, which is where each of these ends when F comes down to f. */
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
