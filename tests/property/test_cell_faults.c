/* The cell level when memory runs out, when it is told to stop, and with several threads. */
/* slow: every allocation or system call fails in turn */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute.h"
#include "random_problem.h"
#include "search/search.h"

#include <string.h>

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution **out)
{
    return mgl_method_run(mgl_method_type_find("cell"), problem, err, out);
}

/* Random tables are small: one that is placed, priced and improved. */
static void make(random_problem *p, uint64_t seed)
{
    assert_true(random_problem_make(p, seed));
    p->problem.measure = mgl_measure_type_find("loss");
    p->problem.treatment = MGL_KEEP;
    p->problem.effort = MGL_EFFORT_BALANCED;
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    for (uint64_t seed = 4; seed < 7; seed++) {
        random_problem p;
        make(&p, seed);
        mgl_status status = MGL_SYSTEM;
        for (uint64_t number = 1; status == MGL_SYSTEM; number += BRUTE_ONE_IN) {
            mgl_error err = {0};
            mgl_solution *solution = NULL;
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = run(&p.problem, &err, &solution);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || status == MGL_UNMET || err.status == MGL_SYSTEM);
            assert_true(number < 100000);
            if (status == MGL_OK)
                mgl_solution_free(solution);
        }
        assert_true(status == MGL_OK || status == MGL_UNMET);
        random_problem_free(&p);
    }
#else
    skip();
#endif
}

static int stop_at(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage;
    (void)done;
    (void)total;
    int *calls = user;
    return --*calls <= 0;
}

static void a_listener_cancels_the_search(void **state)
{
    (void)state;
    random_problem p;
    make(&p, 5);
    mgl_status status = MGL_CANCELLED;
    for (int first = 1; status == MGL_CANCELLED; first++) {
        int calls = first;
        mgl_progress progress = {stop_at, &calls, NULL};
        mgl_solution *solution = NULL;
        p.problem.progress = &progress;
        status = run(&p.problem, NULL, &solution);
        if (status == MGL_OK)
            mgl_solution_free(solution);
        if (first > 20) /* it is told often enough */
            break;
    }
    assert_true(status == MGL_CANCELLED || status == MGL_OK || status == MGL_UNMET);
    random_problem_free(&p);
}

/* A table of many tuples with few columns, so that pools are chosen and put together. */
static void one_and_four_threads_give_equal_recodings(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    for (uint64_t seed = 0; seed < 3; seed++) {
        random_problem p;
        assert_true(random_problem_make_wide(&p, 5, 400, seed));
        p.problem.measure = mgl_measure_type_find("precision");
        p.problem.treatment = MGL_KEEP;
        p.problem.effort = MGL_EFFORT_BALANCED;
        mgl_solution *one = NULL, *four = NULL;
        assert_int_equal(run(&p.problem, NULL, &one), MGL_OK);
        p.problem.pool = pool;
        assert_int_equal(run(&p.problem, NULL, &four), MGL_OK);
        p.problem.pool = NULL;
        size_t n = p.list->n_tuples;
        for (size_t a = 0; a < p.n_attributes; a++)
            assert_memory_equal(one->recoding->cells[a], four->recoding->cells[a],
                                n * sizeof **one->recoding->cells);
        assert_memory_equal(one->recoding->suppressed, four->recoding->suppressed, n);
        assert_true(one->best_possible == four->best_possible);
        mgl_solution_free(one);
        mgl_solution_free(four);
        random_problem_free(&p);
    }
    mgl_pool_free(pool);
}

/* At the time limit there is still a release, and it says so. */
static void at_the_time_limit_there_is_a_release_that_says_so(void **state)
{
    (void)state;
    random_problem p;
    assert_true(random_problem_make_wide(&p, 5, 400, 1));
    p.problem.measure = mgl_measure_type_find("precision");
    p.problem.treatment = MGL_KEEP;
    p.problem.effort = MGL_EFFORT_BEST;
    p.problem.deadline = mgl_sys_seconds() - 1;
    mgl_solution *solution = NULL;
    assert_int_equal(run(&p.problem, NULL, &solution), MGL_OK);
    assert_true(solution->timed_out || solution->exact);
    mgl_found found;
    assert_int_equal(mgl_judge_recoding(&p.problem, solution->recoding, NULL, &found), MGL_OK);
    assert_true(found.holds);
    mgl_solution_free(solution);
    random_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(a_listener_cancels_the_search),
        cmocka_unit_test(one_and_four_threads_give_equal_recodings),
        cmocka_unit_test(at_the_time_limit_there_is_a_release_that_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
