/* Sums and ratios of gamma functions as they stand, without the small difference of two large
 * numbers. population_uniques.c calls it. */
#include "privacy/gamma_sums.h"

#include <math.h>

/* From here on the asymptotic series below are exact to the last digits. */
enum { FAR = 32 };

/* log x - psi(x) - 1/(2x), for x >= FAR. */
static double digamma_series(double x)
{
    double y = 1 / (x * x);
    return y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y / 132))));
}

/* psi(x + n) - psi(x): what lies below FAR term by term, the rest by the series. */
double mgl_sum_of_inverses(double x, double n)
{
    double near = 0;
    for (; x < FAR; x++)
        near += n / (x * (x + n));
    double far = log1p(n / x) + n / (2 * x * (x + n)) + (digamma_series(x) - digamma_series(x + n));
    return near + far;
}

/* r - log(1 + r). With s = r/(2 + r), log(1 + r) is 2 (s + s^3/3 + s^5/5 + ...). */
static double less_its_log(double r)
{
    if (r > 1)
        return r - log1p(r);
    double s = r / (2 + r), square = s * s, sum = 0;
    for (int odd = 37; odd >= 3; odd -= 2)
        sum = sum * square + 1.0 / odd;
    return r * s - 2 * s * square * sum;
}

/* Where x is far, by Euler and Maclaurin: the integral is x (r - log(1 + r)) with r = n/x, and the
 * derivatives of t/(x + t) are those of -x/(x + t). */
double mgl_sum_of_shares(double x, double n)
{
    if (x < FAR)
        return n - x * mgl_sum_of_inverses(x + 1, n);
    double end = x + n, half = n / (2 * end);
    double bends = -n * (x + end) / (x * end * end); /* difference of the first derivatives */
    double y = 1 / (x * x), z = x * y * y, e = 1 / (end * end), w = x * e * e;
    double third = 6 * (w - z), fifth = 120 * (w * e - z * y),
           seventh = 5040 * (w * e * e - z * y * y);
    return x * less_its_log(n / x) + half + bends / 12 - third / 720 + fifth / 30240 -
           seventh / 1209600;
}

/* Stirling's series less its leading terms, for x >= FAR. */
static double stirling_series(double x)
{
    double y = 1 / (x * x);
    return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / x;
}

double mgl_log_gamma_ratio(double x, double a)
{
    double near = 1;
    for (; x + a < FAR + 1; x++)
        near *= x / (x + a);
    double far = (x + a - 0.5) * log1p(a / x) - a + (stirling_series(x + a) - stirling_series(x));
    return log(near) + a * log(x) + far;
}
