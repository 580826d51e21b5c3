/* Risk measures against plain reimplementations: special uniques and sets of columns by trying
 * all of them, individual risk by integration, population uniques on drawn populations. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "base/fault.h"
#include "brute.h"
#include "random_problem.h"
#include "tuples.h"
#include "risk/risk.h"

/* ---- Tables ------------------------------------------------------------------------------- */

enum { MOST_ROWS = 60, MOST_COLUMNS = 7 };

typedef struct table {
    int n, m;
    uint32_t cells[MOST_ROWS][MOST_COLUMNS];
    mgl_hierarchy *hierarchies[MOST_COLUMNS];
    mgl_frequency_list *list;
} table;

static void make_table(table *t, uint64_t seed)
{
    brute_random random = {seed * 977 + 11};
    mgl_random leaves;
    mgl_random_seed(&leaves, seed);
    t->n = brute_between(&random, 1, MOST_ROWS);
    t->m = brute_between(&random, 1, MOST_COLUMNS);
    for (int a = 0; a < t->m; a++) {
        int values = brute_between(&random, 1, seed % 3 == 0 ? 2 : 9);
        t->hierarchies[a] = random_hierarchy(&leaves, (uint32_t)values, 1);
        assert_non_null(t->hierarchies[a]);
        for (int r = 0; r < t->n; r++)
            t->cells[r][a] = (uint32_t)brute_below(&random, values);
    }
    for (int r = 1; r < t->n; r++) /* some rows are alike */
        if (brute_below(&random, 4) == 0)
            memcpy(t->cells[r], t->cells[r - 1], sizeof t->cells[r]);
    uint32_t flat[MOST_ROWS * MOST_COLUMNS];
    uint64_t counts[MOST_ROWS];
    for (int r = 0; r < t->n; r++) {
        counts[r] = 1;
        for (int a = 0; a < t->m; a++)
            flat[r * t->m + a] = t->cells[r][a];
    }
    assert_int_equal(tuples_listed((const mgl_hierarchy *const *)t->hierarchies, (size_t)t->m, flat,
                                   counts, (size_t)t->n, &t->list),
                     MGL_OK);
}

static void free_table(table *t)
{
    mgl_frequency_list_free(t->list);
    for (int a = 0; a < t->m; a++)
        mgl_arena_free(t->hierarchies[a]->arena);
}

static bool alike(const table *t, int r, int s, uint64_t columns)
{
    for (int a = 0; a < t->m; a++)
        if ((columns >> a & 1) && t->cells[r][a] != t->cells[s][a])
            return false;
    return true;
}

static int rows_like(const table *t, int r, uint64_t columns)
{
    int n = 0;
    for (int s = 0; s < t->n; s++)
        n += alike(t, r, s, columns);
    return n;
}

/* The row of a tuple of the list. */
static int row_of(const table *t, size_t tuple)
{
    for (int r = 0; r < t->n; r++) {
        bool same = true;
        for (int a = 0; a < t->m; a++)
            same = same && mgl_list_leaf(t->list, tuple, (size_t)a) == t->cells[r][a];
        if (same)
            return r;
    }
    fail();
    return 0;
}

/* ---- Special uniques --------------------------------------------------------------------------
 */

static double factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

static void compare_suda(const table *t, const mgl_suda *suda)
{
    uint64_t all = (UINT64_C(1) << t->m) - 1, by_size[MOST_COLUMNS + 1] = {0};
    double sum = 0, contribution[MOST_COLUMNS] = {0};
    for (size_t tuple = 0; tuple < t->list->n_tuples; tuple++) {
        int r = row_of(t, tuple);
        double score = 0;
        for (uint64_t set = 1; set <= all; set++) {
            bool minimal = rows_like(t, r, set) == 1;
            for (uint64_t less = (set - 1) & set; minimal && less > 0; less = (less - 1) & set)
                minimal = rows_like(t, r, less) > 1;
            if (!minimal || t->n == 1)
                continue;
            int size = __builtin_popcountll(set);
            by_size[size]++;
            score += factorial(t->m - size);
            for (int a = 0; a < t->m; a++)
                contribution[a] += set >> a & 1 ? factorial(t->m - size) : 0;
        }
        if (t->n > 1)
            assert_true(score == suda->scores[tuple]);
        sum += score;
    }
    if (t->n == 1)
        return; /* a single row is unique on every column, and on none at all */
    assert_true(sum == suda->sum_score);
    for (int a = 0; a < t->m; a++)
        assert_true(contribution[a] == suda->contribution[a]);
    for (int size = 1; size <= t->m; size++)
        assert_int_equal(by_size[size], suda->by_size[size]);
}

