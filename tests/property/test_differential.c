/* Differential privacy by sampling and k: sampling rate and k against the inequality that they are
 * for, random choices against their probabilities, scores of levels against their sensitivity, and
 * the draw itself against the guarantee, on neighbouring tables. A planted k that is too small is
 * found out. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_problem.h"

#include "differential/differential.h"
#include "pipeline/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double epsilons[] = {0.05, 0.1, 0.5, 0.6931471805599453, 1, 1.5, 2, 3, 5};
static const double deltas[] = {0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12};
enum { EPSILONS = sizeof epsilons / sizeof epsilons[0], DELTAS = sizeof deltas / sizeof deltas[0] };

static mgl_sampling sampling_of(double epsilon, double delta)
{
    mgl_privacy_budget budget = {epsilon, delta};
    assert_true(mgl_privacy_budget_is_fine(&budget));
    return mgl_sampling_of(&budget, 0);
}

/* ---- The inequality --------------------------------------------------------------------------
 */

/* The probability that j of n rows are in the sample, by multiplying. */
static long double share(const mgl_sampling *s, int n, int j)
{
    long double rate = (long double)s->rate / (long double)MGL_RATE_ONE, p = 1;
    for (int i = 0; i < n - j; i++)
        p *= 1 - rate;
    for (int i = 1; i <= j; i++)
        p *= rate * (long double)(n - j + i) / (long double)i;
    return p;
}

/* How likely a combination of n rows is released with j of them; j = 0: not at all. */
static long double released(const mgl_sampling *s, int n, int j)
{
    long double p = 0;
    if (j > 0)
        return j <= n && (uint64_t)j >= s->k ? share(s, n, j) : 0;
    for (int i = 0; i <= n && (uint64_t)i < s->k; i++)
        p += share(s, n, i);
    return p;
}

/* The smallest delta with which epsilon holds between tables with n and m rows of a combination. */
static long double smallest_delta(const mgl_sampling *s, double epsilon, int n, int m)
{
    long double sum = 0;
    for (int j = 0; j <= n || j <= m; j++) {
        long double above = released(s, n, j) - expl(epsilon) * released(s, m, j);
        sum += above > 0 ? above : 0;
    }
    return sum;
}

enum { MOST_ROWS = 50 };

static void neighbours_of_up_to_50_rows_keep_the_inequality(void **state)
{
    (void)state;
    for (int e = 0; e < EPSILONS; e++)
        for (int d = 0; d < DELTAS; d++) {
            mgl_sampling s = sampling_of(epsilons[e], deltas[d]);
            for (int n = 1; n <= MOST_ROWS; n++) {
                assert_true(smallest_delta(&s, epsilons[e], n, n - 1) <= deltas[d]);
                assert_true(smallest_delta(&s, epsilons[e], n - 1, n) <= deltas[d]);
            }
        }
}

/* Tables that are larger than those: the bound of the theorem, which is above the smallest delta.
 */
static void no_number_of_rows_breaks_the_bound(void **state)
{
    (void)state;
    for (int e = 0; e < EPSILONS; e++)
        for (int d = 0; d < DELTAS; d++) {
            mgl_sampling s = sampling_of(epsilons[e], deltas[d]);
            double gamma = 1 - (1 - (double)s.rate / (double)MGL_RATE_ONE) * exp(-epsilons[e]);
            uint64_t first = (uint64_t)ceil((double)s.k / gamma - 1);
            for (uint64_t n = first; n < first + 2000; n++)
                assert_true(mgl_sampling_tail(&s, n) <= deltas[d]);
            /* and one row less would break it somewhere */
            bool broken = s.k == 1;
            uint64_t before = (uint64_t)ceil((double)(s.k - 1) / gamma - 1);
            for (uint64_t n = before; !broken && n < before + 2000; n++)
                broken = mgl_sampling_tail(&s, n) > deltas[d];
            assert_true(broken);
        }
}

static void the_tail_is_that_of_the_binomial_distribution(void **state)
{
    (void)state;
    for (int e = 0; e < EPSILONS; e++) {
        mgl_sampling s = sampling_of(epsilons[e], 0.01);
        long double gamma =
            1 - (1 - (long double)s.rate / (long double)MGL_RATE_ONE) * expl(-s.epsilon);
        for (int n = 1; n <= 200; n++) {
            long double sum = 0;
            for (int j = (int)floorl(gamma * n) + 1; j <= n; j++)
                sum += share(&s, n, j);
            double tail = mgl_sampling_tail(&s, (uint64_t)n);
            assert_true(tail >= (double)sum && tail <= (double)sum * (1 + 3e-6));
        }
    }
}

