/* Branch and bound by class sizes against the plain sweep, and against what ARX found on Adult. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "adult.h"
#include "brute.h"
#include "brute_problem.h"
#include "base/fault.h"
#include "fast_search.h"
#include "random_problem.h"
#include "search/fulldomain/by_size/counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The same as the sweep ---------------------------------------------------------------- */

static void small_tables_equal_the_sweep(void **state)
{
    (void)state;
    char folder[] = "/tmp/mingle-search-XXXXXX";
    char back[4096];
    assert_non_null(getcwd(back, sizeof back));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (int i = 0; i < brute_cases(300); i++) {
        static brute_case made;
        brute_problem p;
        brute_make(&made, 70000 + (uint64_t)i);
        if (made.n_sets > 1)
            continue;
        brute_problem_make(&made, &p);
        if (p.sets[0].n_attributes == p.list->n_attributes)
            fast_search_compare_all(&fast_by_size, &p.problem, made.seed);
        brute_problem_free(&p);
    }
    remove("brute-hierarchy.csv");
    assert_int_equal(chdir(back), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void larger_tables_equal_the_sweep(void **state)
{
    (void)state;
    const char *first = getenv("MGL_TEST_SEED");
    int start = first != NULL ? atoi(first) : 0;
    for (int i = start; i < start + (first != NULL ? 1 : brute_cases(150)); i++) {
        random_problem p;
        assert_true(random_problem_make(&p, (uint64_t)i));
        static const uint64_t memory[] = {0, 1, 20000, 300000};
        p.problem.memory = memory[i % 4];
        uint64_t size = mgl_lattice_size(p.min_level, p.max_level, p.n_attributes);
        if (size * p.list->n_tuples < 400000)
            fast_search_compare_all(&fast_by_size, &p.problem, p.seed);
        random_problem_free(&p);
    }
}

/* Tables of so many records that a sample tells which of them are worth rolling up; pairs of up to
 * seven columns. */
static void sampled_tables_equal_the_sweep(void **state)
{
    (void)state;
    static const char *const measures[] = {"precision", "class-size", "nonuniform-entropy"};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        random_problem p;
        bool many = seed % 2 == 0; /* columns, of few levels */
        assert_true(random_problem_make_wide(&p, many ? 8 : 5, 9000, 100 + seed));
        for (size_t a = 0; many && a < p.n_attributes; a++)
            p.min_level[a] = a < 6 ? p.max_level[a] - 1 : 2;
        p.problem.limit = seed < 3 ? 0 : p.list->n_rows / 20;
        for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
            p.problem.measure = mgl_measure_type_find(measures[i]);
            fast_search_compare_optimum(&fast_by_size, &p.problem, seed, measures[i]);
        }
        random_problem_free(&p);
    }
}

/* The optimum and its ties, with this much memory for tables that the search can do without. */
static mgl_optimum find_with_memory(random_problem *p, uint64_t memory, size_t pool)
{
    mgl_optimum found = {0};
    mgl_error err = {0};
    p->problem.memory = memory;
    p->problem.pool = fast_pools[pool];
    mgl_ties_init(&found.ties, p->n_attributes);
    assert_int_equal(
        mgl_engine_optimum(&mgl_engine_by_size, &p->problem, MGL_LITTLE_WORK, &err, &found),
        MGL_OK);
    return found;
}

/* Little memory has large tables packed, in blocks of their own, and some of them not kept. */
static void bounded_caches_give_the_answer_of_unbounded_ones(void **state)
{
    (void)state;
    static const uint64_t memory[] = {1, 30000, 100000, 1000000};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        random_problem p;
        assert_true(random_problem_make_wide(&p, 4 + seed % 3, 2500, seed));
        p.problem.treatment = seed % 2 == 0 ? MGL_DROP : MGL_EXEMPT;
        p.problem.limit = p.list->n_rows / 20;
        p.problem.measure = mgl_measure_type_find(seed % 3 == 0 ? "class-size" : "loss");
        mgl_optimum whole = find_with_memory(&p, 0, 0);
        for (size_t i = 0; i < 8; i++) {
            mgl_optimum found = find_with_memory(&p, memory[i / 2], i % 2);
            assert_int_equal(found.ties.n, whole.ties.n);
            assert_memory_equal(found.ties.nodes, whole.ties.nodes,
                                whole.ties.n * p.n_attributes * sizeof *whole.ties.nodes);
            mgl_ties_free(&found.ties);
        }
        mgl_ties_free(&whole.ties);
        random_problem_free(&p);
    }
}

/* ---- Stopping ---------------------------------------------------------------------------------
 */

static int refuse(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage;
    (void)done;
    (void)total;
    ++*(int *)user;
    return 1;
}

