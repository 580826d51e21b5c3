/* k-member clustering when memory runs out, when it is told to stop, and when time is up. */
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

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution **out)
{
    return mgl_method_run(mgl_method_type_find("k-member"), problem, err, out);
}

static void fail_each(const mgl_problem *problem)
{
#ifdef MGL_FAULTS
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status == MGL_SYSTEM; number++) {
        mgl_error err = {0};
        mgl_solution *solution = NULL;
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = run(problem, &err, &solution);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || status == MGL_UNMET || err.status == MGL_SYSTEM);
        assert_true(number < 100000);
        mgl_solution_free(solution);
    }
    assert_true(status == MGL_OK || status == MGL_UNMET);
#else
    (void)problem;
    skip();
#endif
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        random_problem p;
        assert_true(random_problem_make_scaled(&p, 60, seed));
        fail_each(&p.problem);
        random_problem_free(&p);
    }
}

/* Sensitive values, persons, left-overs, classes that read alike. */
static void failed_allocations_with_models_are_errors(void **state)
{
    (void)state;
    brute_table t;
    int n = 0;
    for (uint64_t seed = 1; n < 25; seed++) {
        brute_made m;
        brute_table_make(&t, seed, 400);
        brute_order_sets(&t.c);
        if (t.c.n_sets > 1 || t.has_population)
            continue;
        brute_made_make(&t, &m);
        fail_each(&m.problem);
        brute_made_free(&m);
        n++;
    }
}

static int stop_at(void *user, const char *stage, uint64_t done, uint64_t total)
{
    int *calls = user;
    assert_string_equal(stage, "search");
    assert_true(done <= total);
    return --*calls <= 0;
}

static void a_listener_cancels_the_search(void **state)
{
    (void)state;
    random_problem p;
    assert_true(random_problem_make_wide(&p, 4, 100, 3));
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
    assert_true(first > 5); /* it was told often enough */
    random_problem_free(&p);
}

/* What is not placed yet is one class, or joins others. */
static void at_the_time_limit_what_is_not_placed_is_one_class(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        random_problem p;
        mgl_solution *solution = NULL;
        mgl_found found;
        assert_true(random_problem_make_wide(&p, 5, 300, seed));
        p.problem.treatment = MGL_KEEP;
        p.problem.deadline = mgl_sys_seconds() - 1;
        assert_int_equal(run(&p.problem, NULL, &solution), MGL_OK);
        assert_true(solution->timed_out);
        assert_int_equal(mgl_judge_recoding(&p.problem, solution->recoding, NULL, &found), MGL_OK);
        assert_true(found.holds);
        mgl_solution_free(solution);
        random_problem_free(&p);
    }
}

/* The deadline comes when something was reported so many times. */
typedef struct timer {
    mgl_problem *problem;
    int calls;
} timer;

static int let_time_pass(void *user, const char *stage, uint64_t done, uint64_t total)
{
    timer *t = user;
    (void)stage;
    (void)done;
    (void)total;
    if (--t->calls <= 0)
        t->problem->deadline = mgl_sys_seconds() - 1;
    return 0;
}

/* Stops the search at every moment at which it reports; whatever it then gives must hold. */
static int stop_everywhere(const mgl_problem *problem, size_t n_models)
{
    int moments = 0;
    bool timed_out = true;
    while (timed_out) {
        mgl_problem timed = *problem;
        timer t = {&timed, ++moments};
        mgl_progress progress = {let_time_pass, &t, NULL};
        mgl_solution *solution = NULL;
        mgl_found found[BRUTE_MODELS];
        timed.progress = &progress;
        timed.deadline = 0;
        mgl_status status = run(&timed, NULL, &solution);
        assert_true(status == MGL_OK || status == MGL_UNMET);
        timed_out = t.calls <= 0 && moments < 1000;
        if (status == MGL_OK) {
            assert_int_equal(mgl_judge_recoding(&timed, solution->recoding, NULL, found), MGL_OK);
            for (size_t i = 0; i < n_models; i++)
                assert_true(found[i].holds);
        }
        mgl_solution_free(solution);
    }
    return moments;
}

static void whenever_time_is_up_the_release_holds(void **state)
{
    (void)state;
    random_problem p;
    assert_true(random_problem_make_wide(&p, 4, 150, 8));
    assert_true(stop_everywhere(&p.problem, 1) > 10);
    random_problem_free(&p);
    brute_table t;
    int moments = 0;
    for (uint64_t seed = 1; seed < 60; seed++) {
        brute_made m;
        brute_table_make(&t, seed, 400);
        brute_order_sets(&t.c);
        if (t.c.n_sets > 1 || t.has_population)
            continue;
        brute_made_make(&t, &m);
        moments += stop_everywhere(&m.problem, (size_t)t.n_models);
        brute_made_free(&m);
    }
    assert_true(moments > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(failed_allocations_with_models_are_errors),
        cmocka_unit_test(a_listener_cancels_the_search),
        cmocka_unit_test(at_the_time_limit_what_is_not_placed_is_one_class),
        cmocka_unit_test(whenever_time_is_up_the_release_holds),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