/* Computed from the theorem by another program, in docs/differential-privacy.md. */
static void known_values(void **state)
{
    (void)state;
    static const struct {
        double epsilon, delta, rate;
        uint64_t k;
    } known[] = {
        {0.1, 1e-2, 0.095162, 16}, {0.1, 1e-4, 0.095162, 38}, {0.1, 1e-6, 0.095162, 60},
        {0.5, 1e-2, 0.393469, 17}, {0.5, 1e-4, 0.393469, 39}, {0.5, 1e-6, 0.393469, 63},
        {1, 1e-2, 0.632120, 21},   {1, 1e-4, 0.632120, 47},   {1, 1e-5, 0.632120, 61},
        {1, 1e-6, 0.632120, 74},   {1.5, 1e-5, 0.776869, 80}, {2, 1e-4, 0.864664, 81},
        {2, 1e-5, 0.864664, 113},  {2, 1e-6, 0.864664, 131},  {3, 1e-2, 0.950212, 91},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        mgl_sampling s = sampling_of(known[i].epsilon, known[i].delta);
        double rate = (double)s.rate / (double)MGL_RATE_ONE;
        assert_int_equal(s.k, known[i].k);
        assert_true(fabs(rate - known[i].rate) < 2e-6);
        assert_true(-log1p(-rate) <= known[i].epsilon);
    }
}

/* What levels have of epsilon, the sample has not. */
static void epsilon_is_divided(void **state)
{
    (void)state;
    mgl_privacy_budget budget = {1, 1e-6};
    mgl_sampling s = mgl_sampling_of(&budget, 0.25), alone = sampling_of(0.75, 1e-6);
    assert_true(s.epsilon + (double)s.choosing / (double)MGL_EXPONENT_ONE <= 1);
    assert_true(s.epsilon + (double)s.choosing / (double)MGL_EXPONENT_ONE > 0.999999);
    assert_int_equal(s.k, alone.k);
    assert_int_equal(s.rate, alone.rate);
}

/* ---- Random choices --------------------------------------------------------------------------
 */

/* Within six standard deviations, which chance leaves once in 500 million times. */
static void expect_share(double expected, int found, int n)
{
    double deviation = sqrt(expected * (1 - expected) / n);
    if (fabs((double)found / n - expected) > 6 * deviation + 1e-9)
        fail_msg("%d of %d where %.6f was expected", found, n, expected);
}

/* Of two scores the lower one is chosen with exp(-x) / (1 + exp(-x)). */
static void exponentials_have_their_probability(void **state)
{
    (void)state;
    static const uint64_t exponents[][2] = {{0, 1}, {1, 3}, {1, 1}, {7, 5}, {3, 1}, {999, 1000}};
    int n = brute_cases(20000);
    mgl_random random;
    mgl_random_seed(&random, 7);
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
        uint64_t scores[] = {exponents[i][0], 0};
        double x = (double)exponents[i][0] / (double)exponents[i][1];
        int found = 0;
        for (int t = 0; t < n; t++)
            found +=
                mgl_random_by_score(&random, MGL_EXPONENT_ONE, exponents[i][1], scores, 2) == 1;
        expect_share(exp(-x) / (1 + exp(-x)), found, n);
    }
}

static void scores_have_their_probability(void **state)
{
    (void)state;
    static const uint64_t scores[] = {0, 50, 100, 100, 90, 1};
    enum { SCORES = sizeof scores / sizeof scores[0] };
    int n = brute_cases(20000), found[SCORES] = {0};
    double sum = 0, epsilon = 0.5, sensitivity = 10;
    mgl_random random;
    mgl_random_seed(&random, 8);
    for (int t = 0; t < n; t++)
        found[mgl_random_by_score(&random, (uint64_t)(epsilon * (double)MGL_EXPONENT_ONE),
                                  (uint64_t)sensitivity, scores, SCORES)]++;
    for (int i = 0; i < SCORES; i++)
        sum += exp(epsilon * (double)scores[i] / sensitivity);
    for (int i = 0; i < SCORES; i++)
        expect_share(exp(epsilon * (double)scores[i] / sensitivity) / sum, found[i], n);
}