static void special_uniques_equal_brute_force(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    for (int i = 0; i < brute_cases(200); i++) {
        table t;
        mgl_suda *suda, *threaded;
        make_table(&t, (uint64_t)i);
        assert_int_equal(mgl_suda_new(t.list, 0.01, NULL, NULL, &suda), MGL_OK);
        assert_int_equal(mgl_suda_new(t.list, 0.01, pool, NULL, &threaded), MGL_OK);
        compare_suda(&t, suda);
        assert_memory_equal(suda->scores, threaded->scores, t.list->n_tuples * sizeof(double));
        assert_memory_equal(suda->dis, threaded->dis, t.list->n_tuples * sizeof(double));
        mgl_suda_free(suda);
        mgl_suda_free(threaded);
        free_table(&t);
    }
    mgl_pool_free(pool);
}

/* ---- Sets of columns
 * ------------------------------------------------------------------------------ */

static void compare_candidate(const table *t, const mgl_candidate *set)
{
    double classes = 0, unique = 0, apart = 0;
    for (int r = 0; r < t->n; r++) {
        int like = rows_like(t, r, set->columns);
        classes += 1.0 / like;
        unique += like == 1;
        for (int s = 0; s < r; s++)
            apart += !alike(t, r, s, set->columns);
    }
    double pairs = t->n * (t->n - 1) / 2.0;
    assert_true(fabs(set->distinction - classes / t->n) < 1e-12);
    assert_true(fabs(set->uniques - unique / t->n) < 1e-12);
    assert_true(fabs(set->separation - (pairs > 0 ? apart / pairs : 0)) < 1e-12);
}

static void compare_minimal(const mgl_candidates *all, double share)
{
    size_t chosen[1 << MOST_COLUMNS], n;
    mgl_candidates_minimal(all, share, chosen, &n);
    for (size_t i = 0; i < all->n; i++) {
        bool wanted = all->sets[i].uniques >= share, found = false;
        for (size_t j = 0; wanted && j < all->n; j++) {
            uint64_t less = all->sets[j].columns;
            bool smaller = less != all->sets[i].columns && (less & ~all->sets[i].columns) == 0;
            wanted = !(smaller && all->sets[j].uniques >= share);
        }
        for (size_t j = 0; j < n; j++)
            found = found || chosen[j] == i;
        assert_int_equal(wanted, found);
    }
}

static void sets_of_columns_equal_brute_force(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    for (int i = 0; i < brute_cases(100); i++) {
        table t;
        mgl_candidates *all;
        make_table(&t, (uint64_t)i + 7000);
        assert_int_equal(
            mgl_candidates_new(t.list, MGL_CANDIDATES_WORK, i % 2 ? pool : NULL, NULL, &all),
            MGL_OK);
        assert_int_equal(all->n, (1 << t.m) - 1);
        for (size_t s = 0; s < all->n; s++) {
            compare_candidate(&t, &all->sets[s]);
            if (s > 0)
                assert_true(all->sets[s - 1].distinction >= all->sets[s].distinction);
        }
        compare_minimal(all, 0.05);
        compare_minimal(all, 0.3);
        mgl_candidates_free(all);
        free_table(&t);
    }
    mgl_pool_free(pool);
}

