/* What would be recovered by chance: the mean is that of all ways to deal the rows out, and the
 * bound is above the probability. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "risk/recovery.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_VALUES = 3, MOST_GROUPS = 4 };

/* One label, its ground values with so many rows each, dealt out to groups. */
typedef struct deal {
    uint32_t n_values;
    uint64_t rows[MOST_VALUES];
    size_t n_groups;
    mgl_together groups[MOST_GROUPS]; /* what is over is in no group */
} deal;

static mgl_label_pairs label_pairs_of(const deal *d, uint32_t first[2])
{
    first[0] = 0;
    first[1] = d->n_values;
    return (mgl_label_pairs){.n_pairs = d->n_values, .n_labels = 1, .first_pair = first};
}

static double choose(uint64_t n, uint64_t k)
{
    double ways = 1;
    for (uint64_t i = 0; i < k; i++)
        ways *= (double)(n - i) / (double)(i + 1);
    return k > n ? 0 : ways;
}

/* Every way to fill the groups, with the probability of each: the distribution of recovered
 * rows. */
typedef struct distribution {
    double of[200]; /* [recovered rows] */
} distribution;

static void fill(const deal *d, size_t group, const uint64_t *left, double p, uint64_t recovered,
                 distribution *out)
{
    if (group == d->n_groups) {
        out->of[recovered] += p;
        return;
    }
    uint64_t n = d->groups[group].rows, all = 0;
    for (uint32_t v = 0; v < d->n_values; v++)
        all += left[v];
    for (uint64_t a = 0; a <= n; a++)
        for (uint64_t b = 0; a + b <= n; b++) {
            uint64_t take[MOST_VALUES] = {a, b, n - a - b}, after[MOST_VALUES], most = 0;
            double ways = 1;
            for (uint32_t v = 0; v < MOST_VALUES; v++) {
                ways *= take[v] > left[v] ? 0 : choose(left[v], take[v]);
                after[v] = left[v] - take[v];
                most = take[v] > most ? take[v] : most;
            }
            if (ways > 0) {
                bool is = most >= mgl_recovered_from(n);
                fill(d, group + 1, after, p * ways / choose(all, n), recovered + (is ? most : 0),
                     out);
            }
        }
}

static deal draw_deal(mgl_random *random)
{
    deal d = {.n_values = MOST_VALUES, .n_groups = 1 + mgl_random_below(random, MOST_GROUPS)};
    uint64_t all = 0;
    for (size_t g = 0; g < d.n_groups; g++) {
        d.groups[g] = (mgl_together){0, 5 + mgl_random_below(random, 3)};
        all += d.groups[g].rows;
    }
    for (uint32_t v = 0; v < MOST_VALUES; v++) {
        d.rows[v] = mgl_random_below(random, 24);
        all = all > d.rows[v] ? all - d.rows[v] : 0;
    }
    d.rows[0] += all; /* so that there are enough */
    return d;
}

static void the_mean_is_that_of_all_ways(void **state)
{
    (void)state;
    mgl_random random;
    mgl_random_seed(&random, 11);
    for (int trial = 0; trial < 100; trial++) {
        deal d = draw_deal(&random);
        distribution all = {0};
        uint32_t first[2];
        uint64_t room[MOST_VALUES];
        mgl_label_pairs label_pairs = label_pairs_of(&d, first);
        mgl_margins margins = {&label_pairs, d.rows, room};
        fill(&d, 0, d.rows, 1, 0, &all);
        double mean = 0, sum = 0;
        for (size_t i = 0; i < 200; i++) {
            mean += (double)i * all.of[i];
            sum += all.of[i];
        }
        assert_true(fabs(sum - 1) < 1e-9);
        double expected = mgl_chance_expected(&margins, d.groups, d.n_groups);
        assert_true(fabs(expected - mean) <= 1e-9 * (1 + mean));
    }
}

static void the_bound_is_above_the_probability(void **state)
{
    (void)state;
    mgl_random random;
    mgl_random_seed(&random, 13);
    size_t sharp = 0;
    for (int trial = 0; trial < 100; trial++) {
        deal d = draw_deal(&random);
        distribution all = {0};
        uint32_t first[2];
        uint64_t room[MOST_VALUES];
        mgl_label_pairs label_pairs = label_pairs_of(&d, first);
        mgl_margins margins = {&label_pairs, d.rows, room};
        fill(&d, 0, d.rows, 1, 0, &all);
        mgl_chance_expected(&margins, d.groups, d.n_groups); /* sorts them */
        double above = 0;
        for (size_t i = 200; i-- > 0;) {
            above += all.of[i];
            double bound = mgl_chance_bound(&margins, d.groups, d.n_groups, i);
            double in_turn = mgl_chance_bound_in_turn(&margins, d.groups, d.n_groups, i);
            assert_true(in_turn <= 0 && above <= exp(in_turn) * (1 + 1e-9));
            assert_true(bound <= 0);
            assert_true(above <= exp(bound) * (1 + 1e-9));
            sharp += above > 1e-9 && above < 1e-3 && bound < -3;
        }
    }
    assert_true(sharp > 20); /* and says something */
}

/* Texts that hold their row's value: 4 texts, 4 rows, all ways to put one to the other. */
static void chance_of_matching_texts_is_bounded(void **state)
{
    (void)state;
    assert_true(mgl_chance_of_matches(3, 2) == 0);
    /* n texts that hold one value each, n rows with different values: the matches of a random
     * permutation, of which all agree with probability 1/n!, on average 1. */
    double log_all = 0;
    for (uint64_t n = 1; n <= 60; n++) {
        log_all -= log((double)n);
        assert_true(mgl_chance_of_matches(1, n) >= log_all);
    }
    assert_true(mgl_chance_of_matches(1, 60) < -20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_that_of_all_ways),
        cmocka_unit_test(the_bound_is_above_the_probability),
        cmocka_unit_test(chance_of_matching_texts_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