/* Scores of a large table: the products need more than 64 bits. */
static void large_scores_are_chosen_from(void **state)
{
    (void)state;
    uint64_t best = UINT64_C(1) << 61, scores[] = {1, best, best - MGL_SCORE_SENSITIVITY};
    int n = brute_cases(4000), found[3] = {0};
    mgl_random random;
    mgl_random_seed(&random, 9);
    for (int t = 0; t < n; t++)
        found[mgl_random_by_score(&random, MGL_EXPONENT_ONE, MGL_SCORE_SENSITIVITY, scores, 3)]++;
    assert_int_equal(found[0], 0);
    expect_share(1 / (1 + exp(-1)), found[1], n);
}

/* ---- Scores of levels ------------------------------------------------------------------------
 */

static uint64_t *scores_of(const brute_case *c, const brute_problem *p, uint64_t rows, size_t *n)
{
    uint32_t least[BRUTE_ATTRIBUTES], most[BRUTE_ATTRIBUTES];
    double weights[BRUTE_ATTRIBUTES];
    uint64_t *scores = NULL;
    mgl_error err = {0};
    for (int a = 0; a < c->n_attributes; a++) {
        least[a] = 0;
        most[a] = p->hierarchies[a]->height;
        weights[a] = c->weight[a] + 1;
    }
    mgl_level_choice choice = {p->list, least, most, weights, rows};
    if (mgl_level_scores(&choice, &err, &scores, n) != MGL_OK)
        fail_msg("%s", err.message);
    return scores;
}

/* One row less: no score rises, and none falls by more than the sensitivity. */
static void a_row_changes_scores_by_their_sensitivity_at_most(void **state)
{
    (void)state;
    uint64_t largest = 0;
    for (int i = 0; i < brute_cases(150); i++) {
        brute_case c;
        brute_problem p;
        size_t n, m;
        brute_make(&c, UINT64_C(8800000) + (uint64_t)i);
        brute_problem_make(&c, &p);
        uint64_t rows = 1 + (uint64_t)i % 4, *whole = scores_of(&c, &p, rows, &n);
        for (int row = 0; row < c.n_rows; row++) {
            size_t t = brute_tuple_of(&c, &p, row);
            p.list->counts[t]--;
            uint64_t *less = scores_of(&c, &p, rows, &m);
            p.list->counts[t]++;
            assert_int_equal(n, m);
            for (size_t node = 0; node < n; node++) {
                assert_true(less[node] <= whole[node]);
                assert_true(whole[node] - less[node] <= MGL_SCORE_SENSITIVITY);
                if (whole[node] - less[node] > largest)
                    largest = whole[node] - less[node];
            }
            mgl_free(less);
        }
        mgl_free(whole);
        brute_problem_free(&p);
    }
    assert_true(largest > MGL_SCORE_ONE); /* it is not stated too high by much */
}

/* Against looking at each node by itself. */
static void scores_are_those_of_the_definition(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(100); i++) {
        brute_case c;
        brute_problem p;
        size_t n = 0, number = 0;
        brute_make(&c, UINT64_C(8900000) + (uint64_t)i);
        brute_problem_make(&c, &p);
        uint64_t rows = 1 + (uint64_t)i % 3, *scores = scores_of(&c, &p, rows, &n);
        uint32_t node[BRUTE_ATTRIBUTES] = {0};
        for (; number < n; number++) {
            double lost = 0, sum = 0;
            uint64_t kept = 0;
            for (int a = 0; a < c.n_attributes; a++) {
                lost += (c.weight[a] + 1) * node[a] / p.hierarchies[a]->height;
                sum += c.weight[a] + 1;
            }
            for (int row = 0; row < c.n_rows; row++) {
                uint64_t size = 0;
                size_t own = brute_tuple_of(&c, &p, row);
                for (int other = 0; other < c.n_rows; other++) {
                    size_t t = brute_tuple_of(&c, &p, other);
                    bool same = true;
                    for (int a = 0; same && a < c.n_attributes; a++) {
                        const uint32_t *of = p.hierarchies[a]->levels[node[a]].of_leaf;
                        same = of[mgl_list_leaf(p.list, own, (size_t)a)] ==
                               of[mgl_list_leaf(p.list, t, (size_t)a)];
                    }
                    size += same;
                }
                /* each row of a class has its share of what the class counts */
                uint64_t counts = size > rows ? 2 * (size - rows) : 0;
                kept += (counts < size ? counts : size) * 5040 / size;
            }
            uint64_t precision = (uint64_t)((1 - lost / sum) * (double)MGL_SCORE_ONE);
            uint64_t expected = (kept + 2520) / 5040 * precision;
            if (expected != scores[number])
                fail_msg("case %d, node %zu: %llu, not %llu", i, number,
                         (unsigned long long)scores[number], (unsigned long long)expected);
            for (int a = c.n_attributes - 1; a >= 0; a--) {
                if (node[a]++ < p.hierarchies[a]->height)
                    break;
                node[a] = 0;
            }
        }
        brute_problem_free(&p);
        mgl_free(scores);
    }
}

