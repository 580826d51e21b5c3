/* The units of the exact search: up to a thousand million rows no sum leaves 64 bits, and what is
 * proved does not depend on the number of rows. Efforts, which count steps. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "random_problem.h"
#include "tuples.h"
#include "search/cell/exact/exact.h"
#include "search/cell/exact/inner.h"
#include "search/cell/cell.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 3, TUPLES = 9, K = 3 };

static const uint64_t thousands[] = {1, 1000, 1000000, 10000000, 70000000};

/* Counts of 1 to 3, times `times`; classes need K times as many. */
static void make(random_problem *p, uint64_t seed, uint64_t times, const char *measure)
{
    mgl_random random;
    mgl_random_seed(&random, seed);
    uint32_t leaves[TUPLES][COLUMNS];
    uint64_t counts[TUPLES];
    *p = (random_problem){.n_attributes = COLUMNS};
    for (uint32_t a = 0; a < COLUMNS; a++) {
        p->hierarchies[a] = random_hierarchy(&random, 6, 3);
        assert_non_null(p->hierarchies[a]);
        assert_int_equal(mgl_released_column_new(p->hierarchies[a], NULL, &p->columns[a]), MGL_OK);
        p->attributes[a] = a;
        p->weights[a] = 1;
        p->max_level[a] = 3;
    }
    for (size_t t = 0; t < TUPLES; t++) {
        counts[t] = times * (1 + mgl_random_below(&random, 3));
        for (size_t a = 0; a < COLUMNS; a++)
            leaves[t][a] = (uint32_t)mgl_random_below(&random, 6);
    }
    assert_int_equal(tuples_listed((const mgl_hierarchy *const *)p->hierarchies, COLUMNS, leaves[0],
                                   counts, TUPLES, &p->list),
                     MGL_OK);
    assert_int_equal(mgl_cell_costs_new(p->list, (const mgl_released_column *const *)p->columns,
                                        NULL, NULL, &p->costs),
                     MGL_OK);
    p->model = (mgl_model){.type = mgl_model_type_find("k-anonymity"),
                           .parameters = {(double)(K * times)}};
    p->set = (mgl_quasi_set){
        .attributes = p->attributes, .n_attributes = COLUMNS, .models = &p->model, .n_models = 1};
    p->problem = (mgl_problem){.list = p->list,
                               .columns = (const mgl_released_column *const *)p->columns,
                               .costs = p->costs,
                               .min_level = p->min_level,
                               .max_level = p->max_level,
                               .weights = p->weights,
                               .sets = &p->set,
                               .n_sets = 1,
                               .k = K * times,
                               .limited = true,
                               .limit = seed % 2 * 2 * times,
                               .treatment = (mgl_treatment)(seed % 3),
                               .measure = mgl_measure_type_find(measure)};
}

/* What is proved, and what the release costs, as values of the measure. By the program, not by
 * trying all sets: `work` is enough for that. */
static void prove(uint64_t seed, uint64_t times, const char *measure, double *proved_value,
                  double *value)
{
    random_problem p;
    mgl_box_space *space;
    mgl_box_release *release;
    bool proved, late = false;
    uint64_t bound;
    make(&p, seed, times, measure);
    assert_int_equal(mgl_box_space_new(&p.problem, NULL, &space), MGL_OK);
    assert_int_equal(mgl_box_release_new(space, NULL, &release), MGL_OK);
    assert_int_equal(
        mgl_cell_exact(space, UINT64_C(1) << 40, release, NULL, &proved, &bound, &late), MGL_OK);
    uint64_t cost = mgl_box_release_cost(release);
    assert_true(proved && bound <= cost);
    assert_true(!space->whole || times > 1000 || bound == cost);
    *proved_value = mgl_box_measured(space, (double)bound);
    *value = mgl_box_measured(space, (double)cost);
    mgl_box_release_free(release);
    mgl_box_space_free(space);
    random_problem_free(&p);
}

static void counts_times_a_factor_prove_the_same(void **state)
{
    (void)state;
    static const char *const measures[] = {"precision", "loss"};
    for (uint64_t seed = 0; seed < 24; seed++) {
        const char *measure = measures[seed / 2 % 2];
        double proved, value, first_proved, first;
        prove(seed, 1, measure, &first_proved, &first);
        for (size_t i = 1; i < sizeof thousands / sizeof thousands[0]; i++) {
            prove(seed, thousands[i], measure, &proved, &value);
            assert_true(fabs(value - first) <= 1e-9 && fabs(proved - first_proved) <= 1e-6);
        }
    }
}