/* More columns than all sets of which could be looked at: the small sets. */
static void of_too_many_sets_the_small_ones_are_counted(void **state)
{
    (void)state;
    enum { COLUMNS = 30, ROWS = 40 };
    brute_random random = {5};
    mgl_random leaves;
    mgl_random_seed(&leaves, 5);
    mgl_hierarchy *hierarchies[COLUMNS];
    uint32_t cells[ROWS * COLUMNS];
    uint64_t counts[ROWS];
    for (int a = 0; a < COLUMNS; a++)
        assert_non_null(hierarchies[a] = random_hierarchy(&leaves, 3, 1));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        cells[i] = (uint32_t)brute_below(&random, 3);
    for (int r = 0; r < ROWS; r++)
        counts[r] = 1;
    mgl_frequency_list *list;
    mgl_candidates *all;
    assert_int_equal(tuples_listed((const mgl_hierarchy *const *)hierarchies, COLUMNS, cells,
                                   counts, ROWS, &list),
                     MGL_OK);
    assert_int_equal(mgl_candidates_new(list, 500 * ROWS, NULL, NULL, &all), MGL_OK);
    assert_int_equal(all->most_columns, 2);
    assert_int_equal(all->n, 30 + 435);
    mgl_candidates_free(all);
    assert_int_equal(mgl_candidates_new(list, 1, NULL, NULL, &all), MGL_OK);
    assert_int_equal(all->most_columns, 1);
    mgl_candidates_free(all);
    assert_int_equal(mgl_candidates_new(list, MGL_CANDIDATES_WORK, NULL, NULL, &all), MGL_OK);
    assert_int_equal(all->most_columns, 4);
    assert_int_equal(all->n, 30 + 435 + 4060 + 27405);
    for (size_t s = 0; s < all->n; s += 997) {
        double classes = 0;
        for (int r = 0; r < ROWS; r++) {
            int like = 0;
            for (int q = 0; q < ROWS; q++) {
                bool same = true;
                for (int a = 0; a < COLUMNS; a++)
                    same = same && (!(all->sets[s].columns >> a & 1) ||
                                    cells[r * COLUMNS + a] == cells[q * COLUMNS + a]);
                like += same;
            }
            classes += 1.0 / like;
        }
        assert_true(fabs(all->sets[s].distinction - classes / ROWS) < 1e-12);
    }
    mgl_candidates_free(all);
    mgl_frequency_list_free(list);
    for (int a = 0; a < COLUMNS; a++)
        mgl_arena_free(hierarchies[a]->arena);
}

/* ---- Individual risk
 * -------------------------------------------------------------------------------- */

/* p^f times the integral of t^(f-1) (1 - q t)^-f over 0..1, by Simpson's rule in y = -ln(1 - q t),
 * in which the integrand is smooth. */
static double integrate(double f, double p)
{
    enum { STEPS = 200000 };
    double q = 1 - p, end = -log(p), sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double y = end * i / STEPS, t = -expm1(-y) / q;
        double value = pow(p * exp(y) * t, f - 1);
        sum += value * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
    }
    return p / q * sum * end / STEPS / 3;
}

static void individual_risk_equals_its_integral(void **state)
{
    (void)state;
    static const double sizes[] = {1, 2, 3, 4, 7, 15, 39, 41, 100};
    static const double shares[] = {1e-4, 0.01, 0.1, 0.3, 0.49, 0.5, 0.51, 0.7, 0.9, 0.999};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t j = 0; j < sizeof shares / sizeof shares[0]; j++) {
            double f = sizes[i], p = shares[j];
            double exact = mgl_individual_risk(f, f / p, true);
            double wanted = integrate(f, p);
            assert_true(fabs(exact - wanted) <= 1e-9 * wanted);
            assert_true(exact >= p / f && exact <= 1 / f); /* between 1/F and 1/f */
            double about = mgl_individual_risk(f, f / p, false);
            assert_true(f > 2 || fabs(about - exact) <= 1e-9 * exact);
            assert_true(fabs(about - exact) <= 0.25 * exact);
        }
    assert_true(mgl_individual_risk(3, 3, true) == 1.0 / 3);
    assert_true(mgl_individual_risk(3, 2, false) == 1.0 / 3);
    /* Large classes take no time and stay in range. */
    assert_true(mgl_individual_risk(1e9, 1e15, true) >= 1e-15);
    assert_true(fabs(mgl_individual_risk(1, 1e12, true) / (log(1e12) / 1e12) - 1) < 1e-9);
}

/* ---- Uniques of a population
 * ------------------------------------------------------------------------ */