/* ---- The guarantee ---------------------------------------------------------------------------
 */

/* The regularized incomplete beta function, by its continued fraction. */
static double incomplete_beta(double a, double b, double x)
{
    const double tiny = 1e-300;
    if (x <= 0 || x >= 1)
        return x >= 1;
    if (x > (a + 1) / (a + b + 2))
        return 1 - incomplete_beta(b, a, 1 - x);
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a;
    double f = 1, c = 1, d = 0;
    for (int i = 0; i <= 2000; i++) {
        int m = i / 2;
        double numerator = i == 0 ? 1
                           : i % 2 == 0
                               ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                               : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + numerator * d;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = 1 + numerator / c;
        c = fabs(c) < tiny ? tiny : c;
        f *= c * d;
        if (fabs(1 - c * d) < 1e-13)
            break;
    }
    return front * (f - 1);
}

/* Clopper and Pearson's limits of a probability of which `found` of n were seen. */
static const double mistaken = 1e-7;

static double least_probability(int found, int n)
{
    double low = 0, high = (double)found / n;
    for (int i = 0; i < 100 && found > 0; i++) {
        double middle = (low + high) / 2;
        if (incomplete_beta(found, n - found + 1, middle) < mistaken)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double most_probability(int found, int n)
{
    return 1 - least_probability(n - found, n);
}

/* A table of two combinations, the first of n rows: how often are more than `above` rows of that
 * released? */
static int count_releases(mgl_random *random, const mgl_sampling *s, int n, double above, int runs)
{
    enum { OTHERS = 5 };
    uint32_t class_of[MOST_ROWS + OTHERS];
    uint64_t bits[2], sizes[2];
    int found = 0;
    mgl_rows_in_classes rows = {class_of, (uint64_t)n + OTHERS, 2};
    for (int i = 0; i < n + OTHERS; i++)
        class_of[i] = i >= n;
    for (int run = 0; run < runs; run++) {
        int seen = 0;
        mgl_sample_rows(random, s, &rows, bits, sizes);
        for (int i = 0; i < n; i++)
            seen += (int)(bits[i / 64] >> i % 64 & 1);
        found += seen > 0 && seen > above;
    }
    return found;
}

/* Do tables with n and n - 1 rows of a combination tell, by what was seen of them, that epsilon and
 * delta do not hold? The event is the one that tells most. */
static bool is_refuted(mgl_random *random, const mgl_sampling *s, double epsilon, double delta,
                       int n, int runs)
{
    double gamma = 1 - (1 - (double)s->rate / (double)MGL_RATE_ONE) * exp(-epsilon);
    int more = count_releases(random, s, n, gamma * n, runs);
    int less = count_releases(random, s, n - 1, gamma * n, runs);
    return least_probability(more, runs) - exp(epsilon) * most_probability(less, runs) > delta;
}

static void clopper_and_pearson(void **state)
{
    (void)state;
    /* 0 of n: the upper limit has the closed form 1 - mistaken^(1/n) */
    assert_true(fabs(most_probability(0, 100) - (1 - pow(mistaken, 0.01))) < 1e-9);
    assert_true(least_probability(0, 100) == 0 && most_probability(100, 100) == 1);
    /* the lower limit is where so many or more are as likely as a mistake */
    mgl_sampling s = {.rate = (uint32_t)(least_probability(30, 60) * (double)MGL_RATE_ONE)};
    long double tail = 0;
    for (int j = 30; j <= 60; j++)
        tail += share(&s, 60, j);
    assert_true(fabsl(tail / mistaken - 1) < 1e-4);
}

static void neighbouring_tables_keep_the_guarantee(void **state)
{
    (void)state;
    static const double some[] = {0.1, 0.5, 1, 1.5};
    const double delta = 0.01;
    int runs = brute_cases(20000);
    mgl_random random;
    assert_int_equal(mgl_random_init(&random, NULL), MGL_OK);
    for (size_t e = 0; e < sizeof some / sizeof some[0]; e++) {
        mgl_sampling s = sampling_of(some[e], delta);
        double gamma = 1 - (1 - (double)s.rate / (double)MGL_RATE_ONE) * exp(-some[e]);
        for (int n = (int)ceil((double)s.k / gamma - 1), i = 0; n <= MOST_ROWS && i < 3; n++, i++)
            assert_false(is_refuted(&random, &s, some[e], delta, n, runs));
    }
}

static void a_smaller_k_is_found_out(void **state)
{
    (void)state;
    static const double some[] = {0.5, 1, 1.5};
    const double delta = 0.01;
    int runs = brute_cases(20000);
    mgl_random random;
    assert_int_equal(mgl_random_init(&random, NULL), MGL_OK);
    for (size_t e = 0; e < sizeof some / sizeof some[0]; e++) {
        mgl_sampling s = sampling_of(some[e], delta);
        int worst = 1;
        s.k = runs < 500000 ? 2 : s.k / 3; /* what is nearer to the right one takes longer */
        for (int n = 2; n <= MOST_ROWS; n++)
            if (smallest_delta(&s, some[e], n, n - 1) >
                smallest_delta(&s, some[e], worst, worst - 1))
                worst = n;
        assert_true(smallest_delta(&s, some[e], worst, worst - 1) > delta);
        assert_true(is_refuted(&random, &s, some[e], delta, worst, runs));
    }
}

/* Rows of too rare combinations are left out whole, the others are the sample. */
static void what_is_drawn_is_the_sample_without_rare_rows(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(300); i++) {
        enum { ROWS = 300, CLASSES = 9 };
        brute_random draw = {(uint64_t)i};
        uint32_t class_of[ROWS];
        uint64_t bits[ROWS / 64 + 1], sizes[CLASSES], seen[CLASSES] = {0}, n = 0;
        mgl_sampling s = {.rate = (uint32_t)brute_next(&draw), .k = 1 + brute_next(&draw) % 30};
        mgl_rows_in_classes rows = {class_of, ROWS, CLASSES};
        mgl_random random, again;
        for (int row = 0; row < ROWS; row++)
            class_of[row] = (uint32_t)brute_below(&draw, 1 + brute_below(&draw, CLASSES));
        mgl_random_seed(&random, (uint64_t)i);
        mgl_random_seed(&again, (uint64_t)i);
        memset(bits, 0xff, sizeof bits);
        uint64_t drawn = mgl_sample_rows(&random, &s, &rows, bits, sizes);
        for (int row = 0; row < ROWS; row++) {
            bool taken = mgl_random_u32(&again) < s.rate;
            bool kept = bits[row / 64] >> row % 64 & 1;
            seen[class_of[row]] += taken;
            assert_int_equal(kept, taken && sizes[class_of[row]] >= s.k);
            n += kept;
        }
        assert_memory_equal(seen, sizes, sizeof seen);
        assert_int_equal(n, drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_of_up_to_50_rows_keep_the_inequality),
        cmocka_unit_test(no_number_of_rows_breaks_the_bound),
        cmocka_unit_test(the_tail_is_that_of_the_binomial_distribution),
        cmocka_unit_test(known_values),
        cmocka_unit_test(epsilon_is_divided),
        cmocka_unit_test(exponentials_have_their_probability),
        cmocka_unit_test(scores_have_their_probability),
        cmocka_unit_test(large_scores_are_chosen_from),
        cmocka_unit_test(a_row_changes_scores_by_their_sensitivity_at_most),
        cmocka_unit_test(scores_are_those_of_the_definition),
        cmocka_unit_test(clopper_and_pearson),
        cmocka_unit_test(neighbouring_tables_keep_the_guarantee),
        cmocka_unit_test(a_smaller_k_is_found_out),
        cmocka_unit_test(what_is_drawn_is_the_sample_without_rare_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
