/* Differences of gamma and digamma functions, computed as what they are, sums and products, and
 * not by subtracting large numbers: they keep their digits, and so agree between machines whose
 * logarithms differ in the last one. */
#ifndef MGL_PRIVACY_GAMMA_SUMS_H
#define MGL_PRIVACY_GAMMA_SUMS_H

/* Sum of 1/(x + i) for i = 0 .. n - 1; x > 0. */
double mgl_sum_of_inverses(double x, double n);
/* Sum of i/(x + i) for i = 1 .. n; x > 0. */
double mgl_sum_of_shares(double x, double n);
/* The logarithm of Gamma(x + a) / Gamma(x); x > 0, x + a > 0, -1 <= a <= 1. */
double mgl_log_gamma_ratio(double x, double a);

#endif