/* Draws each person of classes of the given sizes with some chance; the classes of the sample. */
static mgl_frequency_list *draw_sample(const uint64_t *sizes, size_t n, double fraction,
                                       brute_random *random, mgl_hierarchy *hierarchy)
{
    uint32_t *leaves = mgl_alloc_array(n, sizeof *leaves);
    uint64_t *counts = mgl_alloc_array(n, sizeof *counts);
    size_t classes = 0;
    assert_true(leaves != NULL && counts != NULL);
    for (size_t c = 0; c < n; c++) {
        uint64_t drawn = 0;
        for (uint64_t i = 0; i < sizes[c]; i++)
            drawn += brute_below(random, 1000000) < fraction * 1e6;
        if (drawn == 0)
            continue;
        leaves[classes] = (uint32_t)c;
        counts[classes++] = drawn;
    }
    mgl_frequency_list *list;
    const mgl_hierarchy *hierarchies[1] = {hierarchy};
    assert_int_equal(tuples_listed(hierarchies, 1, leaves, counts, classes, &list), MGL_OK);
    mgl_free(leaves);
    mgl_free(counts);
    return list;
}

/* 1 + negative binomial: alpha whole, so that it is a sum of geometric ones. */
static uint64_t draw_size(brute_random *random, int alpha, double beta)
{
    uint64_t size = 1;
    for (int i = 0; i < alpha; i++)
        while (brute_below(random, 1000000) >= beta * 1e6)
            size++;
    return size;
}

/* What the models of samples stand on: rows that join a class never raise the risk of those in it.
 */
static void individual_risk_falls_when_rows_join(void **state)
{
    (void)state;
    brute_random random = {20231};
    for (int i = 0; i < 200000; i++) {
        double f = brute_between(&random, 1, i % 5 == 0 ? 1000 : 6);
        double persons = f * exp(pow(brute_below(&random, 1000) / 999.0, 3) * 12 - 0.1);
        double more = brute_between(&random, 0, i % 7 == 0 ? 300 : 3);
        double weight = brute_below(&random, 1000) * pow(10, brute_between(&random, -4, 3));
        double before = mgl_individual_risk(f, persons, false);
        assert_true(mgl_individual_risk(f + more, persons + weight, false) <= before);
    }
}

static void population_uniques_are_estimated_near_the_truth(void **state)
{
    (void)state;
    enum { CLASSES = 20000 };
    static const double fractions[] = {0.05, 0.2, 0.5};
    mgl_random leaves;
    mgl_random_seed(&leaves, 1);
    mgl_hierarchy *hierarchy = random_hierarchy(&leaves, CLASSES, 1);
    uint64_t *sizes = mgl_alloc_array(CLASSES, sizeof *sizes);
    assert_true(hierarchy != NULL && sizes != NULL);
    brute_random random = {77};
    double unique = 0;
    for (size_t c = 0; c < CLASSES; c++) {
        sizes[c] = draw_size(&random, 2, 0.4);
        unique += sizes[c] == 1;
    }
    for (size_t i = 0; i < 3; i++) {
        mgl_population_uniques found;
        mgl_frequency_list *list = draw_sample(sizes, CLASSES, fractions[i], &random, hierarchy);
        assert_int_equal(mgl_population_uniques_find(
                             &(mgl_class_sizes){.sizes = list->counts, .n = list->n_tuples},
                             fractions[i], NULL, &found),
                         MGL_OK);
        print_message("sample %.2f, %.0f unique: pitman %.0f, zayatz %.0f, snb %.0f, %s\n",
                      fractions[i], unique, found.pitman, found.zayatz, found.snb, found.chosen);
        /* The model that the population was drawn from finds it again, where its estimate of how
         * many classes there are is near. */
        if (fractions[i] >= 0.5)
            assert_true(fabs(found.snb / unique - 1) < 0.25);
        const char *chosen = fractions[i] <= 0.1 && !isnan(found.pitman)       ? "pitman"
                             : fractions[i] > 0.1 && found.snb <= found.zayatz ? "snb"
                                                                               : "zayatz";
        assert_string_equal(found.chosen, chosen);
        mgl_frequency_list_free(list);
    }
    mgl_free(sizes);
    mgl_arena_free(hierarchy->arena);
}