/* Twenty columns of four levels: far more nodes than can be looked at. */
static void time_limit_and_listener_end_the_search(void **state)
{
    (void)state;
    random_problem p;
    assert_true(random_problem_make_wide(&p, 20, 4000, 7));
    for (int i = 0; i < 2; i++) {
        int calls = 0;
        mgl_progress progress = {refuse, &calls, NULL};
        mgl_optimum found = {0};
        mgl_error err;
        p.problem.pool = fast_pools[i];
        p.problem.measure = mgl_measure_type_find("class-size");
        p.problem.deadline = mgl_sys_seconds() + 0.2;
        mgl_ties_init(&found.ties, p.n_attributes);
        double start = mgl_sys_seconds();
        assert_int_equal(
            mgl_engine_optimum(&mgl_engine_by_size, &p.problem, MGL_LITTLE_WORK, &err, &found),
            MGL_OK);
        assert_true(found.timed_out);
        assert_true(mgl_sys_seconds() - start < 20); /* it does stop */
        assert_true(found.ties.n > 0);
        mgl_evaluator *evaluator;
        mgl_evaluation e;
        assert_int_equal(mgl_evaluator_new(&p.problem, &err, &evaluator), MGL_OK);
        assert_int_equal(mgl_evaluate_node(evaluator, found.ties.nodes, &e), MGL_OK);
        assert_true(e.holds);
        mgl_evaluator_free(evaluator);
        mgl_ties_free(&found.ties);

        p.problem.deadline = 0;
        p.problem.progress = &progress;
        mgl_ties_init(&found.ties, p.n_attributes);
        assert_int_equal(
            mgl_engine_optimum(&mgl_engine_by_size, &p.problem, MGL_LITTLE_WORK, &err, &found),
            MGL_CANCELLED);
        assert_int_equal(err.status, MGL_CANCELLED);
        assert_true(calls > 0);
        mgl_ties_free(&found.ties);
        p.problem.progress = NULL;
    }
    random_problem_free(&p);
}

/* ---- Memory -----------------------------------------------------------------------------------
 */

/* Each allocation fails in turn; the search says so and leaves nothing behind. */
static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    static const char *const measures[] = {"nonuniform-entropy", "class-size", "ambiguity"};
    random_problem p;
    assert_true(random_problem_make(&p, 4));
    p.problem.treatment = MGL_EXEMPT;
    p.problem.limit = p.list->n_rows;
    for (size_t m = 0; m < 3; m++) {
        mgl_status status = MGL_SYSTEM;
        p.problem.measure = mgl_measure_type_find(measures[m]);
        for (uint64_t number = 1; status != MGL_OK; number++) {
            mgl_optimum found = {0};
            mgl_error err = {0};
            mgl_ties_init(&found.ties, p.n_attributes);
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = mgl_engine_optimum(&mgl_engine_by_size, &p.problem, 0, &err, &found);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || status == MGL_SYSTEM);
            assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
            assert_true(number < 100000);
            mgl_ties_free(&found.ties);
        }
    }
    random_problem_free(&p);
#else
    skip();
#endif
}

/* ---- ARX ------------------------------------------------------------------------------------ */

static void has_golden_optima(const char *folder, const char *name)
{
    adult data;
    if (!adult_read(&data, folder)) {
        print_message("skipped: no ../shared\n");
        skip();
    }
    arx_case cases[64];
    size_t n = arx_cases(folder, name, cases, 64);
    assert_true(n > 20);
    for (size_t i = 0; i < n; i++) {
        uint64_t limit = (uint64_t)(cases[i].share * (double)data.list->n_rows);
        mgl_problem problem = adult_problem(&data, cases[i].k, limit, cases[i].measure);
        problem.memory = i % 4 == 0 ? 4 << 20 : 0; /* of little memory the answer is the same */
        mgl_optimum found = {0};
        mgl_ties_init(&found.ties, ADULT_COLUMNS);
        assert_int_equal(
            mgl_engine_optimum(&mgl_engine_by_size, &problem, MGL_LITTLE_WORK, NULL, &found),
            MGL_OK);
        assert_true(found.ties.n > 0);
        double value = found.ties.best;
        if (strcmp(cases[i].measure, "precision") == 0)
            value += 1; /* the cost is the negative precision */
        /* With suppressed rows ARX counts the entropy differently. */
        bool compared = strcmp(cases[i].measure, "nonuniform-entropy") != 0 || limit == 0;
        if (compared && fabs(value - cases[i].value) > 1e-9 * fabs(cases[i].value))
            fail_msg("k %llu, limit %llu, %s: %.17g, golden is %.17g",
                     (unsigned long long)cases[i].k, (unsigned long long)limit, cases[i].measure,
                     value, cases[i].value);
        mgl_ties_free(&found.ties);
    }
    adult_free(&data);
}

static void adult_has_the_optima_of_arx(void **state)
{
    (void)state;
    has_golden_optima(shared_folder(), "arx_adult.tsv");
}

static void standin_has_the_optima_of_every_node(void **state)
{
    (void)state;
    has_golden_optima(standin_folder(), "optima.tsv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tables_equal_the_sweep),
        cmocka_unit_test(larger_tables_equal_the_sweep),
        cmocka_unit_test(sampled_tables_equal_the_sweep),
        cmocka_unit_test(bounded_caches_give_the_answer_of_unbounded_ones),
        cmocka_unit_test(time_limit_and_listener_end_the_search),
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(adult_has_the_optima_of_arx),
        cmocka_unit_test(standin_has_the_optima_of_every_node),
    };
    return cmocka_run_group_tests(tests, fast_pools_make, fast_pools_free);
}
