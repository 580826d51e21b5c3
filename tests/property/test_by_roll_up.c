/* The engine for what the others leave against the plain sweep: the same best nodes with the same
 * costs, the same nodes that hold, for all models, measures and treatments, with several
 * quasi-identifiers, persons, a population and histories, on one thread and on four. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "random_problem.h"
#include "search/fulldomain/by_roll_up/by_roll_up.h"

#include <stdlib.h>
#include <string.h>

static mgl_pool *four;

static int begin(void **state)
{
    return brute_enter_folder(state) == 0 && mgl_pool_new(4, NULL, &four) == MGL_OK ? 0 : -1;
}

static int end(void **state)
{
    mgl_pool_free(four);
    return brute_leave_folder(state);
}

static uint64_t size_of(const mgl_problem *p)
{
    return mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
}

/* ---- The best nodes ----------------------------------------------------------------------- */

/* Returns how many nodes were judged. */
static uint64_t compare_best(mgl_problem *problem, uint64_t seed)
{
    mgl_optimum plain = {0}, fast[2] = {0};
    size_t m = problem->list->n_attributes;
    mgl_ties_init(&plain.ties, m);
    assert_int_equal(mgl_sweep_optimum(problem, NULL, &plain), MGL_OK);
    for (int i = 0; i < 2; i++) {
        problem->pool = i == 0 ? NULL : four;
        mgl_ties_init(&fast[i].ties, m);
        assert_int_equal(mgl_by_roll_up_optimum(problem, NULL, &fast[i]), MGL_OK);
        size_t n = plain.ties.n;
        if (fast[i].ties.n != n ||
            (n > 0 &&
             (memcmp(fast[i].ties.nodes, plain.ties.nodes, n * m * sizeof(uint32_t)) != 0 ||
              memcmp(fast[i].ties.costs, plain.ties.costs, n * sizeof(double)) != 0)))
            fail_msg("seed %llu, %s, treatment %d: %zu best nodes of %.17g, the sweep has %zu of "
                     "%.17g",
                     (unsigned long long)seed, problem->measure->name, (int)problem->treatment,
                     fast[i].ties.n, fast[i].ties.best, plain.ties.n, plain.ties.best);
    }
    problem->pool = NULL;
    assert_int_equal(fast[0].checked, fast[1].checked);
    assert_true(fast[0].checked <= plain.checked);
    uint64_t checked = fast[0].checked;
    mgl_ties_free(&plain.ties);
    mgl_ties_free(&fast[0].ties);
    mgl_ties_free(&fast[1].ties);
    return checked;
}

/* ---- Those that hold ---------------------------------------------------------------------- */

static void compare_marks(const mgl_problem *problem, const uint8_t *plain, const uint8_t *found,
                          const char *told, uint64_t seed)
{
    for (uint64_t v = 0; v < size_of(problem); v++)
        if (plain[v] != found[v])
            fail_msg("seed %llu, %s, treatment %d, limit %llu: node %llu holds: %d, found %d",
                     (unsigned long long)seed, told, (int)problem->treatment,
                     (unsigned long long)problem->limit, (unsigned long long)v, plain[v], found[v]);
}

static uint64_t compare_holding(mgl_problem *problem, uint64_t seed)
{
    uint64_t n = size_of(problem), checked[5];
    uint8_t *plain = mgl_zeroed_array(n, 1), *found = mgl_zeroed_array(n, 1);
    assert_int_equal(mgl_sweep_holding(problem, NULL, plain, &checked[4]), MGL_OK);
    for (int i = 0; i < 4; i++) {
        bool above = i >= 2;
        if (i == 2)
            assert_int_equal(mgl_mark_above(problem, NULL, plain), MGL_OK);
        problem->pool = i % 2 == 0 ? NULL : four;
        memset(found, 7, n);
        assert_int_equal(mgl_by_roll_up_holding(problem, above, NULL, found, &checked[i]), MGL_OK);
        compare_marks(problem, plain, found, above ? "and above" : "each", seed);
    }
    problem->pool = NULL;
    assert_int_equal(checked[0], checked[1]);
    assert_int_equal(checked[2], checked[3]);
    assert_true(checked[2] <= checked[0] && checked[0] <= checked[4]);
    mgl_free(plain);
    mgl_free(found);
    return checked[0];
}

/* ---- Small tables with everything ------------------------------------------------------------ */

/* Adds up the nodes that were judged, and all. */
static void compare_table(uint64_t seed, brute_treatment treatment, uint64_t *judged, uint64_t *all)
{
    static brute_table t;
    brute_made m;
    brute_random random = {seed};
    brute_made_with_everything(seed, treatment, &random, &t, &m);
    uint32_t *histories = seed % 7 == 0 ? brute_random_histories(&m.problem, &random) : NULL;
    m.problem.histories = histories;
    for (int i = 0; i < 2; i++) {
        brute_made_measure(&t, &m, brute_below(&random, BRUTE_DRIVING));
        *judged += compare_best(&m.problem, seed);
        *all += size_of(&m.problem);
    }
    *judged += compare_holding(&m.problem, seed);
    *all += size_of(&m.problem);
    mgl_free(histories);
    brute_made_free(&m);
}