/* A population in which each person founds a new class with a chance of (theta + alpha classes) /
 * (theta + persons) and joins one of size s with (s - alpha) / (theta + persons): Pitman's. */
static size_t draw_pitman(brute_random *random, double alpha, double theta, size_t persons,
                          uint64_t *sizes)
{
    uint32_t *class_of = mgl_alloc_array(persons, sizeof *class_of);
    size_t n = 0;
    assert_non_null(class_of);
    for (size_t i = 0; i < persons; i++) {
        double x = brute_below(random, 1 << 30) / (double)(1 << 30) * (theta + (double)i);
        if (x < theta + alpha * (double)n) {
            sizes[n] = 1;
            class_of[i] = (uint32_t)n++;
            continue;
        }
        /* A person drawn at random stands for its class, but with alpha less for each class. */
        uint32_t class;
        do
            class = class_of[brute_below(random, (int)i)];
        while (brute_below(random, 1 << 30) < alpha / (double)sizes[class] * (1 << 30));
        sizes[class]++;
        class_of[i] = class;
    }
    mgl_free(class_of);
    return n;
}

static void pitman_estimates_a_pitman_population(void **state)
{
    (void)state;
    enum { PERSONS = 60000 };
    brute_random random = {3};
    mgl_random leaves;
    mgl_random_seed(&leaves, 1);
    mgl_hierarchy *hierarchy = random_hierarchy(&leaves, PERSONS, 1);
    uint64_t *sizes = mgl_alloc_array(PERSONS, sizeof *sizes);
    assert_true(hierarchy != NULL && sizes != NULL);
    size_t n = draw_pitman(&random, 0.5, 200, PERSONS, sizes);
    double unique = 0;
    for (size_t c = 0; c < n; c++)
        unique += sizes[c] == 1;
    mgl_population_uniques found;
    mgl_frequency_list *list = draw_sample(sizes, n, 0.08, &random, hierarchy);
    assert_int_equal(
        mgl_population_uniques_find(&(mgl_class_sizes){.sizes = list->counts, .n = list->n_tuples},
                                    0.08, NULL, &found),
        MGL_OK);
    print_message("%.0f unique: pitman %.0f, zayatz %.0f, snb %.0f, %s\n", unique, found.pitman,
                  found.zayatz, found.snb, found.chosen);
    assert_true(fabs(found.pitman / unique - 1) < 0.15);
    assert_string_equal(found.chosen, "pitman");
    mgl_frequency_list_free(list);
    mgl_free(sizes);
    mgl_arena_free(hierarchy->arena);
}

/* Nearly everybody in the sample is alone: theta is far above the number of persons, and no
 * estimate may exceed that number. With pairs alone the likelihood falls with alpha, by little,
 * from 0 on: there is no Pitman estimate. One larger class is enough for a maximum. */
static void estimates_never_exceed_the_population(void **state)
{
    (void)state;
    enum { CLASSES = 19933, PAIRS = 67 };
    mgl_random leaves;
    mgl_random_seed(&leaves, 1);
    mgl_hierarchy *hierarchy = random_hierarchy(&leaves, CLASSES, 1);
    const mgl_hierarchy *hierarchies[1] = {hierarchy};
    uint32_t cells[CLASSES];
    uint64_t counts[CLASSES];
    for (uint32_t c = 0; c < CLASSES; c++) {
        cells[c] = c;
        counts[c] = c < PAIRS ? 2 : 1;
    }
    static const double fractions[] = {0.01, 0.05, 0.1};
    for (size_t i = 0; i < 2 * sizeof fractions / sizeof *fractions; i++) {
        mgl_frequency_list *list;
        mgl_population_uniques found;
        double fraction = fractions[i / 2];
        counts[0] = 2 + i % 2;
        assert_int_equal(tuples_listed(hierarchies, 1, cells, counts, CLASSES, &list), MGL_OK);
        assert_int_equal(mgl_population_uniques_find(
                             &(mgl_class_sizes){.sizes = list->counts, .n = list->n_tuples},
                             fraction, NULL, &found),
                         MGL_OK);
        double persons = (double)list->n_rows / fraction;
        print_message("%.0f persons: pitman %.0f, zayatz %.0f, snb %.0f\n", persons, found.pitman,
                      found.zayatz, found.snb);
        assert_string_equal(found.chosen, counts[0] > 2 ? "pitman" : "zayatz");
        assert_true(counts[0] > 2 ? found.pitman > 0 && found.pitman <= persons
                                  : isnan(found.pitman));
        assert_true(found.zayatz <= persons);
        mgl_frequency_list_free(list);
    }
    mgl_arena_free(hierarchy->arena);
}

