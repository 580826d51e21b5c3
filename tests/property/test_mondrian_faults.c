/* Mondrian when memory runs out, when it is told to stop, when time is up, and with several
 * threads. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "brute_mondrian.h"
#include "search/cluster/mondrian/mondrian.h"
#include "random_problem.h"

#include <string.h>

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution **out)
{
    return mgl_method_run(mgl_method_type_find("mondrian"), problem, err, out);
}

/* A table that is cut, with a column of numbers and, if wanted, models that look at values. */
static void make_table(brute_table *t, uint64_t seed, bool judged)
{
    for (bool found = false; !found; seed++) {
        brute_table_make(t, seed, 400);
        brute_order_sets(&t->c);
        brute_random random = {seed};
        brute_mondrian_numbers(t, &random);
        brute_table_take_model(t, &random, judged ? BRUTE_DISTINCT_L : BRUTE_K);
        found = t->c.n_sets == 1 && !t->has_population && t->n_models > 0 && t->c.n_rows > 20 &&
                brute_mondrian_is_scale(t, 0) && t->c.hierarchies[0].n_leaves > 3 &&
                !brute_mondrian_is_scale(t, 1);
    }
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    static brute_table t;
    for (uint64_t i = 0; i < 6; i++) {
        brute_made m;
        make_table(&t, 1000 * i, i % 2 == 0);
        brute_made_make(&t, &m);
        mgl_mondrian_options options = {i < 3 || t.has_persons ? MGL_CUT_STRICT : MGL_CUT_RELAXED};
        m.problem.method = mgl_method_type_find("mondrian");
        m.problem.options = &options;
        mgl_status status = MGL_SYSTEM;
        uint64_t number = 0;
        while (status == MGL_SYSTEM) {
            mgl_error err = {0};
            mgl_solution *solution = NULL;
            mgl_fault_arm(MGL_FAULT_MEMORY, ++number);
            status = run(&m.problem, &err, &solution);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || status == MGL_UNMET || err.status == MGL_SYSTEM);
            if (status == MGL_OK)
                mgl_solution_free(solution);
        }
        assert_true(number > 20);
        assert_true(status == MGL_OK || status == MGL_UNMET);
        brute_made_free(&m);
    }
#else
    skip();
#endif
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static mgl_job *utility_job(void)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "original.csv");
    brute_set(job, "release", "ranges.csv");
    brute_set(job, "qi", "age,town");
    brute_set(job, "threads", "1");
    return job;
}

static void failed_allocations_of_utility_are_errors(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    write_file("original.csv", "age,town\n20,A\n25,A\n31,B\n,B\n40,B\n");
    write_file("ranges.csv", "age,town\n20-25,A\n20-25,A\n*,B\n*,B\n40,*\n");
    mgl_status status = MGL_SYSTEM;
    uint64_t number = 0;
    while (status == MGL_SYSTEM) {
        mgl_job *job = utility_job();
        mgl_error err = {0};
        mgl_result *result = NULL;
        mgl_fault_arm(MGL_FAULT_MEMORY, ++number);
        status = mgl_job_run(job, "utility", &err, &result);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
        mgl_result_free(result);
        mgl_job_free(job);
    }
    assert_true(number > 50);
    assert_int_equal(status, MGL_OK);
#else
    skip();
#endif
}

static int stop_at(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage;
    assert_true(done <= total);
    int *calls = user;
    return --*calls <= 0;
}

/* Tables of more tuples than one thread cuts up at once. */
enum { TUPLES = 60000 };

static void a_listener_cancels_the_search(void **state)
{
    (void)state;
    random_problem p;
    assert_true(random_problem_make_wide(&p, 6, TUPLES, 5));
    mgl_status status = MGL_CANCELLED;
    int first = 0;
    while (status == MGL_CANCELLED) {
        int calls = ++first;
        mgl_progress progress = {stop_at, &calls, NULL};
        mgl_solution *solution = NULL;
        p.problem.progress = &progress;
        status = run(&p.problem, NULL, &solution);
        mgl_solution_free(solution);
    }
    assert_int_equal(status, MGL_OK);
    assert_true(first > 2); /* it was told so several times */
    random_problem_free(&p);
}

static void one_and_four_threads_give_equal_recodings(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    for (uint64_t seed = 0; seed < 4; seed++) {
        random_problem p;
        mgl_found found;
        assert_true(random_problem_make_wide(&p, 6, TUPLES, seed));
        mgl_mondrian_options options = {seed % 2 == 0 ? MGL_CUT_STRICT : MGL_CUT_RELAXED};
        p.problem.method = mgl_method_type_find("mondrian");
        p.problem.options = &options;
        mgl_solution *one = NULL, *four = NULL;
        assert_int_equal(run(&p.problem, NULL, &one), MGL_OK);
        p.problem.pool = pool;
        assert_int_equal(run(&p.problem, NULL, &four), MGL_OK);
        for (size_t a = 0; a < p.n_attributes; a++)
            assert_memory_equal(one->recoding->cells[a], four->recoding->cells[a],
                                p.list->n_tuples * sizeof **one->recoding->cells);
        assert_int_equal(one->suppressed_rows, 0);
        assert_int_equal(mgl_judge_recoding(&p.problem, one->recoding, NULL, &found), MGL_OK);
        assert_true(found.holds);
        mgl_solution_free(one);
        mgl_solution_free(four);
        random_problem_free(&p);
    }
    mgl_pool_free(pool);
}

/* What was cut so far is a release. */
static void at_the_time_limit_the_regions_so_far_are_released(void **state)
{
    (void)state;
    random_problem p;
    mgl_found found;
    mgl_solution *solution = NULL;
    assert_true(random_problem_make_wide(&p, 5, 400, 1));
    p.problem.deadline = mgl_sys_seconds() - 1;
    assert_int_equal(run(&p.problem, NULL, &solution), MGL_OK);
    assert_true(solution->timed_out);
    assert_int_equal(mgl_judge_recoding(&p.problem, solution->recoding, NULL, &found), MGL_OK);
    assert_true(found.holds);
    mgl_solution_free(solution);
    random_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(failed_allocations_of_utility_are_errors),
        cmocka_unit_test(a_listener_cancels_the_search),
        cmocka_unit_test(one_and_four_threads_give_equal_recodings),
        cmocka_unit_test(at_the_time_limit_the_regions_so_far_are_released),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