static void answers_are_those_of_the_sweep(void **state)
{
    (void)state;
    const char *first = getenv("MGL_TEST_SEED");
    int start = first != NULL ? atoi(first) : 0, cases = first != NULL ? 1 : brute_cases(500);
    uint64_t judged = 0, all = 0;
    for (int i = start; i < start + cases; i++)
        compare_table(UINT64_C(8000000) + (uint64_t)i, (brute_treatment)(i % 3), &judged, &all);
    assert_true(first != NULL || judged < all);
}

/* ---- Larger tables with several quasi-identifiers ----------------------------------------------
 */

/* Every column is in one of two or three, some in several. */
static void split_columns(random_problem *p, mgl_random *random, uint32_t attributes[3][40],
                          mgl_quasi_set sets[3])
{
    size_t n = 2 + mgl_random_below(random, 2);
    for (size_t q = 0; q < n; q++)
        sets[q] = (mgl_quasi_set){.attributes = attributes[q], .models = &p->model, .n_models = 1};
    for (uint32_t a = 0; a < p->n_attributes; a++)
        for (size_t q = 0; q < n; q++)
            if (a % n == q || mgl_random_below(random, 4) == 0)
                attributes[q][sets[q].n_attributes++] = a;
    p->problem.sets = sets;
    p->problem.n_sets = n;
}

static const mgl_measure_type *any_measure(mgl_random *random)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n), *type;
    do
        type = types[mgl_random_below(random, n)];
    while (!type->drives_search || type->takes_label);
    return type;
}

static void larger_tables_have_the_answers_of_the_sweep(void **state)
{
    (void)state;
    uint64_t judged = 0, all = 0;
    for (int i = 0; i < brute_cases(150); i++) {
        random_problem p;
        mgl_random random;
        uint32_t attributes[3][40];
        mgl_quasi_set sets[3];
        assert_true(random_problem_make(&p, 900000 + (uint64_t)i));
        mgl_random_seed(&random, p.seed);
        uint64_t size = size_of(&p.problem);
        if (p.n_attributes >= 3 && size * p.list->n_tuples < 300000) {
            split_columns(&p, &random, attributes, sets);
            p.problem.treatment = (mgl_treatment)(i % 3);
            for (int j = 0; j < 2; j++) {
                p.problem.measure = any_measure(&random);
                judged += compare_best(&p.problem, p.seed);
            }
            judged += compare_holding(&p.problem, p.seed);
            all += 3 * size;
        }
        random_problem_free(&p);
    }
    assert_true(all > 0 && judged < all / 2);
}

/* ---- Memory, stopping ------------------------------------------------------------------------ */

static void make(random_problem *p, uint32_t attributes[3][40], mgl_quasi_set sets[3])
{
    mgl_random random;
    mgl_random_seed(&random, 3);
    assert_true(random_problem_make_wide(p, 5, 60, 4));
    split_columns(p, &random, attributes, sets);
    p->problem.measure = mgl_measure_type_find("loss");
    p->problem.limit = 9;
}

#ifdef MGL_FAULTS
static mgl_status find_both(const mgl_problem *problem, mgl_error *err, uint8_t *holds)
{
    mgl_optimum best = {0};
    uint64_t checked;
    mgl_ties_init(&best.ties, problem->list->n_attributes);
    mgl_status status = mgl_by_roll_up_optimum(problem, err, &best);
    mgl_ties_free(&best.ties);
    return status == MGL_OK ? mgl_by_roll_up_holding(problem, false, err, holds, &checked) : status;
}
#endif

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    random_problem p;
    uint32_t attributes[3][40];
    mgl_quasi_set sets[3];
    make(&p, attributes, sets);
    uint8_t *holds = mgl_zeroed_array(size_of(&p.problem), 1);
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status == MGL_SYSTEM; number++) {
        mgl_error err = {0};
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = find_both(&p.problem, &err, holds);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
        assert_true(number < 100000);
    }
    assert_int_equal(status, MGL_OK);
    mgl_free(holds);
    random_problem_free(&p);
#else
    skip();
#endif
}

static void at_the_time_limit_it_stops(void **state)
{
    (void)state;
    random_problem p;
    uint32_t attributes[3][40];
    mgl_quasi_set sets[3];
    make(&p, attributes, sets);
    uint8_t *holds = mgl_zeroed_array(size_of(&p.problem), 1);
    uint64_t checked;
    mgl_error err = {0};
    mgl_optimum best = {0};
    mgl_ties_init(&best.ties, p.n_attributes);
    p.problem.deadline = mgl_sys_seconds() - 1;
    assert_int_equal(mgl_by_roll_up_optimum(&p.problem, &err, &best), MGL_OK);
    assert_true(best.timed_out);
    assert_int_equal(mgl_by_roll_up_holding(&p.problem, false, &err, holds, &checked), MGL_UNMET);
    assert_non_null(strstr(err.message, "time limit"));
    mgl_ties_free(&best.ties);
    mgl_free(holds);
    random_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_sweep),
        cmocka_unit_test(larger_tables_have_the_answers_of_the_sweep),
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(at_the_time_limit_it_stops),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