/* No uniques, the whole population, a single row. */
static void populations_without_uniques_are_estimated(void **state)
{
    (void)state;
    mgl_random leaves;
    mgl_random_seed(&leaves, 1);
    mgl_hierarchy *hierarchy = random_hierarchy(&leaves, 4, 1);
    const mgl_hierarchy *hierarchies[1] = {hierarchy};
    uint32_t cells[3] = {0, 1, 2};
    static const uint64_t counts[2][3] = {{2, 3, 4}, {1, 1, 4}};
    mgl_population_uniques found;
    for (size_t i = 0; i < 2; i++) {
        mgl_frequency_list *list;
        assert_int_equal(tuples_listed(hierarchies, 1, cells, counts[i], 3, &list), MGL_OK);
        assert_int_equal(mgl_population_uniques_find(
                             &(mgl_class_sizes){.sizes = list->counts, .n = list->n_tuples},
                             i == 0 ? 0.1 : 1, NULL, &found),
                         MGL_OK);
        double wanted = i == 0 ? 0 : 2;
        assert_true(found.pitman == wanted && found.zayatz == wanted && found.snb == wanted);
        mgl_frequency_list_free(list);
    }
    /* Zayatz by hand: sizes 1, 1, 4 in a sample of 6 from 12 persons. */
    mgl_frequency_list *list;
    assert_int_equal(tuples_listed(hierarchies, 1, cells, counts[1], 3, &list), MGL_OK);
    assert_int_equal(
        mgl_population_uniques_find(&(mgl_class_sizes){.sizes = list->counts, .n = list->n_tuples},
                                    0.5, NULL, &found),
        MGL_OK);
    double one_of_1 = 0.5, one_of_4 = 4.0 * 56 / 924; /* C(8,5) / C(12,6) */
    double share = 2 * one_of_1 / (2 * one_of_1 + one_of_4);
    assert_true(fabs(found.zayatz - share * 2 / 0.5) < 1e-9);
    mgl_frequency_list_free(list);
    mgl_arena_free(hierarchy->arena);
}

/* ---- Memory
 * ------------------------------------------------------------------------------------------- */

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    table t;
    make_table(&t, 4);
    for (int what = 0; what < 3; what++) {
        mgl_status status = MGL_SYSTEM;
        for (uint64_t number = 1; status != MGL_OK; number++) {
            mgl_error err = {0};
            mgl_suda *suda = NULL;
            mgl_candidates *all = NULL;
            mgl_population_uniques found;
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = what == 0 ? mgl_suda_new(t.list, 0.01, NULL, &err, &suda)
                     : what == 1
                         ? mgl_candidates_new(t.list, MGL_CANDIDATES_WORK, NULL, &err, &all)
                         : mgl_population_uniques_find(
                               &(mgl_class_sizes){.sizes = t.list->counts, .n = t.list->n_tuples},
                               0.1, &err, &found);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || (status == MGL_SYSTEM && err.status == MGL_SYSTEM));
            mgl_suda_free(suda);
            mgl_candidates_free(all);
            assert_true(number < 10000);
        }
    }
    free_table(&t);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_uniques_equal_brute_force),
        cmocka_unit_test(sets_of_columns_equal_brute_force),
        cmocka_unit_test(of_too_many_sets_the_small_ones_are_counted),
        cmocka_unit_test(individual_risk_equals_its_integral),
        cmocka_unit_test(individual_risk_falls_when_rows_join),
        cmocka_unit_test(population_uniques_are_estimated_near_the_truth),
        cmocka_unit_test(populations_without_uniques_are_estimated),
        cmocka_unit_test(pitman_estimates_a_pitman_population),
        cmocka_unit_test(estimates_never_exceed_the_population),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
