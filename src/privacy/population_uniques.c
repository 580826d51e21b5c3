/* Estimates how many people of a sample are unique in the population, by several models of the
 * literature (docs/definitions.md). */
#include "privacy/privacy.h"

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
/* Returns the sum of 1/(x + i) for i = 0 .. n - 1; x > 0. */
static double sum_of_inverses(double x, double n)
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
/* Returns the sum of i/(x + i) for i = 1 .. n; x > 0. */
static double sum_of_shares(double x, double n)
{
    if (x < FAR)
        return n - x * sum_of_inverses(x + 1, n);
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

/* The logarithm of Gamma(x + a) / Gamma(x); x > 0, x + a > 0, -1 <= a <= 1. */
static double log_gamma_ratio(double x, double a)
{
    double near = 1;
    for (; x + a < FAR + 1; x++)
        near *= x / (x + a);
    double far = (x + a - 0.5) * log1p(a / x) - a + (stirling_series(x + a) - stirling_series(x));
    return log(near) + a * log(x) + far;
}

/* The sample: how many classes have each size. */
typedef struct sample {
    size_t n_sizes;
    double *size, *classes; /* [n_sizes], ascending */
    double n_rows, n_classes, n_persons;
    double fraction;
    double ones, twos; /* classes of size 1 and 2 */
} sample;

static mgl_status begin(sample *s, const mgl_class_sizes *of, double fraction, mgl_error *err)
{
    uint64_t n_rows = 0;
    for (size_t i = 0; i < of->n; i++)
        n_rows += of->sizes[i];
    *s = (sample){.fraction = fraction, .n_rows = (double)n_rows, .n_classes = (double)of->n};
    s->n_persons = s->n_rows / fraction;
    uint64_t *counts = mgl_alloc_array(of->n, sizeof *counts);
    s->size = mgl_alloc_array(of->n, sizeof *s->size);
    s->classes = mgl_alloc_array(of->n, sizeof *s->classes);
    if (counts == NULL || s->size == NULL || s->classes == NULL) {
        mgl_free(counts);
        return mgl_fail_memory(err);
    }
    memcpy(counts, of->sizes, of->n * sizeof *counts);
    mgl_sort_u64(counts, of->n);
    for (size_t i = 0; i < of->n; i++) {
        if (i == 0 || counts[i] != counts[i - 1]) {
            s->size[s->n_sizes] = (double)counts[i];
            s->classes[s->n_sizes++] = 0;
        }
        s->classes[s->n_sizes - 1]++;
        s->ones += counts[i] == 1;
        s->twos += counts[i] == 2;
    }
    mgl_free(counts);
    return MGL_OK;
}

/* A class of the population has `size` persons, a sample exactly one of them: how often, compared
 * with a class of one person, as the product of (N - n + 1 - j) / (N - j) for j = 1 .. size - 1,
 * times size. N and n are the persons and the rows, and j is what has been gone through. */
typedef struct falling_product {
    double persons, drawn; /* N, n - 1 */
    double j;
    double value, rest; /* value + rest is the product; rest is what rounding took away */
} falling_product;

/* Factors are near 1 if few are drawn: what they take away is small and known exactly. */
static void take_factor(falling_product *p, double j)
{
    double share = p->drawn / (p->persons - j);
    if (share < 0.5) {
        double less = (p->value + p->rest) * share, before = p->value;
        p->value = before - less;
        p->rest += before - p->value - less;
    } else {
        double factor = fmax(p->persons - p->drawn - j, 0) / (p->persons - j);
        p->value = (p->value + p->rest) * factor;
        p->rest = 0;
    }
}

/* Sizes rise from call to call. */
static double chance_of_one(falling_product *p, double size)
{
    while (p->j < size - 1 && p->value > 0)
        take_factor(p, ++p->j);
    return size * (p->value + p->rest);
}

/* Bayes' rule: classes of the population are taken to have sizes like those of the sample. */
static double zayatz(const sample *s)
{
    falling_product p = {.persons = s->n_persons, .drawn = s->n_rows - 1, .value = 1};
    double sum = 0;
    for (size_t i = 0; i < s->n_sizes; i++)
        sum += s->classes[i] * chance_of_one(&p, s->size[i]);
    double unique_given_single = s->ones / sum;
    return unique_given_single * s->ones / s->fraction;
}

/* The derivative of the log-likelihood by theta: the sum of 1/(theta + i alpha) over classes, less
 * that of 1/(theta + i) over rows, i from 1. */
static double by_theta(const sample *s, double alpha, double theta)
{
    return sum_of_inverses(theta / alpha + 1, s->n_classes - 1) / alpha -
           sum_of_inverses(theta + 1, s->n_rows - 1);
}

/* By alpha: the sum of i/(theta + i alpha) over classes, less that of 1/(i - alpha) over the rows
 * of each class. */
static double by_alpha(const sample *s, double alpha, double theta)
{
    double sum = sum_of_shares(theta / alpha, s->n_classes - 1) / alpha;
    for (size_t i = 0; i < s->n_sizes; i++)
        if (s->size[i] > 1)
            sum -= s->classes[i] * sum_of_inverses(1 - alpha, s->size[i] - 1);
    return sum;
}

/* The most likely theta for an alpha: the likelihood falls for large and rises for small ones. */
static double best_theta(const sample *s, double alpha)
{
    double low = 1e-9, high = 1;
    if (by_theta(s, alpha, low) <= 0)
        return low;
    while (by_theta(s, alpha, high) > 0 && high < 1e15)
        high *= 4;
    for (int i = 0; i < 200; i++) {
        double middle = sqrt(low * high);
        if (by_theta(s, alpha, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return sqrt(low * high);
}

/* A person is alone if none of the N - 1 others joins: the i-th stays away with probability
 * (theta + alpha + i - 1) / (theta + i). */
static double pitman(const sample *s)
{
    double low = 1e-6, high = 1 - 1e-9;
    if (s->n_classes < 2 || s->n_classes >= s->n_rows ||
        by_alpha(s, low, best_theta(s, low)) <= 0 || by_alpha(s, high, best_theta(s, high)) >= 0)
        return NAN;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (by_alpha(s, middle, best_theta(s, middle)) > 0)
            low = middle;
        else
            high = middle;
    }
    double alpha = (low + high) / 2, theta = best_theta(s, alpha);
    return s->n_persons * exp(log_gamma_ratio(theta + s->n_persons, alpha - 1) -
                              log_gamma_ratio(theta + 1, alpha - 1));
}

/* How many classes the population has, by the third estimator of Shlosser (Haas and Stokes 1998).
 */
static double population_classes(const sample *s)
{
    double q = s->fraction, a = 0, b = 0, c = 0, d = 0;
    double stay = log1p(-q);                                 /* log(1 - q) */
    double pair = q < 0.5 ? log1p(-q * q) : stay + log1p(q); /* log(1 - q^2) */
    for (size_t i = 0; i < s->n_sizes; i++) {
        double size = s->size[i], n = s->classes[i];
        a += size * q * q * exp((size - 1) * pair) * n;
        b += exp(size * pair) * -expm1(-size * log1p(q)) * n; /* (1 - q^2)^size - (1 - q)^size */
        c += exp(size * stay) * n;
        d += size * q * exp((size - 1) * stay) * n;
    }
    return s->n_classes + s->ones * (a / b) * (c / d) * (c / d);
}

/* Class sizes are 1 + negative binomial (alpha, beta); sampling each person with probability q,
 * the sample is to have as many classes of size 1 and of size 2 as it has. Formulas are written in
 * odds = (1 - beta) / beta, in which nothing is subtracted. */
typedef struct slide {
    double classes, q, ones, twos;
} slide;

static double expected_ones(const slide *m, double alpha, double odds)
{
    double seen = m->q * odds;
    return m->classes * m->q * exp(-alpha * log1p(seen)) *
           (1 + alpha * (1 - m->q) * odds / (1 + seen));
}

static double expected_twos(const slide *m, double alpha, double odds)
{
    double seen = m->q * odds;
    return m->classes * m->q * m->q / 2 * alpha * odds * exp(-alpha * log1p(seen)) *
           (2 + odds * (1 + m->q + alpha * (1 - m->q))) / ((1 + seen) * (1 + seen));
}

/* Expected ones rise with alpha from classes * q to a peak, then fall: where the peak is. */
static double peak(const slide *m, double odds)
{
    double seen = m->q * odds;
    double alpha = 1 / log1p(seen) - (1 + seen) / ((1 - m->q) * odds);
    return alpha > 0 ? alpha : 0;
}

/* The alpha that gives as many classes of size 1 as there are, before or after the peak; NAN:
 * none does. */
static double alpha_for(const slide *m, double odds, bool after)
{
    double top = peak(m, odds), low = after ? top : 0, high = after ? 2 * top + 1 : top;
    while (after && expected_ones(m, high, odds) > m->ones && high < 1e12)
        high *= 2;
    bool rises = expected_ones(m, low, odds) <= m->ones, falls = !rises;
    bool above = expected_ones(m, high, odds) >= m->ones;
    if (after ? !falls || above : !rises || !above)
        return NAN;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        if ((expected_ones(m, middle, odds) > m->ones) == after)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static double excess(const slide *m, double odds, bool after)
{
    double alpha = alpha_for(m, odds, after);
    return isnan(alpha) ? NAN : expected_twos(m, alpha, odds) - m->twos;
}

static double odds_at(double x)
{
    return exp(-x);
}

static double between(const slide *m, double low, double high, bool after)
{
    bool positive = excess(m, odds_at(low), after) > 0;
    for (int j = 0; j < 100; j++) {
        double middle = (low + high) / 2;
        if ((excess(m, odds_at(middle), after) > 0) == positive)
            low = middle;
        else
            high = middle;
    }
    return odds_at((low + high) / 2);
}

/* Of several solutions the one whose population is nearest to the size it has. */
static double snb(const sample *s)
{
    enum { STEPS = 400 };
    slide m = {population_classes(s), s->fraction, s->ones, s->twos};
    double uniques = NAN, least = INFINITY;
    for (int after = 0; after < 2; after++) {
        double before = NAN, last = 0;
        for (int i = 0; i <= STEPS; i++) {
            double x = -20 + 40.0 * i / STEPS, now = excess(&m, odds_at(x), after);
            if (!isnan(before) && !isnan(now) && (before > 0) != (now > 0)) {
                double odds = between(&m, last, x, after), alpha = alpha_for(&m, odds, after);
                double persons = m.classes * (1 + alpha * odds);
                double off = fabs(log(persons / s->n_persons));
                if (off < least) {
                    least = off;
                    uniques = m.classes * exp(-alpha * log1p(odds));
                }
            }
            before = now;
            last = x;
        }
    }
    return uniques;
}

/* Dankar et al. 2012: Pitman for small samples; else the smaller of SNB and Zayatz. */
static const char *choose(const mgl_population_uniques *u, double fraction)
{
    if (fraction <= 0.1 && !isnan(u->pitman))
        return "pitman";
    bool snb = fraction > 0.1 && !isnan(u->snb) && u->snb <= u->zayatz;
    return snb ? "snb" : "zayatz";
}

/* The smaller of two, or the one there is. */
static double estimate(const sample *s, mgl_uniques_estimator estimator)
{
    double pitmans = NAN;
    switch (estimator) {
    case MGL_UNIQUES_PITMAN:
        return pitman(s);
    case MGL_UNIQUES_ZAYATZ:
        return zayatz(s);
    case MGL_UNIQUES_SNB:
        return snb(s);
    case MGL_UNIQUES_BY_RULE:
        break;
    }
    if (s->fraction <= 0.1)
        pitmans = pitman(s);
    if (!isnan(pitmans))
        return pitmans;
    return s->fraction > 0.1 ? fmin(zayatz(s), snb(s)) : zayatz(s);
}

double mgl_population_uniques_by(const mgl_class_sizes *classes, double fraction,
                                 mgl_uniques_estimator estimator)
{
    sample s;
    double uniques = NAN;
    if (begin(&s, classes, fraction, NULL) == MGL_OK)
        uniques = s.ones == 0 || fraction >= 1 ? s.ones : estimate(&s, estimator);
    mgl_free(s.size);
    mgl_free(s.classes);
    return uniques;
}

mgl_status mgl_population_uniques_find(const mgl_class_sizes *classes, double fraction,
                                       mgl_error *err, mgl_population_uniques *out)
{
    sample s;
    mgl_status status = begin(&s, classes, fraction, err);
    if (status == MGL_OK) {
        bool any = s.ones > 0;
        *out = (mgl_population_uniques){
            .pitman = any ? pitman(&s) : 0,
            .zayatz = any ? zayatz(&s) : 0,
            .snb = any ? snb(&s) : 0,
        };
        if (fraction >= 1) /* the sample is the population */
            out->pitman = out->zayatz = out->snb = s.ones;
        out->chosen = choose(out, fraction);
    }
    mgl_free(s.size);
    mgl_free(s.classes);
    return status;
}