/* Logarithms are rounded: what is proved is a little less than what is reached, never more. */
static void rounded_costs_prove_no_more_than_is_reached(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++)
        for (size_t i = 0; i < sizeof thousands / sizeof thousands[0]; i++) {
            double proved, value;
            prove(seed, thousands[i], "nonuniform-entropy", &proved, &value);
            assert_true(proved <= value && value - proved <= 1e-3 * value);
        }
}

/* ---- Dual values ----------------------------------------------------------------------------- */

/* A space as far as units look at it. */
static mgl_box_space make_space(uint64_t n_rows, size_t n, uint32_t *rows, bool whole)
{
    for (size_t t = 0; t < n; t++)
        rows[t] = (uint32_t)(n_rows / n);
    return (mgl_box_space){.n = n,
                           .m = 4,
                           .n_rows = n_rows,
                           .rows = rows,
                           .top_cost = UINT32_C(1) << 30,
                           .whole = whole,
                           .step = whole ? 1 << 20 : 1};
}

static void sums_of_duals_fit_64_bits(void **state)
{
    (void)state;
    static uint32_t rows[MGL_EXACT_MOST_TUPLES];
    for (uint64_t n_rows = 1000; n_rows <= 1000000000; n_rows *= 10)
        for (size_t n = 10; n <= MGL_EXACT_MOST_TUPLES && n <= n_rows; n *= 5) {
            mgl_box_space space = make_space(n_rows, n, rows, n % 20 == 0);
            mgl_exact x = {.space = &space};
            mgl_exact_choose_units(&x);
            int64_t top = mgl_exact_cost(&x, space.top_cost);
            assert_true(top > 0 && x.times > 0 && x.tolerance >= 0);
            assert_true((double)top * (double)n_rows < 0x1p49);
            assert_true(!x.exact || x.tolerance < x.times);
            /* What is lacking is raised from what all rows cost, as long as that goes. */
            x.lp.lack = (double)top * (double)n_rows;
            while (mgl_exact_raise_lack(&x))
                ;
            int64_t most = mgl_exact_most_dual(&x);
            assert_true(x.lp.lack <= (double)most || x.lp.lack == (double)top * (double)n_rows);
            assert_int_equal(mgl_exact_round_down(1e300, most), most);
            assert_int_equal(mgl_exact_round_down(-1e300, most), -most);
            assert_int_equal(mgl_exact_round_down(-1.5, most), -2);
            assert_int_equal(mgl_exact_round_up(1.5, most), 2);
            assert_int_equal(mgl_exact_round_up(1e300, most), most);
            /* All that is ever added up: dual values of tuples, of cuts and of rows left out. */
            __int128 sum = (__int128)most * (__int128)n;
            sum += (__int128)mgl_exact_most_left_dual(&x) * (__int128)n_rows;
            sum += (__int128)mgl_exact_most_cut_dual() * MGL_EXACT_MOST_CUTS *
                   (MGL_EXACT_CUT_SIZE / 2);
            sum += (__int128)top * (__int128)n_rows;
            assert_true(sum <= INT64_MAX / 2);
        }
}

/* What is said of efforts: each looks at least as long as the one before, and the fast one does not
 * improve what it placed. */
static void a_greater_effort_looks_longer(void **state)
{
    (void)state;
    const mgl_cell_effort *fast = &mgl_cell_efforts[MGL_EFFORT_FAST];
    assert_int_equal(fast->most_tuples, 0);
    assert_int_equal(fast->sweeps + fast->large_sweeps, 0);
    assert_int_equal(fast->exact_work, 0);
    for (mgl_effort e = MGL_EFFORT_BALANCED; e <= MGL_EFFORT_BEST; e++) {
        const mgl_cell_effort *less = &mgl_cell_efforts[e - 1], *more = &mgl_cell_efforts[e];
        const uint64_t of_less[] = {less->simple_work, less->near_work,    less->around_work,
                                    less->guides,      less->cluster_work, less->closed_work,
                                    less->large_work,  less->sweeps,       less->large_sweeps,
                                    less->tuple_work,  less->improve_work, less->exact_work};
        const uint64_t of_more[] = {more->simple_work, more->near_work,    more->around_work,
                                    more->guides,      more->cluster_work, more->closed_work,
                                    more->large_work,  more->sweeps,       more->large_sweeps,
                                    more->tuple_work,  more->improve_work, more->exact_work};
        for (size_t i = 0; i < sizeof of_less / sizeof of_less[0]; i++)
            assert_true(of_less[i] < of_more[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_times_a_factor_prove_the_same),
        cmocka_unit_test(rounded_costs_prove_no_more_than_is_reached),
        cmocka_unit_test(sums_of_duals_fit_64_bits),
        cmocka_unit_test(a_greater_effort_looks_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
